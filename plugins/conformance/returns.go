package conformance

import (
	"net/url"
	"strings"

	"github.com/vezne/vezne/core/gateway"
)

func returnSentences(kit) []sentence {
	list := []sentence{
		{"a browser that claims success before the payment is not believed", forgedIsNotBelieved},
		{"a browser that brings another order's success is not believed", foreignIsNotBelieved},
		{"after the payment the return says paid, as reading does", returnSaysPaid},
		{"after less was paid the return does not say that all was", returnSaysLess},
		{"after a failure the return does not say paid", returnSaysFailed},
		{"returns that come again, late or together take the money once", finishesOnce},
		{"a return that brings nothing is no more than a question", emptyReturn},
	}
	return append(list, returnTroubles()...)
}

// visit is the customer's return, as the browser brings it now.
func (w *world) visit(d deposit, in gateway.Inbound) gateway.ReturnVisit {
	return gateway.ReturnVisit{DepositKey: d.key(), Amount: d.order.Amount, Request: in}
}

// browser is what the fake's browser brings now; what it leaves out is filled in.
func (w *world) browser(ref gateway.Ref) (gateway.Inbound, bool) {
	w.t.Helper()
	if w.fake.Return == nil {
		w.t.Fatal("Fake.Return is missing, and the gateway finishes returns")
	}
	in, ok := w.fake.Return(ref)
	if !ok {
		in = gateway.Inbound{Method: "GET", Path: "/return/9f8c2d7be1a04c55"}
	}
	return w.arrived(in), ok
}

// arrived fills in what our side knows of a message.
func (w *world) arrived(in gateway.Inbound) gateway.Inbound {
	if in.Method == "" {
		in.Method = "POST"
	}
	if in.Arrived.IsZero() {
		in.Arrived = w.clock.Now()
	}
	return in
}

// isBelieved reports whether the core would take a report for money.
func isBelieved(o gateway.Observation, err error) bool {
	return err == nil && isPaid(o.State) && o.Trust >= gateway.Signed
}

func forgedIsNotBelieved(w *world) {
	d := w.start()
	w.mustSet(d.order.Ref, IsWaiting)
	in, _ := w.browser(d.order.Ref)
	for _, forged := range forgeries(in) {
		if o, err := w.finishReturn(w.visit(d, forged)); isBelieved(o, err) {
			w.t.Fatalf("a customer who paid nothing and came back with %s %s?%s %q was reported as %s with trust %q: what a "+
				"browser brings is a cue to ask, unless it is signed for this order, amount and currency", forged.Method, forged.Path,
				forged.Query, forged.Body, o.State, o.Trust)
		}
	}
}

// claims is what gateways tell browsers of a success.
const claims = "status=success&paymentStatus=SUCCESS&mdStatus=1&fraudStatus=1&state=paid&paid=true&result=ok" +
	"&ProcReturnCode=00&Response=Approved&success=true"

// forgeries are what somebody could make of a return in a browser.
func forgeries(in gateway.Inbound) []gateway.Inbound {
	all := []gateway.Inbound{in}
	post, get := in, in
	post.Method, post.Body = "POST", []byte(joined(string(in.Body), claims))
	post.Header = gateway.Header{{Name: "Content-Type", Value: "application/x-www-form-urlencoded"}}
	get.Query = joined(in.Query, claims)
	inJSON := in
	inJSON.Method, inJSON.Body = "POST", []byte(`{"status":"success","paymentStatus":"SUCCESS","state":"paid","paid":true}`)
	inJSON.Header = gateway.Header{{Name: "Content-Type", Value: "application/json"}}
	all = append(all, post, get, inJSON)
	for _, word := range []string{"success", "SUCCESS", "paid", "Approved", "1", "00", "true"} {
		for _, query := range replaced(in.Query, word) {
			changed := in
			changed.Query = query
			all = append(all, changed)
		}
		for _, body := range replaced(string(in.Body), word) {
			changed := in
			changed.Body = []byte(body)
			all = append(all, changed)
		}
	}
	return all
}

func joined(a, b string) string { return strings.TrimPrefix(a+"&"+b, "&") }

// replaced is a form with each of its values in turn made into a word.
func replaced(form, word string) []string {
	values, err := url.ParseQuery(form)
	if err != nil || len(values) > 32 {
		return nil
	}
	var all []string
	for name, value := range values {
		values[name] = []string{word}
		all = append(all, values.Encode())
		values[name] = value
	}
	return all
}

func foreignIsNotBelieved(w *world) {
	mine, other := w.start(), w.paid()
	w.mustSet(mine.order.Ref, IsWaiting)
	in, ok := w.browser(other.order.Ref)
	if !ok {
		return
	}
	if o, err := w.finishReturn(w.visit(mine, in)); isBelieved(o, err) {
		w.t.Errorf("a customer who paid nothing and brought the return of another order was reported as %s: hold what comes "+
			"back to ReturnVisit.Ref, External and Amount", o.State)
	}
}

func returnSaysPaid(w *world) {
	d := w.paid()
	in, _ := w.browser(d.order.Ref)
	o, err := w.finishReturn(w.visit(d, in))
	w.ok("FinishReturn of a paid deposit", err)
	w.check(o.State == gateway.Paid && o.Trust >= gateway.Signed, "FinishReturn of a paid deposit reports %s with trust %q",
		o.State, o.Trust)
	w.check(o.Paid != nil && isSame(*o.Paid, d.due()), "FinishReturn reports %v as paid, and %s was", o.Paid, d.due())
	read, err := w.readDeposit(d.key())
	w.ok("ReadDeposit after the return", err)
	w.agreesWithNotification(d, o)
	w.check(read.State == o.State && sameMoney(read.Paid, o.Paid), "the return reports %s (%v), and reading %s (%v)",
		o.State, o.Paid, read.State, read.Paid)
}

