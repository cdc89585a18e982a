package payment_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/coretest"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
)

// waiting is a callback that was never tried, with a schedule's first attempt due.
func waiting(id core.ID) payment.Callback {
	return payment.Callback{ID: id, Version: 1, Status: payment.Waiting, NextAttemptAt: coretest.Evening, CreatedAt: coretest.Evening}
}

// TestJitterSpreads: callbacks that failed together do not return together, nor in step at later attempts; the same
// attempt always waits the same.
func TestJitterSpreads(t *testing.T) {
	t.Parallel()
	const wait = 1000 * time.Second
	ids, schedule := coretest.NewIDs(t, coretest.Evening), payment.RetrySchedule{0, wait, wait}
	waits, inStep := map[time.Duration]bool{}, 0
	for range 1000 {
		cb := waiting(ids.Next())
		wait := func(made int) time.Duration {
			cb.AttemptCount = made
			return core.RowsOf[payment.Callback](payment.DecideAttempt(cb, "", payment.DeliveryResult{}, schedule, coretest.Evening, ids))[0].NextAttemptAt.Sub(coretest.Evening)
		}
		first := wait(0)
		if again := wait(0); again != first {
			t.Fatalf("%s, then %s", first, again)
		}
		if wait(1) == first {
			inStep++
		}
		waits[first] = true
	}
	sorted := slices.Sorted(maps.Keys(waits))
	if len(sorted) < 90 || sorted[0] > wait*1005/1000 || sorted[len(sorted)-1] < wait*1095/1000 || inStep > 100 {
		t.Errorf("%d different waits from %s to %s, %d in step", len(sorted), sorted[0], sorted[len(sorted)-1], inStep)
	}
}

func TestRetryAfter(t *testing.T) {
	t.Parallel()
	schedule := payment.RetrySchedule{0, time.Minute}
	tests := []struct {
		asked, least, most time.Duration
	}{
		{0, time.Minute, 66 * time.Second},
		{-time.Hour, time.Minute, 66 * time.Second},
		{time.Second, time.Minute, 66 * time.Second}, // never earlier than the schedule
		{time.Hour, time.Hour, time.Hour},
		{24 * time.Hour, 24 * time.Hour, 24 * time.Hour},
		{1 << 62, 24 * time.Hour, 24 * time.Hour}, // a hostile wait is cut
	}
	for _, tt := range tests {
		ids := coretest.NewIDs(t, coretest.Evening)
		answer := payment.DeliveryResult{HTTPStatus: 503, RetryAfter: tt.asked}
		cb := core.RowsOf[payment.Callback](payment.DecideAttempt(waiting(ids.Next()), "", answer, schedule, coretest.Evening, ids))[0]
		if got := cb.NextAttemptAt.Sub(coretest.Evening); got < tt.least || got > tt.most {
			t.Errorf("Retry-After %s: waits %s, want %s to %s", tt.asked, got, tt.least, tt.most)
		}
	}
}

