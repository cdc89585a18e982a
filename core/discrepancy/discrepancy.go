// Package discrepancy has what a gateway says otherwise than Vezne's books: found by operations, settled by staff.
package discrepancy

import (
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/gateway"
)

// DiscrepancyKind says what does not fit.
type DiscrepancyKind string

// Kinds of discrepancies (decisions: Money that arrives after the end).
const (
	LateMoney       DiscrepancyKind = "late"           // paid after the payment ended otherwise
	SurplusMoney    DiscrepancyKind = "surplus"        // paid once more: the payment was paid already
	ShortMoney      DiscrepancyKind = "short"          // less than was due
	OverMoney       DiscrepancyKind = "over"           // more than was due
	OtherMoney      DiscrepancyKind = "other_currency" // another currency or coin
	UnderReview     DiscrepancyKind = "review"         // paid, and held by the gateway's fraud check
	ReversedMoney   DiscrepancyKind = "reversed"       // the gateway took back what it had confirmed, or the bank a line that was credited
	RefundElsewhere DiscrepancyKind = "refund"         // given back at the gateway without Vezne
	Dispute         DiscrepancyKind = "dispute"        // the payer's bank wants the money back
	ReturnedPayout  DiscrepancyKind = "returned"       // a completed payout came back
	LatePayout      DiscrepancyKind = "late_payout"    // paid out after it counted as failed
	MissingPayout   DiscrepancyKind = "missing_payout" // the gateway does not know a payout that was sent
	UnknownOutcome  DiscrepancyKind = "unknown"        // the gateway could not be asked for a day
	CodeWanted      DiscrepancyKind = "code_wanted"    // the payout waits for a second factor
	CreditDiffers   DiscrepancyKind = "credit_differs" // what came for a staff member's word is more, or less, than it
	StuckOperation  DiscrepancyKind = "stuck"          // a payout or refund does not leave, or does not arrive
	UnconfirmedNews DiscrepancyKind = "unconfirmed"    // there was news, and the gateway could not be asked about it for a day
)

// DiscrepancyKinds returns all kinds.
func DiscrepancyKinds() []DiscrepancyKind {
	return []DiscrepancyKind{
		LateMoney, SurplusMoney, ShortMoney, OverMoney, OtherMoney, UnderReview, ReversedMoney, RefundElsewhere, Dispute, ReturnedPayout,
		LatePayout, MissingPayout, UnknownOutcome, CodeWanted, CreditDiffers, StuckOperation, UnconfirmedNews,
	}
}

// DiscrepancyState is where a discrepancy stands.
type DiscrepancyState string

// States of a discrepancy.
const (
	DiscrepancyOpen       DiscrepancyState = "open"
	DiscrepancyAccepted   DiscrepancyState = "accepted"    // staff took the money for the payment
	DiscrepancyRefunding  DiscrepancyState = "refunding"   // being given back
	DiscrepancyRefunded   DiscrepancyState = "refunded"    // given back
	DiscrepancyWrittenOff DiscrepancyState = "written_off" // staff let it be, with a reason
	DiscrepancySettled    DiscrepancyState = "settled"     // resolved by later news, or by a correction of the credit
)

// DiscrepancyStates returns all states.
func DiscrepancyStates() []DiscrepancyState {
	return []DiscrepancyState{
		DiscrepancyOpen, DiscrepancyAccepted, DiscrepancyRefunding, DiscrepancyRefunded, DiscrepancyWrittenOff, DiscrepancySettled,
	}
}

// Discrepancy is money, or the lack of it, that a payment's own course does not account for. None is ever dropped: staff
// decide, or later news settle it.
type Discrepancy struct {
	ID           core.ID
	Version      int
	PaymentID    core.ID
	TrackingCode string
	OperationID  core.ID // empty: it is about a bank line
	GatewayID    int64   // 0 with it
	WalletID     int64   // of the bank line; 0: it is about an operation
	LineID       string  // the bank line that was credited, and that the bank took back
	DealerID     int64   // of the payment, for whose staff see it
	ProviderID   int64   // of the payment, as well
	Kind         DiscrepancyKind
	State        DiscrepancyState
	Expected     gateway.Money
	Seen         gateway.Money // what arrived; zero: nothing
	Detail       string
	RefundID     core.ID // the refund operation, once there is one
	CreatedAt    time.Time
	UpdatedAt    time.Time
	ResolvedBy   core.Actor
	Reason       string // of the resolution
}

// Identity implements Row.
func (d Discrepancy) Identity() core.Identity {
	return core.Identity{Table: "discrepancies", Key: string(d.ID), Version: d.Version}
}

// Event implements Eventful.
func (d Discrepancy) Event() core.Event {
	return core.Event{Kind: core.DiscrepancyNews, ID: d.ID, DealerID: d.DealerID, ProviderID: d.ProviderID, IsNew: d.Version == 1}
}

// IsOpen reports whether it waits for somebody.
func (d Discrepancy) IsOpen() bool {
	return d.State == DiscrepancyOpen || d.State == DiscrepancyRefunding
}

// DiscrepancyQuery asks for discrepancies, newest first. Zero fields do not narrow.
type DiscrepancyQuery struct {
	core.Scope
	ID        core.ID
	States    []DiscrepancyState
	Kinds     []DiscrepancyKind
	GatewayID int64
	After     core.ID // keyset cursor: only older ones
	Limit     int
	IDs       []core.ID // only among these, at most MaxPage; empty: among all
}
