// Package approval has what takes a second person: requests, rules and their decisions.
package approval

import (
	"slices"
	"strings"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/staff"
)

// MaxLapse is the longest time for which a request may wait.
const MaxLapse = 30 * 24 * time.Hour

// DefaultLapse is how long a request waits where nobody has said anything else.
const DefaultLapse = 24 * time.Hour

// Status is where a request stands.
type Status string

// States of a request.
const (
	Waiting   Status = "waiting"
	Approved  Status = "approved"
	Refused   Status = "refused"
	Withdrawn Status = "withdrawn"
	Lapsed    Status = "lapsed"
	Obsolete  Status = "obsolete"
)

// Statuses lists all states.
func Statuses() []Status {
	return []Status{
		Waiting, Approved, Refused, Withdrawn, Lapsed, Obsolete,
	}
}

// Approval is a request of a staff member that a second one has to approve. What was asked is kept whole, and runs when
// it is approved; nothing of it runs before.
type Approval struct {
	ID         core.ID
	Version    int
	Status     Status
	Action     string           // the mutation that was asked for
	Permission staff.Permission // that it needs: of the requester, and of who approves
	Input      core.Secret      // its arguments, as JSON: there may be a gateway's keys in it
	Guards     []core.Guard
	Before     string // as audit rows have it: JSON without secrets
	After      string
	PaymentID  core.ID // the payment that it is about and that had not ended; the request ends with it. Empty: none

	RequesterID   int64
	RequesterName string // as it was at that moment
	RequesterAddr string // from where they asked
	Reason        string
	CreatedAt     time.Time
	ExpiresAt     time.Time

	DecidedBy      int64 // never the requester, of one that is approved or refused; 0: not decided
	DecidedByName  string
	DecidedAt      time.Time
	DecisionReason string
	Result         core.Secret // credentials that it issued, as JSON, until the requester fetches them
}

// Identity implements Row.
func (a Approval) Identity() core.Identity {
	return core.Identity{Table: "approvals", Key: string(a.ID), Version: a.Version}
}

// Event implements Eventful.
func (a Approval) Event() core.Event {
	return core.Event{Kind: core.ApprovalChanged, ID: a.ID, DealerID: a.DealerID(), ProviderID: a.ProviderID(), IsNew: a.Version == 1}
}

// Ref names the request in audit rows.
func (a Approval) Ref() string { return "approval/" + string(a.ID) }

// Holder is the requester as the one who holds the withdrawal that the request is about.
func (a Approval) Holder() payment.Holder {
	return payment.Holder{ApprovalID: a.ID, StaffID: a.RequesterID, Name: a.RequesterName, At: a.CreatedAt, Until: a.ExpiresAt}
}

// Subject is what the request is about, for reading.
func (a Approval) Subject() string {
	if len(a.Guards) == 0 {
		return ""
	}
	return a.Guards[0].Subject
}

// PaymentCodes are the tracking codes of the payments that the request is about.
func (a Approval) PaymentCodes() []string {
	var codes []string
	for _, g := range a.Guards {
		if code, ok := strings.CutPrefix(g.Subject, "payment/"); ok && !slices.Contains(codes, code) {
			codes = append(codes, code)
		}
	}
	return codes
}

// DealerID is the dealer whose staff see the request; 0: no dealer's. What touches two dealers is for neither. Requests are saved by it:
// what it is for some guards must stay, or those that wait are not found any more.
func (a Approval) DealerID() int64 {
	dealer := int64(0)
	for i, g := range a.Guards {
		if i > 0 && g.DealerID != dealer {
			return 0
		}
		dealer = g.DealerID
	}
	return dealer
}

// ProviderID is the provider whose the request is; 0: no provider's. What touches two providers is for neither.
func (a Approval) ProviderID() int64 {
	provider := int64(0)
	for i, g := range a.Guards {
		if i > 0 && g.ProviderID != provider {
			return 0
		}
		provider = g.ProviderID
	}
	return provider
}

// Amount is the money that the request is about; zero: none.
func (a Approval) Amount() gateway.Money {
	for _, g := range a.Guards {
		if g.Amount.Amount.Sign() != 0 {
			return g.Amount
		}
	}
	return gateway.Money{}
}

// HasResult reports whether credentials wait for the requester.
func (a Approval) HasResult() bool { return !a.Result.IsZero() }

// StatusAt is the state at a moment: a request that nobody decided in time has lapsed, whether or not that is kept yet.
func (a Approval) StatusAt(now time.Time) Status {
	if a.Status == Waiting && !now.Before(a.ExpiresAt) {
		return Lapsed
	}
	return a.Status
}

// AuditState is what an audit row says of the request, as JSON.
func (a Approval) AuditState() string { return `{"state":"` + string(a.Status) + `"}` }

// IsVisibleTo reports whether a staff member may see the request. A provider's staff see what they asked for themselves of what is the
// provider's: what the house asks for about them is the house's.
func (a Approval) IsVisibleTo(s staff.Staff) bool {
	scope := s.Scope()
	if scope.ProviderID != 0 {
		return a.RequesterID == s.ID && a.ProviderID() == scope.ProviderID
	}
	return scope.Covers(a.DealerID())
}

