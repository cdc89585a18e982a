package report_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	reports "github.com/vezne/vezne/app/report"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/e2e/apptest"
)

// versions are those of callbacks: sending one again raises it by one.
func versions(t apptest.TB, w *apptest.World, payments []payment.Payment) map[core.ID]int {
	t.Helper()
	found := map[core.ID]int{}
	for _, p := range payments {
		found[p.ID] = callbackOf(t, w, p).Version
	}
	return found
}

// failing fails the nth commit of a step, before it is made or after.
func failing(w *apptest.World, n int, isMade bool) *atomic.Int64 {
	var seen atomic.Int64
	fails := func(c core.Changeset) error {
		if core.Has[report.Job](c) && seen.Add(1)-1 == int64(n) {
			return fault.New("crash", fault.Unavailable)
		}
		return nil
	}
	commits := &apptest.Commits{Committer: w.Store}
	if isMade {
		commits.After = fails
	} else {
		commits.Before = fails
	}
	w.UnitOfWork.Commits = commits
	return &seen
}

func TestACrashAtAnyStepSendsNothingTwiceAndLeavesNothingOut(t *testing.T) {
	t.Parallel()
	for n := range 4 {
		for _, isMade := range []bool{false, true} {
			t.Run(fmt.Sprintf("commit %d, made: %t", n, isMade), func(t *testing.T) {
				t.Parallel()
				w := apptest.New(t)
				payments := ended(t, w, 250, payment.Undeliverable)
				before := versions(t, w, payments)
				j := resend(t, w, reports.Resend{Filter: everything(), States: failedOnly()})
				failing(w, n, isMade)
				for range 3 {
					quiet(t, w.Jobs)
					w.Clock.Advance(time.Hour)
				}
				if got := progressOf(reload(t, w, j)); got != (progress{report.JobDone, 250, 0, 0}) {
					t.Errorf("%+v", got)
				}
				for id, v := range versions(t, w, payments) {
					if v != before[id]+1 {
						t.Fatalf("a callback was changed %d times", v-before[id])
					}
				}
			})
		}
	}
}

// hanging has the first commit of a step wait until released.
func hanging(w *apptest.World) (started <-chan struct{}, release func()) {
	begun, open := make(chan struct{}), make(chan struct{})
	var isSecond atomic.Bool
	w.UnitOfWork.Commits = &apptest.Commits{Committer: w.Store, Before: func(c core.Changeset) error {
		if core.Has[report.Job](c) && core.Has[payment.Callback](c) && isSecond.CompareAndSwap(false, true) {
			close(begun)
			<-open
		}
		return nil
	}}
	return begun, func() { close(open) }
}

func TestAWorkerThatLostItsLeaseChangesNothing(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	payments := ended(t, w, 300, payment.Undeliverable)
	before := versions(t, w, payments)
	other := another(t, w)
	j := resend(t, w, reports.Resend{Filter: everything(), States: failedOnly()})
	started, release := hanging(w)
	w.Jobs.Wake()
	<-started
	quiet(t, other)
	if got := reload(t, w, j); got.Done != 0 {
		t.Fatalf("two workers have one job: %+v", got)
	}
	w.Clock.Advance(lease)
	quiet(t, other)
	release()
	if err := w.Jobs.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := progressOf(reload(t, w, j)); got != (progress{report.JobDone, 300, 0, 0}) {
		t.Errorf("%+v", got)
	}
	for id, v := range versions(t, w, payments) {
		if v != before[id]+1 {
			t.Fatalf("a callback was changed %d times", v-before[id])
		}
	}
}

func TestCancelStopsAtTheNextStep(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	payments := ended(t, w, 450, payment.Undeliverable)
	j := resend(t, w, reports.Resend{Filter: everything(), States: failedOnly()})
	steps := 0
	w.UnitOfWork.Commits = &apptest.Commits{Committer: w.Store, Before: func(c core.Changeset) error {
		if core.Has[report.Job](c) && core.Has[payment.Callback](c) {
			if steps++; steps == 2 {
				if _, err := w.Jobs.Cancel(t.Context(), by(w.Operator), j.ID); err != nil {
					t.Error(err)
				}
			}
		}
		return nil
	}}
	quiet(t, w.Jobs)
	w.Clock.Advance(time.Hour)
	quiet(t, w.Jobs)
	got := reload(t, w, j)
	if progressOf(got) != (progress{report.JobCanceled, 200, 0, 0}) || got.FinishedAt.IsZero() {
		t.Errorf("%+v", got)
	}
	if n := states(t, w, payments); n[payment.Waiting] != 200 || n[payment.Undeliverable] != 250 {
		t.Errorf("%v", n)
	}
	_, err := w.Jobs.Cancel(t.Context(), by(w.Operator), j.ID)
	wants(t, err, fault.AlreadyFinal)
}

func TestAStoppedWorkerHandsItsJobBack(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	ended(t, w, 300, payment.Undeliverable)
	other := another(t, w)
	j := resend(t, w, reports.Resend{Filter: everything(), States: failedOnly()})
	started, release := hanging(w)
	w.Jobs.Wake()
	<-started
	over, cancel := context.WithCancel(t.Context())
	cancel()
	_ = w.Jobs.Stop(over) // it does not wait for the step
	release()
	if err := w.Jobs.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := reload(t, w, j); got.Done != 200 || !got.LeaseUntil.IsZero() {
		t.Errorf("left as %+v", got)
	}
	quiet(t, other)
	if got := reload(t, w, j); got.Status != report.JobDone || got.Done != 300 {
		t.Errorf("%+v", got)
	}
}

func TestAJobThatNeverSucceedsIsGivenUp(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	ended(t, w, 1, payment.Undeliverable)
	j := resend(t, w, reports.Resend{Filter: everything(), States: failedOnly()})
	w.UnitOfWork.Commits = &apptest.Commits{Committer: w.Store, Before: func(c core.Changeset) error {
		if core.Has[payment.Callback](c) {
			panic("a damaged row")
		}
		return nil
	}}
	for range 40 {
		quiet(t, w.Jobs)
		w.Clock.Advance(time.Hour)
	}
	if got := reload(t, w, j); got.Status != report.JobFailed || got.Error != string(fault.Internal) || !got.NextAt.IsZero() {
		t.Errorf("%+v", got)
	}
}

func TestTheSweeperFindsAJobThatNobodyRangFor(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	ended(t, w, 1, payment.Undeliverable)
	j := resend(t, w, reports.Resend{Filter: everything(), States: failedOnly()})
	w.Waker.Drain()
	if err := w.Sweep.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := w.Jobs.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := reload(t, w, j); got.Status != report.JobDone {
		t.Errorf("%+v", got)
	}
}
