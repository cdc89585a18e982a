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
	return update(ctx, s, by, updating[owner.Provider]{
		action: "updateProvider", permission: staff.EditProviders, id: u.ID, find: s.UnitOfWork.Directory.Provider,
		apply: func(before owner.Provider) (owner.Provider, error) { return u.Apply(before, s.UnitOfWork.Clock.Now()) },
	})
}

// SiteUpdate changes the settings of a site that the patch names.
type SiteUpdate struct {
	ID int64
	owner.SitePatch
}

// UpdateSite changes a site. Payments that were created stay with the dealer that they had. Faults: Forbidden, NotFound,
// Invalid.
func (s *Directory) UpdateSite(ctx context.Context, by app.Request, u SiteUpdate) (owner.Site, error) {
	return update(ctx, s, by, updating[owner.Site]{
		action: "updateSite", permission: staff.EditProviders, id: u.ID, find: s.UnitOfWork.Directory.Site,
		apply: func(before owner.Site) (owner.Site, error) {
			form, err := s.knows(ctx, nil, u.DealerID)
			if err != nil {
				return before, err
			}
			return u.Apply(before, s.UnitOfWork.Clock.Now(), form)
		},
	})
}

// CallbackURLUpdate changes where callbacks go, of a provider or of one of its sites, what acknowledges those of the provider, and where the
// site's customers are led back to: exactly one id is set.
type CallbackURLUpdate struct {
	ProviderID, SiteID int64
	owner.URLsPatch
	owner.ReturnsPatch                             // of a site
	CallbackAcknowledgement *owner.Acknowledgement // of a provider
}

// CallbackOwner is whose URLs were changed; the other is nil.
type CallbackOwner struct {
	Provider *owner.Provider
	Site     *owner.Site
}

// UpdateCallbackURLs changes URLs, and nothing else: what audit rows and a request for a second person say of it, a provider's staff
// may read. Faults: Forbidden, NotFound, Invalid.
func (s *Directory) UpdateCallbackURLs(ctx context.Context, by app.Request, u CallbackURLUpdate) (changed CallbackOwner, err error) {
	const action, permission = "updateCallbackUrls", staff.EditCallbackURLs
	var form core.Form
	if (u.ProviderID == 0) == (u.SiteID == 0) {
		form.Fail("providerId", "field.one_of", "providerId, siteId")
	}
	if u.SiteID == 0 && u.ReturnsPatch != (owner.ReturnsPatch{}) {
		form.Fail("siteId", "field.required")
	}
	if u.ProviderID == 0 && u.CallbackAcknowledgement != nil {
		form.Fail("providerId", "field.required")
	}
	if err := form.Err("directory.UpdateCallbackURLs"); err != nil && by.Require(permission) == nil {
		return changed, err
	}
	if u.SiteID != 0 {
		site, err := update(ctx, s, by, updating[owner.Site]{
			action: action, permission: permission, id: u.SiteID, find: s.UnitOfWork.Directory.Site,
			state: owner.Site.AddressState,
			apply: func(before owner.Site) (owner.Site, error) {
				return owner.SitePatch{URLsPatch: u.URLsPatch, ReturnsPatch: u.ReturnsPatch}.Apply(before, s.UnitOfWork.Clock.Now(), core.Form{})
			},
		})
		return CallbackOwner{Site: &site}, err
	}
	p, err := update(ctx, s, by, updating[owner.Provider]{
		action: action, permission: permission, id: u.ProviderID, find: s.UnitOfWork.Directory.Provider,
		state: owner.Provider.AddressState,
		apply: func(before owner.Provider) (owner.Provider, error) {
			return owner.ProviderPatch{
				CallbackURL: u.CallbackURL, DepositCallbackURL: u.DepositCallbackURL,
				WithdrawalCallbackURL: u.WithdrawalCallbackURL, CreditCardCallbackURL: u.CreditCardCallbackURL,
				CallbackAcknowledgement: u.CallbackAcknowledgement,
			}.Apply(before, s.UnitOfWork.Clock.Now())
		},
	})
	return CallbackOwner{Provider: &p}, err
}

// BrandUpdate changes how a site's payment page looks, whom it names and where it leads back to.
type BrandUpdate struct {
	SiteID int64
	owner.BrandPatch
}

