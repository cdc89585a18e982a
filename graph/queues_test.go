package graph_test

import (
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/core/staff"
)

const queuesQuery = `{ queues { taskQueues { name size pending active scheduled retry archived processedToday failedToday
	latencyMs isPaused } work { kind dueCount oldestDueAt stuckCount failedCount skippedCount } } }`

func TestGoldenQueues(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.TaskQueues.List = []report.TaskQueue{{
		Name: "vezne", Size: 9, Pending: 1, Active: 2, Scheduled: 3, Retry: 1, Archived: 2, ProcessedToday: 77, FailedToday: 5,
		Latency: 1500 * time.Millisecond, IsPaused: true,
	}}
	a.claim(t)
	a.StartDeposit(t, payment.ManualDeposit, lira(25000))
	p := a.StartDeposit(t, payment.ManualDeposit, lira(25000))
	if _, err := a.Deposits.Cancel(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	a.Clock.Advance(35 * time.Minute)
	checkGolden(t, "queues", a.as(t, staff.Admin, queuesQuery, nil).Raw)
}

func TestTheTruthIsToldWithoutRedis(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.TaskQueues.Err = fault.New("test", fault.Unavailable)
	answer := a.as(t, staff.Admin, queuesQuery, nil)
	if answer.code() != "UNAVAILABLE" || !strings.Contains(answer.Raw, `{"taskQueues":null,"work":[{"kind":"CALLBACKS"`) {
		t.Errorf("got %s", answer.Raw)
	}
}