// TestDecideAttempt: whatever a receiver answers, one attempt is logged, only what acknowledges delivers, and the schedule's end fails.
func TestDecideAttempt(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		schedule := payment.DefaultRetrySchedule[:rapid.IntRange(0, 10).Draw(t, "rungs")]
		ids := coretest.NewIDs(t, coretest.Evening)
		cb := waiting(ids.Next())
		cb.AttemptCount = rapid.IntRange(0, 12).Draw(t, "made")
		cb.LeaseUntil = coretest.Evening.Add(time.Minute)
		answer := payment.DeliveryResult{
			Duration:   time.Duration(rapid.Int64Range(0, int64(10*time.Second)).Draw(t, "duration")),
			HTTPStatus: rapid.SampledFrom([]int{0, 200, 201, 204, 301, 400, 500}).Draw(t, "status"),
			Error:      rapid.SampledFrom([]string{"", "timeout"}).Draw(t, "error"), Answer: "body",
			RetryAfter: time.Duration(rapid.Int64Range(-1, 1<<62).Draw(t, "retry after")),

			Acknowledgement: owner.Acknowledgement(rapid.Bool().Draw(t, "any 2xx")),
		}
		change := payment.DecideAttempt(cb, "https://example.com", answer, schedule, coretest.Evening, ids)
		if len(core.RowsOf[payment.Callback](change)) != 1 || len(core.RowsOf[payment.Attempt](change)) != 1 {
			t.Fatalf("%+v", change)
		}
		after, attempt := core.RowsOf[payment.Callback](change)[0], core.RowsOf[payment.Attempt](change)[0]
		want := payment.Attempt{
			ID: attempt.ID, CallbackID: cb.ID, Number: cb.AttemptCount + 1, At: coretest.Evening.Add(-answer.Duration), Duration: answer.Duration,
			URL: "https://example.com", HTTPStatus: answer.HTTPStatus, Error: answer.Error, Answer: "body",
		}
		if attempt != want || attempt.ID <= cb.ID {
			t.Fatalf("logged %+v, want %+v", attempt, want)
		}
		if reported(after) != reported(cb) {
			t.Fatalf("changes what is written once: %+v after %+v", after, cb)
		}
		if after.Version != cb.Version+1 || after.AttemptCount != cb.AttemptCount+1 || !after.LeaseUntil.IsZero() {
			t.Fatalf("%+v after %+v", after, cb)
		}
		checkOutcome(t, after, answer, len(schedule))
	})
}

func checkOutcome(t *rapid.T, after payment.Callback, answer payment.DeliveryResult, rungs int) {
	state, isFinished := payment.Waiting, false
	switch {
	case answer.HTTPStatus == 200, answer.Acknowledgement == owner.Any2xx && (answer.HTTPStatus == 201 || answer.HTTPStatus == 204):
		state, isFinished = payment.Delivered, true
	case after.AttemptCount >= rungs:
		state, isFinished = payment.Undeliverable, true
	}
	if after.Status != state || after.NextAttemptAt.IsZero() != isFinished || after.FinishedAt.IsZero() == isFinished {
		t.Fatalf("%+v after %d attempts of %d and the answer %+v, want %s", after, after.AttemptCount, rungs, answer, state)
	}
	if wait := after.NextAttemptAt.Sub(coretest.Evening); !isFinished && (wait < 0 || wait > 24*time.Hour*11/10) {
		t.Fatalf("waits %s", wait)
	}
}

// TestHandBack: what a worker gives back untried is due as it was, for anybody.
func TestHandBack(t *testing.T) {
	t.Parallel()
	leased := waiting("x")
	leased.AttemptCount, leased.LeaseUntil = 3, coretest.Evening.Add(time.Minute)
	want := waiting("x")
	want.AttemptCount, want.Version = 3, 2
	change := payment.HandBack([]payment.Callback{leased})
	if len(core.RowsOf[payment.Callback](change)) != 1 || fmt.Sprint(core.RowsOf[payment.Callback](change)[0]) != fmt.Sprint(want) || len(core.RowsOf[payment.Attempt](change)) != 0 {
		t.Errorf("%+v, want %+v", change, want)
	}
	if wakeUps := change.WakeUps(); len(wakeUps) != 1 || !wakeUps[0].At.Equal(coretest.Evening) {
		t.Errorf("wake-ups %+v", wakeUps)
	}
}

func TestDecideSkip(t *testing.T) {
	t.Parallel()
	cb := waiting("x")
	cb.LeaseUntil = coretest.Evening.Add(time.Minute)
	got := core.RowsOf[payment.Callback](payment.DecideSkip(cb, coretest.Evening))[0]
	want := payment.Callback{ID: "x", Version: 2, Status: payment.Skipped, CreatedAt: coretest.Evening, FinishedAt: coretest.Evening}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}
