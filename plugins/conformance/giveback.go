package conformance

import (
	"slices"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
)

func giveBackSentences(k kit) []sentence {
	var list []sentence
	if k.has(gateway.CanCancelDeposit) {
		list = append(list,
			sentence{"a canceled deposit can't be paid any more", cancelCloses},
			sentence{"cancelling a paid deposit reports Paid and changes nothing", cancelOfPaid},
			sentence{"cancelling twice is no failure", cancelTwice})
		list = append(list, writeSentences("a cancellation", cancelWrite)...)
	}
	if k.has(gateway.CanRefund) {
		list = append(list, refundSentences(k)...)
	}
	return list
}

func cancelOrder(d deposit) gateway.CancelOrder {
	return gateway.CancelOrder{DepositKey: d.key(), Key: keyOf(d.order.Ref + "C"), Why: "expired"}
}

// cancelWrite is a cancellation as a call that can meet trouble.
func cancelWrite(w *world) write {
	w.t.Helper()
	d := w.start()
	w.mustSet(d.order.Ref, IsWaiting)
	before := w.fake.Writes()
	return write{
		do:    func(w *world) error { return only(w.cancelDeposit(cancelOrder(d))) },
		count: func() int { return w.fake.Writes() - before },
		find:  func() error { return only(w.readDeposit(d.key())) },
	}
}

func cancelCloses(w *world) {
	d := w.start()
	w.mustSet(d.order.Ref, IsWaiting)
	isClosed := func(what string, o gateway.Observation, err error) {
		w.t.Helper()
		w.ok(what, err)
		w.check(slices.Contains([]gateway.State{gateway.Canceled, gateway.Expired, gateway.Failed}, o.State),
			"%s reports %s of a canceled deposit", what, o.State)
	}
	o, err := w.cancelDeposit(cancelOrder(d))
	isClosed("CancelDeposit", o, err)
	o, err = w.readDeposit(d.key())
	isClosed("ReadDeposit", o, err)
}

func cancelOfPaid(w *world) {
	d := w.paid()
	before := w.fake.Writes()
	o, err := w.cancelDeposit(cancelOrder(d))
	if err != nil {
		w.t.Fatalf("CancelDeposit of a paid deposit must report Paid, and no error: the customer was faster (%v)", err)
	}
	w.check(o.State == gateway.Paid && o.Paid != nil && isSame(*o.Paid, d.due()),
		"CancelDeposit of a paid deposit reports %s with %v, and must report Paid with %s", o.State, o.Paid, d.due())
	w.check(w.fake.Writes() == before, "CancelDeposit of a paid deposit changed something at the gateway")
	o, err = w.readDeposit(d.key())
	w.ok("ReadDeposit", err)
	w.check(o.State == gateway.Paid, "after CancelDeposit a paid deposit is %s", o.State)
}

func cancelTwice(w *world) {
	d := w.start()
	w.mustSet(d.order.Ref, IsWaiting)
	_, err := w.cancelDeposit(cancelOrder(d))
	w.ok("CancelDeposit", err)
	o, err := w.cancelDeposit(cancelOrder(d))
	w.check(err == nil || gateway.IsClass(err, gateway.Conflicting),
		"the second CancelDeposit gave %v: give what is there, or an error of class %q", err, gateway.Conflicting)
	w.check(err != nil || !isPaid(o.State), "the second CancelDeposit reports %s", o.State)
}

func refundSentences(k kit) []sentence {
	list := []sentence{
		{"a whole refund gives back what was paid", refundsWhole},
		{"more than is left is refused without effect", refundsNoMore},
		{"what was not paid is not refunded", refundsNothingUnpaid},
		{"a refund that stays pending is pending", refundIsPending},
		{"a refund that fails later is failed, and not done", refundFails},
		{"a refund that comes too late is invalid, with the gateway's own reason", refundIsLate},
		{"a refund that was never made is not done", refundNeverMade},
	}
	if k.d.Deposit.Refund.Partial {
		list = append(list, sentence{"a deposit is refunded in parts", refundsParts})
	} else {
		list = append(list, sentence{"a part is refused without effect, as the descriptor says", refundsNoParts})
	}
	if isKeyed(k.d.Deposit.Keys) {
		list = append(list, sentence{"the same refund sent again is made once", refundsOnce})
	}
	list = append(list, writeSentences("a refund", refundWrite)...)
	return append(list, refundReadings()...)
}

