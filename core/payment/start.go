package payment

import (
	"strings"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/iban"
	"github.com/vezne/vezne/core/lang"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/owner"
)

// Start is a request for a payment, already checked: a provider's for one of its sites, or a dealer's for itself.
type Start struct {
	Method   Method
	Provider owner.Provider
	Site     owner.Site
	Dealer   owner.Dealer // of its own payments; then there is no provider
	Customer owner.Customer
	Amount   money.Amount
	IBAN     string    // withdrawals: normalized
	Payer    CardPayer // cards; its OrderID is made at birth
	Payee    Payee     // payouts
	Language lang.Tag
}

// CreateParams is what a new payment is given from outside.
type CreateParams struct {
	At           time.Time
	ExpiresIn    time.Duration // 0: never
	TrackingCode string
	Token        string // of the page, where the method has one
	IDs          *core.IDs
}

// DecideStart creates the payment, provided that the customer is not blocked. The creation itself has no history row:
// the payment says who asked and when.
func DecideStart(s Start, b CreateParams) core.Changeset {
	p := Payment{
		ID: b.IDs.Next(), Version: 1, TrackingCode: b.TrackingCode, Method: s.Method,
		Status: s.Method.Kind().FirstStatus(), ProviderID: s.Provider.ID, SiteID: s.Site.ID, SiteName: s.Site.Name,
		DealerID: max(s.Site.DealerID, s.Dealer.ID), Customer: s.Customer, Language: s.Language, RequestedAmount: s.Amount, Amount: s.Amount,
		CreatedAt: b.At, UpdatedAt: b.At, Payee: s.Payee,
	}
	if s.IBAN != "" && !s.Method.HasPage() {
		p.IBAN, p.IsIBANSuspect = s.IBAN, !iban.IsValid(s.IBAN)
	}
	if s.Method.HasPage() {
		p.Token = b.Token
	}
	if s.Method.Kind() == Card {
		p.Payer = s.Payer
		p.Payer.OrderID = OrderID(b.TrackingCode)
	}
	if b.ExpiresIn > 0 {
		p.ExpiresAt = b.At.Add(b.ExpiresIn)
	}
	var change core.Changeset
	if s.Provider.ID != 0 {
		change = append(change, owner.NotBlocked{ProviderID: s.Provider.ID, UserID: s.Customer.UserID})
	}
	return append(change, p)
}

// OrderID is a tracking code without its dashes: letters and digits are what every gateway takes as an order's id.
func OrderID(trackingCode string) string { return strings.ReplaceAll(trackingCode, "-", "") }
