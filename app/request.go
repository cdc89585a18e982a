package app

import (
	"context"
	"strings"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/lang"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/staff"
)

// Request is who asks for something to be done, from where, and why. The zero value is a member of staff who may do nothing.
type Request struct {
	Staff   staff.Staff
	Session staff.Session // in which the member asks
	Addr    string
	Reason  string // empty where none is asked for

	by      core.Actor     // who acts where it is no member of staff
	seen    int            // version of the payment that is decided about; 0: any
	through StaffCommitter // what the changes are committed through; nil: what the unit of work has for staff
}

// By is the request of somebody who is no member of staff: a customer, a provider, a gateway, the service itself or its
// command line. Nobody asks for permissions of theirs: whoever makes such a request has checked what they may do.
func By(actor core.Actor) Request { return Request{by: actor} }

// BySystem is what the service does by itself.
var BySystem = By(core.System)

// IsStaff reports whether a member of staff asks.
func (r Request) IsStaff() bool { return r.by.Kind == "" }

// Actor is who acts, as history and audit rows have it.
func (r Request) Actor() core.Actor {
	if r.IsStaff() {
		return r.Staff.Actor(r.Addr)
	}
	return r.by
}

// Require refuses a member of staff who has not got a permission. Fault: Forbidden.
func (r Request) Require(p staff.Permission) error {
	if !r.IsStaff() {
		return nil
	}
	return r.Staff.Require(p)
}

// Scope is whose rows the request may see and change.
func (r Request) Scope() core.Scope {
	if !r.IsStaff() {
		return core.Scope{}
	}
	return r.Staff.Scope()
}

// Checked returns the request with its reason as it is kept. Fault: Invalid.
func (r Request) Checked() (Request, error) {
	reason, err := core.CheckReason(r.Reason, MaxReasonChars)
	r.Reason = reason
	return r, err
}

// Because returns the request with another reason: one that nobody sees is none.
func (r Request) Because(reason string) Request {
	r.Reason = strings.TrimSpace(lang.Bare(reason))
	return r
}

// Through returns the request with what its changes are committed through instead of what the unit of work has for staff.
func (r Request) Through(c StaffCommitter) Request {
	r.through = c
	return r
}

// Expecting returns the request of somebody who saw a payment as a version of it; 0: whatever it is.
func (r Request) Expecting(version int) Request {
	r.seen = version
	return r
}

// CheckSeen refuses a decision about a payment that is not any more what whoever decides has seen. Fault: Moved.
func (r Request) CheckSeen(p payment.Payment) error {
	if r.seen == 0 || r.seen == p.Version {
		return nil
	}
	return fault.New("app.Request.CheckSeen", fault.Moved)
}

// StaffCommitter commits what a member of staff asks for, as far as they may.
type StaffCommitter interface {
	CommitFor(ctx context.Context, by Request, change core.Changeset) error
}

// CommitFor makes a changeset durable for whoever asks for it, and wakes whom it concerns. What staff ask for goes through
// the rules for staff, whatever it is.
func (u *UnitOfWork) CommitFor(ctx context.Context, by Request, change core.Changeset) error {
	if !by.IsStaff() {
		return u.Commit(ctx, change)
	}
	if err := u.Carrier(by).CommitFor(ctx, by, change); err != nil {
		return err
	}
	u.wake(change)
	return nil
}

// CommitEntry is CommitFor of a change with the audit row of who asks for it, which says what was done to what, and when; now,
// if it does not say.
func (u *UnitOfWork) CommitEntry(ctx context.Context, by Request, entry core.AuditEntry, change core.Changeset) error {
	if entry.At.IsZero() {
		entry.At = u.Clock.Now()
	}
	ids, err := core.NewIDs(entry.At, u.Random)
	if err != nil {
		return fault.E("app.UnitOfWork.CommitEntry", fault.Internal, err)
	}
	entry.ID, entry.Actor = ids.Next(), by.Actor()
	return u.CommitFor(ctx, by, append(change, entry))
}

// Carrier returns what commits for a member of staff.
func (u *UnitOfWork) Carrier(by Request) StaffCommitter {
	if by.through != nil {
		return by.through
	}
	return u.Staff
}
