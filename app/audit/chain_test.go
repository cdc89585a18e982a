package audit_test

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/vezne/vezne/app/audit"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/e2e/apptest"
)

func TestEntriesAreChainedInTheOrderOfTheirIDs(t *testing.T) {
	t.Parallel()
	l := newLog(t)
	before, now := l.head(t), l.Clock.Now()
	var want []core.ID
	for i := range 5 {
		want = append([]core.ID{l.entry(t, now.Add(-time.Duration(i)*time.Second)).ID}, want...)
	}
	if n := l.chain(t); n != 5 {
		t.Errorf("%d were chained", n)
	}
	if got := l.chained(t, before.No); !slices.Equal(got, want) {
		t.Errorf("chained %v, want %v", got, want)
	}
	if n := l.chain(t); n != 0 {
		t.Errorf("%d were chained twice", n)
	}
	if r := l.verify(t, audit.Question{}); r.Break != nil || r.Checked != before.No+5 || r.Last != l.head(t).Head() || r.Unchained != 0 {
		t.Errorf("%+v", r)
	}
}

// TestWhatBecomesVisibleLateIsChainedLate has a commit of another process seen after later ones, by seconds and by hours.
func TestWhatBecomesVisibleLateIsChainedLate(t *testing.T) {
	t.Parallel()
	l := newLog(t)
	before, began := l.head(t), l.Clock.Now()
	l.Clock.Advance(30 * time.Second)
	later := l.entry(t, l.Clock.Now())
	l.chain(t)
	seconds := l.entry(t, began.Add(time.Second))
	if n := l.chain(t); n != 1 {
		t.Errorf("%d that came seconds late were chained at once", n)
	}
	l.Clock.Advance(30 * time.Minute)
	minutes := l.entry(t, began.Add(2*time.Second))
	if n := l.chain(t); n != 0 {
		t.Errorf("%d that came half an hour late were found before the log was gone through", n)
	}
	l.Clock.Advance(30 * time.Minute)
	if n := l.chain(t); n != 1 {
		t.Errorf("%d that came half an hour late were chained within the hour", n)
	}
	want := []core.ID{later.ID, seconds.ID, minutes.ID}
	if got := l.chained(t, before.No); !slices.Equal(got, want) {
		t.Errorf("chained %v, want %v", got, want)
	}
	if r := l.verify(t, audit.Question{}); r.Break != nil || r.Late != 0 {
		t.Errorf("%+v", r)
	}
}

// TestALogFromBeforeTheChainIsChainedWhole has more entries than are looked at at a time, some of them chained.
func TestALogFromBeforeTheChainIsChainedWhole(t *testing.T) {
	t.Parallel()
	l := newLog(t)
	before := l.head(t)
	old := l.Clock.Now().Add(-1000 * time.Hour)
	var all core.Changeset
	for i := range 2500 {
		all = append(all, l.entryOf(t, old.Add(time.Duration(i)*time.Minute)))
	}
	if err := l.Store.Commit(t.Context(), all); err != nil {
		t.Fatal(err)
	}
	fresh := &audit.Service{UnitOfWork: l.UnitOfWork, Store: l.Store, Log: l.Audit.Log, Keys: l.Audit.Keys} // a process that has just started
	if n, err := fresh.Chain(t.Context()); err != nil || n != 2500 {
		t.Fatalf("%d were chained, %v", n, err)
	}
	got := l.chained(t, before.No)
	if !slices.IsSorted(got) || len(got) != 2500 {
		t.Errorf("%d in no order", len(got))
	}
	if r := l.verify(t, audit.Question{}); r.Break != nil || r.Checked != before.No+2500 || r.Unchained != 0 || r.Late != 2500 {
		t.Errorf("%+v", r)
	}
}

func TestAStretchWithNothingToChainIsLeftForTheNextRound(t *testing.T) {
	t.Parallel()
	l := newLog(t)
	old := l.Clock.Now().Add(-100 * time.Hour)
	var all core.Changeset
	for i := range 1500 {
		all = append(all, l.entryOf(t, old.Add(time.Duration(i)*time.Second)))
	}
	if err := l.Store.Commit(t.Context(), all); err != nil {
		t.Fatal(err)
	}
	fresh := func() *audit.Service {
		return &audit.Service{UnitOfWork: l.UnitOfWork, Store: l.Store, Log: l.Audit.Log, Keys: l.Audit.Keys}
	}
	if n, err := fresh().Chain(t.Context()); n != 1500 || err != nil {
		t.Fatalf("%d, %v", n, err)
	}
	late := l.entry(t, old.Add(1400*time.Second))
	s := fresh()
	for round, want := range []int{0, 1, 0} {
		if n, err := s.Chain(t.Context()); n != want || err != nil {
			t.Errorf("round %d chained %d, want %d (%v)", round, n, want, err)
		}
	}
	if got := l.chained(t, 0); got[len(got)-1] != late.ID {
		t.Error("the late one is not the last")
	}
}

