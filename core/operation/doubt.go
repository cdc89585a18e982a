package operation

import (
	"time"

	"github.com/vezne/vezne/core/gateway"
)

// After a backup was restored, nobody knows what was done at gateways since: what had not left may have left, and what was open may
// have been paid. Each operation that is not closed is doubted: its gateway is asked about it, as about news, before anything else
// is done. What was never sent by the database that was restored is known by that: there is no other news of such a one.

// Doubt is an operation about which its gateway has to be asked, since a backup was restored at a moment. A deposit goes on until
// another moment at least: the time in which nobody could pay is nobody's fault. It reports whether the gateway is still to be asked.
func (o Operation) Doubt(since, until, at time.Time) (Operation, bool) {
	if o.Phase == Closed || !o.CuedAt.Before(since) || !o.AnsweredAt.Before(since) {
		return o, false
	}
	o.Version++
	o.LeaseUntil = time.Time{} // whoever had it is of another past
	o.CuedAt, o.CueVersion, o.CueTries, o.NotFound = at, o.Version, 0, 0
	if o.Kind == DepositOperation && !o.DeadlineAt.IsZero() {
		o.DeadlineAt = later(o.DeadlineAt, until)
	}
	o.NextAt = at
	return o, true
}

// IsDoubted reports whether the operation is one of which its database knows that it was not sent, and nobody knows whether it was
// all the same, before a backup was restored.
func (o Operation) IsDoubted() bool { return o.Phase == Planned && o.Tries == 0 && o.IsCued() }

// settleDoubt ends the doubt of an operation that its gateway does not know, after its settling time and on a second look. It reports
// whether that was so: a payout leaves then when staff approve it, as they have not seen what was done after the backup.
func (o *Operation) settleDoubt(a Asked, now time.Time) (ended bool) {
	isGone := a.Err.Class == gateway.NotFound && o.NotFound >= 2 && a.Keys.Find && now.Sub(o.CuedAt) >= a.Keys.Settle
	if !o.IsDoubted() || !isGone {
		return false
	}
	o.dropCue()
	o.AnsweredAt = now
	return true
}
