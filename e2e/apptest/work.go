package apptest

import (
	"context"
	"errors"
	"slices"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/ports"
)

// Work does what the queue's workers would do, until nothing more is due: wake-ups whose time has come deliver callbacks
// expire payments and work at gateways; the others are kept for a later call.
func (w *World) Work(t TB) {
	t.Helper()
	for w.answerWakeUps(t) {
		err := errors.Join(
			w.Jobs.Wait(t.Context()), w.TestPlans.Wait(t.Context()), w.Operations.Wait(t.Context()), w.Disputes.Wait(t.Context()),
			w.Statements.Wait(t.Context()), w.Callbacks.Wait(t.Context()))
		if err != nil {
			t.Fatalf("wait for workers: %v", err)
		}
	}
}

func (w *World) answerWakeUps(t TB) bool {
	t.Helper()
	heard, now := slices.Concat(w.later, w.Waker.Drain()), w.Clock.Now()
	w.later = nil
	isDue := false
	for _, wakeUp := range heard {
		switch {
		case wakeUp.At.After(now):
			w.later = append(w.later, wakeUp)
			continue
		case wakeUp.Kind == core.DuePayments:
			if _, err := w.Sweep.ExpireDue(t.Context()); err != nil {
				t.Fatalf("expire: %v", err)
			}
		default:
			w.wake(t.Context(), wakeUp)
		}
		isDue = true
	}
	return isDue
}

// wake brings a wake-up to its worker.
func (w *World) wake(_ context.Context, up core.WakeUp) {
	switch up.Kind {
	case core.DueCallbacks:
		w.Callbacks.Wake(up.Receiver)
	case core.DueOperations:
		w.Operations.Wake(up.GatewayID)
	case core.DueDisputes:
		w.Disputes.Wake(up.GatewayID)
	case core.DueNotifications:
		w.Operations.WakeNotifications()
	case core.DueStatements:
		w.Statements.Wake()
	case core.DueJobs:
		w.Jobs.Wake()
	case core.DueTestPlans:
		w.TestPlans.Wake()
	case core.DuePayments:
	}
}

// Commits is a Committer in front of another, through which a test watches commits or makes them fail. A nil function
// does nothing.
type Commits struct {
	ports.Committer
	// Before may fail a commit that then changes nothing.
	Before func(core.Changeset) error
	// After sees what was committed; its error is given although the change is made.
	After func(core.Changeset) error
}

// Commit implements ports.Committer.
func (c *Commits) Commit(ctx context.Context, change core.Changeset) error {
	if c.Before != nil {
		if err := c.Before(change); err != nil {
			return err
		}
	}
	if err := c.Committer.Commit(ctx, change); err != nil || c.After == nil {
		return err
	}
	return c.After(change)
}
