package sandbox

import (
	"context"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/plugkit"
)

// payoutOrderJSON asks for a payout, or with an account for a transfer.
type payoutOrderJSON struct {
	Reference string       `json:"reference"`
	Kind      gateway.Kind `json:"kind,omitempty"`
	AccountID string       `json:"account_id,omitempty"`
	Amount    amountJSON   `json:"amount"`
	Currency  string       `json:"currency,omitempty"` // of the coin: crypto
	Network   string       `json:"network,omitempty"`
	To        partyJSON    `json:"to"`
	Text      string       `json:"text,omitempty"`
}

// payoutJSON is a payout or transfer.
type payoutJSON struct {
	ID        string      `json:"id"`
	Reference string      `json:"reference"`
	Status    string      `json:"status"`
	Sent      *amountJSON `json:"sent"`
	Fee       *amountJSON `json:"fee"`
	Proof     string      `json:"proof"`
	Reason    *reasonJSON `json:"reason"`
	UpdatedAt time.Time   `json:"updated_at"`
}

func (p payoutJSON) report(trust gateway.Trust) gateway.PayoutReport {
	return gateway.PayoutReport{
		Ref: gateway.Ref(p.Reference), External: gateway.ExternalRef{ID: p.ID}, State: payoutStates.Of(p.Status), Trust: trust,
		Sent: moneyOf(p.Sent), Fee: moneyOf(p.Fee), At: p.UpdatedAt, Proof: p.Proof, Reason: reasonOf(p.Reason), Raw: p.Status,
	}
}

// payoutOrder holds an order to what its kind needs, before anything leaves.
func payoutOrder(o gateway.PayoutOrder) (payoutOrderJSON, error) {
	fields, failed := gateway.CheckFields(gateway.NeedsOf(payoutNeeds(), o.Kind), o.Asset, o.Fields)
	if len(failed) > 0 {
		return payoutOrderJSON{}, plugkit.Refuse(gateway.Invalid, failed[0].Name+" is missing or wrong")
	}
	order := payoutOrderJSON{
		Reference: string(o.Ref), Kind: o.Kind, Amount: amountOf(o.Amount), Text: o.Text,
		To: partyJSON{
			Name: o.Customer.FullName, IBAN: fields["iban"], Wallet: fields["wallet_number"], Address: fields["wallet_address"],
		},
	}
	if o.Kind == gateway.Crypto {
		order.Currency, order.Network = o.Asset.Code, o.Asset.Network
	}
	return order, nil
}

// SendPayout implements ports.Payer.
func (g *Gateway) SendPayout(ctx context.Context, o gateway.PayoutOrder) (gateway.PayoutReport, error) {
	order, err := payoutOrder(o)
	if err != nil {
		return gateway.PayoutReport{}, err
	}
	return g.payout(ctx, "/v1/payouts", o.Ref, o.Key, order)
}

// ReadPayout implements ports.Payer. The sandbox finds a payout by our own reference.
func (g *Gateway) ReadPayout(ctx context.Context, k gateway.PayoutKey) (gateway.PayoutReport, error) {
	return g.readPayout(ctx, "payouts", k.Ref)
}

// CheckPayout implements ports.PayoutChecker.
func (g *Gateway) CheckPayout(ctx context.Context, o gateway.PayoutOrder) (gateway.PayoutCheck, error) {
	order, err := payoutOrder(o)
	if err != nil {
		return gateway.PayoutCheck{}, err
	}
	var verdict struct {
		OK     bool        `json:"ok"`
		Fee    *amountJSON `json:"fee"`
		Name   string      `json:"name"`
		Reason *reasonJSON `json:"reason"`
	}
	if err := g.post(ctx, "/v1/payouts/check", o.Key, order, &verdict); err != nil {
		return gateway.PayoutCheck{}, err
	}
	return gateway.PayoutCheck{
		OK: verdict.OK, Fee: moneyOf(verdict.Fee), Name: verdict.Name, Reason: reasonOf(verdict.Reason),
	}, nil
}

// ApprovePayout implements ports.PayoutApprover. It approves transfers, too.
func (g *Gateway) ApprovePayout(ctx context.Context, k gateway.PayoutKey, code string) (gateway.PayoutReport, error) {
	path := "/v1" + plugkit.Path("payouts", string(k.Ref), "approve")
	return g.payout(ctx, path, k.Ref, k.Key, map[string]string{"code": code})
}

// CancelPayout implements ports.PayoutCanceler. Of a payout that was sent, the sandbox only says what it is.
func (g *Gateway) CancelPayout(ctx context.Context, k gateway.PayoutKey) (gateway.PayoutReport, error) {
	path := "/v1" + plugkit.Path("payouts", string(k.Ref), "cancel")
	return g.payout(ctx, path, k.Ref, k.Key, struct{}{})
}

// payout posts something about a payout or transfer and reports what it is then.
func (g *Gateway) payout(
	ctx context.Context, path string, ref gateway.Ref, key gateway.Key, in any,
) (gateway.PayoutReport, error) {
	var p payoutJSON
	if err := g.post(ctx, path, key, in, &p); err != nil {
		return gateway.PayoutReport{}, err
	}
	return p.report(gateway.Answered), plugkit.IsAbout(p.Reference, ref)
}

func (g *Gateway) readPayout(ctx context.Context, what string, ref gateway.Ref) (gateway.PayoutReport, error) {
	var p payoutJSON
	if err := g.get(ctx, "/v1"+plugkit.Path(what, string(ref)), &p); err != nil {
		return gateway.PayoutReport{}, err
	}
	return p.report(gateway.Answered), plugkit.IsAbout(p.Reference, ref)
}
