package report_test

import (
	"context"
	"testing"
	"time"

	"github.com/vezne/vezne/app"
	reports "github.com/vezne/vezne/app/report"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/e2e/apptest"
)

// lease is how long a worker has a job without a step.
const lease = 30 * time.Second

func lira(n int64) money.Amount { return money.New(n*100, money.TRY) }

// ended makes n deposits that end, with their callbacks in a state.
func ended(t apptest.TB, w *apptest.World, n int, state payment.CallbackStatus) []payment.Payment {
	t.Helper()
	var payments []payment.Payment
	for i := range n {
		p := w.StartDeposit(t, payment.ManualDeposit, lira(int64(10+i)))
		p, err := w.Deposits.Cancel(t.Context(), p)
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
func put(t apptest.TB, w *apptest.World, p payment.Payment, state payment.CallbackStatus) {
	t.Helper()
	c := callbackOf(t, w, p)
	c.Version++
	c.Status, c.AttemptCount, c.LeaseUntil = state, 10, time.Time{}
	if c.NextAttemptAt = w.Clock.Now(); state != payment.Waiting {
		c.NextAttemptAt, c.FinishedAt = time.Time{}, w.Clock.Now()
	}
	if err := w.Store.Commit(t.Context(), core.Changeset{c}); err != nil {
		t.Fatalf("put: %v", err)
	}
}

// callbackOf returns a payment's latest callback.
func callbackOf(t apptest.TB, w *apptest.World, p payment.Payment) payment.Callback {
	t.Helper()
	all, err := w.Store.CallbacksOf(t.Context(), p.ID)
	c, ok := payment.LatestOf(all)
	if err != nil || !ok {
		t.Fatalf("callbacks %v, %v", all, err)
	}
	return c
}

// states counts the payments' callbacks by state.
func states(t apptest.TB, w *apptest.World, payments []payment.Payment) map[payment.CallbackStatus]int {
	t.Helper()
	got := map[payment.CallbackStatus]int{}
	for _, p := range payments {
		got[callbackOf(t, w, p).Status]++
	}
	return got
}

// by is what a staff member does.
func by(s staff.Staff) app.Request { return app.Request{Staff: s, Addr: "192.0.2.7"} }

func codesOf(payments []payment.Payment) []string {
	codes := make([]string, len(payments))
	for i, p := range payments {
		codes[i] = p.TrackingCode
	}
	return codes
}

// failedOnly are the states that most orders ask for.
func failedOnly() []payment.CallbackStatus {
	return []payment.CallbackStatus{payment.Undeliverable, payment.Skipped}
}

func everything() *report.PaymentQuery { return &report.PaymentQuery{} }

func resend(t apptest.TB, w *apptest.World, r reports.Resend) report.Job {
	t.Helper()
	ordered, err := w.Jobs.Resend(t.Context(), by(w.Operator), r)
	if err != nil {
		t.Fatalf("resend: %v", err)
	}
	return ordered.Job
}

func reload(t apptest.TB, w *apptest.World, j report.Job) report.Job {
	t.Helper()
	j, err := w.Store.Job(t.Context(), j.ID)
	if err != nil {
		t.Fatalf("job: %v", err)
	}
	return j
}

// quiet works on jobs and delivers nothing.
func quiet(t apptest.TB, s *reports.Jobs) {
	t.Helper()
	s.Wake()
	if err := s.Wait(t.Context()); err != nil {
		t.Fatalf("wait: %v", err)
	}
}

// another is one more process that works on jobs of the World's store.
func another(t *testing.T, w *apptest.World) *reports.Jobs {
	t.Helper()
	s := &reports.Jobs{UnitOfWork: w.UnitOfWork, Reports: w.Jobs.Reports, Staff: w.Jobs.Staff, Writers: w.Jobs.Writers, Zone: w.Zone, Log: w.Jobs.Log}
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
	State                 report.JobStatus
	Done, Skipped, Failed int
}

func progressOf(j report.Job) progress { return progress{j.Status, j.Done, j.Skipped, j.Failed} }
