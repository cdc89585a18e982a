package graph

import (
	"context"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/graph/scalar"
)

func (q queryResolver) Provider(ctx context.Context, id core.ID) (*core.Provider, error) {
	staff, err := signedIn(ctx)
	if err != nil {
		return nil, err
	}
	row, err := scalar.ReadRowID("id", id)
	if err != nil {
		return nil, err
	}
	p, err := q.Directory.Provider(ctx, staff, row)
	return &p, err
}

func (m mutationResolver) UpdateProvider(ctx context.Context, id core.ID, input core.ProviderPatch) (*core.Provider, error) {
	staff, err := signedIn(ctx)
	if err != nil {
		return nil, err
	}
	row, err := scalar.ReadRowID("id", id)
	if err != nil {
		return nil, err
	}
	p, err := m.Directory.UpdateProvider(ctx, staff, callerOf(ctx).addr.String(), row, input)
	return &p, err
}

func (providerResolver) CallbackURL(_ context.Context, p *core.Provider) (*string, error) {
	return orNull(p.URLs.Deposit), nil
}

func (providerResolver) DepositCallbackURL(_ context.Context, p *core.Provider) (*string, error) {
	return orNull(p.URLs.EIBANDeposit), nil
}

func (providerResolver) WithdrawalCallbackURL(_ context.Context, p *core.Provider) (*string, error) {
	return orNull(p.URLs.Withdrawal), nil
}

func (providerResolver) CreditCardCallbackURL(_ context.Context, p *core.Provider) (*string, error) {
	return orNull(p.URLs.CreditCard), nil
}

// IPWhitelist writes each entry as staff did: a single address without its length.
func (providerResolver) IPWhitelist(_ context.Context, p *core.Provider) ([]string, error) {
	list := make([]string, len(p.IPWhitelist))
	for i, prefix := range p.IPWhitelist {
		list[i] = prefix.String()
		if prefix.IsSingleIP() {
			list[i] = prefix.Addr().String()
		}
	}
	return list, nil
}

func orNull[T ~string](text T) *T {
	if text == "" {
		return nil
	}
	return &text
}
