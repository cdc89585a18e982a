package operation

import (
	"context"
	"maps"
	"slices"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
)

// Listed is a gateway in the lists of E10, E13 and E16.
type Listed struct {
	Account     owner.GatewayAccount
	Limits               // of a withdrawal
	Deposit     *Limits  // of a deposit that is paid through it; nil: it takes none
	Required    []string // required_fields
	CryptoTypes []string // supported_crypto_types
}

// List returns the gateways that pay out in a kind (E10, E13, E16).
func (s *Service) List(ctx context.Context, kind gateway.Kind) ([]Listed, error) {
	payers, err := s.Gateways.Payers(ctx, kind)
	if err != nil {
		return nil, fault.E("operation.List", "", err)
	}
	list := []Listed{}
	for _, g := range payers {
		l := Listed{Account: g.Account}
		l.Min, l.Max = g.PayoutBounds()
		if d := g.Descriptor.Deposit; d != nil {
			l.Deposit = &Limits{}
			l.Deposit.Min, l.Deposit.Max = g.Account.Bounds(d.Min, d.Max)
		}
		for _, need := range payoutNeeds(g, kind) {
			if !need.IsOptional {
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

// PayoutRequest is a provider's request for a payout.
type PayoutRequest struct {
	app.Creation
	GatewayID int64
	// Values is what the provider sent for the gateway's required fields, as it came. Without an account_holder that is
	// the customer's fullname.
	Values map[string]string
	// Failed is what the caller has found wrong with the request already: all fields are answered for in one go.
	Failed []fault.Field
}

// StartPayout creates a withdrawal through a gateway (E11, E14, E17): it leaves by itself, or when staff approve it.
// Fault: Invalid, with every failed field.
func (s *Service) StartPayout(ctx context.Context, r PayoutRequest) (app.Answer, error) {
	const op = "operation.StartPayout"
	g, err := s.payer(ctx, r.GatewayID, r.Method.Gateway())
	if err != nil {
		return app.Answer{}, fault.E(op, "", err)
	}
	check := payoutCheck{PayoutRequest: r}
	plan := check.plan(g)
	if err := fault.Fields(op, check.Failed); err != nil {
		return s.UnitOfWork.Refused(ctx, r.Creation, err)
	}
	r.Payee = payment.Payee{
		CryptoType: plan.Fields["crypto_type"], WalletAddress: plan.Fields["wallet_address"], WalletNumber: plan.Fields["wallet_number"],
	}
	r.Decide = func(s payment.Request, b payment.CreateParams) (core.Changeset, error) {
		return operation.DecidePayout(s, plan, b), nil
	}
	if r.Method == payment.BankWithdrawal {
		r.ExpiresIn = s.ExpiryBankWithdrawal
	}
	return s.UnitOfWork.Create(ctx, r.Creation)
}

// payer finds the gateway of a payout; nil when there is none. Unknown, inactive and of another kind are all the same to
// the provider.
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
	return nil, nil
}

// payoutNeeds is what a provider sends for a payout: what the contract asks for, and what the gateway wants besides.
func payoutNeeds(g *app.Gateway, kind gateway.Kind) []gateway.FieldSpec {
	needs := gateway.NeedsOf(g.Descriptor.Payout.Needs, kind)
	var own []gateway.FieldSpec
	for _, s := range contractNeeds(kind) {
		if !slices.ContainsFunc(needs, func(n gateway.FieldSpec) bool { return n.Name == s.Name }) {
			own = append(own, s)
		}
	}
	return append(own, needs...)
}

// contractNeeds are the fields of a kind's withdrawal endpoint.
func contractNeeds(kind gateway.Kind) []gateway.FieldSpec {
	switch kind {
	case gateway.Bank: // E11
		return []gateway.FieldSpec{{Name: "iban", Check: gateway.CheckIBAN}}
	case gateway.Crypto: // E14
		return []gateway.FieldSpec{
			{Name: "crypto_type", Check: gateway.CheckText}, {Name: "wallet_address", Check: gateway.CheckAddress},
		}
	case gateway.Wallet: // E17
		return []gateway.FieldSpec{{Name: "wallet_number", Check: gateway.CheckText}}
	default:
		return nil
	}
}

// payoutCheck holds a request against its gateway's bounds and needs.
type payoutCheck struct{ PayoutRequest }

func (c *payoutCheck) hasFailed(name string) bool {
	return slices.ContainsFunc(c.Failed, func(f fault.Field) bool { return f.Name == name })
}

// fail records a failed field; each is told once.
func (c *payoutCheck) fail(name, key string, args ...any) {
	if !c.hasFailed(name) {
		c.Failed = append(c.Failed, fault.Field{Name: name, Key: key, Args: append([]any{name}, args...)})
	}
}

func (c *payoutCheck) plan(g *app.Gateway) operation.PayoutPlan {
	if g == nil {
		c.fail("gateway_id", "field.gateway")
		return operation.PayoutPlan{}
	}
	c.bounds(g)
	plan := operation.PayoutPlan{Gateway: g.Account, Asset: gateway.TRY}
	values := map[string]string{"account_holder": c.Customer.Fullname}
	maps.Copy(values, c.Values)
	if c.Method.Gateway() == gateway.Crypto {
		asset, ok := gateway.AssetNamed(coins(g.Descriptor.Payout.Assets), values["crypto_type"])
		if ok {
			plan.Asset, values["crypto_type"] = asset, asset.String()
		} else if values["crypto_type"] != "" {
			c.fail("crypto_type", "field.crypto_type")
		}
	}
	plan.Fields = c.fields(payoutNeeds(g, c.Method.Gateway()), plan.Asset, values)
	return plan
}

func (c *payoutCheck) bounds(g *app.Gateway) {
	low, high := g.PayoutBounds()
	if c.Amount.Less(low) {
		c.fail("amount", "field.min", low.String())
	} else if !high.IsZero() && high.Less(c.Amount) {
		c.fail("amount", "field.range", high.String())
	}
}

// fields checks what the gateway needs.
func (c *payoutCheck) fields(needs []gateway.FieldSpec, asset gateway.Asset, values map[string]string) map[string]string {
	for i := range needs {
		if needs[i].Check == gateway.CheckIBAN {
			needs[i].Check = gateway.CheckText // decisions, IBAN on E11: its check digits are flagged, not refused
		}
	}
	taken, failed := gateway.CheckFields(needs, asset, values)
	for _, f := range failed {
		isFollowing := f.Name == "account_holder" && c.hasFailed("fullname") ||
			f.Key == "field.address" && c.hasFailed("crypto_type") // of which network it should be is not known
		if !isFollowing {
			c.fail(f.Name, f.Key, f.Args[1:]...)
		}
	}
	return taken
}
