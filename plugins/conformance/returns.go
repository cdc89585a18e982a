package conformance

import (
	"net/url"
	"strings"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/ports"
)

func returnCases(suite) []testCase {
	list := []testCase{
		{"a browser that claims success before the payment is not believed", forgedIsNotBelieved},
		{"a browser that brings another order's success is not believed", foreignIsNotBelieved},
		{"after the payment the return says paid, as reading does", returnSaysPaid},
		{"after less was paid the return does not say that all was", returnSaysLess},
		{"after a failure the return does not say paid", returnSaysFailed},
		{"returns that come again, late or together take the money once", finishesOnce},
		{"a return that hangs ends with its context", func(w *world) {
			d := w.paid()
			w.endsWithContext("FinishReturn", func(w *world) error { return errorOf(w.comesBack(d)) })
		}},
	}
	for _, m := range failureModes() {
		if m.name == refusedKeys {
			continue // nothing could be read afterwards
		}
		name := "a return that meets " + m.name + " decides nothing"
		list = append(list, testCase{name, func(w *world) { returnFails(w, m) }})
	}
	return list
}

// finishReturn finishes the return of a deposit's customer with what the browser brings.
func (w *world) finishReturn(k gateway.DepositKey, amount gateway.Money, in gateway.Inbound) (gateway.Observation, error) {
	visit := gateway.ReturnVisit{DepositKey: k, Amount: amount, Request: w.received(in)}
	return call(w, "FinishReturn", ports.ReturnFinisher.FinishReturn, visit)
}

// comesBack finishes a return with what the fake's browser brings now.
func (w *world) comesBack(d deposit) (gateway.Observation, error) {
	in, _ := w.browser(d.order.Ref)
	return w.finishReturn(d.key(), d.order.Amount, in)
}

// browser is what the fake's browser brings now. It reports false when that is nothing.
func (w *world) browser(ref gateway.Ref) (gateway.Inbound, bool) {
	if w.fake.Return == nil {
		w.t.Fatal("Fake.Return is missing, and the gateway finishes returns")
	}
	in, ok := w.fake.Return(ref)
	if !ok {
		in = gateway.Inbound{Method: "GET", Path: "/return/9f8c2d7be1a04c55"}
	}
	return in, ok
}

// received fills in what our side knows of a message.
func (w *world) received(in gateway.Inbound) gateway.Inbound {
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
	d, _ := w.startIn(IsWaiting)
	in, _ := w.browser(d.order.Ref)
	unknown := d.key()
	unknown.External = gateway.ExternalRef{}
	for _, forged := range forgedReturns(in) {
		for _, k := range []gateway.DepositKey{d.key(), unknown} {
			if o, err := w.finishReturn(k, d.order.Amount, forged); isBelieved(o, err) {
				w.t.Fatalf("a customer who paid nothing and came back with %s %s?%s %q was reported as %s with trust %q: what a "+
					"browser brings is a reason to ask, unless it is signed for this order, amount and currency", forged.Method,
					forged.Path, forged.Query, forged.Body, o.State, o.Trust)
			}
		}
	}
}

// claims is how gateways report a success through the browser.
const claims = "status=success&paymentStatus=SUCCESS&mdStatus=1&fraudStatus=1&state=paid&paid=true&result=ok" +
	"&ProcReturnCode=00&Response=Approved&success=true"

// forgedReturns returns what a person could make of a return in a browser.
func forgedReturns(in gateway.Inbound) []gateway.Inbound {
	post, get, inJSON := in, in, in
	post.Method, post.Body = "POST", []byte(joined(string(in.Body), claims))
	post.Header = gateway.Header{{Name: "Content-Type", Value: "application/x-www-form-urlencoded"}}
	get.Query = joined(in.Query, claims)
	inJSON.Method, inJSON.Body = "POST", []byte(`{"status":"success","paymentStatus":"SUCCESS","state":"paid","paid":true}`)
	inJSON.Header = gateway.Header{{Name: "Content-Type", Value: "application/json"}}
	all := []gateway.Inbound{
		in, post, get, inJSON, {Method: "GET"}, {Method: "POST"}, {}, {Method: "POST", Body: []byte("{"), Query: "%zz=;&&"},
	}
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
	mine, _ := w.startIn(IsWaiting)
	in, ok := w.browser(w.paid().order.Ref)
	if !ok {
		return
	}
	if o, err := w.finishReturn(mine.key(), mine.order.Amount, in); isBelieved(o, err) {
		w.t.Errorf("a customer who paid nothing and brought the return of another order was reported as %s: hold what comes "+
			"back to ReturnVisit.Ref, External and Amount", o.State)
	}
}

