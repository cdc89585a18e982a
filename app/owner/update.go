package owner

import (
	"context"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/staff"
)

// ProviderUpdate changes the settings of a provider that the patch names.
type ProviderUpdate struct {
	ID int64
	owner.ProviderPatch
}

// UpdateProvider changes a provider. Faults: Forbidden, NotFound, Invalid.
func (s *Directory) UpdateProvider(ctx context.Context, by app.Request, u ProviderUpdate) (owner.Provider, error) {
	const op = "directory.UpdateProvider"
	if err := by.Require(staff.EditProviders); err != nil {
		return owner.Provider{}, err
	}
	var after owner.Provider
	err := s.UnitOfWork.Again(ctx, func() error {
		before, err := s.UnitOfWork.Directory.Provider(ctx, u.ID)
		if err != nil {
			return err
		}
		if after, err = u.Apply(before, s.UnitOfWork.Clock.Now()); err != nil {
			return err
		}
		entry := core.AuditEntry{
			Action: "updateProvider", Target: after.Ref(), Before: before.AuditState(), After: after.AuditState(),
		}
		return s.save(ctx, by, entry, core.Changeset{after})
	})
	return orNone(op, after, err)
}

// SiteUpdate changes the settings of a site that the patch names.
type SiteUpdate struct {
	ID int64
	owner.SitePatch
}

// UpdateSite changes a site. Payments that were created stay with the dealer that they had. Faults: Forbidden, NotFound,
// Invalid.
func (s *Directory) UpdateSite(ctx context.Context, by app.Request, u SiteUpdate) (owner.Site, error) {
	const op = "directory.UpdateSite"
	if err := by.Require(staff.EditProviders); err != nil {
		return owner.Site{}, err
	}
	var after owner.Site
	err := s.UnitOfWork.Again(ctx, func() error {
		before, err := s.UnitOfWork.Directory.Site(ctx, u.ID)
		if err != nil {
			return err
		}
		form, err := s.knows(ctx, nil, u.DealerID)
		if err != nil {
			return err
		}
		if after, err = u.Apply(before, s.UnitOfWork.Clock.Now(), form); err != nil {
			return err
		}
		entry := core.AuditEntry{
			Action: "updateSite", Target: after.Ref(), Before: before.AuditState(), After: after.AuditState(),
		}
		return s.save(ctx, by, entry, core.Changeset{after})
	})
	return orNone(op, after, err)
}

// DealerUpdate changes the settings of a dealer that the patch names.
type DealerUpdate struct {
	ID int64
	owner.DealerPatch
}

// UpdateDealer changes a dealer. Faults: Forbidden, NotFound, Invalid.
func (s *Directory) UpdateDealer(ctx context.Context, by app.Request, u DealerUpdate) (owner.Dealer, error) {
	const op = "directory.UpdateDealer"
	if err := by.Require(staff.EditDealers); err != nil {
		return owner.Dealer{}, err
	}
	var after owner.Dealer
	err := s.UnitOfWork.Again(ctx, func() error {
		before, err := s.UnitOfWork.Directory.Dealer(ctx, u.ID)
		if err != nil {
			return err
		}
		if after, err = u.Apply(before, s.UnitOfWork.Clock.Now()); err != nil {
			return err
		}
		entry := core.AuditEntry{
			Action: "updateDealer", Target: after.Ref(), Before: before.AuditState(), After: after.AuditState(),
		}
		return s.save(ctx, by, entry, core.Changeset{after})
	})
	return orNone(op, after, err)
}

// SiteTokenUpdate changes the settings of a site token that the patch names.
type SiteTokenUpdate struct {
	ID int64
	owner.SiteTokenPatch
}

// UpdateSiteToken changes a site token, or switches it. Faults: Forbidden, NotFound, Invalid.
func (s *Directory) UpdateSiteToken(ctx context.Context, by app.Request, u SiteTokenUpdate) (owner.SiteToken, error) {
	const op = "directory.UpdateSiteToken"
	if err := by.Require(staff.EditDealers); err != nil {
		return owner.SiteToken{}, err
	}
	var after owner.SiteToken
	err := s.UnitOfWork.Again(ctx, func() error {
		before, err := s.Owners.SiteToken(ctx, u.ID)
		if err != nil {
			return err
		}
		if after, err = u.Apply(before, s.UnitOfWork.Clock.Now(), core.Form{}); err != nil {
			return err
		}
		entry := core.AuditEntry{
			Action: "updateSiteToken", Target: after.Ref(), Before: before.AuditState(), After: after.AuditState(),
		}
		return s.save(ctx, by, entry, core.Changeset{after})
	})
	return orNone(op, after, err)
}

// AccountUpdate changes the settings of an IBAN account that the patch names.
type AccountUpdate struct {
	ID int64
	owner.AccountPatch
}

// UpdateAccount changes an IBAN account's limits, its switch, its bank's name or its holder. Faults: Forbidden, NotFound,
// Invalid.
func (s *Directory) UpdateAccount(ctx context.Context, by app.Request, u AccountUpdate) (owner.DailyUsage, error) {
	const op = "directory.UpdateAccount"
	if err := by.Require(staff.EditAccounts); err != nil {
		return owner.DailyUsage{}, err
	}
	var after owner.Account
	err := s.UnitOfWork.Again(ctx, func() error {
		before, err := s.Owners.Account(ctx, u.ID)
		if err == nil && !by.Staff.Scope().Covers(before.DealerID) {
			err = fault.New(op, fault.NotFound)
		}
		if err != nil {
			return err
		}
		if after, err = u.Apply(before, s.UnitOfWork.Clock.Now(), core.Form{}); err != nil {
			return err
		}
		entry := core.AuditEntry{
			Action: "updateAccount", Target: after.Ref(), Before: before.AuditState(), After: after.AuditState(),
		}
		return s.save(ctx, by, entry, core.Changeset{after})
	})
	if err != nil {
		return owner.DailyUsage{}, fault.E(op, "", err)
	}
	return s.load(ctx, after)
}

// orNone returns what was saved; with a fault nothing.
func orNone[T any](op string, saved T, err error) (T, error) {
	if err != nil {
		var none T
		return none, fault.E(op, "", err)
	}
	return saved, nil
}
