package core

import (
	"time"

	"github.com/vezne/vezne/core/iban"
	"github.com/vezne/vezne/core/lang"
	"github.com/vezne/vezne/core/money"
)

// Start is a provider's request for a payment, already checked.
type Start struct {
	Method   Method
	Provider Provider
	Site     Site
	Customer Customer
	Amount   money.Amount
	IBAN     string // withdrawals: normalized
	Language lang.Tag
}

// Birth is what a new payment is given from outside.
type Birth struct {
	At           time.Time
	ExpiresIn    time.Duration // deposits; 0: never
	TrackingCode string
	Token        string // deposits
	IDs          *IDs
}

// DecideStart creates the payment, provided that the customer is not blocked. The creation itself has no history row:
// the payment says who asked and when.
func DecideStart(s Start, b Birth) Changeset {
	p := Payment{
		ID: b.IDs.Next(), Version: 1, TrackingCode: b.TrackingCode, Method: s.Method,
		Status: s.Method.Kind().FirstStatus(), ProviderID: s.Provider.ID, SiteID: s.Site.ID, SiteName: s.Site.Name,
		DealerID: s.Site.DealerID, Customer: s.Customer, Language: s.Language, Requested: s.Amount, Amount: s.Amount,
		CreatedAt: b.At, UpdatedAt: b.At,
	}
	if s.Method.Kind() == Withdrawal {
		p.IBAN, p.IsIBANSuspect = s.IBAN, !iban.IsValid(s.IBAN)
	} else {
		p.Token = b.Token
	}
	if b.ExpiresIn > 0 {
		p.ExpiresAt = b.At.Add(b.ExpiresIn)
	}
	return Changeset{
		Payments:  []Payment{p},
		Unblocked: []CustomerKey{{ProviderID: s.Provider.ID, UserID: s.Customer.UserID}},
	}
}
