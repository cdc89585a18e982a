package payment

import (
	"cmp"
	"strings"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/iban"
	"github.com/vezne/vezne/core/lang"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/owner"
)

// Request is a request for a payment, already checked: a provider's for one of its sites, or a dealer's for itself.
type Request struct {
	Method   Method
	Provider owner.Provider
	Site     owner.Site
	Dealer   owner.Dealer // of its own payments; then there is no provider
	Customer owner.Customer
	Amount   money.Amount
	IBAN     string    // withdrawals: normalized
	Payer    CardPayer // cards; its OrderID is made at creation
	Payee    Payee     // payouts
	Language lang.Tag

	Reference string // the caller's own; empty: none
	ReturnURL string // one that its site or dealer has allowed; empty: their own address
}

// CreateParams is what a new payment is given from outside.
type CreateParams struct {
	At           time.Time
	ExpiresIn    time.Duration // 0: never
	TrackingCode string
	Token        string // of the page, where the method has one
	IDs          *core.IDs
	Open         OpenLimits
}

// DecideCreate creates the payment, provided that the customer is not blocked and has not too many open deposits. The creation itself has no history row:
// the payment says who asked and when.
func DecideCreate(r Request, params CreateParams) core.Changeset {
	p := Payment{
		ID: params.IDs.Next(), Version: 1, TrackingCode: params.TrackingCode, Method: r.Method,
		Status: r.Method.Kind().FirstStatus(), ProviderID: r.Provider.ID, SiteID: r.Site.ID, SiteName: cmp.Or(r.Site.Name, r.Dealer.Name),
		DealerID: max(r.Site.DealerID, r.Dealer.ID), Customer: r.Customer, Language: r.Language, RequestedAmount: r.Amount, Amount: r.Amount,
		CreatedAt: params.At, UpdatedAt: params.At, Payee: r.Payee, Reference: r.Reference,
	}
	if r.IBAN != "" && !r.Method.HasPage() {
		p.IBAN, p.IsIBANSuspect = r.IBAN, !iban.IsValid(r.IBAN)
	}
	if r.Method.HasPage() {
		p.Token, p.TokenFingerprint = params.Token, core.PageTokenFingerprint(params.Token)
		p.ReturnURL = cmp.Or(r.ReturnURL, r.Site.HomeURL, r.Dealer.HomeURL)
	}
	if r.Method.Kind() == Card {
		p.Payer = r.Payer
		p.Payer.OrderID = OrderID(params.TrackingCode)
	}
	if params.ExpiresIn > 0 {
		p.ExpiresAt = params.At.Add(params.ExpiresIn)
	}
	var change core.Changeset
	if r.Provider.ID != 0 {
		change = append(change, owner.NotBlocked{ProviderID: r.Provider.ID, UserID: r.Customer.UserID})
	}
	if b, ok := boundOf(p, params.Open); ok {
		change = append(change, b)
	}
	return append(change, p)
}

// OrderID is a tracking code without its dashes: letters and digits are what every gateway takes as an order's id.
func OrderID(trackingCode string) string { return strings.ReplaceAll(trackingCode, "-", "") }
