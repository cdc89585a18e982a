package operation

import (
	"time"
)

// When an operation is asked about next. Polling is the base: returns and notifications only make news come sooner.
//
// An open deposit is asked often at first, when the customer is paying, and at the payment's end; what has ended is
// watched ever more seldom while money can still come. An unknown outcome is settled over a day.
func openSchedule() []time.Duration {
	return []time.Duration{
		5 * time.Second, 10 * time.Second, 15 * time.Second, 30 * time.Second, time.Minute, 2 * time.Minute,
	}
}

func lateSchedule() []time.Duration {
	return []time.Duration{time.Minute, 5 * time.Minute, 15 * time.Minute, time.Hour, 6 * time.Hour, 24 * time.Hour}
}

func unknownSchedule() []time.Duration {
	return []time.Duration{
		10 * time.Second, 30 * time.Second, time.Minute, 2 * time.Minute, 5 * time.Minute, 15 * time.Minute, time.Hour,
		3 * time.Hour, 6 * time.Hour, 12 * time.Hour, 24 * time.Hour,
	}
}

// payoutSchedule is for payouts and refunds under way: banks take seconds or days.
func payoutSchedule() []time.Duration {
	return []time.Duration{
		5 * time.Second, 15 * time.Second, 30 * time.Second, time.Minute, 2 * time.Minute, 5 * time.Minute,
		15 * time.Minute, time.Hour,
	}
}

func waitAt(schedule []time.Duration, n int) time.Duration { return schedule[min(n, len(schedule)-1)] }

// schedule sets NextAt for an operation that was just asked about, or that just began its phase.
func (o *Operation) schedule(now time.Time) {
	switch {
	case o.Phase == Calling: // the call that had no answer was the first look
		o.NextAt = o.inTime(now, waitAt(unknownSchedule(), max(o.Checks-1, 0)))
	case o.Phase == Open && o.Kind == DepositOperation:
		o.NextAt = o.inTime(now, waitAt(openSchedule(), o.Checks))
	case o.Phase == Open:
		o.NextAt = now.Add(waitAt(payoutSchedule(), o.Checks))
	case o.Phase == Late:
		o.scheduleLate(now)
	case o.Phase == Planned && !o.IsCued():
		o.NextAt = now.Add(waitAt(payoutSchedule(), o.Tries+1))
	default:
		o.NextAt = time.Time{}
	}
	o.LeaseUntil = time.Time{}
	o.askAboutCue(now)
}

// inTime is a moment after now that is not beyond the payment's end, nor, once that has passed, beyond the grace after it.
func (o *Operation) inTime(now time.Time, wait time.Duration) time.Time {
	next := now.Add(wait)
	if o.DeadlineAt.IsZero() || o.IsHeld {
		return next
	}
	for _, end := range []time.Time{o.DeadlineAt, o.DeadlineAt.Add(deadlineGrace)} {
		if end.After(now) && next.After(end) {
			return end
		}
	}
	return next
}

// waitFor puts a question off because the gateway asked for it: by an hour at most, and not beyond the payment's end.
func (o *Operation) waitFor(wait time.Duration, now time.Time) {
	wait = min(wait, time.Hour)
	if next := o.inTime(now, wait); wait > 0 && !o.NextAt.IsZero() && o.NextAt.Before(next) {
		o.NextAt = next
	}
}

// scheduleLate looks once more at the very end, and then no longer.
func (o *Operation) scheduleLate(now time.Time) {
	if !now.Before(o.LateUntil) {
		o.Phase, o.NextAt = Closed, time.Time{}
		return
	}
	o.NextAt = now.Add(waitAt(lateSchedule(), o.Checks))
	if o.NextAt.After(o.LateUntil) {
		o.NextAt = o.LateUntil
	}
}

// IsOverdue reports whether the payment's time is over for a deposit that nothing keeps open.
func (o Operation) IsOverdue(now time.Time) bool {
	return o.Kind == DepositOperation && !o.IsHeld && !o.DeadlineAt.IsZero() && !now.Before(o.DeadlineAt)
}

// due is when the operation may be worked on: not while somebody has it.
func (o Operation) due() time.Time {
	if o.LeaseUntil.After(o.NextAt) {
		return o.LeaseUntil
	}
	return o.NextAt
}
