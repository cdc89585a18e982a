// Package payment has the life of payments: methods, statuses and what moves them, credits, callbacks, claims and
// idempotency. A completed deposit names the money behind it.
package payment

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/lang"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/owner"
)

// Payment is one deposit or withdrawal. It is saved with compare-and-set on Version: whole, but for what is written once, with the
// payment: Method, TrackingCode, TokenFingerprint, whose it is (ProviderID, SiteID, SiteName, DealerID), what was asked for
// (RequestedAmount, Language, Reference, ReturnURL, CreatedAt) and what it says of the customer (Customer, IBAN, IsIBANSuspect, Payer, Payee).
type Payment struct {
	ID           core.ID
	Version      int // 1 on creation, one more at every save
	TrackingCode string
	// Token opens the page of a deposit, in its payment_url. It is not stored: only who creates the payment has it, and who
	// finds the payment by it.
	Token            string
	TokenFingerprint string // what is stored of it
	Method           Method
	Status           Status
	ProviderID       int64
	SiteID           int64
	SiteName         string // whom the customer pays: the site, or the dealer of its own payment, as it was at creation
	DealerID         int64  // who processes it; without a provider it is the dealer's own
	Customer         owner.Customer
	Language         lang.Tag // of the creating request; the page starts in it

	RequestedAmount money.Amount // what the provider asked for
	Amount          money.Amount // what counts now: the customer may change it, staff set the final one

	IBAN          string // withdrawals: where the money goes
	IsIBANSuspect bool   // its mod-97 check fails; flagged for staff

	Account owner.OfferedAccount // deposits: where the money is to be paid, once offered

	Payer   CardPayer    // cards
	Payee   Payee        // payouts
	Gateway GatewayState // where a gateway moves the money
	Claim   Claim        // withdrawals: which of the dealer's staff has it

	// Cleared is the amount for which a second person has approved that a withdrawal is paid; zero: none has.
	Cleared money.Amount

	CorrectedAmount money.Amount // what corrections and disputes added to its credit, or took when negative, in all; part of Amount

	Failure Failure // cards that failed

	Reference string       // the caller's own name for it; they need not differ
	ReturnURL string       // where the page leads back to: an address that the site has allowed; empty: nowhere
	PaidBy    gateway.Kind // completed deposits: how the money came; empty: not known
	EndedBy   EndedBy      // without success: who or what ended it

	Reason     string    // of the last decision, when one was given
	ExpiresAt  time.Time // zero: does not expire
	CreatedAt  time.Time
	UpdatedAt  time.Time
	FinishedAt time.Time // zero until final
}

// Prolonged is a payment that ends at a moment at the earliest, and whether that changes anything.
func (p Payment) Prolonged(until, at time.Time) (Payment, bool) {
	if p.Status.IsFinal() || p.ExpiresAt.IsZero() || !p.ExpiresAt.Before(until) {
		return p, false
	}
	p.Version++
	p.ExpiresAt, p.UpdatedAt = until, at
	return p, true
}

// Moves implements Moving: a payment that begins, and one that ends because its time is over.
func (p Payment) Moves() bool { return p.Version == 1 || p.Status == Expired }

// Identity implements Row.
func (p Payment) Identity() core.Identity {
	return core.Identity{Table: "payments", Key: string(p.ID), Version: p.Version}
}

// WakeUps implements Waking: the expiry of a new payment.
func (p Payment) WakeUps() []core.WakeUp {
	if p.Version != 1 || p.ExpiresAt.IsZero() {
		return nil
	}
	return []core.WakeUp{{Kind: core.DuePayments, At: p.ExpiresAt}}
}

// Event implements Eventful.
func (p Payment) Event() core.Event {
	return core.Event{Kind: core.PaymentChanged, ID: p.ID, DealerID: p.DealerID, ProviderID: p.ProviderID, IsNew: p.Version == 1}
}

