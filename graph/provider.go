package graph

import (
	"context"
	"net/netip"

	"github.com/vezne/vezne/app/command"
	directory "github.com/vezne/vezne/app/owner"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/graph/generated"
	"github.com/vezne/vezne/graph/page"
)

func (q queryResolver) Provider(ctx context.Context, id core.ID) (*owner.Provider, error) {
	return byRowID(ctx, id, q.Directory.Provider)
}

func (m mutationResolver) UpdateProvider(ctx context.Context, input directory.ProviderUpdate) (*generated.ProviderPayload, error) {
	p, err := run(ctx, m, m.Commands.UpdateProvider, input)
	return &generated.ProviderPayload{Provider: p}, err
}

func (q queryResolver) Providers(
	ctx context.Context, filter *owner.OwnerQuery, first *int, after *string, last *int, before *string,
) (*page.ProviderConnection, error) {
	place := func(p owner.Provider) int64 { return p.ID }
	return ownersOf(ctx, filter, page.Of(first, after, last, before), place, q.Directory.Providers)
}

func (m mutationResolver) CreateProvider(ctx context.Context, input directory.NewProvider) (*command.ProviderCredentialsPayload, error) {
	return run(ctx, m, m.Commands.CreateProvider, input)
}

func (m mutationResolver) RotateProviderCredential(ctx context.Context, input directory.KeyRotation) (*command.ProviderCredentialsPayload, error) {
	return run(ctx, m, m.Commands.RotateProviderCredential, input)
}

func (r providerResolver) OldCredentials(_ context.Context, p *owner.Provider) ([]owner.OldKey, error) {
	return p.OldKeys(r.Clock.Now()), nil
}

func (r providerResolver) Sites(ctx context.Context, p *owner.Provider) ([]owner.Site, error) {
	return listed(r.Directory.SitesOf(ctx, staffOf(ctx), p.ID))
}

func (providerResolver) CallbackURL(_ context.Context, p *owner.Provider) (*string, error) {
	return orNull(p.URLs.Deposit), nil
}

func (providerResolver) DepositCallbackURL(_ context.Context, p *owner.Provider) (*string, error) {
	return orNull(p.URLs.EIBANDeposit), nil
}

func (providerResolver) WithdrawalCallbackURL(_ context.Context, p *owner.Provider) (*string, error) {
	return orNull(p.URLs.Withdrawal), nil
}

func (providerResolver) CreditCardCallbackURL(_ context.Context, p *owner.Provider) (*string, error) {
	return orNull(p.URLs.CreditCard), nil
}

// IPWhitelist writes each entry as staff did: a single address without its length.
func (providerResolver) IPWhitelist(_ context.Context, p *owner.Provider) ([]string, error) {
	return prefixTexts(p.IPWhitelist), nil
}

func prefixTexts(prefixes []netip.Prefix) []string {
	list := make([]string, len(prefixes))
	for i, prefix := range prefixes {
		list[i] = prefix.String()
		if prefix.IsSingleIP() {
			list[i] = prefix.Addr().String()
		}
	}
	return list
}

func orNull[T ~string](text T) *T {
	if text == "" {
		return nil
	}
	return &text
}
