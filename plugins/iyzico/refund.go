package iyzico

import (
	"cmp"
	"context"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/plugkit"
)

// refundOrder asks for a refund, or without a price for a cancel.
type refundOrder struct {
	Locale         string `json:"locale"`
	ConversationID string `json:"conversationId"`
	PaymentID      string `json:"paymentId"`
	Price          string `json:"price,omitempty"`
	Currency       string `json:"currency,omitempty"`
	IP             string `json:"ip"`
}

// Refund implements ports.Refunder. iyzico knows no idempotency keys, so that the payment's record is read first: a
// refund that it shows under our reference is not made again. The whole of a payment of the same day in Istanbul is
// canceled, which leaves nothing on the card's statement; when iyzico refuses that because the bank has closed the day,
// it is refunded.
func (g *Gateway) Refund(ctx context.Context, o gateway.RefundOrder) (gateway.RefundReport, error) {
	if err := plugkit.CheckLira(o.Amount); err != nil {
		return gateway.RefundReport{}, err
	}
	if o.RefundRef == "" {
		return gateway.RefundReport{}, plugkit.Refuse(gateway.Invalid, "a reference is needed")
	}
	p, err := g.reportOf(ctx, o.DepositKey)
	if err != nil {
		return gateway.RefundReport{}, err
	}
	if p.Status != "1" {
		return gateway.RefundReport{}, plugkit.Refuse(gateway.Invalid, "the deposit was not paid")
	}
	if earlier, isThere := p.refundOf(o.RefundRef); isThere {
		return earlier, nil
	}
	order := refundOrder{Locale: "en", ConversationID: string(o.RefundRef), PaymentID: string(p.ID), IP: g.buyer.IP}
	if o.IsWhole && g.canVoid(p, o.Amount) {
		report, err := g.giveBack(ctx, cancelPayment, order, o)
		if !gateway.IsClass(err, gateway.Invalid) && !gateway.IsClass(err, gateway.Refused) {
			return report, err
		}
	}
	order.Price, order.Currency = price(o.Amount.Amount), o.Amount.Asset.Code
	return g.giveBack(ctx, refundPayment, order, o)
}

// canVoid reports whether a cancel may do: of the same day, and with nothing given back yet.
func (g *Gateway) canVoid(p payment, amount gateway.Money) bool {
	day := func(at time.Time) string { return at.In(istanbul).Format(time.DateOnly) }
	paid, err := plugkit.Money(string(p.PaidPrice), string(p.Currency))
	return err == nil && paid == amount && len(p.givenBack()) == 0 && day(p.created()) == day(g.clock.Now())
}

// giveBack cancels or refunds. iyzico answers once, and that is the end of it.
func (g *Gateway) giveBack(
	ctx context.Context, c call, order refundOrder, o gateway.RefundOrder,
) (gateway.RefundReport, error) {
	a, err := g.post(ctx, c, order)
	if err != nil {
		return gateway.RefundReport{}, gateway.ErrorOf(err)
	}
	if a.text("conversationId") != order.ConversationID || a.text("paymentId") != order.PaymentID {
		return gateway.RefundReport{}, plugkit.Distrust(gateway.Misconfigured, "the answer is about another refund")
	}
	back := o.Amount
	if text := a.text("price"); text != "" {
		if back, err = plugkit.Money(text, cmp.Or(a.text("currency"), o.Amount.Asset.Code)); err != nil {
			return gateway.RefundReport{}, err
		}
	}
	reference := cmp.Or(a.text("cancelHostReference"), a.text("refundHostReference"), a.text("hostReference"))
	return gateway.RefundReport{
		RefundRef: o.RefundRef, External: gateway.ExternalRef{ID: reference}, State: gateway.RefundDone,
		Trust: gateway.Answered, Amount: &back, Raw: a.text("status"),
	}, nil
}

// ReadRefund implements ports.Refunder. Error: NotFound.
func (g *Gateway) ReadRefund(ctx context.Context, k gateway.RefundKey) (gateway.RefundReport, error) {
	p, err := g.reportOf(ctx, k.DepositKey)
	if err != nil {
		return gateway.RefundReport{}, err
	}
	if report, isThere := p.refundOf(k.RefundRef); isThere {
		return report, nil
	}
	return gateway.RefundReport{}, plugkit.Refuse(gateway.NotFound, "the payment has no such refund")
}

// refundOf finds what was given back under our reference. Of refundStatus, iyzico names no values: 1 is taken for done
// and anything else for unknown.
func (p payment) refundOf(ref gateway.Ref) (gateway.RefundReport, bool) {
	for _, back := range p.givenBack() {
		if cmp.Or(back.CancelConversationID, back.RefundConversationID) != plugkit.Text(ref) {
			continue
		}
		report := gateway.RefundReport{
			RefundRef: ref, External: gateway.ExternalRef{ID: string(back.HostReference)}, State: gateway.RefundUnknown,
			Trust: gateway.Answered, Raw: string(back.Status),
		}
		if back.Status == givenBack {
			report.State = gateway.RefundDone
		}
		if amount, err := plugkit.Money(string(back.Price), string(cmp.Or(back.Currency, p.Currency))); err == nil {
			report.Amount = &amount
		}
		return report, true
	}
	return gateway.RefundReport{}, false
}
