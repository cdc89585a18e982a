package sandbox

import (
	"context"
	"errors"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/plugkit"
)

// refundOrderJSON asks for a refund, or for a void: the whole payment of a card on the same day.
type refundOrderJSON struct {
	Reference string     `json:"reference"`
	Amount    amountJSON `json:"amount"`
	Void      bool       `json:"void,omitempty"`
	Address   string     `json:"address,omitempty"`
	Why       string     `json:"why,omitempty"`
}

// refundJSON is a refund.
type refundJSON struct {
	ID        string      `json:"id"`
	Reference string      `json:"reference"`
	Status    string      `json:"status"`
	Amount    amountJSON  `json:"amount"`
	Reason    *reasonJSON `json:"reason"`
}

func (r refundJSON) report(trust gateway.Trust) gateway.RefundReport {
	return gateway.RefundReport{
		RefundRef: gateway.Ref(r.Reference), External: gateway.ExternalRef{ID: r.ID}, State: refundStates.Of(r.Status), Trust: trust,
		Amount: moneyOf(&r.Amount), Reason: reasonOf(r.Reason), Raw: r.Status,
	}
}

// Refund implements ports.Refunder. A whole refund is tried as a void first, which costs the customer no days of
// waiting; where the sandbox says that it is too late for that, it kept nothing, and the refund follows.
func (g *Gateway) Refund(ctx context.Context, o gateway.RefundOrder) (gateway.RefundReport, error) {
	order := refundOrderJSON{
		Reference: string(o.RefundRef), Amount: amountOf(o.Amount), Void: o.IsWhole, Address: o.Target["wallet_address"],
		Why: o.Why,
	}
	report, err := g.refund(ctx, o, order)
	if order.Void && hasCode(err, "void_closed") {
		order.Void = false
		return g.refund(ctx, o, order)
	}
	return report, err
}

func (g *Gateway) refund(ctx context.Context, o gateway.RefundOrder, order refundOrderJSON) (gateway.RefundReport, error) {
	var r refundJSON
	path := "/v1" + plugkit.Path("deposits", string(o.Ref), "refunds")
	if err := g.post(ctx, path, o.Key, order, &r); err != nil {
		return gateway.RefundReport{}, err
	}
	return r.report(gateway.Answered), plugkit.IsAbout(r.Reference, o.RefundRef)
}

// ReadRefund implements ports.Refunder.
func (g *Gateway) ReadRefund(ctx context.Context, k gateway.RefundKey) (gateway.RefundReport, error) {
	var r refundJSON
	if err := g.get(ctx, "/v1"+plugkit.Path("refunds", string(k.RefundRef)), &r); err != nil {
		return gateway.RefundReport{}, err
	}
	return r.report(gateway.Answered), plugkit.IsAbout(r.Reference, k.RefundRef)
}

// hasCode reports whether an error is the sandbox's own of that code.
func hasCode(err error, code string) bool {
	var e *gateway.Error
	return errors.As(err, &e) && e.RawCode == code
}
