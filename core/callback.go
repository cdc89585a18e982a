package core

import (
	"fmt"
	"strings"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/lang"
	"github.com/vezne/vezne/core/money"
)

// CallbackKind says which of the URL settings a callback goes to.
type CallbackKind string

// Kinds of callbacks.
const (
	DepositCallback      CallbackKind = "deposit"
	EIBANDepositCallback CallbackKind = "eiban_deposit" // deposit_callback_url when set, else callback_url
	WithdrawalCallback   CallbackKind = "withdrawal"
	CreditCardCallback   CallbackKind = "credit_card"
	DealerCardCallback   CallbackKind = "dealer_card" // of a dealer's own card payment (D8)
)

// CallbackState is where a callback stands.
type CallbackState string

// States of a callback. A waiting one has a NextAttemptAt; only staff bring a failed or skipped one back.
const (
	Waiting       CallbackState = "waiting"
	Delivered     CallbackState = "delivered"
	Undeliverable CallbackState = "failed"  // every attempt of the ladder failed
	Skipped       CallbackState = "skipped" // no URL was set for its kind
)

// Callback is one outbox row, written in the commit that changed the payment.
type Callback struct {
	ID            ID
	Version       int
	PaymentID     ID
	ProviderID    int64
	SiteID        int64
	DealerID      int64 // of a dealer's own payment; then there is no provider
	Kind          CallbackKind
	Receiver      string // which configured endpoint it goes to: the unit of isolation
	State         CallbackState
	Payload       Payload
	Attempts      int       // made so far on the present ladder
	NextAttemptAt time.Time // when waiting
	LeaseUntil    time.Time // a worker has it until then
	CreatedAt     time.Time
	FinishedAt    time.Time
}

// Payload is what a callback reports, frozen at the decision; each attempt adds its own timestamp and hash.
type Payload struct {
	TrackingCode string
	Status       Status
	Amount       money.Amount
	Username     string
	Fullname     string
	UserID       string
	SiteID       int64
	IBAN         string // withdrawals only
	Card         CardPayload
}

// CardPayload is what a credit card callback reports besides.
type CardPayload struct {
	OrderID       string
	CustomerName  string
	CustomerEmail string
	CustomerPhone string    // dealers'
	FinishedAt    time.Time // dealers'
	Language      lang.Tag  // dealers': of status_message
	ErrorCode     string    // failed only
	ErrorMessage  string    // failed only
}

// Target is where a callback of some kind goes now. An empty URL: none is set.
type Target struct {
	Receiver string
	URL      string
}

// TargetOf finds the URL for a kind of callback: the site's own, else the provider's. E-IBAN deposits use
// deposit_callback_url when one is set, and callback_url otherwise (decisions: Callback URLs).
func TargetOf(p Provider, s Site, kind CallbackKind) Target {
	owners := []struct {
		name string
		urls CallbackURLs
	}{{fmt.Sprintf("site/%d", s.ID), s.URLs}, {fmt.Sprintf("provider/%d", p.ID), p.URLs}}
	kinds := []CallbackKind{kind}
	if kind == EIBANDepositCallback {
		kinds = append(kinds, DepositCallback)
	}
	for _, k := range kinds {
		for _, o := range owners {
			if url := o.urls.of(k); url != "" {
				return Target{Receiver: o.name + "/" + string(k), URL: url}
			}
		}
	}
	return Target{Receiver: owners[1].name + "/" + string(kind)}
}

func (u CallbackURLs) of(kind CallbackKind) string {
	switch kind {
	case DepositCallback:
		return u.Deposit
	case EIBANDepositCallback:
		return u.EIBANDeposit
	case WithdrawalCallback:
		return u.Withdrawal
	case CreditCardCallback:
		return u.CreditCard
	default:
		return ""
	}
}

// TargetOfDealer finds the URL for a callback about a dealer's own payment. Only card payments have one (the dealer
// document's Events).
func TargetOfDealer(d Dealer, kind CallbackKind) Target {
	return Target{Receiver: fmt.Sprintf("dealer/%d/%s", d.ID, kind), URL: d.URLs.CreditCard}
}

// CallbackKind is the kind of callback that reports a payment's outcome; empty: none does.
func (p Payment) CallbackKind() CallbackKind {
	switch {
	case !p.IsDealers():
		return p.Method.Callback()
	case p.Method.Kind() == Card:
		return DealerCardCallback
	default:
		return ""
	}
}

// newCallback is the outbox row of a payment that has just become final.
func newCallback(id ID, p Payment, t Target, ladder Ladder) Callback {
	cb := Callback{
		ID: id, Version: 1, PaymentID: p.ID, ProviderID: p.ProviderID, SiteID: p.SiteID,
		Kind: p.CallbackKind(), Receiver: t.Receiver, State: Waiting, CreatedAt: p.UpdatedAt,
		NextAttemptAt: p.UpdatedAt.Add(ladder.first()),
		Payload: Payload{
			TrackingCode: p.TrackingCode, Status: p.Status, Amount: p.Amount, Username: p.Customer.Username,
			Fullname: p.Customer.Fullname, UserID: p.Customer.UserID, SiteID: p.SiteID,
		},
	}
	if p.IsDealers() {
		cb.DealerID = p.DealerID
	}
	if cb.Kind == DealerCardCallback && p.Status == Cancelled {
		cb.Payload.Status = Failed // decisions: a customer's cancellation is failed, CANCELLED
	}
	switch p.Method.Kind() {
	case Withdrawal, Payout:
		cb.Payload.IBAN = p.IBAN
	case Card:
		cb.Payload.Card = cardPayloadOf(p)
	case Deposit:
	}
	if t.URL == "" {
		cb.State, cb.NextAttemptAt = Skipped, time.Time{}
	}
	return cb
}

func cardPayloadOf(p Payment) CardPayload {
	c := CardPayload{
		OrderID: p.Payer.OrderID, CustomerEmail: p.Payer.Email,
		CustomerName: strings.TrimSpace(p.Payer.FirstName + " " + p.Payer.LastName),
	}
	if p.IsDealers() {
		c.CustomerPhone, c.FinishedAt, c.Language = p.Payer.Phone, p.FinishedAt, p.Language
		if p.Status == Cancelled {
			cancelled := failureOf(gateway.CanceledByPayer, p.Language)
			c.ErrorCode, c.ErrorMessage = cancelled.Code, cancelled.Message
		}
	}
	if p.Status == Failed {
		c.ErrorCode, c.ErrorMessage = p.Failure.Code, p.Failure.Message
	}
	return c
}
