package nestpay

import (
	"context"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/plugins/plugkit"
)

// altVoid marks a refund that is a void of the sale: the history shows it as the sale's status, and has no line for it.
const altVoid = "void"

// Refund implements ports.Refunder. The bank knows no reference of ours for a refund, so that one whose answer is lost
// can't be found again: that is for people. The whole of a sale is voided until the bank has closed its day, and given
// back afterwards.
func (g *Gateway) Refund(ctx context.Context, o gateway.RefundOrder) (gateway.RefundReport, error) {
	if err := plugkit.CheckLira(o.Amount); err != nil {
		return gateway.RefundReport{}, err
	}
	if o.RefundRef == "" {
		return gateway.RefundReport{}, plugkit.Refuse(gateway.Invalid, "a reference is needed")
	}
	all, err := g.history(ctx, o.Ref)
	if err != nil && !gateway.IsClass(err, gateway.NotFound) {
		return gateway.RefundReport{}, err
	}
	var seen gateway.Observation
	observe(&seen, all)
	left, isKnown := leftOf(seen)
	switch {
	case len(all) == 0 || seen.Paid == nil && seen.State != gateway.Unknown:
		return gateway.RefundReport{}, plugkit.Refuse(gateway.Invalid, "the deposit was not paid")
	case !isKnown:
		return gateway.RefundReport{}, plugkit.Refuse(gateway.Conflicting, "nobody knows what is left of the payment")
	case o.Amount.Amount.Cmp(left) > 0:
		return gateway.RefundReport{}, plugkit.Refuse(gateway.Invalid, "less than that is left of the payment")
	}
	if o.IsWhole && len(all) == 1 && o.Amount.Amount == seen.Paid.Amount {
		report, err := g.giveBack(ctx, o, gateway.ExternalRef{Alt: map[string]string{altVoid: "1"}}, element{"Type", "Void"})
		if e := gateway.ErrorOf(err); err == nil || !isTooLateToVoid[e.RawCode] {
			return report, err
		}
	}
	return g.giveBack(ctx, o, gateway.ExternalRef{}, element{"Type", "Credit"},
		element{"Total", o.Amount.Amount.Fixed(2)}, element{"Currency", lira})
}

// leftOf is what can still be given back, where everything that happened is known.
func leftOf(seen gateway.Observation) (left money.Decimal, isKnown bool) {
	if seen.Paid == nil || seen.State == gateway.Unknown {
		return left, false
	}
	left = seen.Paid.Amount
	if seen.Refunded != nil {
		left = left.Sub(seen.Refunded.Amount)
	}
	return left, true
}

func (g *Gateway) giveBack(
	ctx context.Context, o gateway.RefundOrder, external gateway.ExternalRef, what ...element,
) (gateway.RefundReport, error) {
	a, err := g.call(ctx, append([]element{{"OrderId", string(o.Ref)}}, what...)...)
	if err != nil {
		return gateway.RefundReport{}, err
	}
	if !a.isApproved() {
		return gateway.RefundReport{}, a.failure()
	}
	if err := plugkit.IsAbout(a.OrderID, o.Ref); err != nil {
		return gateway.RefundReport{}, err
	}
	external.ID = a.TransID
	return gateway.RefundReport{
		RefundRef: o.RefundRef, External: external, State: gateway.RefundDone, Trust: gateway.Answered, Amount: &o.Amount, Raw: a.Response,
	}, nil
}

// ReadRefund implements ports.Refunder: by the transaction that the refund's answer named. Error: NotFound.
func (g *Gateway) ReadRefund(ctx context.Context, k gateway.RefundKey) (gateway.RefundReport, error) {
	all, err := g.history(ctx, k.Ref)
	if err != nil {
		return gateway.RefundReport{}, err
	}
	for _, l := range all {
		isVoid := k.Refund.Alt[altVoid] != "" && l.kind == sale && lines[l.kind+"/"+l.status] == gateway.Refunded
		isCredit := k.Refund.ID != "" && l.kind == credit && l.id == k.Refund.ID
		if !isVoid && !isCredit {
			continue
		}
		r := gateway.RefundReport{
			RefundRef: k.RefundRef, External: k.Refund, State: gateway.RefundUnknown, Trust: gateway.Answered, Raw: l.kind + "/" + l.status,
			Amount: &gateway.Money{Amount: l.amount, Asset: gateway.TRY},
		}
		switch state := lines[r.Raw]; {
		case state == gateway.Refunded && l.code == approved:
			r.State = gateway.RefundDone
		case state == gateway.Refunded || state == gateway.Failed:
			r.State, r.Reason = gateway.RefundFailed, failures.Reason(l.code, "")
		}
		return r, nil
	}
	return gateway.RefundReport{}, plugkit.Refuse(gateway.NotFound, "the order has no such refund")
}
