package conformance

import (
	"fmt"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
)

// orderType is a type of order that moves money: deposits, payouts or transfers. The same promises hold for all of them.
type orderType struct {
	name             string // "a deposit"
	readName         string // "ReadDeposit"
	cancelName       string // "CancelDeposit"
	keys             gateway.KeyTraits
	low, high, usual money.Decimal
	newOrder         func(w *world, amount money.Decimal) order
	heldName         string                                             // "Fake.Deposits"
	heldBy           func(f Fake) func(ref gateway.Ref) []gateway.Money // what the fake was asked for under a reference
	expectations     []expectation
	contradictions   map[Situation][]string // states that a notification of the situation must not report

	cancelable    Situation // in which an order can be canceled
	canceled      []string  // the states of an order that was canceled
	final         Situation // in which the money has moved
	finalState    string    // the state of an order in it
	findsOncePaid bool      // as Subject.FindsOncePaid
}

// order is one order, and the calls about it.
type order struct {
	ref    gateway.Ref
	amount gateway.Money
	send   func(w *world) (receipt, error) // the same order each time
	read   func(w *world, r receipt) (report, error)
	cancel func(w *world, r receipt) (report, error)
	// isFor reports whether an amount at the gateway is what the order asks for.
	isFor func(r receipt, asked gateway.Money) bool
}

// receipt is what sending an order returned. External is empty when the answer was lost: Ref alone must do then.
type receipt struct {
	external gateway.ExternalRef
	due      gateway.Money
	payout   gateway.PayoutReport // of a payout or transfer
}

// report is what a gateway reports of an order.
type report struct {
	ref      gateway.Ref
	external gateway.ExternalRef
	state    string
	trust    gateway.Trust
	amount   *gateway.Money // paid or sent
	refunded *gateway.Money // of a deposit
	at       time.Time      // of the event, at the gateway; zero: not stated
	raw      string
	Whole    any // as the plugin reported it; exported, so that it is what a report is as JSON
}

func reportOfDeposit(o gateway.Observation, err error) (report, error) {
	return report{o.Ref, o.External, string(o.State), o.Trust, o.Paid, o.Refunded, o.At, o.Raw, o}, err
}

func reportOfPayout(p gateway.PayoutReport, err error) (report, error) {
	return report{p.Ref, p.External, string(p.State), p.Trust, p.Sent, nil, time.Time{}, p.Raw, p}, err
}

// expectation is what reading an order in a situation must report.
type expectation struct {
	situation Situation
	says      string // what the test case calls that
	states    []string
	// amount says what is wrong with the amount of a report; empty: nothing. Nil: any amount will do.
	amount func(o order, r receipt, got report) string
}

func states[S ~string](all ...S) []string {
	var list []string
	for _, s := range all {
		list = append(list, string(s))
	}
	return list
}

// send sends an order of the usual amount.
func (t orderType) send(w *world) (order, receipt) {
	o := t.newOrder(w, t.usual)
	r, err := o.send(w)
	w.ok(t.name, err)
	return o, r
}

// held is what the fake was asked for under a reference.
func (t orderType) held(w *world, ref gateway.Ref) []gateway.Money {
	held := t.heldBy(w.fake)
	if held == nil {
		w.t.Fatalf("%s is missing: the kit has to see what the gateway was asked for", t.heldName)
	}
	return held(ref)
}

// checkHeld checks that the fake holds an order once, with the right amount.
func (t orderType) checkHeld(w *world, o order, r receipt, advice string) {
	held := t.held(w, o.ref)
	w.check(len(held) == 1 && o.isFor(r, held[0]), "%s of %s shows at the gateway as %v, and must be there once: %s", t.name,
		o.amount, held, advice)
}

// sendCases holds sending to what the core relies on.
func (t orderType) sendCases() []testCase {
	list := []testCase{{t.name + " beside others does not mix with them", t.doNotMix}}
	for _, text := range []string{"0.01", "19.99", "250", "99999.99"} { // units slip: a kuruş, what floats cut, no kuruş, many digits
		name := fmt.Sprintf("%s of %s lira, or the nearest amount that is allowed, arrives exactly", t.name, text)
		list = append(list, testCase{name, func(w *world) {
			o := t.newOrder(w, near(money.MustDecimal(text), t.low, t.high))
			r, err := o.send(w)
			w.ok(t.name, err)
			t.checkHeld(w, o, r, "check the units of the call (lira or kuruş, how many decimals), and never go through a float")
		}})
	}
	if t.keys.Mode == gateway.HeaderKey {
		list = append(list, testCase{"the key goes with " + t.name, func(w *world) {
			o, _ := t.send(w)
			w.sentWithKey(t.name, keyOf(o.ref), 0)
		}})
	}
	if isKeyed(t.keys) {
		list = append(list, testCase{t.name + " that is sent again is made once", func(w *world) {
			o, first := t.send(w)
			w.isMadeOnce(t.name, t.mutation(w, o))
			if again, err := o.send(w); err == nil {
				w.check(again.external.ID == first.external.ID, "%s sent again has another External.ID: %q and %q", t.name,
					first.external.ID, again.external.ID)
			}
		}})
	}
	return append(list, mutationCases(t.name, func(w *world) mutation { return t.mutation(w, t.newOrder(w, t.usual)) })...)
}

