// Package epoch tells apart two databases that have one past: the one that was lost, and the one that was restored from a
// backup of it. A restored one is frozen until what happened after the backup is known, as far as anybody can say.
package epoch

import (
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/vezne/vezne/core"
)

// State is what an installation does.
type State string

// States.
const (
	Live   State = "live"
	Frozen State = "frozen" // no money moves: nothing is created, paid out, expired or reported
)

// Cause is why an installation was frozen.
type Cause string

// Causes.
const (
	Restored Cause = "restored" // an operator said that a backup was restored
	Behind   Cause = "behind"   // the database lacks what was recorded outside of it
	Copied   Cause = "copied"   // the database is on another server than the one that it was recorded to be on
)

// Row is the key of the one row that there is.
const Row = "1"

// Epoch is which of the databases of one past this is. Each restore begins the next one.
type Epoch struct {
	Version      int
	Installation string // of all epochs of one past; it never changes
	Name         string // of this epoch alone: two restored from one backup have the same number and other names
	Number       int64  // 1 is the first
	State        State
	Cause        Cause     // of the last freeze; empty: there was none
	RestoredTo   time.Time // the moment of the last commit that the database had when it was frozen; zero: it never was
	LostUntil    time.Time // up to which the database that was lost is known to have been at work; zero: nothing outside knew it
	FrozenAt     time.Time
	AskedAt      time.Time // since when nothing is left to be asked of gateways and banks; zero: something is
	ThawedAt     time.Time
}

// Identity implements Row.
func (e Epoch) Identity() core.Identity {
	return core.Identity{Table: "epochs", Key: Row, Version: e.Version}
}

// Ref names the epoch in audit rows and requests.
func (e Epoch) Ref() string { return "epoch/" + e.Name }

// Freeze names the last freeze, also after its thaw: an epoch may be frozen more than once, and has another name after some thaws.
func (e Epoch) Freeze() string { return "freeze/" + e.FrozenAt.UTC().Format(time.RFC3339Nano) }

// IsFrozen reports whether no money may move.
func (e Epoch) IsFrozen() bool { return e.State == Frozen }

// Beside implements Guarded.
func (e Epoch) Beside() []core.Identity { return core.Replaced(e) }

// Guards implements Guarded: two people let money move again, whatever the rules say.
func (e Epoch) Guards(in core.Judged) []core.Guard {
	before, _ := core.Before(in, e)
	if !before.IsFrozen() || e.IsFrozen() {
		return nil
	}
	return []core.Guard{{Action: core.GuardThaw, Subject: e.Freeze(), IsAlways: true}}
}

// MayRepeat reports whether what is told of a payment may have been told by the database that was lost: it was there already when
// the backup of it was taken. The moment is that of the state that was restored.
func (e Epoch) MayRepeat(payment core.ID) (restoredTo time.Time, ok bool) {
	made, isID := payment.Time()
	if e.RestoredTo.IsZero() || !isID || made.After(e.FrozenAt) {
		return time.Time{}, false
	}
	return e.RestoredTo, true
}

// auditState is an epoch in the audit log.
type auditState struct {
	Number     int64     `json:"number"`
	Name       string    `json:"name"`
	State      State     `json:"state"`
	Cause      Cause     `json:"cause,omitempty"`
	RestoredTo time.Time `json:"restored_to,omitzero"`
	LostUntil  time.Time `json:"lost_until,omitzero"`
}

// AuditState is the epoch as audit rows have it.
func (e Epoch) AuditState() string {
	return core.AuditJSON(auditState{e.Number, e.Name, e.State, e.Cause, e.RestoredTo, e.LostUntil})
}

// Freeze is the epoch from a moment on at which it was found to be an earlier state. What was frozen already goes on being asked
// about from the beginning. By an operator's word it is the next epoch, which takes the place of the one before at once; what a
// process has found by itself may be a copy that somebody started by mistake, and takes nobody's place until it is thawed.
func Freeze(e Epoch, cause Cause, restoredTo time.Time, at time.Time, name string) Epoch {
	e.Version++
	e.State, e.Cause, e.FrozenAt, e.AskedAt, e.ThawedAt, e.LostUntil = Frozen, cause, at, time.Time{}, time.Time{}, time.Time{}
	if e.RestoredTo = restoredTo; restoredTo.IsZero() || restoredTo.After(at) {
		e.RestoredTo = at
	}
	if cause == Restored {
		e.Number++
		e.Name = name
	}
	return e
}

// Lost is a frozen epoch of which is known how far the database was that it takes the place of, by what was recorded outside of it: people
// see by that how much is undone, and whether an older backup was chosen than there was. It reports whether that is news.
func (e Epoch) Lost(own, recorded Mark) (Epoch, bool) {
	isOther := recorded.Installation == own.Installation && (recorded.Epoch < own.Epoch || recorded.Name == own.Name && recorded.Number > own.Number)
	if !e.IsFrozen() || !isOther || !recorded.At.After(e.RestoredTo) || !recorded.At.After(e.LostUntil) {
		return e, false
	}
	e.Version++
	e.LostUntil = recorded.At
	return e, true
}

// Thaw is the epoch from the moment on at which money may move again. One that took nobody's place takes it now.
func Thaw(e Epoch, at time.Time, name string) Epoch {
	e.Version++
	if e.Cause != Restored {
		e.Number++
		e.Name = name
	}
	e.State, e.ThawedAt = Live, at
	return e
}

// nameBytes are the random ones of a name.
const nameBytes = 16

// NewName makes the name of an epoch from randomness.
func NewName(random io.Reader) (string, error) {
	name := make([]byte, nameBytes)
	if _, err := io.ReadFull(random, name); err != nil {
		return "", err
	}
	return fmt.Sprintf("%x", name), nil
}

// tablesOfStaff are what staff may change while money may not move: who works here, what waits for a second person, what was looked
// at, and the restore itself.
var tablesOfStaff = []core.Table{
	"staff", "sessions", "factors", "passkeys", "challenges", "invitations", "staff_profiles", "saved_views",
	"approvals", "approval_rules", "running_totals", "idempotency", "audit", "jobs", "job_chunks", "epochs", "remains",
}

// MayStaff reports whether staff may make a changeset while money may not move.
func MayStaff(c core.Changeset) bool {
	return !slices.ContainsFunc(c, func(row core.Row) bool { return !slices.Contains(tablesOfStaff, row.Identity().Table) })
}
