package job_test

import (
	"context"
	"testing"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/app"
	"github.com/vezne/vezne/core/app/apptest"
	"github.com/vezne/vezne/core/app/job"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/money"
)

// lease is how long a worker has a job without a step.
const lease = 30 * time.Second

func lira(n int64) money.Amount { return money.New(n*100, money.TRY) }

// ended makes n deposits that end, with their callbacks in a state.
func ended(t apptest.TB, w *apptest.World, n int, state core.CallbackState) []core.Payment {
	t.Helper()
	var payments []core.Payment
	for i := range n {
		p := w.StartDeposit(t, core.ManualDeposit, lira(int64(10+i)))
		p, err := w.Deposits.Cancel(t.Context(), p.Token)
		if err != nil {
			t.Fatalf("cancel: %v", err)
		}
		payments = append(payments, p)
		put(t, w, p, state)
	}
	w.Clock.Advance(time.Microsecond) // an order is about what was created before it
	return payments
}

// put brings a payment's callback into a state.
func put(t apptest.TB, w *apptest.World, p core.Payment, state core.CallbackState) {
	t.Helper()
	c := callbackOf(t, w, p)
	c.Version++
	c.State, c.Attempts, c.LeaseUntil = state, 10, time.Time{}
	if c.NextAttemptAt = w.Clock.Now(); state != core.Waiting {
		c.NextAttemptAt, c.FinishedAt = time.Time{}, w.Clock.Now()
	}
	if err := w.Store.Commit(t.Context(), core.Changeset{c}); err != nil {
		t.Fatalf("put: %v", err)
	}
}

// callbackOf gives a payment's latest callback.
func callbackOf(t apptest.TB, w *apptest.World, p core.Payment) core.Callback {
	t.Helper()
	all, err := w.Store.CallbacksOf(t.Context(), p.ID)
	c, ok := core.LatestOf(all)
	if err != nil || !ok {
		t.Fatalf("callbacks %v, %v", all, err)
	}
	return c
}

// states counts the payments' callbacks by state.
func states(t apptest.TB, w *apptest.World, payments []core.Payment) map[core.CallbackState]int {
	t.Helper()
	got := map[core.CallbackState]int{}
	for _, p := range payments {
		got[callbackOf(t, w, p).State]++
	}
	return got
}

// by is what a staff member does.
func by(s core.Staff) app.StaffMove { return app.StaffMove{Staff: s, Addr: "192.0.2.7"} }

func codesOf(payments []core.Payment) []string {
	codes := make([]string, len(payments))
	for i, p := range payments {
		codes[i] = p.TrackingCode
	}
	return codes
}

// failedOnly are the states that most orders ask for.
func failedOnly() []core.CallbackState { return []core.CallbackState{core.Undeliverable, core.Skipped} }

func everything() *core.PaymentQuery { return &core.PaymentQuery{} }

func resend(t apptest.TB, w *apptest.World, r job.Resend) core.Job {
	t.Helper()
	ordered, err := w.Jobs.Resend(t.Context(), by(w.Operator), r)
	if err != nil {
		t.Fatalf("resend: %v", err)
	}
	return ordered.Job
}

func reload(t apptest.TB, w *apptest.World, j core.Job) core.Job {
	t.Helper()
	j, err := w.Store.Job(t.Context(), j.ID)
	if err != nil {
		t.Fatalf("job: %v", err)
	}
	return j
}

// quiet works on jobs and delivers nothing.
func quiet(t apptest.TB, s *job.Service) {
	t.Helper()
	s.Wake()
	if err := s.Wait(t.Context()); err != nil {
		t.Fatalf("wait: %v", err)
	}
}

// another is one more process that works on jobs of the World's store.
func another(t *testing.T, w *apptest.World) *job.Service {
	t.Helper()
	s := &job.Service{Desk: w.Desk, Store: w.Jobs.Store, Writers: w.Jobs.Writers, Zone: w.Zone, Log: w.Jobs.Log}
	s.Start()
	t.Cleanup(func() { _ = s.Stop(context.Background()) })
	return s
}

func wants(t *testing.T, err error, code fault.Code) {
	t.Helper()
	if fault.CodeOf(err) != code {
		t.Errorf("fault %v, want %q", err, code)
	}
}

// progress is what a job has done.
type progress struct {
	State                 core.JobState
	Done, Skipped, Failed int
}

func progressOf(j core.Job) progress { return progress{j.State, j.Done, j.Skipped, j.Failed} }
