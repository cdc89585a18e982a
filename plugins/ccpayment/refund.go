package ccpayment

import (
	"context"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/plugins/plugkit"
)

// altPending marks a refund that the gateway only took down: its people carry it out.
const altPending = "pending"

// refundAnswer is the answer to a refund.
type refundAnswer struct {
	envelope
	Invoice plugkit.Text `json:"invoice_id"`
}

// Lacks implements plugkit.Checker.
func (a *refundAnswer) Lacks() string {
	switch {
	case a.Code == "":
		return "status_code"
	case a.Invoice == "":
		return "invoice_id"
	default:
		return ""
	}
}

// Refund implements ports.Refunder. Our reference goes as refund_transaction_id, which the gateway takes once. More than is
// left is refused before anything is sent. An amount of nothing, which would give back everything, never comes here.
func (g *Gateway) Refund(ctx context.Context, o gateway.RefundOrder) (gateway.RefundReport, error) {
	if err := plugkit.CheckLira(o.Amount); err != nil {
		return gateway.RefundReport{}, err
	}
	if o.RefundRef == "" {
		return gateway.RefundReport{}, plugkit.Refuse(gateway.Invalid, "a reference is needed")
	}
	before, err := g.givenBack(ctx, o)
	if err != nil {
		return gateway.RefundReport{}, err
	}
	var a refundAnswer
	err = g.post(ctx, pathRefund, explainRefund, g.refundForm(o), &a)
	if e := gateway.ErrorOf(err); err != nil && e.RawCode == codeRefundFailed {
		return gateway.RefundReport{}, g.refusedOrNot(ctx, o, before, e)
	}
	if err == nil {
		err = plugkit.IsAbout(string(a.Invoice), o.Ref)
	}
	if err != nil {
		return gateway.RefundReport{}, err
	}
	report := gateway.RefundReport{
		RefundRef: o.RefundRef, External: gateway.ExternalRef{ID: string(o.RefundRef)}, State: gateway.RefundDone,
		Trust: gateway.Answered, Amount: &o.Amount, Raw: string(a.Code),
	}
	if a.Code == codeCreated {
		report.State, report.External.Alt = gateway.RefundPending, map[string]string{altPending: codeCreated}
	}
	return report, nil
}

func (g *Gateway) refundForm(o gateway.RefundOrder) map[string]any {
	id, secret := g.app()
	amount := o.Amount.Amount.Fixed(2)
	form := map[string]any{
		"invoice_id": string(o.Ref), "amount": amount, "app_id": id, "app_secret": secret, "refund_transaction_id": string(o.RefundRef),
		"hash_key": g.hashKey(amount, string(o.Ref), g.merchant()),
	}
	if g.refundHook != "" {
		form["refund_web_hook_key"] = g.refundHook
	}
	return form
}

// givenBack is what was given back of a deposit before a refund, which has to fit into what is left. Where nothing is left and all
// is wanted, this refund may be why: that is for a question to find out.
func (g *Gateway) givenBack(ctx context.Context, o gateway.RefundOrder) (money.Decimal, error) {
	seen, err := g.seen(ctx, o.Ref)
	var back money.Decimal
	switch {
	case gateway.IsClass(err, gateway.NotFound):
		return back, plugkit.Refuse(gateway.Invalid, "the deposit was not paid")
	case err != nil:
		return back, err
	case seen.Refunded != nil:
		back = seen.Refunded.Amount
	}
	switch {
	case seen.State == gateway.Refunded && o.IsWhole:
		return back, plugkit.Distrust(gateway.Conflicting, "everything was given back before")
	case seen.State != gateway.Paid && seen.State != gateway.PartRefunded:
		return back, plugkit.Refuse(gateway.Invalid, "the deposit is not paid, or nothing of it is left")
	case o.Amount.Amount.Cmp(seen.Paid.Amount.Sub(back)) > 0:
		return back, plugkit.Refuse(gateway.Invalid, "less than that is left of the payment")
	}
	return back, nil
}

// seen is what a deposit is now. Error: NotFound.
func (g *Gateway) seen(ctx context.Context, ref gateway.Ref) (o gateway.Observation, err error) {
	s, err := g.status(ctx, ref)
	if err == nil {
		err = s.observe(&o)
	}
	return o, err
}

// refusedOrNot tells a refund that was refused from one that failed on the way: one code stands for both, and after it only the
// gateway's own count shows that nothing was given back.
func (g *Gateway) refusedOrNot(ctx context.Context, o gateway.RefundOrder, before money.Decimal, e *gateway.Error) error {
	seen, err := g.seen(ctx, o.Ref)
	var now money.Decimal
	if err == nil && seen.Refunded != nil {
		now = seen.Refunded.Amount
	}
	said := *e
	if err == nil && (seen.State == gateway.Paid || seen.State == gateway.PartRefunded) && now == before {
		said.Class, said.Effect = gateway.Invalid, gateway.EffectNone
	}
	return &said
}

// ReadRefund implements ports.Refunder. The gateway shows only how much was given back in all: what it answered to a refund is
// known from then, and one whose answer was lost is known only where nothing, or exactly the whole, was given back. Error: NotFound.
func (g *Gateway) ReadRefund(ctx context.Context, k gateway.RefundKey) (gateway.RefundReport, error) {
	seen, err := g.seen(ctx, k.Ref)
	if err != nil {
		return gateway.RefundReport{}, err
	}
	r := gateway.RefundReport{
		RefundRef: k.RefundRef, External: gateway.ExternalRef{ID: string(k.RefundRef)}, State: gateway.RefundUnknown,
		Trust: gateway.Answered, Amount: &k.Amount, Raw: seen.Raw,
	}
	isAll := seen.State == gateway.Refunded
	switch isKnown := k.Refund.ID == string(k.RefundRef); {
	case k.Refund.Alt[altPending] != "" && !isAll:
		r.State = gateway.RefundPending
	case isKnown && (isAll || seen.Refunded != nil && seen.Refunded.Amount.Cmp(k.Amount.Amount) >= 0):
		r.State = gateway.RefundDone
	case isAll && seen.Paid.Amount == k.Amount.Amount:
		r.State = gateway.RefundDone
	case !isKnown && seen.State == gateway.Paid:
		return gateway.RefundReport{}, plugkit.Refuse(gateway.NotFound, "nothing was given back")
	}
	return r, nil
}