// TestOfTwoChainersOneWins lets both see the same head and the same entries.
func TestOfTwoChainersOneWins(t *testing.T) {
	t.Parallel()
	l := newLog(t)
	before := l.head(t)
	for range 20 {
		l.entry(t, l.Clock.Now())
	}
	const chainers = 4
	var both, ready sync.WaitGroup
	ready.Add(chainers)
	counts, errs := make([]int, chainers), make([]error, chainers)
	for i := range chainers {
		unit, once := *l.UnitOfWork, &sync.Once{}
		unit.Commits = &apptest.Commits{Committer: l.Store, Before: func(core.Changeset) error {
			once.Do(func() { ready.Done(); ready.Wait() }) // until each has made its links
			return nil
		}}
		both.Go(func() {
			counts[i], errs[i] = (&audit.Service{UnitOfWork: &unit, Store: l.Store, Log: l.Audit.Log, Keys: l.Audit.Keys}).Chain(t.Context())
		})
	}
	both.Wait()
	total := 0
	for i := range counts {
		total += counts[i]
		if errs[i] != nil {
			t.Error(errs[i])
		}
	}
	if total != 20 || l.head(t).No != before.No+20 {
		t.Errorf("%v were chained, the head is %d", counts, l.head(t).No)
	}
	if r := l.verify(t, audit.Question{}); r.Break != nil || r.Unchained != 0 {
		t.Errorf("%+v", r)
	}
}

// TestACrashBetweenLeavesAChainThatGoesOn has a process end after its links were committed, and one before.
func TestACrashBetweenLeavesAChainThatGoesOn(t *testing.T) {
	t.Parallel()
	l := newLog(t)
	for _, isCommitted := range []bool{true, false} {
		l.entry(t, l.Clock.Now())
		lost := fault.New("test", fault.Unavailable)
		crash := &apptest.Commits{Committer: l.Store, Before: func(core.Changeset) error { return lost }}
		if isCommitted {
			crash = &apptest.Commits{Committer: l.Store, After: func(core.Changeset) error { return lost }}
		}
		unit := *l.UnitOfWork
		unit.Commits = crash
		dying := &audit.Service{UnitOfWork: &unit, Store: l.Store, Log: l.Audit.Log, Keys: l.Audit.Keys}
		if _, err := dying.Chain(t.Context()); !fault.Is(err, fault.Unavailable) {
			t.Fatalf("the crash gave %v", err)
		}
		want := 1
		if isCommitted {
			want = 0
		}
		if n := l.chain(t); n != want {
			t.Errorf("committed %t: the next process chained %d, want %d", isCommitted, n, want)
		}
	}
	if r := l.verify(t, audit.Question{}); r.Break != nil || r.Unchained != 0 {
		t.Errorf("%+v", r)
	}
}

func TestRunChainsEveryPeriodAndSaysOnceThatItCannot(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := newLog(t)
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		fails := true
		unit := *l.UnitOfWork
		unit.Commits = &apptest.Commits{Committer: l.Store, Before: func(core.Changeset) error {
			if fails {
				return fault.New("test", fault.Unavailable)
			}
			return nil
		}}
		s := &audit.Service{UnitOfWork: &unit, Store: l.Store, Log: l.Audit.Log, Keys: l.Audit.Keys}
		e := l.entry(t, l.Clock.Now())
		go s.Run(ctx, time.Second)
		<-time.After(3 * time.Second) // of the bubble
		synctest.Wait()
		if n := strings.Count(l.Logs.String(), "chaining the audit log"); n != 1 {
			t.Errorf("said %d times", n)
		}
		fails = false
		<-time.After(time.Second)
		synctest.Wait()
		if got := l.chained(t, 0); got[len(got)-1] != e.ID {
			t.Error("the entry was not chained when it could be")
		}
	})
}
