package core

import "strconv"

// nobody is the id of no dealer and no provider: a scope that has it finds nothing.
const nobody = -1

// Scope narrows what somebody sees to one dealer or to one provider; the zero Scope sees all.
type Scope struct{ DealerID, ProviderID int64 }

// Scope is what the staff member may see. Dealer and provider staff who belong to none see nothing.
func (s Staff) Scope() Scope {
	switch {
	case s.Role == DealerStaff && s.DealerID == 0:
		return Scope{DealerID: nobody}
	case s.Role == DealerStaff:
		return Scope{DealerID: s.DealerID}
	case s.Role == ProviderStaff && s.ProviderID == 0:
		return Scope{ProviderID: nobody}
	case s.Role == ProviderStaff:
		return Scope{ProviderID: s.ProviderID}
	default:
		return Scope{}
	}
}

// Covers tells whether what belongs to a dealer alone (a wallet, its lines, its days) is within the scope: to a provider
// none of it is.
func (s Scope) Covers(dealerID int64) bool {
	return s.ProviderID == 0 && (s.DealerID == 0 || s.DealerID == dealerID)
}

// Includes tells whether the payment is within the scope.
func (s Scope) Includes(p Payment) bool { return s.Has(p.DealerID, p.ProviderID) }

// Has tells whether what belongs to a dealer's and a provider's payment is within the scope.
func (s Scope) Has(dealerID, providerID int64) bool {
	return (s.DealerID == 0 || s.DealerID == dealerID) && (s.ProviderID == 0 || s.ProviderID == providerID)
}

// SeesInside tells whether the staff member may know how the installation works a payment: who decided it, what was called
// for it. To a provider's staff that is nothing of theirs.
func (s Staff) SeesInside() bool { return s.Role != ProviderStaff }

// To is the actor as a staff member may know them: to a provider's staff anybody but the provider, its customers and
// themselves is no more than the kind of actor that they are.
func (a Actor) To(s Staff) Actor {
	isTheirs := a.Kind == ByProvider || a.Kind == ByCustomer || (a.Kind == ByStaff && a.ID == strconv.FormatInt(s.ID, 10))
	if s.SeesInside() || isTheirs {
		return a
	}
	return Actor{Kind: a.Kind}
}

// OfDealers is the scope for lists of what belongs to dealers alone: a provider finds nothing in them.
func (s Scope) OfDealers() Scope {
	if s.ProviderID != 0 {
		return Scope{DealerID: nobody}
	}
	return s
}
