package graph

import (
	"context"

	directory "github.com/vezne/vezne/app/owner"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/graph/generated"
	"github.com/vezne/vezne/graph/scalar"
)

func (q queryResolver) Site(ctx context.Context, id core.ID) (*owner.Site, error) {
	staff := staffOf(ctx)
	row, err := scalar.ReadRowID("id", id)
	if err != nil {
		return nil, err
	}
	site, err := q.Directory.Site(ctx, staff, row)
	return &site, err
}

func (m mutationResolver) CreateSite(ctx context.Context, input directory.NewSite) (*generated.SiteCredentialsPayload, error) {
	made, err := run(ctx, m, m.Commands.CreateSite, input)
	if err != nil {
		return nil, err
	}
	return &generated.SiteCredentialsPayload{Site: &made.Owner, Credentials: made.Credentials}, nil
}

func (m mutationResolver) UpdateSite(ctx context.Context, input directory.SiteUpdate) (*generated.SitePayload, error) {
	s, err := run(ctx, m, m.Commands.UpdateSite, input)
	return &generated.SitePayload{Site: s}, err
}

func (m mutationResolver) RotateSiteCredential(ctx context.Context, input directory.KeyRotation) (*generated.SiteCredentialsPayload, error) {
	made, err := run(ctx, m, m.Commands.RotateSiteCredential, input)
	if err != nil {
		return nil, err
	}
	return &generated.SiteCredentialsPayload{Site: &made.Owner, Credentials: made.Credentials}, nil
}

func (m mutationResolver) SendTestCallback(ctx context.Context, input directory.TestCallback) (*directory.TestResult, error) {
	by := acting(ctx)
	result, err := m.Directory.SendTestCallback(ctx, by, input)
	return &result, err
}

func (testResultResolver) DurationMs(_ context.Context, r *directory.TestResult) (int, error) {
	return int(r.Duration.Milliseconds()), nil
}

func (r siteResolver) Dealer(ctx context.Context, s *owner.Site) (*owner.Dealer, error) {
	staff := staffOf(ctx)
	d, err := r.Directory.Dealer(ctx, staff, s.DealerID)
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
	return append([]owner.OldKey{}, s.OldKeys(r.Clock.Now())...), nil
}
