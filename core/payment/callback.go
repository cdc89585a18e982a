package payment

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/lang"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/owner"
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

	// Of a dealer's other payments, Vezne's own addition to the contract.

	DealerDepositCallback    CallbackKind = "dealer_deposit"    // D2
	DealerWithdrawalCallback CallbackKind = "dealer_withdrawal" // D3
	DealerTransferCallback   CallbackKind = "dealer_transfer"   // D6
)

// CallbackStatus is where a callback stands.
type CallbackStatus string

// States of a callback. A waiting one has a NextAttemptAt; only staff bring a failed or skipped one back.
const (
	Waiting       CallbackStatus = "waiting"
	Delivered     CallbackStatus = "delivered"
	Undeliverable CallbackStatus = "failed"     // every attempt of the retry schedule failed
	Skipped       CallbackStatus = "skipped"    // no URL was set for its kind
	Superseded    CallbackStatus = "superseded" // it waited when what it reports stopped being true, and is not sent any more
)

// CallbackStatuses lists all statuses of callbacks.
func CallbackStatuses() []CallbackStatus {
	return []CallbackStatus{Waiting, Delivered, Undeliverable, Skipped, Superseded}
}

// Callback is one outbox row, written in the commit that changed the payment. Where it stands is saved with compare-and-set on Version; what
// it reports, of what and to whom is written once.
//
// Callbacks of one payment are sent in order: the commit that writes a later one, or that makes what the latest reports
// untrue, supersedes the earlier one by compare-and-set. A superseded callback never waits again, whatever its state.
type Callback struct {
	ID            core.ID
	Version       int
	PaymentID     core.ID
	Sequence      int // 1 is the payment's first, the next one has one more
	ProviderID    int64
	SiteID        int64
	DealerID      int64 // of a dealer's own payment; then there is no provider
	Kind          CallbackKind
	Receiver      string // which configured endpoint it goes to: the unit of isolation
	Status        CallbackStatus
	Payload       Payload
	AttemptCount  int       // made so far on the present retry schedule
	NextAttemptAt time.Time // when waiting
	LeaseUntil    time.Time // a worker has it until then; of a superseded one: a worker may be sending it until then
	CreatedAt     time.Time
	FinishedAt    time.Time
	SupersededAt  time.Time  // since when it is not what the payment's receiver is to believe; zero: it is
	Trace         core.Trace // of the commit that wrote it

	// RestoredTo is known when an attempt is made, and is not stored: what is told may have been told before, since Vezne has been
	// restored to its state of this moment; zero: it was not.
	RestoredTo time.Time
}

// Identity implements Row.
func (c Callback) Identity() core.Identity {
	return core.Identity{Table: "callbacks", Key: string(c.ID), Version: c.Version}
}

// TracedBy implements Traced: a callback keeps what it was written by.
func (c Callback) TracedBy(span core.Trace) core.Row {
	if c.Version == 1 {
		c.Trace = span
	}
	return c
}

// WakeUps implements Waking: the receiver's deliveries.
func (c Callback) WakeUps() []core.WakeUp {
	if c.Status != Waiting {
		return nil
	}
	return []core.WakeUp{{Kind: core.DueCallbacks, Receiver: c.Receiver, At: c.NextAttemptAt}}
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
	Correction   Correction
	Dispute      DisputeNote
	Reference    string       // the caller's own
	EndedBy      EndedBy      // without success
	PaidBy       gateway.Kind // completed deposits
}

// Correction is what a callback says besides when it corrects an amount that was reported before.
type Correction struct {
	IsSet          bool
	PreviousAmount money.Amount // what the callback before it reported
}

// DisputeNote is what a callback says besides of the dispute that it is about. The amounts are in the payment's currency.
type DisputeNote struct {
	ID          core.ID // empty: it is about none
	State       gateway.DisputeState
	Reason      gateway.DisputeReason
	Amount      money.Amount // what the payer disputes
	Withdrawn   money.Amount // taken from the payment's amount because of it so far
	Reinstated  money.Amount // given back to the payment's amount so far
	EvidenceDue time.Time    // zero: none is taken
}

// PreviousAmount is the amount that was reported before, where the callback corrects it; nil: it corrects none.
func (c Callback) PreviousAmount() *money.Amount {
	if !c.Payload.Correction.IsSet {
		return nil
	}
	return &c.Payload.Correction.PreviousAmount
}

// CardPayload is what a credit card callback reports besides.
type CardPayload struct {
	OrderID       string    `json:"order_id,omitempty"`
	CustomerName  string    `json:"customer_name,omitempty"`
	CustomerEmail string    `json:"customer_email,omitempty"`
	CustomerPhone string    `json:"customer_phone,omitempty"` // dealers'
	FinishedAt    time.Time `json:"finished_at,omitzero"`     // dealers'
	Language      lang.Tag  `json:"language,omitempty"`       // dealers': of status_message
	ErrorCode     string    `json:"error_code,omitempty"`     // failed only
	ErrorMessage  string    `json:"error_message,omitempty"`  // failed only
}

// Target is where a callback of some kind goes now. An empty URL: none is set.
type Target struct {
	Receiver string
	URL      string
}