// returnSaysPaid also compares the return with the notification, before and after it.
func returnSaysPaid(w *world) {
	d := w.paid()
	o, err := w.comesBack(d)
	w.ok("FinishReturn of a paid deposit", err)
	w.check(o.State == gateway.Paid && o.Trust >= gateway.Signed, "FinishReturn of a paid deposit reports %s with trust %q",
		o.State, o.Trust)
	w.check(o.Paid != nil && isSame(*o.Paid, d.due()), "FinishReturn reports %v as paid, and %s was", o.Paid, d.due())
	read, err := w.readDeposit(d.key())
	w.ok("ReadDeposit after the return", err)
	w.check(read.State == o.State && isSameOrNil(read.Paid, o.Paid), "the return reports %s (%v), and reading %s (%v)",
		o.State, o.Paid, read.State, read.Paid)
	if w.d.Notify == nil {
		return
	}
	in, ok := w.notificationOf(d.order.Ref)
	if !ok {
		return
	}
	n, err := w.readNotification(in)
	w.ok("ReadNotification after the return", err)
	for _, e := range n.Events {
		w.check(!isPaid(e.State) || isSameOrNil(e.Paid, o.Paid),
			"the return reports that %v was paid, and the notification %v", o.Paid, e.Paid)
	}
	again, err := w.comesBack(d)
	w.check(err != nil || again.State == o.State && isSameOrNil(again.Paid, o.Paid),
		"the return reports %s (%v) before the notification, and %s (%v) after it", o.State, o.Paid, again.State, again.Paid)
}

func returnSaysLess(w *world) {
	if d, ok := w.startIn(IsPaidLess); ok {
		o, err := w.comesBack(d)
		w.check(!isBelieved(o, err) || o.Paid != nil && !isSame(*o.Paid, d.due()),
			"FinishReturn reports %s with %v though less was paid than %s", o.State, o.Paid, d.due())
	}
}

func returnSaysFailed(w *world) {
	for _, s := range []Situation{IsFailed, IsCanceled, IsExpired, IsInReview, IsUnlisted, IsMarkedPaid} {
		if d, ok := w.startIn(s); ok {
			o, err := w.comesBack(d)
			w.check(!isBelieved(o, err), "FinishReturn reports %s of an order that is %s", o.State, s)
		}
	}
}

// takesOnce checks that the money of a returned customer was not taken twice.
func (w *world) takesOnce(d deposit, what string) {
	w.check(w.fake.Finishes == nil || w.fake.Finishes(d.order.Ref) <= 1,
		"%s took the money more than once: ask first whether that is done, or make the finishing call one that the gateway "+
			"takes only once", what)
}

func finishesOnce(w *world) {
	const times = 6
	d := w.paid()
	in, _ := w.browser(d.order.Ref)
	comesBack := func(int) {
		o, err := w.finishReturn(d.key(), d.order.Amount, in)
		w.check(err != nil || o.State == gateway.Paid, "one of several returns of a paid deposit reports %s", o.State)
	}
	w.together(times, comesBack)
	comesBack(times)
	w.takesOnce(d, "several returns of one deposit")
}

func returnFails(w *world, m failureMode) {
	d := w.paid()
	before := w.transport.count()
	w.transport.fail(m, nil)
	_, err := w.comesBack(d)
	w.transport.restore()
	if w.transport.count() == before {
		return // what the browser brought is signed, and no question is needed
	}
	w.checkFailure("FinishReturn", err, m)
	hasFinished := w.fake.Finishes != nil && w.fake.Finishes(d.order.Ref) > 0
	w.check(!hasFinished || err == nil || !gateway.HasNoEffect(err),
		"FinishReturn took the money and met %s: its effect is unknown, and not none", m.name)
	_, err = w.readDeposit(d.key())
	w.ok("ReadDeposit after a return that failed", err)
	again, err := w.comesBack(d)
	w.check(err != nil || again.State == gateway.Paid, "after the failure the return of a paid deposit reports %s", again.State)
	w.takesOnce(d, "a return that met "+m.name+", and the one after it,")
}