// refundReadings asks for a refund in trouble. Their sentences have names of their own, as cancel and refund are one
// group.
func refundReadings() []sentence {
	var list []sentence
	for _, t := range troubles() {
		list = append(list, sentence{"asking for a refund that meets " + t.says + " tells nothing", func(w *world) {
			d := w.paid()
			o := w.refundOrder(d, d.due().Amount)
			r, err := w.refund(o)
			w.ok("Refund", err)
			k := refundKey(o, r)
			w.neverAnswers([]reading{{"ReadRefund", func(w *world) error { return only(w.readRefund(k)) }}}, t)
		}})
	}
	return list
}

func (w *world) refundOrder(d deposit, amount money.Decimal) gateway.RefundOrder {
	ref := w.refs.next()
	return gateway.RefundOrder{
		DepositKey: d.key(), RefundRef: ref, Key: keyOf(ref), Amount: gateway.Money{Amount: amount, Asset: d.due().Asset},
		IsWhole: amount == d.due().Amount, Target: w.fieldsFor(w.d.Deposit.Refund.NeedsTarget), Why: "customer's request",
	}
}

func refundKey(o gateway.RefundOrder, r gateway.RefundReport) gateway.RefundKey {
	return gateway.RefundKey{DepositKey: o.DepositKey, RefundRef: o.RefundRef, Refund: r.External, Amount: o.Amount}
}

// refundWrite is a refund as a call that can meet trouble. The fake has no list of refunds: what counts is what changed.
func refundWrite(w *world) write {
	w.t.Helper()
	d := w.paid()
	o := w.refundOrder(d, d.due().Amount)
	before := w.fake.Writes()
	x := write{
		do:    func(w *world) error { return only(w.refund(o)) },
		count: func() int { return w.fake.Writes() - before },
		keys:  w.d.Deposit.Keys,
	}
	if x.keys.Find {
		x.find = func() error {
			r, err := w.readRefund(refundKey(o, gateway.RefundReport{}))
			w.check(r.State != gateway.RefundFailed,
				"ReadRefund reports a refund as failed that was made and whose answer was lost")
			return err
		}
	}
	return x
}

// part is a fifth of what was paid.
func (d deposit) part() money.Decimal {
	return d.due().Amount.QuoUp(money.MustDecimal("5"), d.due().Asset.Decimals)
}

func isGiven(s gateway.RefundState) bool {
	return s == gateway.RefundDone || s == gateway.RefundPending
}

func (w *world) refunded(o gateway.RefundOrder) gateway.RefundReport {
	w.t.Helper()
	r, err := w.refund(o)
	w.ok("Refund", err)
	w.check(isGiven(r.State), "Refund reports %s", r.State)
	w.check(r.Amount == nil || isSame(*r.Amount, o.Amount), "Refund of %s reports %s", o.Amount, r.Amount)
	w.check(r.RefundRef == "" || r.RefundRef == o.RefundRef, "Refund of %s reports %s", o.RefundRef, r.RefundRef)
	return r
}

func refundsWhole(w *world) {
	d := w.paid()
	o := w.refundOrder(d, d.due().Amount)
	r := w.refunded(o)
	read, err := w.readRefund(refundKey(o, r))
	w.ok("ReadRefund", err)
	w.check(read.State == r.State || read.State == gateway.RefundDone, "Refund reports %s, and ReadRefund %s", r.State,
		read.State)
	w.check(read.Trust == gateway.Answered, "ReadRefund was answered by the gateway, and Trust is %q", read.Trust)
}

func refundsParts(w *world) {
	d := w.paid()
	before := w.fake.Writes()
	w.refunded(w.refundOrder(d, d.part()))
	after := w.fake.Writes()
	w.refunded(w.refundOrder(d, d.part()))
	w.check(after > before && w.fake.Writes() > after,
		"two parts of %s were refunded, and the gateway was not told of two: RefundRef and Key tell them apart", d.part())
}