// agreesWithNotification checks a return against what the gateway tells of its own accord, before and after it.
func (w *world) agreesWithNotification(d deposit, o gateway.Observation) {
	w.t.Helper()
	if w.d.Notify == nil {
		return
	}
	in, ok := w.tells(d.order.Ref)
	if !ok {
		return
	}
	n, err := w.readNotification(in)
	w.ok("ReadNotification after the return", err)
	for _, e := range n.Events {
		w.check(!isPaid(e.State) || sameMoney(e.Paid, o.Paid),
			"the return reports that %v was paid, and the notification %v", o.Paid, e.Paid)
	}
	browser, _ := w.browser(d.order.Ref)
	again, err := w.finishReturn(w.visit(d, browser))
	w.check(err != nil || again.State == o.State && sameMoney(again.Paid, o.Paid),
		"the return reports %s (%v) before the notification, and %s (%v) after it", o.State, o.Paid, again.State, again.Paid)
}

func sameMoney(a, b *gateway.Money) bool {
	return a == nil && b == nil || a != nil && b != nil && isSame(*a, *b)
}

func returnSaysLess(w *world) {
	d := w.start()
	if !w.set(d.order.Ref, IsPaidLess) {
		return
	}
	in, _ := w.browser(d.order.Ref)
	o, err := w.finishReturn(w.visit(d, in))
	w.check(!isBelieved(o, err) || o.Paid != nil && !isSame(*o.Paid, d.due()),
		"FinishReturn reports %s with %v though less was paid than %s", o.State, o.Paid, d.due())
}

func returnSaysFailed(w *world) {
	for _, s := range []Situation{IsFailed, IsCanceled, IsExpired, IsInReview, IsUnlisted, IsMarkedPaid} {
		d := w.start()
		if !w.set(d.order.Ref, s) {
			continue
		}
		in, _ := w.browser(d.order.Ref)
		o, err := w.finishReturn(w.visit(d, in))
		w.check(!isBelieved(o, err), "FinishReturn reports %s of an order that is %s", o.State, s)
	}
}

func finishesOnce(w *world) {
	const times = 6
	d := w.paid()
	in, _ := w.browser(d.order.Ref)
	reports, errs := make([]gateway.Observation, times), make([]error, times)
	w.together(times, func(i int) { reports[i], errs[i] = w.finishReturn(w.visit(d, in)) })
	late, err := w.finishReturn(w.visit(d, in))
	for i, o := range append(reports, late) {
		isFailure := i < times && errs[i] != nil || i == times && err != nil
		w.check(isFailure || o.State == gateway.Paid, "one of several returns of a paid deposit reports %s", o.State)
	}
	if w.fake.Finishes != nil {
		w.check(w.fake.Finishes(d.order.Ref) <= 1,
			"%d returns of one deposit took its money %d times: ask first whether that is done, or make the finishing call one "+
				"that the gateway takes only once", times+1, w.fake.Finishes(d.order.Ref))
	}
}

func emptyReturn(w *world) {
	d := w.start()
	w.mustSet(d.order.Ref, IsWaiting)
	for _, in := range []gateway.Inbound{{Method: "GET"}, {Method: "POST"}, {},
		{Method: "POST", Body: []byte("{"), Query: "%zz=;&&"}} {
		o, err := w.finishReturn(w.visit(d, w.arrived(in)))
		w.check(!isBelieved(o, err), "a return that brings nothing is reported as %s, and nothing was paid", o.State)
		blind := w.visit(d, w.arrived(in))
		blind.External = gateway.ExternalRef{}
		o, err = w.finishReturn(blind)
		w.check(!isBelieved(o, err), "a return to an unknown order is reported as %s, and nothing was paid", o.State)
	}
}

func returnTroubles() []sentence {
	var list []sentence
	for _, t := range troubles() {
		list = append(list, sentence{"a return that meets " + t.says + " decides nothing", func(w *world) { returnMeets(w, t) }})
	}
	return append(list, sentence{"a return that hangs ends with its context", func(w *world) {
		d := w.paid()
		in, _ := w.browser(d.order.Ref)
		w.endsAtOnce("FinishReturn", func(w *world) error { return only(w.finishReturn(w.visit(d, in))) })
	}})
}

func returnMeets(w *world, t trouble) {
	d := w.paid()
	in, _ := w.browser(d.order.Ref)
	before := len(w.wire.requests())
	w.wire.down(t, nil)
	_, err := w.finishReturn(w.visit(d, in))
	w.wire.heal()
	if len(w.wire.requests()) == before {
		return // what the browser brought is signed, and no question is needed
	}
	w.isTrouble("FinishReturn", err, t)
	hasFinished := w.fake.Finishes != nil && w.fake.Finishes(d.order.Ref) > 0
	w.check(!hasFinished || err == nil || !gateway.HasNoEffect(err),
		"FinishReturn took the money and met %s: its effect is unknown, and not none", t.says)
	w.isOf(d)
	again, err := w.finishReturn(w.visit(d, in))
	w.check(err != nil || again.State == gateway.Paid, "after the trouble the return of a paid deposit reports %s",
		again.State)
	w.check(w.fake.Finishes == nil || w.fake.Finishes(d.order.Ref) <= 1, "the return that met %s took the money twice",
		t.says)
}