// CardPayer is what E7 and D8 tell of a card payment beyond the customer. OrderID is Vezne's own, given to the gateway
// as the order's id and to the provider in every answer.
type CardPayer struct {
	OrderID     string `json:"order_id,omitempty"`
	FirstName   string `json:"first_name,omitempty"`
	LastName    string `json:"last_name,omitempty"`
	Email       string `json:"email,omitempty"`
	Phone       string `json:"phone,omitempty"`
	Description string `json:"description,omitempty"`
}

// Payee is where a payout goes, beyond the IBAN: the required_fields of its gateway.
type Payee struct {
	CryptoType    string `json:"crypto_type,omitempty"`    // E14: "USDT (TRC20)"
	WalletAddress string `json:"wallet_address,omitempty"` // E14
	WalletNumber  string `json:"wallet_number,omitempty"`  // E17

	WalletID    int64  `json:"wallet_id,omitempty"`   // D6: the dealer's own wallet that pays
	Recipient   string `json:"recipient,omitempty"`   // D6: recipient_name
	Description string `json:"description,omitempty"` // D6
}

// GatewayState is the gateway account that has the payment. OperationID is the operation that counts now; empty: none is
// under way. Payouts have their gateway from the beginning.
type GatewayState struct {
	GatewayID   int64
	OperationID core.ID
	Refunded    money.Amount // given back so far
	Disputed    money.Amount // what disputes have taken from its credit and not given back
	Disputes    int          // how many disputes are known of it
}

// ReferenceOwner is whose reference is meant: exactly one of the two is set.
type ReferenceOwner struct{ ProviderID, DealerID int64 }

// EndedBy is who or what ended a payment without success, as callbacks and statuses have it in "reason".
type EndedBy string

// Those that end payments.
const (
	EndedByCustomer EndedBy = "customer"
	EndedByStaff    EndedBy = "staff"
	EndedByGateway  EndedBy = "gateway"
	EndedByExpiry   EndedBy = "expired"
	EndedBySystem   EndedBy = "system"
)

// endedBy is who ends a payment with a command; whoever decides it may know better than the command's actor says.
func endedBy(p Payment, c Command, by core.Actor) EndedBy {
	switch {
	case p.isPaid() || p.Status == Refunded:
		return ""
	case p.EndedBy != "":
		return p.EndedBy
	case c == Expire:
		return EndedByExpiry
	case by.Kind == core.ByCustomer:
		return EndedByCustomer
	case by.Kind == core.ByStaff:
		return EndedByStaff
	case by.Kind == core.ByGateway:
		return EndedByGateway
	default:
		return EndedBySystem
	}
}

// paidBy is how the money of a completed deposit came; empty: not known, or there is none.
func (p Payment) paidBy() gateway.Kind {
	switch {
	case !p.IsCredited():
		return ""
	case p.PaidBy != "":
		return p.PaidBy
	case p.Method == ManualDeposit || p.Method == EIBANDeposit:
		return gateway.Bank
	case p.Method == CreditCard:
		return gateway.Card
	default:
		return "" // by a staff member's word
	}
}

// Failure is why a card payment failed, as the callback tells it.
type Failure struct {
	Code    string `json:"code,omitempty"`    // error_code
	Message string `json:"message,omitempty"` // error_message
}

// IsOverdue reports whether a deposit that the customer says is paid waits for staff beyond its time.
func (p Payment) IsOverdue(now time.Time) bool {
	return p.Status == Processing && !p.ExpiresAt.IsZero() && now.After(p.ExpiresAt)
}

// isCleared reports whether a second person has approved that the withdrawal is paid.
func (p Payment) isCleared() bool { return !p.Cleared.IsZero() && !p.Cleared.Less(p.Amount) }