// isTurnedDown checks that a refund is refused, and that nothing happened.
func (w *world) isTurnedDown(what string, o gateway.RefundOrder) {
	w.t.Helper()
	before := w.fake.Writes()
	r, err := w.refund(o)
	w.check(err != nil || r.State == gateway.RefundFailed, "%s is reported as %s: it must be refused", what, r.State)
	w.check(err == nil || gateway.HasNoEffect(err), "%s was refused, and the error must have effect none: %v", what, err)
	w.check(err == nil || !gateway.IsClass(err, gateway.Retryable), "%s was refused for good, and the error is of class %q",
		what, gateway.Retryable)
	w.check(w.fake.Writes() == before, "%s changed something at the gateway", what)
}

func refundsNoParts(w *world) {
	d := w.paid()
	w.isTurnedDown("a refund of a part, though Refund.Partial is false,", w.refundOrder(d, d.part()))
}

func refundsNoMore(w *world) {
	d := w.paid()
	first := d.due().Amount
	if w.d.Deposit.Refund.Partial {
		first = d.part()
	}
	w.refunded(w.refundOrder(d, first))
	w.isTurnedDown("a refund of more than is left", w.refundOrder(d, d.due().Amount))
}

func refundsNothingUnpaid(w *world) {
	d := w.start()
	w.mustSet(d.order.Ref, IsWaiting)
	w.isTurnedDown("a refund of what was not paid", w.refundOrder(d, d.due().Amount))
}

func refundsOnce(w *world) {
	d := w.paid()
	amount := d.due().Amount
	if w.d.Deposit.Refund.Partial {
		amount = d.part() // of a whole one the gateway would refuse the second by itself
	}
	o := w.refundOrder(d, amount)
	w.refunded(o)
	before := w.fake.Writes()
	_, err := w.refund(o)
	w.takesAgain("a refund", w.d.Deposit.Keys, err)
	w.check(w.fake.Writes() == before,
		"the same refund sent twice was made twice: send Key (or RefundRef) as the gateway's own key, or say Keys.Mode=%q",
		gateway.NoKey)
}

func refundIsPending(w *world) {
	d := w.paid()
	if !w.set(d.order.Ref, RefundIsPending) {
		return
	}
	o := w.refundOrder(d, d.due().Amount)
	r, err := w.refund(o)
	w.ok("Refund", err)
	w.check(r.State == gateway.RefundPending, "Refund reports %s of what the gateway calls pending", r.State)
	read, err := w.readRefund(refundKey(o, r))
	w.ok("ReadRefund", err)
	w.check(read.State == gateway.RefundPending, "ReadRefund reports %s of what the gateway calls pending", read.State)
}

func refundFails(w *world) {
	d := w.paid()
	if !w.set(d.order.Ref, RefundFails) {
		return
	}
	o := w.refundOrder(d, d.due().Amount)
	r, err := w.refund(o)
	if err != nil {
		w.check(gateway.HasNoEffect(err), "a refund that the gateway fails at once must have effect none: %v", err)
		return
	}
	w.set(d.order.Ref, RefundFails) // for fakes that decide at the time of the question
	read, err := w.readRefund(refundKey(o, r))
	w.ok("ReadRefund", err)
	w.check(read.State == gateway.RefundFailed, "ReadRefund reports %s of a refund that failed later", read.State)
}

func refundIsLate(w *world) {
	d := w.paid()
	if !w.set(d.order.Ref, IsPastVoidTime) {
		return
	}
	o := w.refundOrder(d, d.due().Amount)
	before := w.fake.Writes()
	_, err := w.refund(o)
	failure := gateway.ErrorOf(err)
	w.check(gateway.IsClass(err, gateway.Invalid) && gateway.HasNoEffect(err),
		"a refund that comes too late is an error of class %q with effect none, so that staff give the money back another "+
			"way: %v", gateway.Invalid, err)
	w.check(err == nil || failure.RawCode != "" || failure.RawText != "" || failure.Reason != nil,
		"a refund that comes too late must say the gateway's own reason in RawCode or RawText")
	w.check(w.fake.Writes() == before, "a refund that comes too late changed something at the gateway")
}

func refundNeverMade(w *world) {
	d := w.paid()
	r, err := w.readRefund(refundKey(w.refundOrder(d, d.due().Amount), gateway.RefundReport{}))
	w.check(err != nil || !isGiven(r.State), "ReadRefund reports %s of a refund that was never made", r.State)
}