// TargetOf finds the URL for a kind of callback: the site's own, else the provider's. E-IBAN deposits use
// deposit_callback_url when one is set, and callback_url otherwise (decisions: Callback URLs).
func TargetOf(p owner.Provider, s owner.Site, kind CallbackKind) Target {
	owners := []struct {
		name string
		urls owner.CallbackURLs
	}{{fmt.Sprintf("site/%d", s.ID), s.URLs}, {fmt.Sprintf("provider/%d", p.ID), p.URLs}}
	kinds := []CallbackKind{kind}
	if kind == EIBANDepositCallback {
		kinds = append(kinds, DepositCallback)
	}
	for _, k := range kinds {
		for _, o := range owners {
			if url := urlOf(o.urls, k); url != "" {
				return Target{Receiver: o.name + "/" + string(k), URL: url}
			}
		}
	}
	return Target{Receiver: owners[1].name + "/" + string(kind)}
}

func urlOf(u owner.CallbackURLs, kind CallbackKind) string {
	switch kind {
	case DepositCallback, DealerDepositCallback:
		return u.Deposit
	case EIBANDepositCallback:
		return u.EIBANDeposit
	case WithdrawalCallback, DealerWithdrawalCallback, DealerTransferCallback:
		return u.Withdrawal
	case CreditCardCallback, DealerCardCallback:
		return u.CreditCard
	default:
		return ""
	}
}

// TargetOfDealer finds the URL for a callback about a dealer's own payment.
func TargetOfDealer(d owner.Dealer, kind CallbackKind) Target {
	return Target{Receiver: fmt.Sprintf("dealer/%d/%s", d.ID, kind), URL: urlOf(d.URLs, kind)}
}

// CallbackKind is the kind of callback that reports a payment's outcome; empty: none does.
func (p Payment) CallbackKind() CallbackKind {
	if !p.IsDealers() {
		return p.Method.Callback()
	}
	return map[Method]CallbackKind{
		ManualDeposit: DealerDepositCallback, ManualWithdrawal: DealerWithdrawalCallback, CreditCard: DealerCardCallback,
		EIBANTransfer: DealerTransferCallback,
	}[p.Method]
}

// reports are the callback rows of a payment that has just become final, or whose amount was corrected: the new one, then
// the one that it supersedes. A payment of which nobody is told has none.
func reports(p Payment, correction Correction, d Decision) []Callback {
	if p.CallbackKind() == "" {
		return nil
	}
	cb := newCallback(d.IDs.Next(), p, d.Target, d.Schedule)
	cb.Payload.Correction = correction
	old := Supersede(&cb, d.Callbacks, d.At)
	return append([]Callback{cb}, old...)
}

// Tell returns the callback rows of a payment that stays as it is, and of which something else is to be told: the new one, then
// the one that it supersedes.
func Tell(p Payment, d Decision) []Callback { return reports(p, Correction{}, d) }

// Supersede ends what the payment's latest callback reports, because of the next one or, where that is nil, because of a
// refund. The next one has the next number and is not due before any earlier one that a worker may be sending has left it.
func Supersede(next *Callback, callbacks []Callback, at time.Time) []Callback {
	latest, ok := LatestOf(callbacks)
	if next != nil {
		next.Sequence = latest.Sequence + 1
		for i := range callbacks {
			if next.Status == Waiting && next.NextAttemptAt.Before(callbacks[i].LeaseUntil) {
				next.NextAttemptAt = callbacks[i].LeaseUntil
			}
		}
	}
	if !ok || !latest.SupersededAt.IsZero() {
		return nil
	}
	latest.Version++
	latest.SupersededAt = at
	if latest.Status == Waiting {
		latest.Status, latest.NextAttemptAt, latest.FinishedAt = Superseded, time.Time{}, at
	}
	return []Callback{latest}
}

// newCallback is the outbox row that reports a payment as it is, the first one of its payment.
func newCallback(id core.ID, p Payment, t Target, schedule RetrySchedule) Callback {
	cb := Callback{
		ID: id, Version: 1, PaymentID: p.ID, Sequence: 1, ProviderID: p.ProviderID, SiteID: p.SiteID,
		Kind: p.CallbackKind(), Receiver: t.Receiver, Status: Waiting, CreatedAt: p.UpdatedAt,
		NextAttemptAt: p.UpdatedAt.Add(schedule.first()),
		Payload: Payload{
			TrackingCode: p.TrackingCode, Status: p.Status, Amount: p.Amount, Username: p.Customer.Username,
			Fullname: p.Customer.Fullname, UserID: p.Customer.UserID, SiteID: p.SiteID,
			Reference: p.Reference,
		},
	}
	if p.Status == Canceled { // other statuses tell by themselves
		cb.Payload.EndedBy = p.EndedBy
	}
	if len(p.Method.Ways()) > 1 { // which kind the customer chose; other methods tell by themselves
		cb.Payload.PaidBy = p.PaidBy
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
	case Transfer:
		cb.Payload.IBAN, cb.Payload.Fullname = p.IBAN, cmp.Or(p.Payee.Recipient, p.Customer.Fullname)
	case Deposit:
	}
	if p.IsDealers() {
		cb.Payload.Card.FinishedAt = p.FinishedAt
	}
	if t.URL == "" {
		cb.Status, cb.NextAttemptAt = Skipped, time.Time{}
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
			cancelled := FailureOf(gateway.CanceledByPayer, p.Language)
			c.ErrorCode, c.ErrorMessage = cancelled.Code, cancelled.Message
		}
	}
	if p.Status == Failed {
		c.ErrorCode, c.ErrorMessage = p.Failure.Code, p.Failure.Message
	}
	return c
}

// Event implements Eventful.
func (c Callback) Event() core.Event {
	return core.Event{Kind: core.CallbackChanged, ID: c.ID, DealerID: c.DealerID, ProviderID: c.ProviderID, IsNew: c.Version == 1}
}
