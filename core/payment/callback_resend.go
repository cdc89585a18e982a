package payment

import (
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
)

// IsResendable reports whether staff may send the callback again: it does not wait, and says what still holds.
func (c Callback) IsResendable() bool { return c.Status != Waiting && c.SupersededAt.IsZero() }

// IsHurriable reports whether staff may have a callback that waits for another attempt sent now: it has failed before, and nobody is
// sending it. One that has not been tried waits for an earlier one at most, and stays behind it.
func (c Callback) IsHurriable(at time.Time) bool {
	return c.Status == Waiting && c.SupersededAt.IsZero() && c.AttemptCount > 0 && !c.LeaseUntil.After(at) && c.NextAttemptAt.After(at)
}

// CheckResend holds a callback against all of its payment's. Faults: Replaced, there is a later one; Outdated, what it
// reports was given back since.
func (c Callback) CheckResend(callbacks []Callback) error {
	const op = "core.Callback.CheckResend"
	if latest, ok := LatestOf(callbacks); ok && latest.ID != c.ID {
		return fault.New(op, fault.Replaced)
	}
	if !c.SupersededAt.IsZero() {
		return fault.New(op, fault.Outdated)
	}
	return nil
}

// Resent is the callback at the beginning of its retry schedule again: the same id and payload, due at once. Where it goes is found at
// the attempt, as always. Only a resendable or hurriable one may be sent again.
func (c Callback) Resent(at time.Time) Callback {
	c.Version++
	c.Status, c.AttemptCount, c.NextAttemptAt, c.LeaseUntil, c.FinishedAt = Waiting, 0, at, time.Time{}, time.Time{}
	return c
}

// DecideResend sends one callback again. Faults: those of CheckResend.
func DecideResend(
	c Callback, callbacks []Callback, p Payment, by core.Actor, reason string, at time.Time, ids *core.IDs,
) (core.Changeset, error) {
	if err := c.CheckResend(callbacks); err != nil {
		return core.Changeset{}, err
	}
	after := c.Resent(at)
	return core.Changeset{
		after,
		core.AuditEntry{
			ID: ids.Next(), At: at, Actor: by, Action: "resendCallback", Target: "payment/" + p.TrackingCode, Reason: reason,
			Before: c.auditState(), After: after.auditState(),
		},
	}, nil
}

func (c Callback) auditState() string {
	return `{"callback":"` + string(c.ID) + `","state":"` + string(c.Status) + `"}`
}

// LatestOf returns the callback with the greatest number of its payment, which is the one that the payment's receiver is to
// believe. False: there is none.
func LatestOf(callbacks []Callback) (latest Callback, ok bool) {
	for _, c := range callbacks {
		if c.Sequence > latest.Sequence {
			latest, ok = c, true
		}
	}
	return latest, ok
}
