package conformance

import (
	"slices"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
)

func giveBackCases(s suite) []testCase {
	var list []testCase
	if s.has(gateway.CanCancelDeposit) {
		list = depositType(s).cancelCases()
	}
	if s.has(gateway.CanReviewDeposit) {
		list = append(list, reviewCases()...)
	}
	if s.has(gateway.CanRefund) {
		list = append(list, refundCases(s)...)
	}
	return list
}

func refundCases(s suite) []testCase {
	hasParts := s.d.Deposit.Refund.Partial
	refund := func(w *world) mutation { return w.refundMutation(w.wholeRefund(w.paid())) }
	reading := func(w *world) []query {
		o := w.wholeRefund(w.paid())
		k := refundKey(o, w.refunded(o))
		return []query{newQuery("ReadRefund", func(w *world) (gateway.RefundReport, error) { return w.readRefund(k) })}
	}
	return slices.Concat(
		[]testCase{
			{"a whole refund gives back what was paid", refundsWhole},
			{"more than is left is refused without effect", refundsNoMore},
			{"what was not paid is not refunded", refundsNothingUnpaid},
			{"a refund that stays pending is pending", refundIsPending},
			{"a refund that fails later is failed, and not done", refundFails},
			{"a refund that comes too late is invalid, with the gateway's own reason", refundIsLate},
			{"a refund that was never made is not done", refundNeverMade},
		},
		when(hasParts, testCase{"a deposit is refunded in parts", refundsParts},
			testCase{"each of several refunds reads as itself", refundsReadApart}),
		when(!isKeyed(s.d.Deposit.RefundKeys()) && s.d.Deposit.RefundKeys().Find,
			testCase{"a refund that was made is looked for before it is made again", refundsOnce}),
		[]testCase{{"the answer about another refund is not taken for ours", foreignRefund}},
		when(!hasParts, testCase{"a part is refused without effect, as the descriptor says", refundsNoParts}),
		when(isKeyed(s.d.Deposit.RefundKeys()), testCase{"a refund that is sent again is made once", refundsOnce}),
		when(s.d.Deposit.RefundKeys().Mode == gateway.HeaderKey, testCase{"the key goes with a refund", refundHasKey}),
		mutationCases("a refund", refund), queryCases("reading a refund", reading))
}

func (w *world) refundOrder(d deposit, amount money.Decimal) gateway.RefundOrder {
	ref := w.refs.next()
	return gateway.RefundOrder{
		DepositKey: d.key(), RefundRef: ref, Key: keyOf(ref), Amount: gateway.Money{Amount: amount, Asset: d.due().Asset},
		IsWhole: amount == d.due().Amount, Target: w.fieldsFor(w.d.Deposit.Refund.NeedsTarget), Why: "customer's request",
	}
}

func (w *world) wholeRefund(d deposit) gateway.RefundOrder { return w.refundOrder(d, d.due().Amount) }

// partialRefund refunds a fifth of what was paid, where that is promised.
func (w *world) partialRefund(d deposit) gateway.RefundOrder {
	if !w.d.Deposit.Refund.Partial {
		return w.wholeRefund(d)
	}
	return w.refundOrder(d, d.part())
}

// part is a fifth of what was paid.
func (d deposit) part() money.Decimal {
	return d.due().Amount.QuoUp(money.MustDecimal("5"), d.due().Asset.Decimals)
}

func refundKey(o gateway.RefundOrder, r gateway.RefundReport) gateway.RefundKey {
	return gateway.RefundKey{DepositKey: o.DepositKey, RefundRef: o.RefundRef, Refund: r.External, Amount: o.Amount}
}

