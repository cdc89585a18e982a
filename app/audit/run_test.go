package audit_test

import (
	"context"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/vezne/vezne/app/audit"
	"github.com/vezne/vezne/core"
	coreaudit "github.com/vezne/vezne/core/audit"
	"github.com/vezne/vezne/ports"
)

func TestRunPublishesEveryMinuteAtTheEndAndChecksWhatTurned(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l, p := newLog(t), &place{}
		s := l.process(p, l.Audit.Keys)
		var told []bool
		s.Checked = func(isBroken bool) { told = append(told, isBroken) }
		s.Bell = audit.NewBell()
		commits := s.Bell.Commits(l.Store)
		ctx, stop := context.WithCancel(t.Context())
		var parts sync.WaitGroup
		parts.Go(func() { s.Run(ctx, time.Hour) })
		parts.Go(func() { s.Watch(ctx) })
		synctest.Wait()
		rung := l.entryOf(t, l.Clock.Now())
		if err := commits.Commit(ctx, core.Changeset{rung}); err != nil {
			t.Fatal(err)
		}
		<-time.After(time.Second) // of the bubble
		synctest.Wait()
		if got := l.chained(t, 0); got[len(got)-1] != rung.ID {
			t.Error("the bell has nothing chained")
		}
		began := len(p.all())
		<-time.After(2 * time.Minute)
		synctest.Wait()
		if kept := p.all(); len(kept) != began+1 || kept[began].Head != l.head(t).Head() {
			t.Errorf("after two minutes there are %d more lines", len(kept)-began)
		}
		l.entry(t, l.Clock.Now())
		stop()
		parts.Wait()
		if kept := p.all(); kept[len(kept)-1].Head != l.head(t).Head() || l.head(t).EntryID == rung.ID {
			t.Error("at the end the last entry is not chained, or its head not kept")
		}
	})
}

func TestARunningServiceAlarmsWithinAMinuteOfACut(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l, p := newLog(t), &place{}
		l.process(p, l.Audit.Keys)
		l.grow(t, 2)
		older := l.end(t)
		l.grow(t, 2)
		s := l.process(p, l.Audit.Keys)
		var told []bool
		s.Checked = func(isBroken bool) { told = append(told, isBroken) }
		var mu sync.Mutex
		isCut := false
		s.Store = tampered{AuditLog: l.Store, change: func(c links) links { return c }, end: func(e coreaudit.End) coreaudit.End {
			mu.Lock()
			defer mu.Unlock()
			if isCut {
				return older
			}
			return e
		}}
		ctx, stop := context.WithCancel(t.Context())
		var parts sync.WaitGroup
		parts.Go(func() { s.Run(ctx, time.Second) })
		parts.Go(func() { s.Watch(ctx) })
		<-time.After(time.Second)
		synctest.Wait()
		mu.Lock()
		isCut = true
		mu.Unlock()
		<-time.After(time.Minute)
		synctest.Wait()
		stop()
		parts.Wait()
		if !slices.Equal(told, []bool{false, true}) {
			t.Errorf("told %v: %s", told, l.Logs)
		}
	})
}

// hanging is a place that takes heads and never says so.
type hanging struct{ place }

func (*hanging) Name() string { return "hanging" }

func (*hanging) Write(ctx context.Context, _ coreaudit.Checkpoint) error {
	<-ctx.Done()
	return ctx.Err()
}

// TestAPlaceThatHangsLeavesNothingUnchained: an entry that waits for its link can still be changed by whoever owns the database.
func TestAPlaceThatHangsLeavesNothingUnchained(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l, p := newLog(t), &place{}
		s := l.process(p, l.Audit.Keys)
		s.Places = []ports.AuditPlace{&hanging{}, p}
		s.Bell = audit.NewBell()
		commits := s.Bell.Commits(l.Store)
		l.entry(t, l.Clock.Now())
		ctx, stop := context.WithCancel(t.Context())
		var parts sync.WaitGroup
		parts.Go(func() { s.Run(ctx, time.Hour) })
		synctest.Wait()
		if len(p.all()) != 1 {
			t.Errorf("the other place has %d heads", len(p.all()))
		}
		rung := l.entryOf(t, l.Clock.Now())
		if err := commits.Commit(ctx, core.Changeset{rung}); err != nil {
			t.Fatal(err)
		}
		<-time.After(time.Second) // of the bubble
		synctest.Wait()
		if got := l.chained(t, 0); got[len(got)-1] != rung.ID {
			t.Error("it is not chained")
		}
		stop()
		parts.Wait()
	})
}
