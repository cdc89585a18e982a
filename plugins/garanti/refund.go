package garanti

import (
	"cmp"
	"context"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/plugkit"
)

// Refund implements ports.Refunder. The bank knows no reference of ours for a refund, so that one whose answer is lost may be work for
// people. The whole is voided on its day, and given back where the bank says that there is nothing to void.
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
	case !isKnown || t.sales > 1 || t.best.RetrefNum == "":
		return gateway.RefundReport{}, plugkit.Refuse(gateway.Conflicting, "nobody knows what is left of which payment")
	case o.Amount.Amount.Cmp(left) > 0:
		return gateway.RefundReport{}, plugkit.Refuse(gateway.Invalid, "less than that is left of the payment")
	}
	if o.Amount.Amount == t.paid && t.best.AuthDate == g.today() {
		report, err := g.giveBack(ctx, o, "void", t.best)
		if err == nil || !nothingToVoid[gateway.ErrorOf(err).RawCode] {
			return report, err
		}
	}
	return g.giveBack(ctx, o, "refund", t.best)
}

func (g *Gateway) giveBack(ctx context.Context, o gateway.RefundOrder, how string, of line) (gateway.RefundReport, error) {
	a, err := g.call(ctx, g.refunding, o.Ref, transaction{Type: how, Amount: plugkit.Kurus(o.Amount.Amount), Original: of.RetrefNum})
	if err != nil {
		return gateway.RefundReport{}, err
	}
	if a.Order.History != nil {
		return gateway.RefundReport{}, plugkit.Distrust(gateway.Retryable, "the answer is to another question")
	}
	return gateway.RefundReport{
		RefundRef: o.RefundRef, External: gateway.ExternalRef{ID: cmp.Or(a.Transaction.RetrefNum, string(o.RefundRef))},
		State: gateway.RefundDone, Trust: gateway.Answered, Amount: &o.Amount, Raw: a.Transaction.Code,
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
func creditOf(all []line, number string) (line, bool) {
	for _, l := range all {
		if number != "" && l.Type == "refund" && l.RetrefNum == number {
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
		r.State, r.Reason = gateway.RefundFailed, failures.Reason(l.ReturnCode, "")
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
