package btcpay

import (
	"context"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/plugins/plugkit"
)

// pull is a pull payment: an envelope of money that whoever has its link can claim, to an address of their own.
type pull struct {
	ID          string `json:"id"`
	Name        string `json:"name"`
	Description string `json:"description"`
	Amount      number `json:"amount"`
	Currency    string `json:"currency"`
	IsArchived  bool   `json:"archived"`
	ViewLink    string `json:"viewLink"`
}

// newRefund asks for a refund. The amount is in the invoice's currency: the server converts it when the claim is
// approved.
type newRefund struct {
	Name         string `json:"name"`
	Description  string `json:"description"`
	PayoutMethod string `json:"payoutMethodId"`
	Variant      string `json:"refundVariant"`
	Amount       string `json:"customAmount"`
	Currency     string `json:"customCurrency"`
}

// refundOf marks the pull payments that give back an invoice: the server does not tell whose they are.
func refundOf(invoiceID string) string { return "refund of invoice " + invoiceID }

// pulls lists the store's pull payments. The server has no pages for them.
func (g *Gateway) pulls(ctx context.Context) ([]pull, error) {
	var list []pull
	err := g.get(ctx, g.path("pull-payments")+"?includeArchived=true", &list)
	return list, err
}

// Refund implements ports.Refunder. It makes a pull payment that the customer claims by its link; until then, and until
// the claim was approved and paid, the refund is pending. The server would give back more than came and the same twice,
// so that this looks for both first. That narrows the gap and does not close it: the core never sends twice.
func (g *Gateway) Refund(ctx context.Context, o gateway.RefundOrder) (gateway.RefundReport, error) {
	i, err := g.find(ctx, o.DepositKey)
	if err != nil {
		return gateway.RefundReport{}, unsent(err)
	}
	if o.RefundRef == "" || o.Amount.Amount.Sign() <= 0 || !o.Amount.IsSameAsset(i.price()) {
		return gateway.RefundReport{}, plugkit.Refuse(gateway.Invalid, "a refund has a reference and an amount in the invoice's currency")
	}
	list, err := g.pulls(ctx)
	if err != nil {
		return gateway.RefundReport{}, unsent(err)
	}
	if p, ok := named(list, o.RefundRef); ok {
		return g.refundReport(ctx, p)
	}
	if err := g.isCovered(ctx, i, o.Amount.Amount, list); err != nil {
		return gateway.RefundReport{}, unsent(err)
	}
	order := newRefund{
		Name: string(o.RefundRef), Description: refundOf(i.ID), PayoutMethod: g.payBy, Variant: "Custom",
		Amount: o.Amount.Amount.Fixed(gateway.TRY.Decimals), Currency: i.Currency,
	}
	var p pull
	if err := g.client.Call(ctx, "POST", g.path("invoices", i.ID, "refund"), order, &p); err != nil {
		return gateway.RefundReport{}, err
	}
	if p.ID == "" {
		return gateway.RefundReport{}, plugkit.Distrust(gateway.Retryable, "the answer has no id")
	}
	return p.report(gateway.RefundPending, "open"), nil
}

func named(list []pull, ref gateway.Ref) (pull, bool) {
	for _, p := range list {
		if p.Name == string(ref) {
			return p, true
		}
	}
	return pull{}, false
}

// isCovered reports whether what came for an invoice, less what was given back, is enough.
func (g *Gateway) isCovered(ctx context.Context, i invoice, amount money.Decimal, list []pull) error {
	o, err := g.observe(ctx, i)
	if err != nil {
		return err
	}
	if o.Paid == nil {
		return plugkit.Refuse(gateway.Invalid, "nothing was paid that could be given back")
	}
	rest := o.Paid.Amount
	for _, p := range list {
		if p.Description != refundOf(i.ID) {
			continue
		}
		rest = rest.Sub(p.Amount.Decimal) // of an archived one, too: whether it was claimed does not show any more
	}
	if amount.Cmp(rest) > 0 {
		return plugkit.Refuse(gateway.Invalid, "only "+rest.String()+" is left of what was paid")
	}
	return nil
}

// claimed is how much of a pull payment was claimed and paid, in its currency. Of an archived one the server lists nothing.
func (g *Gateway) claimed(ctx context.Context, pullID string) (money.Decimal, error) {
	var list []payout
	if err := g.get(ctx, plugkit.Path("api", "v1", "pull-payments", pullID, "payouts"), &list); err != nil {
		return money.Decimal{}, err
	}
	done := money.Decimal{}
	for _, p := range list {
		if payoutStates.Of(p.State) == gateway.PayoutDone {
			done = done.Add(p.OriginalAmount.Decimal)
		}
	}
	return done, nil
}

// ReadRefund implements ports.Refunder.
func (g *Gateway) ReadRefund(ctx context.Context, k gateway.RefundKey) (gateway.RefundReport, error) {
	if k.Refund.ID == "" {
		list, err := g.pulls(ctx)
		if err != nil {
			return gateway.RefundReport{}, err
		}
		p, ok := named(list, k.RefundRef)
		if !ok || k.RefundRef == "" {
			return gateway.RefundReport{}, plugkit.Refuse(gateway.NotFound, "no pull payment has this name")
		}
		return g.refundReport(ctx, p)
	}
	var p pull
	if err := g.get(ctx, plugkit.Path("api", "v1", "pull-payments", k.Refund.ID), &p); err != nil {
		return gateway.RefundReport{}, err
	}
	if p.ID != k.Refund.ID {
		return gateway.RefundReport{}, plugkit.Distrust(gateway.Retryable, "the answer is not the pull payment that was asked for")
	}
	return g.refundReport(ctx, p)
}

// refundReport says what a refund is from what was claimed of it. One that was archived can't be claimed any more; whether
// it was before, the server hides.
func (g *Gateway) refundReport(ctx context.Context, p pull) (gateway.RefundReport, error) {
	if p.IsArchived {
		return p.report(gateway.RefundUnknown, "archived"), nil
	}
	done, err := g.claimed(ctx, p.ID)
	if err != nil {
		return gateway.RefundReport{}, afterwards(err)
	}
	if done.Cmp(p.Amount.Decimal) >= 0 {
		return p.report(gateway.RefundDone, "claimed and paid"), nil
	}
	return p.report(gateway.RefundPending, "open"), nil
}

// report is a refund's. The customer is given the link in External.Alt["claim"].
func (p pull) report(state gateway.RefundState, raw string) gateway.RefundReport {
	r := gateway.RefundReport{
		RefundRef: gateway.Ref(p.Name), External: gateway.ExternalRef{ID: p.ID}, State: state, Trust: gateway.Answered, Raw: raw,
	}
	if p.ViewLink != "" {
		r.External.Alt = map[string]string{"claim": p.ViewLink}
	}
	if p.Amount.Sign() > 0 {
		asset := plugkit.Currency(p.Currency)
		r.Amount = &gateway.Money{Amount: p.Amount.Decimal, Asset: asset}
	}
	return r
}
