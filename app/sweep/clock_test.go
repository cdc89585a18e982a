package sweep_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/e2e/apptest"
)

// trust is whether the clock may be relied on.
type trust struct{ isLost atomic.Bool }

func (c *trust) Check() error {
	if c.isLost.Load() {
		return unavailable
	}
	return nil
}

// TestByAWrongClockNothingExpires: what is due by it is left as it is, no worker is woken and nothing is forgotten. When the clock
// is right again, the sweeper goes on by itself.
func TestByAWrongClockNothingExpires(t *testing.T) {
	t.Parallel()
	w, c := apptest.New(t), &trust{}
	w.UnitOfWork.Time = c
	startMany(t, w, 200)
	due(t, w, payment.Callback{Receiver: "one", Status: payment.Waiting, NextAttemptAt: w.Clock.Now()})
	open := statuses(t, w)
	c.isLost.Store(true)
	w.Clock.Advance(45 * time.Minute)
	if n, err := w.Sweep.ExpireDue(t.Context()); n != 0 || err != nil {
		t.Errorf("%d payments expired (%v)", n, err)
	}
	var woken []core.WakeUp
	w.Sweep.Wake = func(_ context.Context, up core.WakeUp) { woken = append(woken, up) }
	if err := w.Sweep.Sweep(t.Context()); err != nil {
		t.Error(err)
	}
	if now := statuses(t, w); now != open || len(woken) != 0 {
		t.Errorf("the payments are %s, were %s; %v were woken", now, open, woken)
	}
	c.isLost.Store(false)
	if n, err := w.Sweep.ExpireDue(t.Context()); n != 200 || err != nil {
		t.Errorf("by the right clock %d payments expired (%v)", n, err)
	}
}
