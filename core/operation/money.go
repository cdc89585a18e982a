package operation

import (
	"slices"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/payment"
)

// arrived is the money that a report says is there. What is only on its way, or held by a fraud check, is not.
func arrived(seen gateway.Observation) (gateway.Money, bool) {
	isThere := seen.State.Rank() >= gateway.PartPaid.Rank() && seen.State != gateway.Review && !isTry(seen)
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
	isFirst := w.c.Operation.Paid.Amount.Sign() == 0 && w.seen.State.Rank() > gateway.Paid.Rank()
	if !ok || isFirst {
		return nil
	}
	return w.misfits(got)
}

// isMore reports whether money is more than an operation's: sums of two assets do not compare, the one that was due counts.
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
		w.o.Status, w.o.RawState = before.Status, before.RawState // nothing to go by
	}
	kind, _ := w.misfit(got)
	switch {
	case !ok && before.Paid.Amount.Sign() == 0:
		return w.hold(discrepancy.UnderReview, gateway.Money{}, "the gateway says "+string(w.seen.State)+", and not how much")
	case !ok || isOlder:
		return nil
	case kind != "":
		return w.misfits(got)
	}
	w.money.settle("paid in full", discrepancy.ShortMoney, discrepancy.UnderReview)
	return w.credit()
}

// misfits keeps money that does not settle the payment by itself, in place of what was known of it before.
func (w *watch) misfits(got gateway.Money) error {
	kind, why := w.misfit(got)
	if kind == "" {
		kind, why = discrepancy.UnderReview, "told after the gateway had said "+w.c.Operation.Status
	}
	for _, k := range []discrepancy.Kind{discrepancy.ShortMoney, discrepancy.OverMoney, discrepancy.UnderReview} {
		if k != kind && kind != discrepancy.OtherMoney {
			w.money.settle("now "+string(kind), k)
		}
	}
	return w.hold(kind, got, why)
}

// misfit says why money does not settle the payment by itself; empty: it does.
func (w *watch) misfit(got gateway.Money) (kind discrepancy.Kind, why string) {
	due := w.o.Due
	switch order := got.Amount.Cmp(due.Amount); {
	case !got.IsSameAsset(due):
		return discrepancy.OtherMoney, got.String() + " instead of " + due.String()
	case order < 0:
		return discrepancy.ShortMoney, got.String() + " of " + due.String()
	case order > 0:
		return discrepancy.OverMoney, got.String() + " instead of " + due.String()
	case w.seen.State != gateway.Paid && w.seen.State != gateway.OverPaid:
		return discrepancy.UnderReview, "all of it is there, and the gateway says " + string(w.seen.State)
	}
	return "", ""
}

// credit completes the payment, once; money for one that has ended is a discrepancy.
func (w *watch) credit() error {
	w.o.close(w.d.At)
	w.o.IsHeld = false
	p := w.c.Payment
	if !p.Status.IsFinal() {
		return w.decide(payment.Succeed)
	}
	switch before := w.c.Operation; {
	case gateway.State(before.Status).Rank() >= gateway.Paid.Rank() && before.Paid == w.o.Paid:
	case w.isAccepted():
	case w.bindWord():
	case p.Status == payment.Completed || p.Status == payment.Success || p.Status == payment.Refunded:
		w.money.open(discrepancy.SurplusMoney, w.o.Paid, "the payment was paid already")
	default:
		w.money.open(discrepancy.LateMoney, w.o.Paid, "the payment is "+string(p.Status))
	}
	return nil
}

// bindWord binds the operation's money to the staff member's word that the payment was credited by, where that waits for it:
// it credits nobody else.
func (c Case) bindWord(o Operation, d payment.Decision) (core.Changeset, bool) {
	k, ok := payment.AwaitingCredit(c.Credits)
	if !ok || o.Brought.IsZero() {
		return core.Changeset{}, false
	}
	p := c.Payment
	p.Version++
	p.UpdatedAt, p.Gateway.GatewayID, p.Gateway.OperationID = d.At, o.GatewayID, o.ID
	return core.Changeset{p, k.BoundToOperation(o.ID, o.Brought)}, true
}

// bindWord is the same for a report. Money that is more or less than the word is a discrepancy.
func (w *watch) bindWord() (ok bool) {
	if w.move, ok = w.c.bindWord(w.o, w.d); !ok {
		return false
	}
	if credited := payment.Credited(w.c.Credits); credited != w.o.Brought {
		w.money.open(discrepancy.CreditDiffers, w.o.Paid, "credited by hand with "+credited.String()+" before it came")
	}
	return true
}

// isAccepted reports whether staff took this very money for the payment already, before the gateway confirmed it.
func (w *watch) isAccepted() bool {
	return slices.ContainsFunc(w.c.Discrepancies, func(d discrepancy.Discrepancy) bool {
		isSame := w.o.Paid.Amount.Sign() > 0 && d.Seen.Amount.Cmp(w.o.Paid.Amount) == 0
		return d.OperationID == w.o.ID && d.Status == discrepancy.Accepted && (d.Kind == discrepancy.UnderReview || isSame)
	})
}

// maxWorth bounds what a report can be worth (decisions: Amounts in).
const maxWorth = 99_999_999_999

// Worth is what money at the gateway is worth to the payment by the operation's own order: liras as they are, a coin by what
// was due in it, rounded down. ok is false where it is neither: nothing is credited in it.
func (o Operation) Worth(m gateway.Money) (worth money.Amount, ok bool) {
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
	if worth, ok := o.Worth(m); ok && (o.Brought.IsZero() || o.Brought.Less(worth)) {
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
func (w *watch) hold(kind discrepancy.Kind, seen gateway.Money, why string) error {
	w.money.open(kind, seen, why)
	if w.c.Payment.Status.IsFinal() {
		return nil
	}
	w.o.IsHeld = true
	return w.seeMoney()
}
