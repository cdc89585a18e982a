package owner

import (
	"context"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/lang"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/staff"
)

// IssuedKey is a key as it was issued: it is shown this once.
type IssuedKey struct {
	Credential owner.KeyKind
	Key        core.Secret
}

// NewProvider is a provider to be made; it is active. Its language is Turkish, unless it says otherwise.
type NewProvider struct{ owner.ProviderPatch }

// AddProvider makes a provider and returns the keys issued to it. Faults: Forbidden, Invalid.
func (s *Directory) AddProvider(ctx context.Context, by app.Request, n NewProvider) (owner.Provider, []IssuedKey, error) {
	const op = "directory.AddProvider"
	if err := by.Require(staff.EditProviders); err != nil {
		return owner.Provider{}, nil, err
	}
	if n.Name == nil {
		n.Name = new(string) // which is refused
	}
	p, err := n.Apply(owner.Provider{Language: lang.TR, IsActive: true}, s.UnitOfWork.Clock.Now())
	if err != nil {
		return owner.Provider{}, nil, fault.E(op, "", err)
	}
	if p, err = s.CreateProvider(ctx, by, p); err != nil {
		return owner.Provider{}, nil, fault.E(op, "", err)
	}
	return p, []IssuedKey{
		{owner.APIKeyKind, core.NewSecret(p.APIKey)}, {owner.SecretKeyKind, p.SecretKey},
		{owner.VerificationKind, p.VerificationKey}, {owner.WebhookKind, p.WebhookSecret},
	}, nil
}

// NewSite is a site to be made; it is active.
type NewSite struct {
	ProviderID int64
	owner.SitePatch
}

// AddSite makes a site of a provider and returns the credential key issued to it. Faults: Forbidden, Invalid.
func (s *Directory) AddSite(ctx context.Context, by app.Request, n NewSite) (owner.Site, []IssuedKey, error) {
	const op = "directory.AddSite"
	if err := by.Require(staff.EditProviders); err != nil {
		return owner.Site{}, nil, err
	}
	if n.DealerID == nil {
		n.DealerID = new(int64) // which is not known
	}
	form, err := s.knows(ctx, &n.ProviderID, n.DealerID)
	if err != nil {
		return owner.Site{}, nil, fault.E(op, "", err)
	}
	others, err := s.Owners.Sites(ctx, n.ProviderID)
	if err != nil {
		return owner.Site{}, nil, fault.E(op, "", err)
	}
	if err := app.CheckRoom(op, "sites", len(others)); err != nil {
		return owner.Site{}, nil, err
	}
	site, err := n.Apply(owner.Site{ProviderID: n.ProviderID, IsActive: true}, s.UnitOfWork.Clock.Now(), form)
	if err != nil {
		return owner.Site{}, nil, fault.E(op, "", err)
	}
	site, key, err := s.CreateSite(ctx, by, site)
	if err != nil {
		return owner.Site{}, nil, fault.E(op, "", err)
	}
	return site, []IssuedKey{{owner.CredentialKind, core.NewSecret(key)}}, nil
}

// NewDealer is a dealer to be made; it is active.
type NewDealer struct{ owner.DealerPatch }

// AddDealer makes a dealer and returns the keys issued to it. Faults: Forbidden, Invalid.
func (s *Directory) AddDealer(ctx context.Context, by app.Request, n NewDealer) (owner.Dealer, []IssuedKey, error) {
	const op = "directory.AddDealer"
	if err := by.Require(staff.EditDealers); err != nil {
		return owner.Dealer{}, nil, err
	}
	d, err := n.Apply(owner.Dealer{IsActive: true}, s.UnitOfWork.Clock.Now())
	if err != nil {
		return owner.Dealer{}, nil, fault.E(op, "", err)
	}
	if d, err = s.CreateDealer(ctx, by, d); err != nil {
		return owner.Dealer{}, nil, fault.E(op, "", err)
	}
	return d, []IssuedKey{{owner.APIKeyKind, core.NewSecret(d.APIKey)}, {owner.SecretKeyKind, d.SecretKey}}, nil
}

