package paytr

import (
	"context"
	"net/url"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/plugkit"
)

// refundAnswer is the answer to a refund.
type refundAnswer struct {
	Status    string `json:"status"`
	OID       string `json:"merchant_oid"`
	Amount    text   `json:"return_amount"`
	Reference text   `json:"reference_no"`
}

// Lacks implements plugkit.Checker.
func (a *refundAnswer) Lacks() string {
	switch {
	case a.Status != "success":
		return "status"
	case a.OID == "":
		return "merchant_oid"
	default:
		return ""
	}
}

// Refund implements ports.Refunder. PayTR knows no idempotency keys, so that the payment is read first: a refund that it
// shows under our reference is not made again, and more than is left is refused before anything is sent.
func (g *Gateway) Refund(ctx context.Context, o gateway.RefundOrder) (gateway.RefundReport, error) {
	if err := plugkit.CheckLira(o.Amount); err != nil {
		return gateway.RefundReport{}, err
	}
	if o.RefundRef == "" {
		return gateway.RefundReport{}, plugkit.Refuse(gateway.Invalid, "a reference is needed")
	}
	p, err := g.status(ctx, o.Ref)
	switch {
	case gateway.IsClass(err, gateway.NotFound):
		return gateway.RefundReport{}, plugkit.Refuse(gateway.Invalid, "the deposit was not paid")
	case err != nil:
		return gateway.RefundReport{}, err
	}
	if earlier, err := p.refundOf(o.RefundRef); err == nil || !gateway.IsClass(err, gateway.NotFound) {
		return earlier, err
	}
	total, err := p.Total.amount()
	if err != nil {
		return gateway.RefundReport{}, err
	}
	_, all, err := p.givenBack()
	switch {
	case err != nil:
		return gateway.RefundReport{}, err
	case states.Of(p.Status) != gateway.Paid || o.Amount.Amount.Cmp(total.Sub(all)) > 0:
		return gateway.RefundReport{}, plugkit.Refuse(gateway.Invalid, "less than that is left of the payment")
	}
	amount := o.Amount.Amount.Fixed(2)
	var a refundAnswer
	err = g.post(ctx, pathRefund, refundFailures, url.Values{
		"merchant_oid": {string(o.Ref)}, "return_amount": {amount}, "reference_no": {string(o.RefundRef)},
		"paytr_token": {g.token(g.merchant, string(o.Ref), amount)},
	}, &a)
	if err != nil {
		return gateway.RefundReport{}, err
	}
	back, err := a.Amount.amount()
	if err != nil || back != o.Amount.Amount || a.OID != string(o.Ref) || a.Reference != "" && a.Reference != text(o.RefundRef) {
		return gateway.RefundReport{}, plugkit.Distrust(gateway.Retryable, "the answer is about another refund")
	}
	return gateway.RefundReport{ // taken; reading it says when it is done
		RefundRef: o.RefundRef, External: gateway.ExternalRef{ID: string(o.RefundRef)}, State: gateway.RefundPending,
		Trust: gateway.Answered, Amount: &o.Amount, Raw: a.Status,
	}, nil
}

// ReadRefund implements ports.Refunder. Error: NotFound.
func (g *Gateway) ReadRefund(ctx context.Context, k gateway.RefundKey) (gateway.RefundReport, error) {
	p, err := g.status(ctx, k.Ref)
	if err != nil {
		return gateway.RefundReport{}, err
	}
	return p.refundOf(k.RefundRef)
}

func (p payment) refundOf(ref gateway.Ref) (gateway.RefundReport, error) {
	for _, back := range p.Returns {
		if back.Reference != text(ref) {
			continue
		}
		amount, err := back.Amount.amount()
		if err != nil {
			return gateway.RefundReport{}, err
		}
		r := gateway.RefundReport{
			RefundRef: ref, External: gateway.ExternalRef{ID: string(ref)}, State: gateway.RefundPending, Trust: gateway.Answered,
			Amount: &gateway.Money{Amount: amount, Asset: gateway.TRY},
		}
		if back.Completed != "" {
			r.State = gateway.RefundDone
		}
		return r, nil
	}
	return gateway.RefundReport{}, plugkit.Refuse(gateway.NotFound, "the payment has no such refund")
}
