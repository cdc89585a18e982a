package operation

import (
	"context"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/app"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
)

// Listed is a gateway in the lists of E10, E13 and E16.
type Listed struct {
	Account     core.GatewayAccount
	Min, Max    money.Amount // a zero Max is no limit
	Required    []string     // required_fields
	CryptoTypes []string     // supported_crypto_types
}

// List gives the gateways that pay out in a kind (E10, E13, E16).
func (s *Service) List(ctx context.Context, kind gateway.Kind) ([]Listed, error) {
	payers, err := s.Gateways.Payers(ctx, kind)
	if err != nil {
		return nil, fault.E("operation.List", "", err)
	}
	list := []Listed{}
	for _, g := range payers {
		l := Listed{Account: g.Account}
		l.Min, l.Max = g.PayoutBounds()
		for _, need := range gateway.NeedsOf(g.Descriptor.Payout.Needs, kind) {
			if !need.Optional {
				l.Required = append(l.Required, need.Name)
			}
		}
		if kind == gateway.Crypto {
			for _, a := range coins(g.Descriptor.Payout.Assets) {
				l.CryptoTypes = append(l.CryptoTypes, a.String())
			}
		}
		list = append(list, l)
	}
	return list, nil
}

func coins(assets []gateway.Asset) []gateway.Asset {
	var list []gateway.Asset
	for _, a := range assets {
		if a.Network != "" {
			list = append(list, a)
		}
	}
	return list
}

// PayoutRequest is a provider's request for a payout, of which the common fields are checked already.
type PayoutRequest struct {
	app.Creation
	GatewayID int64
	Values    map[string]string // what the provider sent for the gateway's required fields
}

// StartPayout creates a withdrawal through a gateway (E11, E14, E17): it leaves by itself, or when staff approve it.
// Fault: Invalid, with every failed field.
func (s *Service) StartPayout(ctx context.Context, r PayoutRequest) (app.Answer, error) {
	const op = "operation.StartPayout"
	g, err := s.payer(ctx, r.GatewayID, r.Method.Gateway())
	if err != nil {
		return app.Answer{}, fault.E(op, "", err)
	}
	plan, failed := payoutPlan(g, r)
	if err := fault.Fields(op, failed); err != nil {
		return app.Answer{}, err
	}
	r.Payout, r.Payee = &plan, core.Payee{
		CryptoType: plan.Fields["crypto_type"], WalletAddress: plan.Fields["wallet_address"], WalletNumber: plan.Fields["wallet_number"],
	}
	if r.Method == core.BankWithdrawal {
		r.ExpiresIn = s.ExpiryBankWithdrawal
	}
	return s.Desk.Create(ctx, s.Answers, r.Creation)
}

// payer finds the gateway of a payout. Unknown, inactive and of another kind are all the same to the provider.
func (s *Service) payer(ctx context.Context, id int64, kind gateway.Kind) (*app.Gateway, error) {
	payers, err := s.Gateways.Payers(ctx, kind)
	if err != nil {
		return nil, err
	}
	for _, g := range payers {
		if g.Account.ID == id {
			return g, nil
		}
	}
	return nil, fault.Fields("operation.payer", []fault.Field{{Name: "gateway_id", Key: "field.gateway", Args: []any{"gateway_id"}}})
}

// payoutPlan checks a request against its gateway's bounds and needs.
func payoutPlan(g *app.Gateway, r PayoutRequest) (core.PayoutPlan, []fault.Field) {
	plan := core.PayoutPlan{Gateway: g.Account, Asset: gateway.TRY}
	var failed []fault.Field
	low, high := g.PayoutBounds()
	if r.Amount.Less(low) {
		failed = append(failed, fault.Field{Name: "amount", Key: "field.min", Args: []any{"amount", low.String()}})
	}
	if !high.IsZero() && high.Less(r.Amount) {
		failed = append(failed, fault.Field{Name: "amount", Key: "field.range", Args: []any{"amount", high.String()}})
	}
	if r.Method.Gateway() == gateway.Crypto {
		asset, ok := gateway.AssetNamed(coins(g.Descriptor.Payout.Assets), r.Values["crypto_type"])
		if !ok && r.Values["crypto_type"] != "" {
			failed = append(failed, fault.Field{Name: "crypto_type", Key: "field.crypto_type", Args: []any{"crypto_type"}})
		}
		if ok {
			plan.Asset, r.Values["crypto_type"] = asset, asset.String()
		}
	}
	needs := gateway.NeedsOf(g.Descriptor.Payout.Needs, r.Method.Gateway())
	for i := range needs {
		if needs[i].Check == gateway.CheckIBAN {
			needs[i].Check = gateway.CheckText // decisions, IBAN on E11: its check digits are flagged, not refused
		}
	}
	fields, wrong := gateway.CheckFields(needs, plan.Asset, r.Values)
	plan.Fields = fields
	return plan, append(failed, wrong...)
}