// refundMutation is a refund as a call that can fail. The fake has no list of refunds: it counts what changed.
func (w *world) refundMutation(o gateway.RefundOrder) mutation {
	before := w.fake.Mutations()
	x := mutation{
		do:    func(w *world) error { return errorOf(w.refund(o)) },
		count: func() int { return w.fake.Mutations() - before },
		keys:  w.d.Deposit.RefundKeys(),
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

func isGivenBack(s gateway.RefundState) bool {
	return isOneOf(s, gateway.RefundDone, gateway.RefundPending)
}

// refunded makes a refund that must succeed.
func (w *world) refunded(o gateway.RefundOrder) gateway.RefundReport {
	r, err := w.refund(o)
	w.ok("Refund", err)
	w.check(isGivenBack(r.State), "Refund reports %s", r.State)
	w.check(r.Amount == nil || isSame(*r.Amount, o.Amount), "Refund of %s reports %s", o.Amount, r.Amount)
	w.check(r.RefundRef == "" || r.RefundRef == o.RefundRef, "Refund of %s reports %s", o.RefundRef, r.RefundRef)
	return r
}

func refundsWhole(w *world) {
	o := w.wholeRefund(w.paid())
	r := w.refunded(o)
	read, err := w.readRefund(refundKey(o, r))
	w.ok("ReadRefund", err)
	w.check(read.State == r.State || read.State == gateway.RefundDone, "Refund reports %s, and ReadRefund %s", r.State,
		read.State)
	w.check(read.Trust == gateway.Answered, "ReadRefund was answered by the gateway, and Trust is %q", read.Trust)
	w.gaveBack(o.DepositKey, o.Amount, gateway.PartRefunded)
}

func refundsParts(w *world) {
	d := w.paid()
	before := w.fake.Mutations()
	first := w.partialRefund(d)
	w.refunded(first)
	w.gaveBack(first.DepositKey, first.Amount, gateway.Refunded)
	after := w.fake.Mutations()
	w.refunded(w.partialRefund(d))
	w.check(after > before && w.fake.Mutations() > after,
		"two parts of %s were refunded, and the gateway was not told of two: RefundRef and Key tell them apart", d.part())
}

// refundIsRefused checks that a refund is refused, and that nothing happened.
func (w *world) refundIsRefused(what string, o gateway.RefundOrder) {
	before := w.fake.Mutations()
	r, err := w.refund(o)
	w.check(err != nil || r.State == gateway.RefundFailed, "%s is reported as %s: it must be refused", what, r.State)
	w.check(err == nil || gateway.HasNoEffect(err), "%s was refused, and the error must have effect none: %v", what, err)
	w.check(!gateway.IsClass(err, gateway.Retryable), "%s was refused for good, and the error is of class %q", what,
		gateway.Retryable)
	w.unchanged(before, "%s changed something at the gateway", what)
}

func refundsNoParts(w *world) {
	d := w.paid()
	w.refundIsRefused("a refund of a part, though Refund.Partial is false,", w.refundOrder(d, d.part()))
}

func refundsNoMore(w *world) {
	d := w.paid()
	w.refunded(w.partialRefund(d))
	w.refundIsRefused("a refund of more than is left", w.wholeRefund(d))
}

func refundsNothingUnpaid(w *world) {
	d, _ := w.startIn(IsWaiting)
	w.refundIsRefused("a refund of what was not paid", w.wholeRefund(d))
}

// refundsOnce refunds a part where it can: a gateway would refuse the second of two whole refunds by itself.
func refundsOnce(w *world) {
	o := w.partialRefund(w.paid())
	x := w.refundMutation(o)
	w.refunded(o)
	w.isMadeOnce("a refund", x)
}

func refundHasKey(w *world) {
	o := w.wholeRefund(w.paid())
	before := w.transport.count()
	w.refunded(o)
	w.sentWithKey("a refund", o.Key, before)
}

func refundIsPending(w *world) {
	d := w.paid()
	if !w.set(d.order.Ref, RefundIsPending) {
		return
	}
	o := w.wholeRefund(d)
	r := w.refunded(o)
	read, err := w.readRefund(refundKey(o, r))
	w.ok("ReadRefund", err)
	w.check(r.State == gateway.RefundPending && read.State == gateway.RefundPending,
		"Refund reports %s and ReadRefund %s of a refund that the gateway calls pending", r.State, read.State)
}

func refundFails(w *world) {
	d := w.paid()
	if !w.set(d.order.Ref, RefundFails) {
		return
	}
	o := w.wholeRefund(d)
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
	before := w.fake.Mutations()
	_, err := w.refund(w.wholeRefund(d))
	failure := gateway.ErrorOf(err)
	w.check(gateway.IsClass(err, gateway.Invalid) && gateway.HasNoEffect(err),
		"a refund that comes too late is an error of class %q with effect none, so that staff give the money back another "+
			"way: %v", gateway.Invalid, err)
	w.check(err == nil || failure.RawCode != "" || failure.RawText != "" || failure.Reason != nil,
		"a refund that comes too late must say the gateway's own reason in RawCode or RawText")
	w.unchanged(before, "a refund that comes too late changed something at the gateway")
}

func refundNeverMade(w *world) {
	r, err := w.readRefund(refundKey(w.wholeRefund(w.paid()), gateway.RefundReport{}))
	w.check(err != nil || !isGivenBack(r.State), "ReadRefund reports %s of a refund that was never made", r.State)
}
