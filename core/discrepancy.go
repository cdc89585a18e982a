package core

import (
	"slices"
	"time"

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

// Discrepancy is money, or the lack of it, that a payment's own course does not account for. None is ever dropped: staff
// decide, or later news settle it.
type Discrepancy struct {
	ID           ID
	Version      int
	PaymentID    ID
	TrackingCode string
	OperationID  ID     // empty: it is about a bank line
	GatewayID    int64  // 0 with it
	WalletID     int64  // of the bank line; 0: it is about an operation
	LineID       string // the bank line that was credited, and that the bank took back
	DealerID     int64  // of the payment, for whose staff see it
	ProviderID   int64  // of the payment, as well
	Kind         DiscrepancyKind
	State        DiscrepancyState
	Expected     gateway.Money
	Seen         gateway.Money // what arrived; zero: nothing
	Detail       string
	RefundID     ID // the refund operation, once there is one
	CreatedAt    time.Time
	UpdatedAt    time.Time
	ResolvedBy   Actor
	Reason       string // of the resolution
}

// Identity implements Row.
func (d Discrepancy) Identity() Identity {
	return Identity{Table: "discrepancies", Key: string(d.ID), Version: d.Version}
}

// Event implements Eventful.
func (d Discrepancy) Event() News {
	return News{Kind: DiscrepancyNews, ID: d.ID, DealerID: d.DealerID, ProviderID: d.ProviderID, IsNew: d.Version == 1}
}

// IsOpen reports whether it waits for somebody.
func (d Discrepancy) IsOpen() bool {
	return d.State == DiscrepancyOpen || d.State == DiscrepancyRefunding
}

// discrepancies is the work on the ones of a case.
type discrepancies struct {
	c    Case
	d    Decision
	list []Discrepancy // changed or new
}

// open records a discrepancy of the case's operation, or brings the open one of that kind up to date.
func (w *discrepancies) open(kind DiscrepancyKind, seen gateway.Money, detail string) {
	w.openSince(time.Time{}, kind, seen, detail)
}

// openSince is open for what may come again: one that was resolved and is older than a moment was about something else.
func (w *discrepancies) openSince(since time.Time, kind DiscrepancyKind, seen gateway.Money, detail string) {
	o := w.c.Operation
	for _, known := range w.c.Discrepancies {
		isAnother := !known.IsOpen() && known.CreatedAt.Before(since)
		if known.OperationID != o.ID || known.Kind != kind || isAnother {
			continue
		}
		isCorrected := known.State == DiscrepancySettled && known.ResolvedBy.Kind == ByStaff
		if known.Seen == seen && (known.State != DiscrepancySettled || isCorrected) {
			return // known, whether resolved or not
		}
		if known.State == DiscrepancyOpen {
			known.Version++
			known.Seen, known.Detail, known.UpdatedAt = seen, detail, w.d.At
			w.list = append(w.list, known)
			return
		}
	}
	w.list = append(w.list, Discrepancy{
		ID: w.d.IDs.Next(), Version: 1, PaymentID: o.PaymentID, TrackingCode: o.TrackingCode, OperationID: o.ID,
		GatewayID: o.GatewayID, DealerID: w.c.Payment.DealerID, ProviderID: w.c.Payment.ProviderID, Kind: kind,
		State: DiscrepancyOpen, Expected: o.Due, Seen: seen, Detail: detail, CreatedAt: w.d.At, UpdatedAt: w.d.At,
	})
}

// settle closes the operation's open discrepancies of some kinds: later news resolved them.
func (w *discrepancies) settle(why string, kinds ...DiscrepancyKind) {
	for _, known := range w.c.Discrepancies {
		if known.OperationID != w.c.Operation.ID || known.State != DiscrepancyOpen {
			continue
		}
		for _, k := range kinds {
			if known.Kind == k {
				known.Version++
				known.State, known.UpdatedAt, known.ResolvedBy, known.Reason = DiscrepancySettled, w.d.At, System, why
				w.list = append(w.list, known)
			}
		}
	}
}

// hasOpen reports whether the case's operation has an open discrepancy: of these kinds, or of any where none is named.
func (c Case) hasOpen(kinds ...DiscrepancyKind) bool {
	return slices.ContainsFunc(c.Discrepancies, func(d Discrepancy) bool {
		isKind := len(kinds) == 0 || slices.Contains(kinds, d.Kind)
		return d.OperationID == c.Operation.ID && d.IsOpen() && isKind
	})
}
