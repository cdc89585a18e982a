package core

// Nobody is the id of no dealer and no provider: a scope that has it finds nothing.
const Nobody = -1

// Scope narrows what somebody sees to one dealer or to one provider; the zero Scope sees all.
type Scope struct{ DealerID, ProviderID int64 }

// Covers reports whether what belongs to a dealer alone (a wallet, its lines, its days) is within the scope: to a provider
// none of it is.
func (s Scope) Covers(dealerID int64) bool {
	return s.ProviderID == 0 && (s.DealerID == 0 || s.DealerID == dealerID)
}

// Has reports whether what belongs to a dealer's and a provider's payment is within the scope.
func (s Scope) Has(dealerID, providerID int64) bool {
	return (s.DealerID == 0 || s.DealerID == dealerID) && (s.ProviderID == 0 || s.ProviderID == providerID)
}

// CoversProvider reports whether what belongs to a provider alone (its settings, its sites, its block list) is within the scope: to
// a dealer none of it is.
func (s Scope) CoversProvider(providerID int64) bool {
	return s.DealerID == 0 && (s.ProviderID == 0 || s.ProviderID == providerID)
}

// Includes reports whether all that is within another scope is within this one.
func (s Scope) Includes(other Scope) bool {
	return (s.DealerID == 0 || s.DealerID == other.DealerID) && (s.ProviderID == 0 || s.ProviderID == other.ProviderID)
}

// OfDealers is the scope for lists of what belongs to dealers alone: a provider finds nothing in them.
func (s Scope) OfDealers() Scope {
	if s.ProviderID != 0 {
		return Scope{DealerID: Nobody}
	}
	return s
}
