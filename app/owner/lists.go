package owner

import (
	"context"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/staff"
)

// Providers returns at most query.Limit providers that the staff member may see, by id. Fault: Forbidden.
func (s *Directory) Providers(ctx context.Context, member staff.Staff, query owner.OwnerQuery) ([]owner.Provider, error) {
	if err := member.Require(staff.ReadProviders); err != nil {
		return nil, err
	}
	query.Scope = member.Scope()
	return s.Owners.Providers(ctx, query)
}

// Provider finds a provider that the staff member may see. Faults: Forbidden, NotFound.
func (s *Directory) Provider(ctx context.Context, member staff.Staff, id int64) (owner.Provider, error) {
	if err := member.Require(staff.ReadProviders); err != nil {
		return owner.Provider{}, err
	}
	return within(ctx, member, id, s.UnitOfWork.Directory.Provider)
}

// within finds an owner that the staff member may see. Fault: NotFound.
func within[T audited](ctx context.Context, member staff.Staff, id int64, find func(context.Context, int64) (T, error)) (T, error) {
	found, err := find(ctx, id)
	if err == nil && !found.IsIn(member.Scope()) {
		err = fault.New("directory.within", fault.NotFound)
	}
	return orNone("directory.within", found, err)
}

// SitesOf lists a provider's sites, by id. Faults: Forbidden, NotFound.
func (s *Directory) SitesOf(ctx context.Context, member staff.Staff, providerID int64) ([]owner.Site, error) {
	if err := member.Require(staff.ReadProviders); err != nil {
		return nil, err
	}
	if !member.Scope().CoversProvider(providerID) {
		return nil, fault.New("directory.SitesOf", fault.NotFound)
	}
	return s.Owners.Sites(ctx, providerID)
}

// Site finds a site that the staff member may see. Faults: Forbidden, NotFound.
func (s *Directory) Site(ctx context.Context, member staff.Staff, id int64) (owner.Site, error) {
	if err := member.Require(staff.ReadProviders); err != nil {
		return owner.Site{}, err
	}
	return within(ctx, member, id, s.UnitOfWork.Directory.Site)
}

// Dealers returns at most query.Limit dealers that the staff member may see, by id. Fault: Forbidden.
func (s *Directory) Dealers(ctx context.Context, member staff.Staff, query owner.OwnerQuery) ([]owner.Dealer, error) {
	if err := member.Require(staff.ReadDealers); err != nil {
		return nil, err
	}
	query.Scope = member.Scope()
	return s.Owners.Dealers(ctx, query)
}

// Dealer finds a dealer that the staff member may see. Faults: Forbidden, NotFound.
func (s *Directory) Dealer(ctx context.Context, staff staff.Staff, id int64) (owner.Dealer, error) {
	if err := mayRead(staff, id); err != nil {
		return owner.Dealer{}, err
	}
	return s.UnitOfWork.Directory.Dealer(ctx, id)
}

// SiteTokensOf lists a dealer's site tokens, by id. Faults: Forbidden, NotFound.
func (s *Directory) SiteTokensOf(ctx context.Context, staff staff.Staff, dealerID int64) ([]owner.SiteToken, error) {
	if err := mayRead(staff, dealerID); err != nil {
		return nil, err
	}
	return s.Owners.SiteTokensOf(ctx, dealerID)
}

// AccountsOf lists a dealer's IBAN accounts with today's use: the manual ones by id, then the E-IBAN ones. An empty kind
// is both. Faults: Forbidden, NotFound, Invalid.
func (s *Directory) AccountsOf(
	ctx context.Context, staff staff.Staff, dealerID int64, kind owner.AccountKind,
) ([]owner.DailyUsage, error) {
	if err := mayRead(staff, dealerID); err != nil {
		return nil, err
	}
	var all []owner.DailyUsage
	day := core.DayOf(s.UnitOfWork.Clock.Now(), s.Zone)
	for _, k := range []owner.AccountKind{owner.ManualAccount, owner.EIBANAccount} {
		if kind != "" && kind != k {
			continue
		}
		loads, err := s.Owners.AccountLoads(ctx, dealerID, k, day)
		if err != nil {
			return nil, fault.E("directory.AccountsOf", "", err)
		}
		all = append(all, loads...)
	}
	return all, nil
}

// load finds an account with today's use.
func (s *Directory) load(ctx context.Context, a owner.Account) (owner.DailyUsage, error) {
	loads, err := s.Owners.AccountLoads(ctx, a.DealerID, a.Kind, core.DayOf(s.UnitOfWork.Clock.Now(), s.Zone))
	for _, l := range loads {
		if l.ID == a.ID {
			return l, nil
		}
	}
	return owner.DailyUsage{Account: a}, fault.E("directory.load", "", err)
}

// mayRead reports whether the staff member may see what is of a dealer. Faults: Forbidden, NotFound.
func mayRead(member staff.Staff, dealerID int64) error {
	if err := member.Require(staff.ReadDealers); err != nil {
		return err
	}
	if !member.Scope().Covers(dealerID) {
		return fault.New("directory.mayRead", fault.NotFound)
	}
	return nil
}
