// Package owner has whose money moves, and over what: providers, dealers, sites, their keys and customers, bank accounts and
// gateway accounts.
package owner

import (
	"net/netip"
	"strconv"
	"time"

	"github.com/vezne/vezne/core"
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
	SecretKey            core.Secret
	PreviousSecret       PreviousKey
	VerificationKey      core.Secret // the X-Key of E2; empty: any non-empty value is taken
	PreviousVerification PreviousKey
	WebhookSecret        core.Secret // Standard Webhooks, "whsec_…"
	PreviousWebhook      PreviousKey
	IPWhitelist          []netip.Prefix
	URLs                 CallbackURLs
	Language             lang.Tag
	IsCreditCardEnabled  bool
	SignatureMode        SignatureMode // of its requests
	CreatedAt, UpdatedAt time.Time

	CallbackAcknowledgement Acknowledgement // also of callbacks to its sites' own addresses
}

// Identity implements Row.
func (p Provider) Identity() core.Identity {
	return core.Identity{Table: "providers", Key: strconv.FormatInt(p.ID, 10), Version: p.Version}
}

// Event implements core.Eventful.
func (Provider) Event() core.Event { return core.Event{Kind: core.DirectoryChanged} }

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
	Returns
	Brand     Brand // of its payment page
	CreatedAt time.Time
	UpdatedAt time.Time
}

// Identity implements Row.
func (s Site) Identity() core.Identity {
	return core.Identity{Table: "sites", Key: strconv.FormatInt(s.ID, 10), Version: s.Version}
}

// Event implements core.Eventful.
func (Site) Event() core.Event { return core.Event{Kind: core.DirectoryChanged} }

// Dealer processes the manual transactions of the sites assigned to it.
type Dealer struct {
	ID                    int64
	Version               int
	Name                  string
	IsActive              bool
	APIKey                string
	PreviousAPIKey        PreviousKey
	SecretKey             core.Secret
	PreviousSecret        PreviousKey
	IPWhitelist           []netip.Prefix
	IsCreditCardEnabled   bool
	IsEIBANEnabled        bool
	IsManualIBANEnabled   bool
	SignatureMode         SignatureMode // of requests with its own key
	IsIdempotencyRequired bool          // creating calls, its site tokens' too, are refused without an Idempotency-Key
	HandCreditMax         money.Amount  // most that one person may credit by hand; zero: no cap of the dealer's own
	URLs                  CallbackURLs  // of its own payments; transfers use Withdrawal
	Returns                             // of its own card payments
	Brand                 Brand         // of the payment page of its own payments
	CreatedAt, UpdatedAt  time.Time

	CallbackAcknowledgement Acknowledgement
}

// Identity implements Row.
func (d Dealer) Identity() core.Identity {
	return core.Identity{Table: "dealers", Key: strconv.FormatInt(d.ID, 10), Version: d.Version}
}

// Event implements core.Eventful.
func (Dealer) Event() core.Event { return core.Event{Kind: core.DirectoryChanged} }

// SiteToken lets a dealer's website call D1, D2, D3 and D8.
type SiteToken struct {
	ID                   int64
	Version              int
	DealerID             int64
	Name                 string
	IsActive             bool
	Token                string
	PreviousToken        PreviousKey
	SecretKey            core.Secret
	PreviousSecret       PreviousKey
	SignatureMode        SignatureMode // of requests with this token
	CreatedAt, UpdatedAt time.Time
}

// Identity implements Row.
func (t SiteToken) Identity() core.Identity {
	return core.Identity{Table: "site_tokens", Key: strconv.FormatInt(t.ID, 10), Version: t.Version}
}

// Event implements core.Eventful.
func (SiteToken) Event() core.Event { return core.Event{Kind: core.DirectoryChanged} }

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

func (k CustomerKey) rowKey() string { return strconv.FormatInt(k.ProviderID, 10) + "/" + k.UserID }

// NotBlocked is a condition: the customer is not on the block list. Otherwise the commit fails with fault.Blocked.
type NotBlocked CustomerKey

// Identity implements Row.
func (b NotBlocked) Identity() core.Identity {
	return core.Identity{Table: "not_blocked", Key: CustomerKey(b).rowKey(), Version: 1}
}

// Unblock takes a customer off the block list, before Blocks are put on it. The commit fails with fault.Conflict when the
// customer is not on it.
type Unblock CustomerKey

// Identity implements Row.
func (u Unblock) Identity() core.Identity {
	return core.Identity{Table: "unblocks", Key: CustomerKey(u).rowKey(), Version: 1}
}

// Block keeps a customer from creating payments.
type Block struct {
	CustomerKey
	Reason    string
	BlockedBy core.Actor
	BlockedAt time.Time
}

// Identity implements Row.
func (b Block) Identity() core.Identity {
	return core.Identity{Table: "blocks", Key: b.rowKey(), Version: 1}
}

// AllowsAddr reports whether a caller's address is in a whitelist; an empty list allows any. IPv4 in IPv6 form counts
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

// Actor is the provider as the one who acts.
func (p Provider) Actor(addr string) core.Actor {
	return core.Actor{Kind: core.ByProvider, ID: strconv.FormatInt(p.ID, 10), Name: p.Name, Addr: addr}
}

// Actor is the dealer as the one who acts.
func (d Dealer) Actor(addr string) core.Actor {
	return core.Actor{Kind: core.ByDealer, ID: strconv.FormatInt(d.ID, 10), Name: d.Name, Addr: addr}
}