// NewSiteToken is a site token to be made for a dealer; it is active.
type NewSiteToken struct {
	DealerID int64
	owner.SiteTokenPatch
}

// AddSiteToken makes a site token and gives it with its secret. Faults: Forbidden, Invalid.
func (s *Directory) AddSiteToken(ctx context.Context, by app.Request, n NewSiteToken) (owner.SiteToken, []IssuedKey, error) {
	const op = "directory.AddSiteToken"
	if err := by.Require(staff.EditDealers); err != nil {
		return owner.SiteToken{}, nil, err
	}
	form, err := s.knows(ctx, nil, &n.DealerID)
	if err != nil {
		return owner.SiteToken{}, nil, fault.E(op, "", err)
	}
	others, err := s.Owners.SiteTokensOf(ctx, n.DealerID)
	if err != nil {
		return owner.SiteToken{}, nil, fault.E(op, "", err)
	}
	if err := app.CheckRoom(op, "siteTokens", len(others)); err != nil {
		return owner.SiteToken{}, nil, err
	}
	t, err := n.Apply(owner.SiteToken{DealerID: n.DealerID, IsActive: true}, s.UnitOfWork.Clock.Now(), form)
	if err != nil {
		return owner.SiteToken{}, nil, fault.E(op, "", err)
	}
	if t, err = s.CreateSiteToken(ctx, by, t); err != nil {
		return owner.SiteToken{}, nil, fault.E(op, "", err)
	}
	return t, []IssuedKey{{owner.TokenKind, core.NewSecret(t.Token)}, {owner.SecretKeyKind, t.SecretKey}}, nil
}

// AddAccount makes an IBAN account of a dealer; it is active. Faults: Forbidden, Invalid.
func (s *Directory) AddAccount(ctx context.Context, by app.Request, n owner.NewAccount) (owner.DailyUsage, error) {
	const op = "directory.AddAccount"
	if err := by.Require(staff.EditAccounts); err != nil {
		return owner.DailyUsage{}, err
	}
	if !by.Staff.Scope().Covers(n.DealerID) {
		return owner.DailyUsage{}, fault.New(op, fault.NotFound)
	}
	form, err := s.knows(ctx, nil, &n.DealerID)
	if err != nil {
		return owner.DailyUsage{}, fault.E(op, "", err)
	}
	now := s.UnitOfWork.Clock.Now()
	others, err := s.Owners.AccountLoads(ctx, n.DealerID, n.Kind, core.DayOf(now, s.Zone))
	if err != nil {
		return owner.DailyUsage{}, fault.E(op, "", err)
	}
	if err := app.CheckRoom(op, "accounts", len(others)); err != nil {
		return owner.DailyUsage{}, err
	}
	a, err := n.Make(others, now, form)
	if err != nil {
		return owner.DailyUsage{}, fault.E(op, "", err)
	}
	if a, err = s.CreateAccount(ctx, by, a); err != nil {
		return owner.DailyUsage{}, fault.E(op, "", err)
	}
	return s.load(ctx, a)
}

// knows fails the fields that name a provider or a dealer who does not exist; nil names none.
func (s *Directory) knows(ctx context.Context, providerID, dealerID *int64) (form core.Form, err error) {
	if providerID != nil {
		if _, err = s.UnitOfWork.Directory.Provider(ctx, *providerID); fault.Is(err, fault.NotFound) {
			form.Fail("providerId", "field.id")
		} else if err != nil {
			return form, err
		}
	}
	if dealerID == nil {
		return form, nil
	}
	if _, err = s.UnitOfWork.Directory.Dealer(ctx, *dealerID); fault.Is(err, fault.NotFound) {
		form.Fail("dealerId", "field.id")
	} else if err != nil {
		return form, err
	}
	return form, nil
}