// mutation is the sending of an order.
func (t orderType) mutation(w *world, o order) mutation {
	x := mutation{
		do:    func(w *world) error { return errorOf(o.send(w)) },
		count: func() int { return len(t.held(w, o.ref)) },
		keys:  t.keys,
	}
	if t.keys.Find {
		x.find = func() error {
			_, err := o.read(w, receipt{due: o.amount})
			if t.findsOncePaid && gateway.IsClass(err, gateway.NotFound) {
				w.set(o.ref, t.final)
				_, err = o.read(w, receipt{due: o.amount})
			}
			return err
		}
	}
	return x
}

func (t orderType) doNotMix(w *world) {
	const crowd = 8
	orders, receipts, errs := make([]order, crowd), make([]receipt, crowd), make([]error, crowd)
	for i := range orders {
		orders[i] = t.newOrder(w, near(t.usual.Add(money.MustDecimal(fmt.Sprintf("%d.%02d", i, i))), t.low, t.high))
	}
	w.together(crowd, func(i int) { receipts[i], errs[i] = orders[i].send(w) })
	ids := map[string]bool{}
	for i, o := range orders {
		w.ok(t.name+" beside others", errs[i])
		t.checkHeld(w, o, receipts[i], "it was sent beside others; keep nothing of an order in the gateway's own fields")
		id := receipts[i].external.ID
		w.check(id == "" || !ids[id], "several orders that were sent at the same time got the External.ID %q", id)
		ids[id] = true
		got, err := o.read(w, receipts[i])
		w.ok(t.readName, err)
		w.check(got.ref == "" || got.ref == o.ref, "%s of %s reports %s", t.readName, o.ref, got.ref)
		w.check(got.external.ID == "" || id == "" || got.external.ID == id,
			"%s of %s reports External.ID %q, and sending it gave %q", t.readName, o.ref, got.external.ID, id)
	}
}

// readCases holds reading to what the core relies on.
func (t orderType) readCases(queries func(w *world) []query) []testCase {
	var list []testCase
	for _, e := range t.expectations {
		name := fmt.Sprintf("%s that is %s is %s", t.name, e.situation, e.says)
		list = append(list, testCase{name, func(w *world) { t.meetsExpectation(w, e) }})
	}
	list = append(list, testCase{t.name + " that the gateway does not know is not found, and not failed", func(w *world) {
		o, r := t.send(w)
		if w.set(o.ref, IsNotFound) {
			got, err := o.read(w, r)
			w.checkNotFound(t.readName, got, err)
		}
	}})
	list = append(list, testCase{"an answer about another one is not taken for " + t.name + " of ours", t.foreignAnswer})
	if t.keys.Find {
		list = append(list, testCase{t.name + " whose reference begins another one is not taken for it", t.prefixIsNotTaken})
		list = append(list, testCase{t.name + " is found behind a hundred later ones", t.isFoundBehindOthers})
		list = append(list, testCase{t.name + " that was never sent is not found", func(w *world) {
			t.send(w)
			o := t.newOrder(w, t.usual)
			got, err := o.read(w, receipt{due: o.amount})
			w.checkNotFound(t.readName+" by Ref alone", got, err)
		}})
	}
	return append(list, queryCases("reading "+t.name, queries)...)
}

// isFoundBehindOthers looks for an order that is not on the first page of a listing any more.
func (t orderType) isFoundBehindOthers(w *world) {
	const later = 101
	o, r := t.send(w)
	w.set(o.ref, t.final)
	for range later {
		other, _ := t.send(w)
		w.set(other.ref, t.final)
	}
	got, err := o.read(w, receipt{due: r.due})
	w.check(err == nil && got.state == t.finalState, "%s by Ref alone of %s that %d later ones came after gave state %q and error %v, and it is "+
		"%s: where the gateway does not filter by our reference, look through every page", t.readName, t.name, later, got.state, err, t.finalState)
}

