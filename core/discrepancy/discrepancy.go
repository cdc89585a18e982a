// Package discrepancy has what a gateway says otherwise than Vezne's books: found by operations, settled by staff.
package discrepancy

import (
	"slices"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/gateway"
)

// Kind says what does not fit.
type Kind string

// Kinds of discrepancies (decisions: Money that arrives after the end).
const (
	LateMoney       Kind = "late"           // paid after the payment ended otherwise
	SurplusMoney    Kind = "surplus"        // paid once more: the payment was paid already
	ShortMoney      Kind = "short"          // less than was due
	OverMoney       Kind = "over"           // more than was due
	OtherMoney      Kind = "other_currency" // another currency or coin
	UnderReview     Kind = "review"         // paid, and held by the gateway's fraud check
	ReversedMoney   Kind = "reversed"       // the gateway took back what it had confirmed, or the bank a line that was credited
	RefundElsewhere Kind = "refund"         // given back at the gateway without Vezne
	Dispute         Kind = "dispute"        // the payer's bank wants the money back
	ReturnedPayout  Kind = "returned"       // a completed payout came back
	LatePayout      Kind = "late_payout"    // paid out after it counted as failed
	MissingPayout   Kind = "missing_payout" // the gateway does not know a payout that was sent
	UnknownOutcome  Kind = "unknown"        // the gateway could not be asked for a day
	CodeWanted      Kind = "code_wanted"    // the payout waits for a second factor
	CreditDiffers   Kind = "credit_differs" // what came for a staff member's word is more, or less, than it
	StuckOperation  Kind = "stuck"          // a payout or refund does not leave, or does not arrive
	UnconfirmedNews Kind = "unconfirmed"    // there was news, and the gateway could not be asked about it for a day
)

// Kinds returns all kinds.
func Kinds() []Kind {
	return []Kind{
		LateMoney, SurplusMoney, ShortMoney, OverMoney, OtherMoney, UnderReview, ReversedMoney, RefundElsewhere, Dispute, ReturnedPayout,
		LatePayout, MissingPayout, UnknownOutcome, CodeWanted, CreditDiffers, StuckOperation, UnconfirmedNews,
	}
}

// Status is where a discrepancy stands.
type Status string

// States of a discrepancy.
const (
	Open       Status = "open"
	Accepted   Status = "accepted"    // staff took the money for the payment
	Refunding  Status = "refunding"   // being given back
	Refunded   Status = "refunded"    // given back
	WrittenOff Status = "written_off" // staff let it be, with a reason
	Settled    Status = "settled"     // resolved by later news, or by a correction of the credit
)

// Statuses returns all states.
func Statuses() []Status {
	return []Status{
		Open, Accepted, Refunding, Refunded, WrittenOff, Settled,
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
	Kind         Kind
	Status       Status
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
	return core.Event{Kind: core.DiscrepancyChanged, ID: d.ID, DealerID: d.DealerID, ProviderID: d.ProviderID, IsNew: d.Version == 1}
}

// IsOpen reports whether it waits for somebody.
func (d Discrepancy) IsOpen() bool {
	return d.Status == Open || d.Status == Refunding
}

// Record is what is kept of a new finding: the open discrepancy of its operation and kind brought up to date, or else the finding itself.
// It reports false where the same is known already, whether resolved or not. One that was resolved and is older than a moment was about
// something else; so was one that later news settled.
func Record(known []Discrepancy, found Discrepancy, since time.Time) (d Discrepancy, isNews bool) {
	for _, d := range known {
		isAnother := !d.IsOpen() && d.CreatedAt.Before(since)
		if d.OperationID != found.OperationID || d.Kind != found.Kind || isAnother {
			continue
		}
		isCorrected := d.Status == Settled && d.ResolvedBy.Kind == core.ByStaff
		if d.Seen == found.Seen && (d.Status != Settled || isCorrected) {
			return d, false
		}
		if d.Status == Open {
			d.Version++
			d.Seen, d.Detail, d.UpdatedAt = found.Seen, found.Detail, found.UpdatedAt
			return d, true
		}
	}
	return found, true
}

// Query asks for discrepancies, newest first. Zero fields do not narrow.
type Query struct {
	core.Scope
	ID        core.ID
	Statuses  []Status
	Kinds     []Kind
	GatewayID int64
	// CreatedFrom and CreatedUntil are when it was found, half open.
	CreatedFrom, CreatedUntil time.Time
	IDs                       []core.ID // only among these, at most MaxPage; empty: among all
	core.Paging[core.ID]
}

// Holds reports whether a discrepancy is what the query asks for, wherever its list begins.
func (q Query) Holds(d Discrepancy) bool {
	return q.Has(d.DealerID, d.ProviderID) &&
		(q.ID == "" || q.ID == d.ID) &&
		(len(q.IDs) == 0 || slices.Contains(q.IDs, d.ID)) &&
		(len(q.Statuses) == 0 || slices.Contains(q.Statuses, d.Status)) &&
		(len(q.Kinds) == 0 || slices.Contains(q.Kinds, d.Kind)) &&
		(q.GatewayID == 0 || q.GatewayID == d.GatewayID) &&
		(q.CreatedFrom.IsZero() || !d.CreatedAt.Before(q.CreatedFrom)) &&
		(q.CreatedUntil.IsZero() || d.CreatedAt.Before(q.CreatedUntil))
}
