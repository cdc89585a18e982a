package paytr

import (
	"context"
	"net/url"
	"strings"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/plugins/plugkit"
)

// payment is what PayTR knows of an order that was paid. Of any other it says that there is none.
type payment struct {
	Status   string     `json:"status"`
	OID      string     `json:"merchant_oid"` // not documented; held to the order where it is there
	Total    text       `json:"payment_total"`
	Currency string     `json:"currency"`
	Test     text       `json:"test_mode"`
	Returns  []giveBack `json:"returns"`
}

// Lacks implements plugkit.Checker.
func (p *payment) Lacks() string {
	if p.Status == "" {
		return "status"
	}
	return ""
}

// giveBack is a refund.
type giveBack struct {
	Amount    text `json:"return_amount"`
	Completed text `json:"date_completed"` // none yet: under way
	Reference text `json:"reference_no"`   // ours
}

// status asks what became of an order. Error: NotFound, where no card has paid it.
func (g *Gateway) status(ctx context.Context, ref gateway.Ref) (payment, error) {
	var p payment
	err := g.post(ctx, pathStatus, statuses, url.Values{
		"merchant_oid": {string(ref)}, "paytr_token": {g.token(g.merchant, string(ref))},
	}, &p)
	switch {
	case err == nil && p.OID != "" && p.OID != string(ref):
		err = plugkit.Distrust(gateway.Retryable, "the answer is about another order")
	case err == nil && (p.Total == "" || p.Currency == ""):
		err = plugkit.Distrust(gateway.Retryable, "the answer does not say how much was paid")
	}
	return p, err
}

// ReadDeposit implements ports.DepositReader. PayTR tells of what was paid and of nothing else: an order that was started
// waits until then.
func (g *Gateway) ReadDeposit(ctx context.Context, k gateway.DepositKey) (gateway.Observation, error) {
	o := gateway.Observation{Ref: k.Ref, External: gateway.ExternalRef{ID: string(k.Ref)}, Trust: gateway.Answered}
	p, err := g.status(ctx, k.Ref)
	if gateway.IsClass(err, gateway.NotFound) && !k.External.IsZero() {
		o.State = gateway.Waiting
		return o, nil
	}
	if err == nil {
		err = g.observe(&o, p)
	}
	return o, err
}

// observe adds what was paid, by the customer and with interest where there is any, and what was given back.
func (g *Gateway) observe(o *gateway.Observation, p payment) error {
	o.Raw, o.State = p.Status, states.Of(p.Status)
	if o.State != gateway.Paid {
		return nil
	}
	total, err := p.Total.amount()
	if err != nil || total.Sign() == 0 {
		return plugkit.Distrust(gateway.Retryable, "the answer does not say how much was paid")
	}
	if p.Test != "0" && !g.isTest { // a try moves no money
		o.State, o.Raw = gateway.Unknown, "test_mode "+string(p.Test)
		return nil
	}
	asset := gateway.Asset{Code: strings.ToUpper(p.Currency), Decimals: 2}
	if asset.Code == "TL" {
		asset = gateway.TRY
	}
	o.Paid = &gateway.Money{Amount: total, Asset: asset}
	done, all, err := p.givenBack()
	switch {
	case err != nil:
		return err
	case done.Cmp(total) >= 0:
		o.State = gateway.Refunded
	case done.Sign() > 0:
		o.State = gateway.PartRefunded
	case all.Sign() > 0:
		o.State = gateway.Refunding
	}
	if done.Sign() > 0 {
		o.Refunded = &gateway.Money{Amount: done, Asset: asset}
	}
	return nil
}

// givenBack is what was given back, and that with what is under way.
func (p payment) givenBack() (done, all money.Decimal, err error) {
	for _, back := range p.Returns {
		amount, err := back.Amount.amount()
		if err != nil {
			return done, all, err
		}
		all = all.Add(amount)
		if back.Completed != "" {
			done = done.Add(amount)
		}
	}
	return done, all, nil
}
