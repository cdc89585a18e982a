// Package dispute has disputes of deposits (chargebacks): what a gateway says of each, and what that takes from a payment's
// credit and gives back to it.
package dispute

import (
	"slices"
	"strconv"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
)

// Dispute is one dispute as a gateway tells it. It is kept as soon as it is named, and asked about from then on. There may be
// several of one payment. GatewayID and ExternalID together are unique.
type Dispute struct {
	ID         core.ID
	Version    int
	GatewayID  int64
	ExternalID string // the gateway's own

	// Of the payment that is disputed; empty and 0 until it is known, and for good where it is none of ours.
	PaymentID    core.ID
	TrackingCode string
	OperationID  core.ID
	DealerID     int64
	ProviderID   int64

	State       gateway.DisputeState
	RawState    string
	Reason      gateway.DisputeReason
	RawReason   string
	Amount      gateway.Money // what the payer disputes
	Withdrawn   gateway.Money // at the gateway, in all
	Reinstated  gateway.Money // at the gateway, in all
	Fee         gateway.Money // of the gateway, in all; the payment's credit does not bear it
	EvidenceDue time.Time     // zero: none is taken
	OpenedAt    time.Time     // at the gateway
	EndedAt     time.Time     // since when it is over; zero: it is not

	// What it has done to the payment's credit, in the payment's currency.
	Taken     money.Amount // in all; never more than was withdrawn
	Returned  money.Amount // in all; never more than Taken
	Covered   money.Amount // withdrawn, and taken by staff in a correction already
	Uncovered money.Amount // withdrawn, and not taken: the credit did not have it any more

	Accepted    Acceptance   // that staff concede it; zero: they have not
	Submissions []Submission // evidence of staff's, oldest first; never changed in place

	CreatedAt  time.Time
	UpdatedAt  time.Time
	NextAt     time.Time // when the gateway is asked next; zero: it is not
	LeaseUntil time.Time

	AnsweredVersion int    // Version with which the question was begun whose answer was taken last; 0: none was
	Failures        int    // questions without an answer since the last one that had one
	Trouble         string // why the last one had none; empty: it had
}

// Identity implements Row.
func (d Dispute) Identity() core.Identity {
	return core.Identity{Table: "disputes", Key: string(d.ID), Version: d.Version}
}

// WakeUps implements Waking.
func (d Dispute) WakeUps() []core.WakeUp { return wakeUps(d.GatewayID, d.NextAt, d.LeaseUntil) }

func wakeUps(gatewayID int64, next, lease time.Time) []core.WakeUp {
	if next.IsZero() {
		return nil
	}
	if lease.After(next) {
		next = lease
	}
	return []core.WakeUp{{Kind: core.DueDisputes, GatewayID: gatewayID, At: next}}
}

// moves says to which states each leads. A payer's bank may open again what was won, and a scheme may overturn what was lost.
// What the table has not contradicts what was said before.
var moves = map[gateway.DisputeState][]gateway.DisputeState{
	gateway.DisputeUnknown: {
		gateway.DisputeInquiry, gateway.DisputeNeedsResponse, gateway.DisputeUnderReview, gateway.DisputeWon, gateway.DisputeLost,
		gateway.DisputeClosed,
	},
	gateway.DisputeInquiry: {
		gateway.DisputeNeedsResponse, gateway.DisputeUnderReview, gateway.DisputeWon, gateway.DisputeLost, gateway.DisputeClosed,
	},
	gateway.DisputeNeedsResponse: {gateway.DisputeUnderReview, gateway.DisputeWon, gateway.DisputeLost, gateway.DisputeClosed},
	gateway.DisputeUnderReview:   {gateway.DisputeNeedsResponse, gateway.DisputeWon, gateway.DisputeLost, gateway.DisputeClosed},
	gateway.DisputeWon:           {gateway.DisputeNeedsResponse, gateway.DisputeUnderReview, gateway.DisputeLost},
	gateway.DisputeLost:          {gateway.DisputeWon},
	gateway.DisputeClosed:        {gateway.DisputeNeedsResponse, gateway.DisputeUnderReview, gateway.DisputeWon, gateway.DisputeLost},
}

// CanBecome reports whether a dispute in one state may be in another when it is asked about next.
func CanBecome(from, to gateway.DisputeState) bool {
	return from == to || slices.Contains(moves[from], to)
}

// Named is a dispute of which nothing but its name is known: the gateway is asked at once.
func Named(gatewayID int64, externalID string, id core.ID, at time.Time) Dispute {
	return Dispute{
		ID: id, Version: 1, GatewayID: gatewayID, ExternalID: externalID, State: gateway.DisputeUnknown, CreatedAt: at, UpdatedAt: at,
		NextAt: at,
	}
}

// Cued is a dispute of which there is news: the gateway is asked at once.
func (d Dispute) Cued(at time.Time) Dispute {
	d.Version++
	d.NextAt, d.Failures = at, 0
	return d
}

// Doubt is a dispute about which its gateway has to be asked, since a backup was restored: nobody knows what became of it afterwards. It
// reports whether it is not due already.
func (d Dispute) Doubt(at time.Time) (Dispute, bool) {
	if d.NextAt.IsZero() || !d.NextAt.After(at) && !d.LeaseUntil.After(at) {
		return d, false
	}
	d = d.Cued(at)
	d.LeaseUntil = time.Time{} // whoever had it is of another past
	return d, true
}

