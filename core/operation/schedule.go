package operation

import (
	"time"
)

// When an operation is asked about next. Polling is the base: returns and notifications only make news come sooner.
//
// An open deposit is asked often at first, when the customer is paying, and at the payment's end; what has ended is
// watched ever more seldom while money can still come. An unknown outcome is settled over a day.
func openLadder() []time.Duration {
	return []time.Duration{
		5 * time.Second, 10 * time.Second, 15 * time.Second, 30 * time.Second, time.Minute, 2 * time.Minute,
	}
}

func lateLadder() []time.Duration {
	return []time.Duration{time.Minute, 5 * time.Minute, 15 * time.Minute, time.Hour, 6 * time.Hour, 24 * time.Hour}
}

func unknownLadder() []time.Duration {
	return []time.Duration{
		10 * time.Second, 30 * time.Second, time.Minute, 2 * time.Minute, 5 * time.Minute, 15 * time.Minute, time.Hour,
		3 * time.Hour, 6 * time.Hour, 12 * time.Hour, 24 * time.Hour,
	}
}

// payoutLadder is for payouts and refunds under way: banks take seconds or days.
func payoutLadder() []time.Duration {
	return []time.Duration{
		5 * time.Second, 15 * time.Second, 30 * time.Second, time.Minute, 2 * time.Minute, 5 * time.Minute,
		15 * time.Minute, time.Hour,
	}
}

func rung(ladder []time.Duration, n int) time.Duration { return ladder[min(n, len(ladder)-1)] }

// schedule sets NextAt for an operation that was just asked about, or that just began its phase.
func (o *Operation) schedule(now time.Time) {
	switch {
	case o.Phase == Calling: // the call that had no answer was the first look
		o.NextAt = o.inTime(now, rung(unknownLadder(), max(o.Checks-1, 0)))
	case o.Phase == Open && o.Kind == DepositOperation:
		o.NextAt = o.inTime(now, rung(openLadder(), o.Checks))
	case o.Phase == Open:
		o.NextAt = now.Add(rung(payoutLadder(), o.Checks))
	case o.Phase == Late:
		o.scheduleLate(now)
	case o.Phase == Planned && !o.IsCued():
		o.NextAt = now.Add(rung(payoutLadder(), o.Tries+1))
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
	o.NextAt = now.Add(rung(lateLadder(), o.Checks))
	if o.NextAt.After(o.LateUntil) {
		o.NextAt = o.LateUntil
	}
}

// IsOverdue tells whether the payment's time is over for a deposit that nothing keeps open.
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
