package memory

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/vezne/vezne/core"
)

// ClaimCallbacks implements ports.Callbacks.
func (s *Store) ClaimCallbacks(
	ctx context.Context, receiver string, now, leaseUntil time.Time, limit int,
) ([]core.Callback, error) {
	return list(ctx, s, "memory.ClaimCallbacks", func() []core.Callback {
		claimed := s.callbacks.where(func(c core.Callback) bool {
			return c.Receiver == receiver && s.isClaimable(c, now)
		})
		slices.SortFunc(claimed, func(a, b core.Callback) int {
			return cmp.Or(a.NextAttemptAt.Compare(b.NextAttemptAt), cmp.Compare(a.ID, b.ID))
		})
		claimed = first(claimed, limit)
		for i := range claimed {
			claimed[i].Version++
			claimed[i].LeaseUntil = leaseUntil
		}
		s.callbacks.put(claimed)
		return claimed
	})
}

func isDue(c core.Callback, now time.Time) bool {
	return c.State == core.Waiting && !c.NextAttemptAt.After(now)
}

func (s *Store) isClaimable(c core.Callback, now time.Time) bool {
	return isDue(c, now) && (c.LeaseUntil.IsZero() || c.LeaseUntil.Before(now)) && s.isNext(c)
}

// isNext reports whether no callback of the payment with a lower number waits.
func (s *Store) isNext(c core.Callback) bool {
	if c.Sequence <= 1 {
		return true // nearly all are
	}
	for _, other := range s.callbacks.rows {
		if other.PaymentID == c.PaymentID && other.Sequence < c.Sequence && other.State == core.Waiting {
			return false
		}
	}
	return true
}

// DueReceivers implements ports.Callbacks.
func (s *Store) DueReceivers(ctx context.Context, now time.Time, after string, limit int) ([]string, error) {
	return list(ctx, s, "memory.DueReceivers", func() []string {
		var names []string
		for _, c := range s.callbacks.where(func(c core.Callback) bool { return s.isClaimable(c, now) }) {
			if c.Receiver > after {
				names = append(names, c.Receiver)
			}
		}
		slices.Sort(names)
		return first(slices.Compact(names), limit)
	})
}

// CallbacksOf implements ports.Callbacks.
func (s *Store) CallbacksOf(ctx context.Context, paymentID core.ID) ([]core.Callback, error) {
	return list(ctx, s, "memory.CallbacksOf", func() []core.Callback {
		found := s.callbacks.where(func(c core.Callback) bool { return c.PaymentID == paymentID })
		slices.SortFunc(found, byNumber)
		return found
	})
}

func byNumber(a, b core.Callback) int {
	return cmp.Or(cmp.Compare(a.PaymentID, b.PaymentID), cmp.Compare(a.Sequence, b.Sequence), cmp.Compare(a.ID, b.ID))
}

// Attempts implements ports.Callbacks.
func (s *Store) Attempts(ctx context.Context, callbackID core.ID) ([]core.Attempt, error) {
	return list(ctx, s, "memory.Attempts", func() []core.Attempt {
		found := s.attempts.where(func(a core.Attempt) bool { return a.CallbackID == callbackID })
		slices.SortFunc(found, func(a, b core.Attempt) int { return cmp.Compare(a.ID, b.ID) })
		return found
	})
}

// Backlog implements ports.Callbacks; its bound is the whole outbox.
func (s *Store) Backlog(ctx context.Context, now time.Time) (core.Backlog, error) {
	return read(ctx, s, "memory.Backlog", func() (core.Backlog, bool) {
		var b core.Backlog
		for _, c := range s.callbacks.where(func(c core.Callback) bool { return isDue(c, now) }) {
			b.Due++
			b.OldestDue = max(b.OldestDue, now.Sub(c.NextAttemptAt))
		}
		return b, true
	})
}
