package payment

import (
	"strconv"

	"github.com/vezne/vezne/core"
)

// OpenLimits bound how many open deposits there may be: those that are not at an end, so that they may hold something of an
// account's day. 0 does not bound.
type OpenLimits struct {
	PerCustomer int
	PerSite     int
}

// OpenBound is a condition: with the changeset's own deposit a customer, and a site, have no more open deposits than their limits
// allow. Otherwise the commit fails with fault.TooManyOpen. Commits under way at the same moment, in any number of processes,
// never pass a customer's limit together. They may pass a site's by a few: see ports.Committer.
type OpenBound struct {
	ProviderID int64
	DealerID   int64 // of a dealer's own payment, which has no provider
	SiteID     int64 // 0: a dealer's own payment
	UserID     string
	OpenLimits
}

// Identity implements Row.
func (b OpenBound) Identity() core.Identity {
	key := strconv.FormatInt(b.ProviderID, 10) + "/" + strconv.FormatInt(b.SiteID, 10) + "/" + strconv.FormatInt(b.DealerID, 10) + "/" + b.UserID
	return core.Identity{Table: "open_bounds", Key: key, Version: 1}
}

// boundOf returns the bound of a new deposit; false: there is none.
func boundOf(p Payment, limits OpenLimits) (OpenBound, bool) {
	b := OpenBound{ProviderID: p.ProviderID, SiteID: p.SiteID, UserID: p.Customer.UserID, OpenLimits: limits}
	if b.ProviderID == 0 {
		b.DealerID = p.DealerID
	}
	if b.UserID == "" {
		b.PerCustomer = 0 // nobody knows whose deposits they are
	}
	if b.SiteID == 0 {
		b.PerSite = 0
	}
	return b, p.Method.Kind() == Deposit && (b.PerCustomer > 0 || b.PerSite > 0)
}
