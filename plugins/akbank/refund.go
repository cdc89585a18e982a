package akbank

import (
	"context"
	"strings"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/plugkit"
)

// Refund implements ports.Refunder. The bank knows no reference of ours for a refund, so that one whose answer is lost may be work
// for people. The whole of the only sale is voided on its day, and given back where the bank says that there is nothing to void.
func (g *Gateway) Refund(ctx context.Context, o gateway.RefundOrder) (gateway.RefundReport, error) {
	if err := plugkit.CheckLira(o.Amount); err != nil {
		return gateway.RefundReport{}, err
	}
	if o.RefundRef == "" {
		return gateway.RefundReport{}, plugkit.Refuse(gateway.Invalid, "a reference is needed")
	}
	t, err := g.seen(ctx, o.Ref)
	if err != nil && !gateway.IsClass(err, gateway.NotFound) {
		return gateway.RefundReport{}, err
	}
	left, isKnown := t.left()
	switch {
	case t.sales == 0 && !t.isUnclear:
		return gateway.RefundReport{}, plugkit.Refuse(gateway.Invalid, "the deposit was not paid")
	case !isKnown:
		return gateway.RefundReport{}, plugkit.Refuse(gateway.Conflicting, "nobody knows what is left of the payment")
	case o.Amount.Amount.Cmp(left) > 0:
		return gateway.RefundReport{}, plugkit.Refuse(gateway.Invalid, "less than that is left of the payment")
	}
	isToday := strings.HasPrefix(string(t.best.At), g.now()[:len("2006-01-02")])
	if t.sales == 1 && o.Amount.Amount == t.paid && isToday {
		report, err := g.giveBack(ctx, o, txnVoid, nil)
		if err == nil || gateway.ErrorOf(err).RawCode != codeNoOriginal {
			return report, err
		}
	}
	return g.giveBack(ctx, o, txnRefund, &part{Amount: o.Amount.Amount.Fixed(2), Currency: liraNumber})
}

// liraNumber is lira as requests have it.
const liraNumber = 949

// seen adds up what happened to an order. Error: NotFound.
func (g *Gateway) seen(ctx context.Context, ref gateway.Ref) (tally, error) {
	all, err := g.history(ctx, ref)
	if err != nil {
		return tally{}, err
	}
	return tallyOf(all)
}

func (g *Gateway) giveBack(ctx context.Context, o gateway.RefundOrder, code string, amount *part) (gateway.RefundReport, error) {
	a, err := g.call(ctx, code, o.Ref, amount)
	if err != nil {
		return gateway.RefundReport{}, err
	}
	external := gateway.ExternalRef{ID: string(a.Transaction.RRN)}
	if external.ID == "" { // a void has none
		external.ID = string(o.RefundRef)
	}
	return gateway.RefundReport{
		RefundRef: o.RefundRef, External: external, State: gateway.RefundDone, Trust: gateway.Answered, Amount: &o.Amount, Raw: string(a.Code),
	}, nil
}

// ReadRefund implements ports.Refunder: by the number that the refund's answer named. One whose answer was lost is known only where
// nothing, or exactly the whole, was given back. Error: NotFound.
func (g *Gateway) ReadRefund(ctx context.Context, k gateway.RefundKey) (gateway.RefundReport, error) {
	all, err := g.history(ctx, k.Ref)
	if err != nil {
		return gateway.RefundReport{}, err
	}
	t, err := tallyOf(all)
	if err != nil {
		return gateway.RefundReport{}, err
	}
	r := gateway.RefundReport{
		RefundRef: k.RefundRef, External: k.Refund, State: gateway.RefundUnknown, Trust: gateway.Answered, Amount: &k.Amount, Raw: t.best.raw(),
	}
	if l, isThere := creditOf(all, k.Refund.ID); isThere {
		return l.tell(r)
	}
	back, isClear := t.back()
	isKnown := isClear && !t.isUnclear && t.asset == gateway.TRY
	switch isLost := k.Refund.IsZero(); {
	case !isKnown:
	case isLost && back.Sign() == 0:
		return gateway.RefundReport{}, plugkit.Refuse(gateway.NotFound, "nothing was given back")
	case isLost && back == t.paid && k.Amount.Amount == t.paid:
		r.State = gateway.RefundDone
	case !isLost && back.Cmp(k.Amount.Amount) >= 0: // the bank said that it was done, and shows it under another number, or as a mark
		r.State = gateway.RefundDone
	}
	return r, nil
}

// creditOf finds a refund's line by the number that its answer had.
func creditOf(all []line, rrn string) (line, bool) {
	for _, l := range all {
		if rrn != "" && l.Txn == txnRefund && string(l.RRN) == rrn {
			return l, true
		}
	}
	return line{}, false
}

// tell is what a refund's own line says of it.
func (l line) tell(r gateway.RefundReport) (gateway.RefundReport, error) {
	r.Raw = l.raw()
	switch state := l.state(); state {
	case gateway.Failed:
		r.State, r.Reason = gateway.RefundFailed, l.reason()
	case gateway.Refunded:
		m, err := l.money()
		if err != nil {
			return gateway.RefundReport{}, err
		}
		if err := plugkit.IsFor(m, *r.Amount); err != nil {
			return gateway.RefundReport{}, err
		}
		r.State = gateway.RefundDone
	default:
	}
	return r, nil
}
