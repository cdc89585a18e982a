package directory

import (
	"context"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
)

// Providers gives at most query.Limit providers, by id. Fault: Forbidden.
func (s *Service) Providers(ctx context.Context, staff core.Staff, query core.OwnerQuery) ([]core.Provider, error) {
	if err := staff.Require(core.ReadProviders); err != nil {
		return nil, err
	}
	return s.Lists.Providers(ctx, query)
}

// Provider finds a provider. Faults: Forbidden, NotFound.
func (s *Service) Provider(ctx context.Context, staff core.Staff, id int64) (core.Provider, error) {
	if err := staff.Require(core.ReadProviders); err != nil {
		return core.Provider{}, err
	}
	return s.Directory.Provider(ctx, id)
}

// SitesOf lists a provider's sites, by id. Fault: Forbidden.
func (s *Service) SitesOf(ctx context.Context, staff core.Staff, providerID int64) ([]core.Site, error) {
	if err := staff.Require(core.ReadProviders); err != nil {
		return nil, err
	}
	return s.Directory.Sites(ctx, providerID)
}

// Site finds a site. Faults: Forbidden, NotFound.
func (s *Service) Site(ctx context.Context, staff core.Staff, id int64) (core.Site, error) {
	if err := staff.Require(core.ReadProviders); err != nil {
		return core.Site{}, err
	}
	return s.Directory.Site(ctx, id)
}

// Dealers gives at most query.Limit dealers that the staff member may see, by id. Fault: Forbidden.
func (s *Service) Dealers(ctx context.Context, staff core.Staff, query core.OwnerQuery) ([]core.Dealer, error) {
	if err := staff.Require(core.ReadDealers); err != nil {
		return nil, err
	}
	query.Scope = staff.Scope()
	return s.Lists.Dealers(ctx, query)
}

// Dealer finds a dealer that the staff member may see. Faults: Forbidden, NotFound.
func (s *Service) Dealer(ctx context.Context, staff core.Staff, id int64) (core.Dealer, error) {
	if err := mayRead(staff, id); err != nil {
		return core.Dealer{}, err
	}
	return s.Directory.Dealer(ctx, id)
}

// SiteTokensOf lists a dealer's site tokens, by id. Faults: Forbidden, NotFound.
func (s *Service) SiteTokensOf(ctx context.Context, staff core.Staff, dealerID int64) ([]core.SiteToken, error) {
	if err := mayRead(staff, dealerID); err != nil {
		return nil, err
	}
	return s.Lists.SiteTokensOf(ctx, dealerID)
}

// AccountsOf lists a dealer's IBAN accounts with today's use: the manual ones by id, then the E-IBAN ones. An empty kind
// is both. Faults: Forbidden, NotFound, Invalid.
func (s *Service) AccountsOf(
	ctx context.Context, staff core.Staff, dealerID int64, kind core.AccountKind,
) ([]core.AccountLoad, error) {
	if err := mayRead(staff, dealerID); err != nil {
		return nil, err
	}
	var all []core.AccountLoad
	day := core.DayOf(s.Desk.Clock.Now(), s.Zone)
	for _, k := range []core.AccountKind{core.ManualAccount, core.EIBANAccount} {
		if kind != "" && kind != k {
			continue
		}
		loads, err := s.Accounts.AccountLoads(ctx, dealerID, k, day)
		if err != nil {
			return nil, fault.E("directory.AccountsOf", "", err)
		}
		all = append(all, loads...)
	}
	return all, nil
}

// load finds an account with today's use.
func (s *Service) load(ctx context.Context, a core.Account) (core.AccountLoad, error) {
	loads, err := s.Accounts.AccountLoads(ctx, a.DealerID, a.Kind, core.DayOf(s.Desk.Clock.Now(), s.Zone))
	for _, l := range loads {
		if l.ID == a.ID {
			return l, nil
		}
	}
	return core.AccountLoad{Account: a}, fault.E("directory.load", "", err)
}

// mayRead tells whether the staff member may see what is of a dealer. Faults: Forbidden, NotFound.
func mayRead(staff core.Staff, dealerID int64) error {
	if err := staff.Require(core.ReadDealers); err != nil {
		return err
	}
	if !staff.Scope().Covers(dealerID) {
		return fault.New("directory.mayRead", fault.NotFound)
	}
	return nil
}
