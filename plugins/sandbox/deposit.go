package sandbox

import (
	"context"
	"net/url"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/plugkit"
)

// depositOrderJSON asks for a deposit.
type depositOrderJSON struct {
	Reference string       `json:"reference"`
	Kind      gateway.Kind `json:"kind"`
	Option    string       `json:"option,omitempty"`
	Amount    amountJSON   `json:"amount"`
	Quote     *quoteJSON   `json:"quote,omitempty"`
	Customer  partyJSON    `json:"customer"`
	ReturnURL string       `json:"return_url,omitempty"`
	NotifyURL string       `json:"notify_url,omitempty"`
	ExpiresAt time.Time    `json:"expires_at,omitzero"`
	Language  string       `json:"language,omitempty"`
	Text      string       `json:"text,omitempty"`
	ThreeDS   string       `json:"three_ds,omitempty"`
}

// StartDeposit implements ports.DepositStarter.
func (g *Gateway) StartDeposit(ctx context.Context, o gateway.DepositOrder) (gateway.DepositStarted, error) {
	order := depositOrderJSON{
		Reference: string(o.Ref), Kind: o.Kind, Option: o.Option, Amount: amountOf(o.Amount), Quote: quoteOf(o.Quote),
		Customer: partyJSON{Name: o.Customer.FullName}, ReturnURL: text(o.ReturnURL), NotifyURL: text(o.NotifyURL),
		ExpiresAt: o.ExpiresAt, Language: o.Locale, Text: o.Text, ThreeDS: g.config.Text(threeDS),
	}
	var d depositJSON
	if err := g.post(ctx, "/v1/deposits", o.Key, order, &d); err != nil {
		return gateway.DepositStarted{}, err
	}
	if err := plugkit.IsAbout(d.Reference, o.Ref); err != nil {
		return gateway.DepositStarted{}, err
	}
	due, asked := d.Due.money(), o.Amount
	switch {
	case o.Quote != nil:
		asked = o.Quote.To
	case o.Kind == gateway.Crypto:
		asked = due // at a rate that nobody asked for
	}
	if err := plugkit.IsFor(due, asked); err != nil {
		return gateway.DepositStarted{}, err
	}
	return gateway.DepositStarted{
		External: gateway.ExternalRef{ID: d.ID}, Next: d.next(o.Kind), Due: &due, ExpiresAt: d.ExpiresAt,
	}, nil
}

// next is what the customer does: goes to the sandbox's page, or pays by hand.
func (d depositJSON) next(kind gateway.Kind) gateway.NextStep {
	pay := d.Next.Pay
	if pay == nil {
		return gateway.NextStep{Redirect: &gateway.Redirect{URL: d.Next.RedirectURL}}
	}
	due := d.Due.money()
	return gateway.NextStep{Pay: &gateway.Instructions{
		Kind: kind, IBAN: pay.IBAN, Holder: pay.Holder, Bank: pay.Bank, Reference: pay.Reference, Address: pay.Address,
		Asset: due.Asset, Exact: due.Amount, QR: pay.QR, ExpiresAt: d.ExpiresAt, Confirms: pay.Confirmations,
		Lines: [][2]string{{"SIM", "Sandbox – no real money"}},
	}}
}

// ReadDeposit implements ports.DepositReader. The sandbox finds an order by our own reference.
func (g *Gateway) ReadDeposit(ctx context.Context, k gateway.DepositKey) (gateway.Observation, error) {
	var d depositJSON
	if err := g.get(ctx, "/v1"+plugkit.Path("deposits", string(k.Ref)), &d); err != nil {
		return gateway.Observation{}, err
	}
	if err := plugkit.IsAbout(d.Reference, k.Ref); err != nil {
		return gateway.Observation{}, err
	}
	return d.observation(gateway.Answered), nil
}

// FinishReturn implements ports.ReturnFinisher. What the browser brings proves nothing, so the sandbox is asked.
func (g *Gateway) FinishReturn(ctx context.Context, v gateway.ReturnVisit) (gateway.Observation, error) {
	return g.ReadDeposit(ctx, v.DepositKey)
}

// CancelDeposit implements ports.DepositCanceler. Of an order that somebody has begun to pay, the sandbox only says what
// it is.
func (g *Gateway) CancelDeposit(ctx context.Context, o gateway.CancelOrder) (gateway.Observation, error) {
	var d depositJSON
	path := "/v1" + plugkit.Path("deposits", string(o.Ref), "cancel")
	if err := g.post(ctx, path, o.Key, map[string]string{"why": o.Why}, &d); err != nil {
		return gateway.Observation{}, err
	}
	return d.observation(gateway.Answered), plugkit.IsAbout(d.Reference, o.Ref)
}

// ReviewDeposit implements ports.DepositReviewer. Of what is not held any more the sandbox only says what it is.
func (g *Gateway) ReviewDeposit(ctx context.Context, o gateway.ReviewOrder) (gateway.Observation, error) {
	var d depositJSON
	path := "/v1" + plugkit.Path("deposits", string(o.Ref), "review")
	if err := g.post(ctx, path, o.Key, map[string]any{"approve": o.Approves, "why": o.Why}, &d); err != nil {
		return gateway.Observation{}, err
	}
	return d.observation(gateway.Answered), plugkit.IsAbout(d.Reference, o.Ref)
}

func text(u *url.URL) string {
	if u == nil {
		return ""
	}
	return u.String()
}
