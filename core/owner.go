package core

import (
	"net/netip"
	"time"

	"github.com/vezne/vezne/core/lang"
	"github.com/vezne/vezne/core/money"
)

// Provider is a payment service provider that calls E1 to E17 (decisions: Provider record).
type Provider struct {
	ID                   int64
	Version              int // 1 on creation, one more at every save: compare-and-set
	Name                 string
	IsActive             bool
	APIKey               string
	PreviousAPIKey       PreviousKey
	SecretKey            Secret
	PreviousSecret       PreviousKey
	VerificationKey      Secret // the X-Key of E2; empty: any non-empty value is taken
	PreviousVerification PreviousKey
	WebhookSecret        Secret // Standard Webhooks, "whsec_…"
	PreviousWebhook      PreviousKey
	IPWhitelist          []netip.Prefix
	URLs                 CallbackURLs
	Language             lang.Tag
	IsCreditCardEnabled  bool
	CreatedAt, UpdatedAt time.Time
}

// CallbackURLs are the callback targets of a provider, or a site's overrides of them; an empty one is not set.
type CallbackURLs struct {
	Deposit      string // callback_url
	EIBANDeposit string // deposit_callback_url: E-IBAN deposits, when set
	Withdrawal   string // withdrawal_callback_url
	CreditCard   string // credit_card_callback_url
}

// Site is one of a provider's client sites; its manual transactions are processed by its dealer.
type Site struct {
	ID                    int64
	Version               int
	ProviderID            int64
	DealerID              int64
	Name                  string
	IsActive              bool
	CredentialFingerprint string       // sign.Fingerprint of the credential key; the key itself is shown once and not kept
	PreviousCredential    PreviousKey  // its Key is the fingerprint
	IsIBANStrict          bool         // a failed mod-97 check rejects a withdrawal instead of flagging it
	URLs                  CallbackURLs // overrides of the provider's
	CreatedAt             time.Time
	UpdatedAt             time.Time
}

// Dealer processes the manual transactions of the sites assigned to it.
type Dealer struct {
	ID                   int64
	Version              int
	Name                 string
	IsActive             bool
	APIKey               string
	PreviousAPIKey       PreviousKey
	SecretKey            Secret
	PreviousSecret       PreviousKey
	IPWhitelist          []netip.Prefix
	IsCreditCardEnabled  bool
	IsEIBANEnabled       bool
	IsManualIBANEnabled  bool
	HandCreditMax        money.Amount // most that one person may credit by hand; zero: no cap of the dealer's own
	URLs                 CallbackURLs // CreditCard only: credit_card_callback_url
	CreatedAt, UpdatedAt time.Time
}

// SiteToken lets a dealer's website call D1, D2, D3 and D8.
type SiteToken struct {
	ID                   int64
	Version              int
	DealerID             int64
	Name                 string
	IsActive             bool
	Token                string
	PreviousToken        PreviousKey
	SecretKey            Secret
	PreviousSecret       PreviousKey
	CreatedAt, UpdatedAt time.Time
}

// Customer names the person who pays, in the provider's own words.
type Customer struct {
	UserID   string // the customer's id in the provider's system
	Username string
	Fullname string
}

// CustomerKey names a customer within a provider, for the block list.
type CustomerKey struct {
	ProviderID int64
	UserID     string
}

// Block keeps a customer from creating payments.
type Block struct {
	CustomerKey
	Reason    string
	By        Actor
	CreatedAt time.Time
}

// AllowsAddr tells whether a caller's address is in a whitelist; an empty list allows any. IPv4 in IPv6 form counts
// as IPv4.
func AllowsAddr(whitelist []netip.Prefix, addr netip.Addr) bool {
	if len(whitelist) == 0 {
		return true
	}
	addr = addr.Unmap().WithZone("")
	for _, p := range whitelist {
		if p.Contains(addr) {
			return true
		}
	}
	return false
}
