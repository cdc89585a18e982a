package graph

import (
	"context"

	"github.com/vezne/vezne/app/command"
	directory "github.com/vezne/vezne/app/owner"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/graph/generated"
)

func (q queryResolver) Site(ctx context.Context, id core.ID) (*owner.Site, error) {
	return byRowID(ctx, id, q.Directory.Site)
}

func (m mutationResolver) CreateSite(ctx context.Context, input directory.NewSite) (*command.SiteCredentialsPayload, error) {
	return run(ctx, m, m.Commands.CreateSite, input)
}

func (m mutationResolver) UpdateSite(ctx context.Context, input directory.SiteUpdate) (*generated.SitePayload, error) {
	s, err := run(ctx, m, m.Commands.UpdateSite, input)
	return &generated.SitePayload{Site: s}, err
}

func (m mutationResolver) RotateSiteCredential(ctx context.Context, input directory.KeyRotation) (*command.SiteCredentialsPayload, error) {
	return run(ctx, m, m.Commands.RotateSiteCredential, input)
}

func (m mutationResolver) UpdateCallbackUrls(ctx context.Context, input directory.CallbackURLUpdate) (*generated.CallbackUrlsPayload, error) {
	changed, err := run(ctx, m, m.Commands.UpdateCallbackURLs, input)
	if err != nil {
		return nil, err
	}
	return &generated.CallbackUrlsPayload{Provider: changed.Provider, Site: changed.Site}, nil
}

func (m mutationResolver) UpdateSiteBrand(ctx context.Context, input directory.BrandUpdate) (*generated.SitePayload, error) {
	s, err := run(ctx, m, m.Commands.UpdateSiteBrand, input)
	return &generated.SitePayload{Site: s}, err
}

func (brandResolver) Logo(_ context.Context, b *owner.Brand) (*string, error) {
	return orNull(string(b.Logo)), nil
}

func (brandResolver) Color(_ context.Context, b *owner.Brand) (*string, error) {
	return orNull(string(b.Color)), nil
}

func (brandResolver) OnLight(_ context.Context, b *owner.Brand) (*generated.ColorScheme, error) {
	return schemeOf(b.Color, b.Color.OnLight()), nil
}

func (brandResolver) OnDark(_ context.Context, b *owner.Brand) (*generated.ColorScheme, error) {
	return schemeOf(b.Color, b.Color.OnDark()), nil
}

func schemeOf(set owner.Color, s owner.Scheme) *generated.ColorScheme {
	if set == "" {
		return nil
	}
	return &generated.ColorScheme{Brand: string(s.Brand), Soft: string(s.Soft), On: string(s.On), IsAdjusted: s.Brand != set}
}

func (m mutationResolver) SendTestCallback(ctx context.Context, input directory.TestCallback) (*directory.TestResult, error) {
	result, err := m.Directory.SendTestCallback(ctx, acting(ctx), input)
	return &result, err
}

func (testResultResolver) DurationMs(_ context.Context, r *directory.TestResult) (int, error) {
	return int(r.Duration.Milliseconds()), nil
}

func (r siteResolver) Dealer(ctx context.Context, s *owner.Site) (*owner.Dealer, error) {
	d, err := r.Directory.Dealer(ctx, staffOf(ctx), s.DealerID)
	return &d, err
}

func (siteResolver) CallbackURL(_ context.Context, s *owner.Site) (*string, error) {
	return orNull(s.URLs.Deposit), nil
}

func (siteResolver) DepositCallbackURL(_ context.Context, s *owner.Site) (*string, error) {
	return orNull(s.URLs.EIBANDeposit), nil
}

func (siteResolver) WithdrawalCallbackURL(_ context.Context, s *owner.Site) (*string, error) {
	return orNull(s.URLs.Withdrawal), nil
}

func (siteResolver) CreditCardCallbackURL(_ context.Context, s *owner.Site) (*string, error) {
	return orNull(s.URLs.CreditCard), nil
}

func (r siteResolver) OldCredentials(_ context.Context, s *owner.Site) ([]owner.OldKey, error) {
	return s.OldKeys(r.Clock.Now()), nil
}
