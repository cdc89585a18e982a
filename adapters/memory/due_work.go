package memory

import (
	"context"
	"time"

	"github.com/vezne/vezne/core"
)

// DueWork implements ports.DueWork; its bound is all that there is.
func (s *Store) DueWork(ctx context.Context, now time.Time) ([]core.DueWork, error) {
	return list(ctx, s, "memory.DueWork", func() []core.DueWork {
		var all []core.DueWork
		for _, kind := range core.WorkKinds() {
			w := core.DueWork{Kind: kind}
			s.tally(&w, now)
			all = append(all, w)
		}
		return all
	})
}

func (s *Store) tally(w *core.DueWork, now time.Time) {
	due := func(at, leaseUntil time.Time) {
		if at.IsZero() || at.After(now) {
			return
		}
		w.Due++
		w.OldestAt = earlier(w.OldestAt, at)
		if !at.After(now.Add(-core.StuckAfter)) && !leaseUntil.After(now) {
			w.Stuck++
		}
	}
	switch w.Kind {
	case core.CallbackWork:
		for _, c := range s.callbacks.rows {
			tallyCallback(w, c, due)
		}
	case core.ExpiryWork:
		for _, p := range s.payments.rows {
			if (p.Status == core.Showing || p.Status == core.Pending) && p.AtGate.OperationID == "" {
				due(p.ExpiresAt, time.Time{})
			}
		}
	case core.OperationWork:
		for _, o := range s.operations.rows {
			due(o.NextAt, o.LeaseUntil)
		}
	case core.NotificationWork:
		for _, n := range s.notifications.rows {
			tallyNotification(w, n, due)
		}
	case core.StatementWork:
		for _, f := range s.feeds.rows {
			due(f.NextAt, f.LeaseUntil)
			if f.Failures > 0 {
				w.Failed++
			}
		}
	}
}

func tallyCallback(w *core.DueWork, c core.Callback, due func(at, leaseUntil time.Time)) {
	switch c.State {
	case core.Waiting:
		due(c.NextAttemptAt, c.LeaseUntil)
	case core.Undeliverable, core.Skipped:
		if !c.SupersededAt.IsZero() {
			return // staff have nothing to do about it any more
		}
		if c.State == core.Skipped {
			w.Skipped++
		} else {
			w.Failed++
		}
	case core.Delivered, core.Superseded:
	}
}

func tallyNotification(w *core.DueWork, n core.Notification, due func(at, leaseUntil time.Time)) {
	switch n.State {
	case core.NotificationWaiting:
		due(n.ReceivedAt, n.LeaseUntil)
	case core.NotificationUnknown:
		w.Failed++
	case core.NotificationDone, core.NotificationForged:
	}
}