func (w *world) checkNotFound(what string, got report, err error) {
	w.check(gateway.IsClass(err, gateway.NotFound),
		"%s of what the gateway does not know gave state %q and error %v: it is an error of class %q, since the gateway may "+
			"only not know it yet", what, got.state, err, gateway.NotFound)
}

func (t orderType) meetsExpectation(w *world, e expectation) {
	o, r := t.send(w)
	if !w.set(o.ref, e.situation) {
		return
	}
	t.reads(w, t.readName, o, r, e)
	if t.keys.Find && (!t.findsOncePaid || hasMoney(e.situation)) {
		t.reads(w, t.readName+" by Ref alone (or say Keys.Find=false)", o, receipt{due: r.due}, e)
	}
}

func (t orderType) reads(w *world, how string, o order, r receipt, e expectation) {
	got, err := o.read(w, r)
	if e.situation == IsExpired && gateway.IsClass(err, gateway.NotFound) {
		return // some gateways delete what expired
	}
	if err != nil {
		w.t.Errorf("%s of %s that is %s failed: %v", how, t.name, e.situation, err)
		return
	}
	w.check(isOneOf(got.state, e.states...),
		"%s of %s that is %s reports %s, and must report one of %v (raw %q): see the plugin's status table", how, t.name,
		e.situation, got.state, e.states, got.raw)
	w.check(got.trust == gateway.Answered, "%s was answered by the gateway, and Trust is %q", how, got.trust)
	w.check(got.ref == "" || got.ref == o.ref, "%s of %s reports %s", how, o.ref, got.ref)
	w.isInTime(how, got.at)
	if e.amount != nil {
		problem := e.amount(o, r, got)
		w.check(problem == "", "%s of %s that is %s reports the amount %v: %s", how, t.name, e.situation, got.amount, problem)
	}
}

// queries asks for an order whose money has moved.
func (t orderType) queries(w *world) []query {
	o, r := t.send(w)
	w.set(o.ref, t.final)
	list := []query{newQuery(t.readName, func(w *world) (report, error) { return o.read(w, r) })}
	if t.keys.Find {
		byRef := receipt{due: r.due}
		list = append(list, newQuery(t.readName+" by Ref alone", func(w *world) (report, error) { return o.read(w, byRef) }))
	}
	return list
}

// cancelCases holds cancellations to what the core relies on.
func (t orderType) cancelCases() []testCase {
	list := []testCase{
		{t.name + " that was canceled is closed, and canceling it again is no failure", t.cancelCloses},
		{fmt.Sprintf("canceling %s that is %s reports that and changes nothing", t.name, t.final), t.cancelComesLate},
	}
	return append(list, mutationCases("canceling "+t.name, func(w *world) mutation {
		o, r := t.send(w)
		w.set(o.ref, t.cancelable)
		before := w.fake.Mutations()
		return mutation{
			do:    func(w *world) error { return errorOf(o.cancel(w, r)) },
			count: func() int { return w.fake.Mutations() - before },
			find:  func() error { return errorOf(o.read(w, r)) },
		}
	})...)
}

func (t orderType) cancelCloses(w *world) {
	o, r := t.send(w)
	if !w.set(o.ref, t.cancelable) {
		return
	}
	isClosed := func(what string, got report, err error) {
		w.ok(what, err)
		w.check(isOneOf(got.state, t.canceled...), "%s reports %s of %s that was canceled", what, got.state, t.name)
	}
	got, err := o.cancel(w, r)
	isClosed(t.cancelName, got, err)
	got, err = o.read(w, r)
	isClosed(t.readName, got, err)
	if got, err = o.cancel(w, r); !gateway.IsClass(err, gateway.Conflicting) {
		isClosed("the second "+t.cancelName, got, err)
	}
}

func (t orderType) cancelComesLate(w *world) {
	o, r := t.send(w)
	w.set(o.ref, t.final)
	before := w.fake.Mutations()
	got, err := o.cancel(w, r)
	if err != nil {
		w.t.Fatalf("%s of %s that is %s must report %s, and no error: the payer or the gateway was faster (%v)", t.cancelName,
			t.name, t.final, t.finalState, err)
	}
	isDue := got.amount != nil && o.isFor(r, *got.amount)
	w.check(got.state == t.finalState && (isDue || t.final == IsDone && got.amount == nil),
		"%s of %s that is %s reports %s with %v, and must report %s with %s", t.cancelName, t.name, t.final, got.state,
		got.amount, t.finalState, r.due)
	w.unchanged(before, "%s of %s that is %s changed something at the gateway", t.cancelName, t.name, t.final)
	got, err = o.read(w, r)
	w.ok(t.readName, err)
	w.check(got.state == t.finalState, "after %s, %s that is %s reads as %s", t.cancelName, t.name, t.final, got.state)
}