// UpdateBrand changes a brand, and nothing else of its site. Faults: Forbidden, NotFound, Invalid.
func (s *Directory) UpdateBrand(ctx context.Context, by app.Request, u BrandUpdate) (owner.Site, error) {
	return update(ctx, s, by, updating[owner.Site]{
		action: "updateSiteBrand", permission: staff.EditBrands, id: u.SiteID, find: s.UnitOfWork.Directory.Site, state: owner.Site.BrandState,
		apply: func(before owner.Site) (owner.Site, error) {
			return u.Apply(before, by.Staff.IsOfHouse(), s.UnitOfWork.Clock.Now())
		},
	})
}

// DealerUpdate changes the settings of a dealer that the patch names.
type DealerUpdate struct {
	ID int64
	owner.DealerPatch
}

// UpdateDealer changes a dealer. Faults: Forbidden, NotFound, Invalid.
func (s *Directory) UpdateDealer(ctx context.Context, by app.Request, u DealerUpdate) (owner.Dealer, error) {
	return update(ctx, s, by, updating[owner.Dealer]{
		action: "updateDealer", permission: staff.EditDealers, id: u.ID, find: s.UnitOfWork.Directory.Dealer,
		apply: func(before owner.Dealer) (owner.Dealer, error) { return u.Apply(before, s.UnitOfWork.Clock.Now()) },
	})
}

// SiteTokenUpdate changes the settings of a site token that the patch names.
type SiteTokenUpdate struct {
	ID int64
	owner.SiteTokenPatch
}

// UpdateSiteToken changes a site token, or switches it. Faults: Forbidden, NotFound, Invalid.
func (s *Directory) UpdateSiteToken(ctx context.Context, by app.Request, u SiteTokenUpdate) (owner.SiteToken, error) {
	return update(ctx, s, by, updating[owner.SiteToken]{
		action: "updateSiteToken", permission: staff.EditDealers, id: u.ID, find: s.Owners.SiteToken,
		apply: func(before owner.SiteToken) (owner.SiteToken, error) {
			return u.Apply(before, s.UnitOfWork.Clock.Now(), core.Form{})
		},
	})
}

// AccountUpdate changes the settings of an IBAN account that the patch names.
type AccountUpdate struct {
	ID int64
	owner.AccountPatch
}

// UpdateAccount changes an IBAN account's limits, its switch, its bank's name or its holder. Faults: Forbidden, NotFound,
// Invalid.
func (s *Directory) UpdateAccount(ctx context.Context, by app.Request, u AccountUpdate) (owner.DailyUsage, error) {
	after, err := update(ctx, s, by, updating[owner.Account]{
		action: "updateAccount", permission: staff.EditAccounts, id: u.ID, find: s.Owners.Account,
		apply: func(before owner.Account) (owner.Account, error) {
			after, err := u.Apply(before, s.UnitOfWork.Clock.Now(), core.Form{})
			return after.SwitchedBy(by.Staff.IsOfHouse(), before), err
		},
	})
	if err != nil {
		return owner.DailyUsage{}, err
	}
	return s.load(ctx, after)
}

// updating is how an owner is changed.
type updating[T audited] struct {
	action     string
	permission staff.Permission
	id         int64
	find       func(context.Context, int64) (T, error)
	apply      func(before T) (T, error)
	state      func(T) string // what audit rows say of it; nil: its AuditState
}

// update changes an owner within the scope of whoever asks; with a fault it returns nothing.
func update[T audited](ctx context.Context, s *Directory, by app.Request, how updating[T]) (after T, err error) {
	if err := by.Require(how.permission); err != nil {
		return after, err
	}
	state := how.state
	if state == nil {
		state = T.AuditState
	}
	err = s.UnitOfWork.Again(ctx, func() error {
		before, err := within(ctx, by.Staff, how.id, how.find)
		if err != nil {
			return err
		}
		if after, err = how.apply(before); err != nil {
			return err
		}
		return s.save(ctx, by, core.AuditEntry{
			Action: how.action, Target: after.Ref(), Before: state(before), After: state(after),
		}, core.Changeset{after})
	})
	return orNone("directory."+how.action, after, err)
}

// orNone returns what was saved; with a fault nothing.
func orNone[T any](op string, saved T, err error) (T, error) {
	if err != nil {
		var none T
		return none, fault.E(op, "", err)
	}
	return saved, nil
}
