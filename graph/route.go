package graph

import (
	"context"

	directory "github.com/vezne/vezne/app/owner"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/routing"
	"github.com/vezne/vezne/graph/generated"
	"github.com/vezne/vezne/graph/scalar"
)

func (q queryResolver) RouteRules(ctx context.Context) ([]routing.Rule, error) {
	return listed(q.Gateways.Rules(ctx, staffOf(ctx)))
}

func (q queryResolver) RoutePreview(ctx context.Context, input directory.Supposed) (*directory.Route, error) {
	route, err := q.Gateways.Preview(ctx, staffOf(ctx), input)
	return &route, err
}

func (m mutationResolver) SaveRouteRule(ctx context.Context, input directory.RuleUpdate) (*generated.RouteRulePayload, error) {
	r, err := run(ctx, m, m.Commands.SaveRouteRule, input)
	return &generated.RouteRulePayload{RouteRule: r}, err
}

func (r ruleResolver) Gateway(ctx context.Context, rule *routing.Rule) (*owner.GatewayAccount, error) {
	return r.gateway(ctx, rule.GatewayID)
}

func (rulePatchResolver) Kind(_ context.Context, p *directory.RuleUpdate, kind *gateway.Kind) error {
	if p.Kind = kind; kind == nil {
		p.Kind = new(gateway.Kind)
	}
	return nil
}

func (rulePatchResolver) ProviderID(_ context.Context, p *directory.RuleUpdate, id *core.ID) (err error) {
	p.ProviderID, err = orAny("providerId", id)
	return err
}

func (rulePatchResolver) SiteID(_ context.Context, p *directory.RuleUpdate, id *core.ID) (err error) {
	p.SiteID, err = orAny("siteId", id)
	return err
}

// orAny reads an id; null is none.
func orAny(name string, id *core.ID) (*int64, error) {
	if id == nil {
		return new(int64), nil
	}
	row, err := scalar.ReadRowID(name, *id)
	return &row, err
}

func (rulePatchResolver) Min(_ context.Context, p *directory.RuleUpdate, amount *money.Amount) error {
	p.Min = orNoBound(amount)
	return nil
}

func (rulePatchResolver) Max(_ context.Context, p *directory.RuleUpdate, amount *money.Amount) error {
	p.Max = orNoBound(amount)
	return nil
}

func orNoBound(amount *money.Amount) *money.Amount {
	if amount == nil {
		return new(money.New(0, money.TRY))
	}
	return amount
}
