package graph

import (
	"context"

	directory "github.com/vezne/vezne/app/owner"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/graph/generated"
	"github.com/vezne/vezne/graph/page"
	"github.com/vezne/vezne/graph/scalar"
)

func (q queryResolver) Dealers(
	ctx context.Context, filter *owner.OwnerQuery, first *int, after *string, last *int, before *string,
) (*page.DealerConnection, error) {
	staff := staffOf(ctx)
	place := func(d owner.Dealer) int64 { return d.ID }
	return ownersOf(filter, page.Of(first, after, last, before), place, func(query owner.OwnerQuery) ([]owner.Dealer, error) {
		return q.Directory.Dealers(ctx, staff, query)
	})
}

func (q queryResolver) Dealer(ctx context.Context, id core.ID) (*owner.Dealer, error) {
	staff := staffOf(ctx)
	row, err := scalar.ReadRowID("id", id)
	if err != nil {
		return nil, err
	}
	d, err := q.Directory.Dealer(ctx, staff, row)
	return &d, err
}

func (m mutationResolver) CreateDealer(ctx context.Context, input directory.NewDealer) (*generated.DealerCredentialsPayload, error) {
	made, err := run(ctx, m, m.Commands.CreateDealer, input)
	if err != nil {
		return nil, err
	}
	return &generated.DealerCredentialsPayload{Dealer: &made.Owner, Credentials: made.Credentials}, nil
}

func (m mutationResolver) UpdateDealer(ctx context.Context, input directory.DealerUpdate) (*generated.DealerPayload, error) {
	d, err := run(ctx, m, m.Commands.UpdateDealer, input)
	return &generated.DealerPayload{Dealer: d}, err
}

func (m mutationResolver) RotateDealerCredential(ctx context.Context, input directory.KeyRotation) (*generated.DealerCredentialsPayload, error) {
	made, err := run(ctx, m, m.Commands.RotateDealerCredential, input)
	if err != nil {
		return nil, err
	}
	return &generated.DealerCredentialsPayload{Dealer: &made.Owner, Credentials: made.Credentials}, nil
}

func (m mutationResolver) CreateSiteToken(ctx context.Context, input directory.NewSiteToken) (*generated.SiteTokenCredentialsPayload, error) {
	made, err := run(ctx, m, m.Commands.CreateSiteToken, input)
	if err != nil {
		return nil, err
	}
	return &generated.SiteTokenCredentialsPayload{SiteToken: &made.Owner, Credentials: made.Credentials}, nil
}

func (m mutationResolver) UpdateSiteToken(ctx context.Context, input directory.SiteTokenUpdate) (*generated.SiteTokenPayload, error) {
	s, err := run(ctx, m, m.Commands.UpdateSiteToken, input)
	return &generated.SiteTokenPayload{SiteToken: s}, err
}

func (m mutationResolver) RotateSiteTokenCredential(ctx context.Context, input directory.KeyRotation) (*generated.SiteTokenCredentialsPayload, error) {
	made, err := run(ctx, m, m.Commands.RotateSiteTokenCredential, input)
	if err != nil {
		return nil, err
	}
	return &generated.SiteTokenCredentialsPayload{SiteToken: &made.Owner, Credentials: made.Credentials}, nil
}

func (m mutationResolver) CreateAccount(ctx context.Context, input owner.NewAccount) (*generated.IbanAccountPayload, error) {
	i, err := run(ctx, m, m.Commands.CreateAccount, input)
	return &generated.IbanAccountPayload{IbanAccount: i}, err
}

func (m mutationResolver) UpdateAccount(ctx context.Context, input directory.AccountUpdate) (*generated.IbanAccountPayload, error) {
	i, err := run(ctx, m, m.Commands.UpdateAccount, input)
	return &generated.IbanAccountPayload{IbanAccount: i}, err
}

func (dealerResolver) CreditCardCallbackURL(_ context.Context, d *owner.Dealer) (*string, error) {
	return orNull(d.URLs.CreditCard), nil
}

func (dealerResolver) IPWhitelist(_ context.Context, d *owner.Dealer) ([]string, error) {
	return prefixTexts(d.IPWhitelist), nil
}

func (r dealerResolver) OldCredentials(_ context.Context, d *owner.Dealer) ([]owner.OldKey, error) {
	return append([]owner.OldKey{}, d.OldKeys(r.Clock.Now())...), nil
}

func (r dealerResolver) SiteTokens(ctx context.Context, d *owner.Dealer) ([]owner.SiteToken, error) {
	staff := staffOf(ctx)
	tokens, err := r.Directory.SiteTokensOf(ctx, staff, d.ID)
	return append([]owner.SiteToken{}, tokens...), err
}

func (r siteTokenResolver) OldCredentials(_ context.Context, t *owner.SiteToken) ([]owner.OldKey, error) {
	return append([]owner.OldKey{}, t.OldKeys(r.Clock.Now())...), nil
}

func (r dealerResolver) Accounts(ctx context.Context, d *owner.Dealer, kind *owner.AccountKind) ([]owner.DailyUsage, error) {
	staff := staffOf(ctx)
	var asked owner.AccountKind
	if kind != nil {
		asked = *kind
	}
	list, err := r.Directory.AccountsOf(ctx, staff, d.ID, asked)
	return append([]owner.DailyUsage{}, list...), err
}

func (ibanResolver) Currency(_ context.Context, a *owner.DailyUsage) (string, error) {
	return a.Min.Currency().Code, nil
}

func (ibanResolver) DailyLimit(_ context.Context, a *owner.DailyUsage) (*money.Amount, error) {
	if a.DailyLimit.IsZero() {
		return nil, nil //nolint:nilnil // null: no limit
	}
	return &a.DailyLimit, nil
}

func (ibanResolver) Today(_ context.Context, a *owner.DailyUsage) (*generated.IbanAccountUse, error) {
	use := &generated.IbanAccountUse{Day: a.Day, UsedAmount: a.Used, OfferCount: a.Count, LastOfferedAt: &a.LastOfferedAt}
	if left, ok := a.AmountLeft(); ok {
		use.AmountLeft = &left
	}
	if left, ok := a.CountLeft(); ok {
		use.CountLeft = &left
	}
	return use, nil
}
