package core

import "time"

// IsResendable tells whether staff may send the callback again: it waits for nothing.
func (c Callback) IsResendable() bool { return c.State != Waiting }

// Resent is the callback at the foot of its ladder again: the same id and payload, due at once. Where it goes is found at
// the attempt, as always.
func (c Callback) Resent(at time.Time) Callback {
	c.Version++
	c.State, c.Attempts, c.NextAttemptAt, c.LeaseUntil, c.FinishedAt = Waiting, 0, at, time.Time{}, time.Time{}
	return c
}

// DecideResend sends one callback again.
func DecideResend(c Callback, p Payment, by Actor, reason string, at time.Time, ids *IDs) Changeset {
	after := c.Resent(at)
	return Changeset{Callbacks: []Callback{after}, Audit: []AuditEntry{{
		ID: ids.Next(), At: at, By: by, Action: "resendCallback", Target: "payment/" + p.TrackingCode, Reason: reason,
		Before: c.auditState(), After: after.auditState(),
	}}}
}

func (c Callback) auditState() string {
	return `{"callback":"` + string(c.ID) + `","state":"` + string(c.State) + `"}`
}

// LatestOf gives the callback that a payment's receiver is to believe: a payment that staff moved out of its end has two,
// and the first one is not true any more. False: there is none.
func LatestOf(callbacks []Callback) (latest Callback, ok bool) {
	for _, c := range callbacks {
		if c.ID > latest.ID {
			latest, ok = c, true
		}
	}
	return latest, ok
}
