package wallet_test

import (
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/wallet"
	"github.com/vezne/vezne/e2e/apptest"
)

// TestACrashBetweenAnyTwoCommitsLosesAndDoublesNothing lets one commit of a busy day fail: before it was made, or after,
// so that nobody knows of it. Then the service starts anew.
func TestACrashBetweenAnyTwoCommitsLosesAndDoublesNothing(t *testing.T) {
	t.Parallel()
	commits := crashAt(t, -1, false)
	if commits < 8 {
		t.Fatalf("the day has %d commits", commits)
	}
	for n := range commits {
		for _, isMade := range []bool{false, true} {
			t.Run(fmt.Sprintf("commit %d, made: %t", n, isMade), func(t *testing.T) {
				t.Parallel()
				crashAt(t, n, isMade)
			})
		}
	}
}

// crashAt runs the day with a crash at its nth commit, and says how many there were.
func crashAt(t *testing.T, n int, isMade bool) int {
	t.Helper()
	w := newWorld(t)
	w.pages(2)
	returned, sent := w.transfer(lira(300)), w.transfer(lira(200))
	w.Bank.Settle(w.operation(returned).Reference)
	w.later(10 * time.Second)
	w.has(returned, payment.Completed)
	p := w.claimed(w.offered(lira(250), owner.Customer{}))
	w.Clock.Advance(time.Second)
	w.Bank.Return(w.operation(returned).Reference)
	w.Bank.Settle(w.operation(sent).Reference)
	paid := w.receive(lira(250), ayse, p.TrackingCode)
	w.receive(lira(20), stranger, "")
	w.take(lira(7))

	var seen atomic.Int64
	fails := func() error {
		if seen.Add(1)-1 == int64(n) {
			return fault.New("crash", fault.Unavailable)
		}
		return nil
	}
	crashing := &apptest.Commits{Committer: w.Store}
	if isMade {
		crashing.After = func(core.Changeset) error { return fails() }
	} else {
		crashing.Before = func(core.Changeset) error { return fails() }
	}
	w.UnitOfWork.Commits = crashing
	w.Clock.Advance(14 * time.Hour) // past midnight: the day is reconciled, too
	w.Statements.Wake()
	w.no(w.Statements.Wait(t.Context()))
	w.UnitOfWork.Commits = w.Store
	w.restart()
	for range 10 {
		w.later(time.Minute)
	}

	w.is(paid, wallet.LineMatched)
	w.has(p, payment.Completed)
	w.has(sent, payment.Completed)
	if got := len(w.callbacks(p)); got != 1 {
		t.Errorf("%d callbacks", got)
	}
	if got := len(w.lines()); got != 6 {
		t.Errorf("%d lines, want 6", got)
	}
	w.holds(opening-200+250+20-7, 0)
	if all, err := w.Store.Entries(t.Context(), w.Wallet.ID, core.Paging[core.ID]{Limit: 100}); err != nil || len(all) != 1+2+2+4 {
		t.Errorf("entries %+v %v", all, err)
	}
	w.hours(3)
	w.agree()
	return int(seen.Load())
}