// Covers reports whether what was asked for is what would happen now: the same guards, no more and no less.
func (a Approval) Covers(guards []core.Guard) bool { return sameGuards(a.Guards, guards) }

func sameGuards(a, b []core.Guard) bool {
	if len(a) != len(b) {
		return false
	}
	rest := slices.Clone(b)
	for _, g := range a {
		i := slices.Index(rest, g)
		if i < 0 {
			return false
		}
		rest = slices.Delete(rest, i, i+1)
	}
	return true
}

// NeedsApproval is why a changeset was not committed: it has guards that need a second person.
type NeedsApproval struct {
	Guards        []core.Guard
	LapseAfter    time.Duration
	Before, After string        // from the changeset's audit rows
	PaymentID     core.ID       // the payment that it is about and that has not ended; empty: none
	Holds         bool          // that is a withdrawal, which nobody else may pay while the request waits
	Claim         payment.Claim // who has it now
}

// Error says so in logs.
func (n *NeedsApproval) Error() string { return "a second person has to approve this" }

// Verdict is a decision about a request.
type Verdict struct {
	By     staff.Staff
	At     time.Time
	Reason string
}

// Decide approves or refuses a request. Faults: NotFound (another dealer's), Forbidden (the role may not, or may not do
// what was asked for; of what always needs somebody also: they are a dealer's), OwnRequest, ApprovalDecided (also: it has lapsed).
func (a Approval) Decide(to Status, v Verdict) (Approval, error) {
	const op = "core.Approval.Decide"
	if err := a.CheckSecond(v.By); err != nil {
		return a, err
	}
	return a.end(op, to, v)
}

// CheckSecond says why a staff member may not decide about the request; nil: they may. Faults: those of Decide.
func (a Approval) CheckSecond(s staff.Staff) error {
	const op = "core.Approval.CheckSecond"
	if !a.IsVisibleTo(s) {
		return fault.New(op, fault.NotFound)
	}
	for _, permission := range []staff.Permission{staff.DecideApprovals, a.Permission} {
		if err := s.Require(permission); err != nil {
			return err
		}
	}
	if s.ID == a.RequesterID {
		return fault.New(op, fault.OwnRequest)
	}
	if a.isAlways() && !s.IsOfHouse() {
		return fault.New(op, fault.Forbidden)
	}
	return nil
}

// isAlways reports whether the request needs a second person whatever the rules say. That one is of the house: a dealer is an
// outside party, and two of its people are one.
func (a Approval) isAlways() bool {
	return slices.ContainsFunc(a.Guards, func(g core.Guard) bool { return g.IsAlways })
}

// AboutStaff is a request of a staff member about who works here, as far as it says who could approve it.
func AboutStaff(requesterID int64) Approval {
	return Approval{Permission: staff.EditStaff, RequesterID: requesterID, Guards: []core.Guard{{Action: core.GuardStaff}}}
}

// Withdraw takes a request back. Faults: NotFound (somebody else's), ApprovalDecided.
func (a Approval) Withdraw(v Verdict) (Approval, error) {
	const op = "core.Approval.Withdraw"
	if v.By.ID != a.RequesterID {
		return a, fault.New(op, fault.NotFound)
	}
	return a.end(op, Withdrawn, v)
}

func (a Approval) end(op string, to Status, v Verdict) (Approval, error) {
	switch a.StatusAt(v.At) {
	case Waiting:
	default:
		return a, fault.New(op, fault.ApprovalDecided, string(a.StatusAt(v.At)))
	}
	a.Version++
	a.Status, a.DecidedBy, a.DecidedByName = to, v.By.ID, v.By.Email
	a.DecidedAt, a.DecisionReason = v.At, v.Reason
	return a, nil
}

// Lapse ends a request that nobody decided in time; ok is false for any other.
func (a Approval) Lapse(now time.Time) (Approval, bool) {
	if a.Status != Waiting || a.StatusAt(now) != Lapsed {
		return a, false
	}
	a.Version++
	a.Status, a.DecidedAt = Lapsed, now
	return a, true
}

// Obsolete ends a request about a payment that has ended, or that is not any more what it was about; ok is false for one
// that does not wait.
func (a Approval) Obsolete(now time.Time) (Approval, bool) {
	if a.Status != Waiting {
		return a, false
	}
	a.Version++
	a.Status, a.DecidedAt = Obsolete, now
	return a, true
}

// IsFourEyes reports whether the request is one that a store may keep: approved and refused by a second person only.
func (a Approval) IsFourEyes() bool {
	switch a.Status {
	case Approved, Refused:
		return a.DecidedBy != 0 && a.DecidedBy != a.RequesterID
	case Withdrawn:
		return a.DecidedBy == a.RequesterID
	default:
		return a.DecidedBy == 0
	}
}

// Query asks for requests, newest first. Zero fields do not narrow.
type Query struct {
	core.Scope
	Statuses    []Status
	RequesterID int64
	IsOwn       *bool  // whether RequesterID asked, or somebody else; nil: they did, if they are set
	Subject     string // that the first guard is about
	IsOver      bool   // about a payment that had not ended when they were made, and has now
	core.Paging[core.ID]
}