// AuditState is what an audit row says of the payment before and after a decision, as JSON.
func (p Payment) AuditState() string {
	claim := ""
	if p.Claim.StaffID != 0 {
		claim = fmt.Sprintf(`,"claimedBy":%q`, p.Claim.Name)
	}
	if p.Claim.IsAwaiting() {
		claim += `,"awaitsApproval":true`
	}
	if !p.Cleared.IsZero() {
		claim += fmt.Sprintf(`,"clearedAmount":%q`, p.Cleared)
	}
	return fmt.Sprintf(`{"status":%q,"amount":%q%s}`, p.Status, p.Amount, claim)
}

// IsDealers reports whether the payment is a dealer's own and no provider's.
func (p Payment) IsDealers() bool { return p.ProviderID == 0 }

// Creation is what the history begins with. It is not stored: the payment says who asked, when and for how much.
func (p Payment) Creation(by core.Actor) Transition {
	return Transition{
		ID: p.ID, PaymentID: p.ID, At: p.CreatedAt, Actor: by, Command: Create, To: p.Method.Kind().FirstStatus(),
		Amount: p.RequestedAmount,
	}
}

// Key names a payment, and the dealer whose it is. What belongs to a payment is its dealer's, too: where the database is distributed by
// dealer, a look-up that names both is of one node.
type Key struct {
	ID       core.ID
	DealerID int64
}

// Key returns the payment's.
func (p Payment) Key() Key { return Key{p.ID, p.DealerID} }

// TransitionID is which row of a history, and when: a history is in the order of the moments, and those of one moment are in the
// order of their IDs.
type TransitionID struct {
	ID core.ID
	At time.Time
}

// Transition is one row of a payment's history: who, when, from, to, why.
type Transition struct {
	ID        core.ID
	PaymentID core.ID
	At        time.Time
	Actor     core.Actor
	Command   Command
	From, To  Status
	Amount    money.Amount // after the move; of one that leaves the status as it is, what it is about
	Reason    string
}

// Place is the row's place in its history.
func (m Transition) Place() TransitionID { return TransitionID{m.ID, m.At} }

// Identity implements Row.
func (m Transition) Identity() core.Identity {
	return core.Identity{Table: "moves", Key: string(m.ID), Version: 1}
}

// IsIn reports whether the payment is within a scope.
func (p Payment) IsIn(s core.Scope) bool { return s.Has(p.DealerID, p.ProviderID) }

// Note is a row of a payment's history that leaves its status as it is, with the money that it is about: another currency's
// or a coin's stands in the reason.
func (p Payment) Note(command Command, m gateway.Money, by core.Actor, reason string, id TransitionID) Transition {
	amount, err := m.Amount.Amount(p.Amount.Currency())
	isOwn := m.Asset.Code == p.Amount.Currency().Code && err == nil && amount.Minor() >= 0
	switch {
	case m.Amount.Sign() == 0:
		amount = p.Amount
	case !isOwn:
		amount, reason = money.New(0, p.Amount.Currency()), Joined(m.String(), reason)
	}
	return Transition{
		ID: id.ID, PaymentID: p.ID, At: id.At, Actor: by, Command: command, From: p.Status, To: p.Status, Amount: amount,
		Reason: reason,
	}
}

// Joined is what was done, and why if that was said.
func Joined(what, reason string) string {
	if reason == "" {
		return what
	}
	return what + ": " + reason
}

// FailureOf is a refusal as it may be told outside. A code that has no sentence is any other refusal.
func FailureOf(code gateway.ReasonCode, language lang.Tag) Failure {
	public := code.Public()
	if !lang.Has("reason." + string(public)) {
		public = gateway.Declined
	}
	return Failure{Code: string(public), Message: lang.Say(language, "reason."+string(public))}
}

// MayInstead is a payment's status and how it can be called off.
func (p Payment) MayInstead() string {
	var commands []string
	for _, c := range []Command{Reject, Cancel, Fail} {
		if _, err := PathOf(p, c); err == nil {
			commands = append(commands, string(c))
		}
	}
	slices.Sort(commands)
	return string(p.Status) + " → " + strings.Join(commands, ", ")
}
