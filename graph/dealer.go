package graph

import (
	"context"

	"github.com/vezne/vezne/app/command"
	directory "github.com/vezne/vezne/app/owner"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/graph/generated"
	"github.com/vezne/vezne/graph/page"
)

func (q queryResolver) Dealers(
	ctx context.Context, filter *owner.OwnerQuery, first *int, after *string, last *int, before *string,
) (*page.DealerConnection, error) {
	place := func(d owner.Dealer) int64 { return d.ID }
	return ownersOf(ctx, filter, page.Of(first, after, last, before), place, q.Directory.Dealers)
}

func (q queryResolver) Dealer(ctx context.Context, id core.ID) (*owner.Dealer, error) {
	return byRowID(ctx, id, q.Directory.Dealer)
}

func (m mutationResolver) CreateDealer(ctx context.Context, input directory.NewDealer) (*command.DealerCredentialsPayload, error) {
	return run(ctx, m, m.Commands.CreateDealer, input)
}

func (m mutationResolver) UpdateDealer(ctx context.Context, input directory.DealerUpdate) (*generated.DealerPayload, error) {
	d, err := run(ctx, m, m.Commands.UpdateDealer, input)
	return &generated.DealerPayload{Dealer: d}, err
}

func (m mutationResolver) RotateDealerCredential(ctx context.Context, input directory.KeyRotation) (*command.DealerCredentialsPayload, error) {
	return run(ctx, m, m.Commands.RotateDealerCredential, input)
}

func (m mutationResolver) CreateSiteToken(ctx context.Context, input directory.NewSiteToken) (*command.SiteTokenCredentialsPayload, error) {
	return run(ctx, m, m.Commands.CreateSiteToken, input)
}

func (m mutationResolver) UpdateSiteToken(ctx context.Context, input directory.SiteTokenUpdate) (*generated.SiteTokenPayload, error) {
	s, err := run(ctx, m, m.Commands.UpdateSiteToken, input)
	return &generated.SiteTokenPayload{SiteToken: s}, err
}

func (m mutationResolver) RotateSiteTokenCredential(ctx context.Context, input directory.KeyRotation) (*command.SiteTokenCredentialsPayload, error) {
	return run(ctx, m, m.Commands.RotateSiteTokenCredential, input)
}

func (m mutationResolver) CreateAccount(ctx context.Context, input owner.NewAccount) (*generated.IbanAccountPayload, error) {
	i, err := run(ctx, m, m.Commands.CreateAccount, input)
	return &generated.IbanAccountPayload{IbanAccount: i}, err
}

func (m mutationResolver) UpdateAccount(ctx context.Context, input directory.AccountUpdate) (*generated.IbanAccountPayload, error) {
	i, err := run(ctx, m, m.Commands.UpdateAccount, input)
	return &generated.IbanAccountPayload{IbanAccount: i}, err
}

func (dealerResolver) CallbackURL(_ context.Context, d *owner.Dealer) (*string, error) {
	return orNull(d.URLs.Deposit), nil
}

func (dealerResolver) WithdrawalCallbackURL(_ context.Context, d *owner.Dealer) (*string, error) {
	return orNull(d.URLs.Withdrawal), nil
}

func (dealerResolver) CreditCardCallbackURL(_ context.Context, d *owner.Dealer) (*string, error) {
	return orNull(d.URLs.CreditCard), nil
}

func (dealerResolver) IPWhitelist(_ context.Context, d *owner.Dealer) ([]string, error) {
	return prefixTexts(d.IPWhitelist), nil
}

func (r dealerResolver) OldCredentials(_ context.Context, d *owner.Dealer) ([]owner.OldKey, error) {
	return d.OldKeys(r.Clock.Now()), nil
}

func (r dealerResolver) SiteTokens(ctx context.Context, d *owner.Dealer) ([]owner.SiteToken, error) {
	return listed(r.Directory.SiteTokensOf(ctx, staffOf(ctx), d.ID))
}

func (r siteTokenResolver) OldCredentials(_ context.Context, t *owner.SiteToken) ([]owner.OldKey, error) {
	return t.OldKeys(r.Clock.Now()), nil
}

func (r dealerResolver) Accounts(ctx context.Context, d *owner.Dealer, kind *owner.AccountKind) ([]owner.DailyUsage, error) {
	return listed(r.Directory.AccountsOf(ctx, staffOf(ctx), d.ID, valueOf(kind)))
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