// IsUnanswered reports whether the gateway has not answered yet what was asked last: it is to be asked, or has failed to say. That it
// knows no such dispute is an answer.
func (d Dispute) IsUnanswered(now time.Time) bool {
	isDue := !d.NextAt.IsZero() && (!d.NextAt.After(now) || d.LeaseUntil.After(now))
	return isDue || d.Failures > 0 && !d.NextAt.IsZero() && d.Trouble != string(gateway.NotFound)
}

// HandedBack is a dispute whose worker stops before it has begun: another one may work on it at once.
func (d Dispute) HandedBack() Dispute {
	d.Version++
	d.LeaseUntil = time.Time{}
	return d
}

// How often the gateway is asked about a dispute. Its notifications only make news come sooner.
const (
	askOpen   = 6 * time.Hour
	askUrgent = time.Hour // where evidence is due soon
	urgent    = 48 * time.Hour
	askSent   = 10 * time.Minute // where evidence is not seen yet
	askEnded  = 7 * 24 * time.Hour
	watchFor  = 120 * 24 * time.Hour // what has ended: as long as a card scheme commonly lets a payer go on
	mostWait  = 6 * time.Hour        // between questions that have no answer
	// neverFound is how often a dispute that the gateway has never answered about is asked about when it does not know it.
	neverFound = 8
)

// schedule sets when the gateway is asked next.
func (d *Dispute) schedule(now time.Time) {
	d.LeaseUntil = time.Time{}
	wait := askOpen
	switch {
	case d.State.IsOver() && now.Sub(d.EndedAt) >= watchFor:
		d.NextAt = time.Time{}
		return
	case d.State.IsOver():
		wait = askEnded
	case d.IsToAnswer():
		wait = askSent
	case d.EvidenceDue.After(now) && d.EvidenceDue.Sub(now) <= urgent:
		wait = askUrgent
	}
	d.NextAt = now.Add(wait)
}

// NoAnswer is a dispute after a question that brought no answer. Nothing is concluded from it, but that a name which the gateway
// has never known is none.
func (d Dispute) NoAnswer(e *gateway.Error, now time.Time) Dispute {
	d.Version++
	d.Failures++
	d.Trouble, d.LeaseUntil = string(e.Class), time.Time{}
	wait := max(min(time.Minute<<min(d.Failures, 10), mostWait), min(e.RetryAfter, mostWait))
	d.NextAt = now.Add(wait)
	if e.Class == gateway.NotFound && d.AnsweredVersion == 0 && d.Failures >= neverFound {
		d.NextAt = time.Time{}
	}
	return d
}

// Listing is how far the disputes of a gateway account are listed. It finds what no notification has named.
type Listing struct {
	GatewayID   int64
	Version     int
	ListedUntil time.Time // everything that was opened before is known
	NextAt      time.Time
	LeaseUntil  time.Time
	Failures    int
	Trouble     string // why the last one failed; empty: it did not
}

// Identity implements Row.
func (l Listing) Identity() core.Identity {
	return core.Identity{Table: "dispute_listings", Key: strconv.FormatInt(l.GatewayID, 10), Version: l.Version}
}

// WakeUps implements Waking.
func (l Listing) WakeUps() []core.WakeUp { return wakeUps(l.GatewayID, l.NextAt, l.LeaseUntil) }

// Times of listing. A dispute may show some time after it was opened.
const (
	listEvery   = time.Hour
	listOverlap = 24 * time.Hour
)

// NewListing lists what is opened from a moment on.
func NewListing(gatewayID int64, now time.Time) Listing {
	return Listing{GatewayID: gatewayID, Version: 1, ListedUntil: now, NextAt: now}
}

// Window is what is listed next.
func (l Listing) Window(now time.Time) gateway.Window {
	return gateway.Window{From: l.ListedUntil.Add(-listOverlap), To: now}
}

// Listed is the listing after everything until a moment was listed.
func (l Listing) Listed(until, now time.Time) Listing {
	l.Version++
	l.ListedUntil, l.NextAt, l.LeaseUntil, l.Failures, l.Trouble = until, now.Add(listEvery), time.Time{}, 0, ""
	return l
}

// Failed is the listing after one that failed.
func (l Listing) Failed(why string, now time.Time) Listing {
	l.Version++
	l.Failures++
	l.Trouble, l.LeaseUntil = why, time.Time{}
	l.NextAt = now.Add(min(time.Minute<<min(l.Failures, 10), listEvery))
	return l
}

// Doubt is a listing that is due at once, since a backup was restored: it begins where it was then. It reports whether it is not due
// already.
func (l Listing) Doubt(at time.Time) (Listing, bool) {
	if !l.NextAt.After(at) && !l.LeaseUntil.After(at) {
		return l, false
	}
	l.Version++
	l.NextAt, l.LeaseUntil, l.Failures = at, time.Time{}, 0
	return l, true
}

// HandedBack is a listing whose worker stops before it has begun.
func (l Listing) HandedBack() Listing {
	l.Version++
	l.LeaseUntil = time.Time{}
	return l
}

// Sort is an order of disputes.
type Sort string

// Orders of disputes.
const (
	NewestFirst   Sort = "created_desc"
	DeadlineFirst Sort = "evidence_due_asc" // those that have a deadline for evidence, nearest first
)

// Sorts lists all orders.
func Sorts() []Sort { return []Sort{NewestFirst, DeadlineFirst} }

// Query asks for disputes, newest first. Zero fields do not narrow.
type Query struct {
	core.Scope
	ID        core.ID
	States    []gateway.DisputeState
	Reasons   []gateway.DisputeReason
	GatewayID int64
	core.Paging[core.ID]
}
