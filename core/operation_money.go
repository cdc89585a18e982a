package core

import (
	"slices"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
)

// arrived is the money that a report says is there. What is only on its way, or held by a fraud check, is not.
func arrived(seen gateway.Observation) (gateway.Money, bool) {
	isThere := rank(seen.State) >= rank(gateway.PartPaid) && seen.State != gateway.Review && !isTry(seen)
	if !isThere || seen.Paid == nil || seen.Paid.Amount.Sign() <= 0 {
		return gateway.Money{}, false
	}
	return *seen.Paid, true
}

// news is the money of the report, where it was not known.
func (w *watch) news() (gateway.Money, bool) {
	got, ok := arrived(w.seen)
	known := w.c.Operation.Paid
	return got, ok && (!got.IsSameAsset(known) || got.Amount.Cmp(known.Amount) > 0)
}

// more is for a report about something else that tells of money which was not known. What comes for the first time with
// a refund or a dispute stands as that.
func (w *watch) more() error {
	got, ok := w.news()
	isFirst := w.c.Operation.Paid.Amount.Sign() == 0 && rank(w.seen.State) > rank(gateway.Paid)
	if !ok || isFirst {
		return nil
	}
	return w.misfits(got)
}

// isMore tells whether money is more than an operation's: sums of two assets do not compare, the one that was due counts.
func isMore(got gateway.Money, o Operation) bool {
	if o.Paid.Amount.Sign() == 0 || got.IsSameAsset(o.Paid) {
		return got.Amount.Cmp(o.Paid.Amount) > 0
	}
	return got.IsSameAsset(o.Due)
}

// paid compares what arrived with what was due, exactly. Less than was there before is an older report.
func (w *watch) paid() error {
	got, ok := arrived(w.seen)
	before := w.c.Operation
	isOlder := got.IsSameAsset(before.Paid) && got.Amount.Cmp(before.Paid.Amount) < 0
	if !ok || isOlder {
		w.o.State, w.o.Raw = before.State, before.Raw // nothing to go by
	}
	kind, _ := w.misfit(got)
	switch {
	case !ok && before.Paid.Amount.Sign() == 0:
		return w.hold(UnderReview, gateway.Money{}, "the gateway says "+string(w.seen.State)+", and not how much")
	case !ok || isOlder:
		return nil
	case kind != "":
		return w.misfits(got)
	}
	w.money.settle("paid in full", ShortMoney, UnderReview)
	return w.credit()
}

// misfits keeps money that does not settle the payment by itself, in place of what was known of it before.
func (w *watch) misfits(got gateway.Money) error {
	kind, why := w.misfit(got)
	if kind == "" {
		kind, why = UnderReview, "told after the gateway had said "+w.c.Operation.State
	}
	for _, k := range []DiscrepancyKind{ShortMoney, OverMoney, UnderReview} {
		if k != kind && kind != OtherMoney {
			w.money.settle("now "+string(kind), k)
		}
	}
	return w.hold(kind, got, why)
}

// misfit says why money does not settle the payment by itself; empty: it does.
func (w *watch) misfit(got gateway.Money) (kind DiscrepancyKind, why string) {
	due := w.o.Due
	switch order := got.Amount.Cmp(due.Amount); {
	case !got.IsSameAsset(due):
		return OtherMoney, got.String() + " instead of " + due.String()
	case order < 0:
		return ShortMoney, got.String() + " of " + due.String()
	case order > 0:
		return OverMoney, got.String() + " instead of " + due.String()
	case w.seen.State != gateway.Paid && w.seen.State != gateway.OverPaid:
		return UnderReview, "all of it is there, and the gateway says " + string(w.seen.State)
	}
	return "", ""
}

