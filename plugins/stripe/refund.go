package stripe

import (
	"context"
	"net/url"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/plugkit"
)

// refund is one of Stripe's.
type refund struct {
	ID            string            `json:"id"`
	Status        string            `json:"status"`
	Amount        int64             `json:"amount"`
	Currency      string            `json:"currency"`
	Intent        string            `json:"payment_intent"`
	Metadata      map[string]string `json:"metadata"`
	FailureReason string            `json:"failure_reason"`
}

// Lacks implements plugkit.Checker.
func (r *refund) Lacks() string {
	if r.ID == "" {
		return "id"
	}
	return ""
}

// Refund implements ports.Refunder. The key protects for a day; a refund that Stripe shows under our reference is not made
// again after it either.
func (g *Gateway) Refund(ctx context.Context, o gateway.RefundOrder) (gateway.RefundReport, error) {
	if err := plugkit.CheckLira(o.Amount); err != nil {
		return gateway.RefundReport{}, err
	}
	if o.RefundRef == "" || o.Key == "" {
		return gateway.RefundReport{}, plugkit.Refuse(gateway.Invalid, "a reference and a key are needed")
	}
	paidBy, err := g.paidIntent(ctx, o.DepositKey)
	if err != nil {
		return gateway.RefundReport{}, err
	}
	earlier, err := g.refundOf(ctx, paidBy, o.RefundRef)
	if err == nil || !gateway.IsClass(err, gateway.NotFound) {
		return earlier, err
	}
	var made refund
	err = g.post(ctx, pathRefunds, o.Key, url.Values{
		"payment_intent": {paidBy}, "amount": {plugkit.Kurus(o.Amount.Amount)}, "metadata[" + metaRef + "]": {string(o.Ref)},
		"metadata[" + metaRefund + "]": {string(o.RefundRef)},
	}, &made)
	if err == nil {
		err = plugkit.IsAbout(made.Metadata[metaRefund], o.RefundRef)
	}
	if err == nil && made.Intent != paidBy {
		err = plugkit.Distrust(gateway.Retryable, "the refund is of another payment")
	}
	if err != nil {
		return gateway.RefundReport{}, err
	}
	return made.report(gateway.Answered), nil
}

// ReadRefund implements ports.Refunder. Error: NotFound.
func (g *Gateway) ReadRefund(ctx context.Context, k gateway.RefundKey) (gateway.RefundReport, error) {
	paidBy, err := g.paidIntent(ctx, k.DepositKey)
	if err != nil {
		return gateway.RefundReport{}, err
	}
	return g.refundOf(ctx, paidBy, k.RefundRef)
}

// refundOf finds a payment's refund by our reference. The list is never behind, unlike a search.
func (g *Gateway) refundOf(ctx context.Context, paidBy string, ref gateway.Ref) (gateway.RefundReport, error) {
	query := url.Values{"payment_intent": {paidBy}, "limit": {page}}
	for {
		var found list[refund]
		if err := g.get(ctx, pathRefunds, query, &found); err != nil {
			return gateway.RefundReport{}, err
		}
		for _, r := range found.Data {
			switch {
			case r.Intent != paidBy:
				return gateway.RefundReport{}, plugkit.Distrust(gateway.Retryable, "the answer is about another payment's refunds")
			case r.Metadata[metaRefund] == string(ref):
				return r.report(gateway.Answered), nil
			}
		}
		if !*found.HasMore || len(found.Data) == 0 {
			return gateway.RefundReport{}, plugkit.Refuse(gateway.NotFound, "the payment has no such refund")
		}
		query.Set("starting_after", found.Data[len(found.Data)-1].ID)
	}
}

func (r refund) report(trust gateway.Trust) gateway.RefundReport {
	amount := units(r.Amount, r.Currency)
	report := gateway.RefundReport{
		RefundRef: gateway.Ref(r.Metadata[metaRefund]), External: gateway.ExternalRef{ID: r.ID}, Trust: trust, Raw: r.Status,
		State: refunds.Of(r.Status),
	}
	if r.Amount > 0 {
		report.Amount = &amount
	}
	if report.State == gateway.RefundFailed {
		report.Reason = failures.Reason(r.FailureReason, "")
	}
	return report
}