// credit completes the payment, once; money for one that has ended is a discrepancy.
func (w *watch) credit() error {
	w.o.close(w.d.At)
	w.o.IsHeld = false
	p := w.c.Payment
	if !p.Status.IsFinal() {
		return w.decide(Succeed)
	}
	switch before := w.c.Operation; {
	case rank(gateway.State(before.State)) >= rank(gateway.Paid) && before.Paid == w.o.Paid:
	case w.isAccepted():
	case w.bindWord():
	case p.Status == Completed || p.Status == Success || p.Status == Refunded:
		w.money.open(SurplusMoney, w.o.Paid, "the payment was paid already")
	default:
		w.money.open(LateMoney, w.o.Paid, "the payment is "+string(p.Status))
	}
	return nil
}

// bindWord binds the operation's money to the staff member's word that the payment was credited by, where that waits for it:
// it credits nobody else.
func (c Case) bindWord(o Operation, d Decision) (Changeset, bool) {
	k, ok := awaiting(c.Credits)
	if !ok || o.Brought.IsZero() {
		return Changeset{}, false
	}
	p := c.Payment
	p.Version++
	p.UpdatedAt, p.AtGate.GatewayID, p.AtGate.OperationID = d.At, o.GatewayID, o.ID
	return Changeset{p, k.boundToOperation(o.ID, o.Brought)}, true
}

// bindWord is the same for a report. Money that is more or less than the word is a discrepancy.
func (w *watch) bindWord() (ok bool) {
	if w.move, ok = w.c.bindWord(w.o, w.d); !ok {
		return false
	}
	if credited := Credited(w.c.Credits); credited != w.o.Brought {
		w.money.open(CreditDiffers, w.o.Paid, "credited by hand with "+credited.String()+" before it came")
	}
	return true
}

// isAccepted tells whether staff took this very money for the payment already, before the gateway confirmed it.
func (w *watch) isAccepted() bool {
	return slices.ContainsFunc(w.c.Discrepancies, func(d Discrepancy) bool {
		isSame := w.o.Paid.Amount.Sign() > 0 && d.Seen.Amount.Cmp(w.o.Paid.Amount) == 0
		return d.OperationID == w.o.ID && d.State == DiscrepancyAccepted && (d.Kind == UnderReview || isSame)
	})
}

// maxWorth bounds what a report can be worth (decisions: Amounts in).
const maxWorth = 99_999_999_999

// worth is what money at the gateway is worth to the payment by the operation's own order: liras as they are, a coin by what
// was due in it, rounded down. ok is false where it is neither: nothing is credited in it.
func (o Operation) worth(m gateway.Money) (worth money.Amount, ok bool) {
	currency, isCurrency := money.CurrencyOf(o.Amount.Asset.Code)
	share := m.Amount
	switch {
	case !isCurrency || m.Amount.Sign() <= 0:
		return money.New(0, money.TRY), false
	case m.IsSameAsset(o.Amount):
	case m.IsSameAsset(o.Due) && o.Due.Amount.Sign() > 0:
		share = m.Amount.Mul(o.Amount.Amount).QuoDown(o.Due.Amount, currency.Decimals)
	default:
		return money.New(0, currency), false
	}
	most := money.New(maxWorth, currency)
	if share.Cmp(most.Decimal()) >= 0 {
		return most, true
	}
	worth, err := share.QuoDown(money.MustDecimal("1"), currency.Decimals).Amount(currency)
	return worth, err == nil
}

// bring keeps the most that the operation has been worth.
func (o *Operation) bring(m gateway.Money) {
	if worth, ok := o.worth(m); ok && (o.Brought.IsZero() || o.Brought.Less(worth)) {
		o.Brought = worth
	}
}

// said is the money of the report, whether it counts as arrived or not.
func (w *watch) said() gateway.Money {
	if w.seen.Paid == nil {
		return w.o.Paid
	}
	return *w.seen.Paid
}

// hold keeps a payment open for staff, or for later news, because of money that does not fit.
func (w *watch) hold(kind DiscrepancyKind, seen gateway.Money, why string) error {
	w.money.open(kind, seen, why)
	if w.c.Payment.Status.IsFinal() {
		return nil
	}
	w.o.IsHeld = true
	return w.seeMoney()
}
