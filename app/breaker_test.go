package app_test

import (
	"testing"
	"time"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/e2e/apptest"
)

// failing is a breaker that has just opened.
func failing() (*app.Breaker, time.Time) {
	b, now := &app.Breaker{Failures: 3}, apptest.Start
	for range 3 {
		b.Record(false, now)
	}
	return b, now
}

func TestBreakerAdmitsEverybodyUntilItOpensAndThenOneAtATime(t *testing.T) {
	t.Parallel()
	b := &app.Breaker{Failures: 3}
	for range 10 {
		if !b.Admit(apptest.Start, time.Minute) {
			t.Fatal("closed, and somebody is not admitted")
		}
	}
	b, now := failing()
	if b.Admit(now, time.Minute) || b.ProbeIn(now) != 2*time.Second {
		t.Errorf("just opened: the next try is in %s", b.ProbeIn(now))
	}
	now = now.Add(2 * time.Second)
	if !b.Admit(now, time.Minute) || b.Admit(now, time.Minute) || b.Allowed(now, 16) != 0 {
		t.Error("not one alone is admitted when a try is due")
	}
	now = now.Add(time.Minute)
	if !b.Admit(now, time.Minute) {
		t.Error("a try that nothing was heard of keeps all others out for ever")
	}
}

func TestBreakerWaitsLongerAfterATryThatFailedAndNotAtAllAfterOneThatSucceeded(t *testing.T) {
	t.Parallel()
	b, now := failing()
	for _, want := range []time.Duration{4, 8, 16, 30, 30} {
		now = now.Add(b.ProbeIn(now))
		if !b.Admit(now, time.Minute) {
			t.Fatal("no try when one is due")
		}
		b.Record(false, now)
		if got := b.ProbeIn(now); got != want*time.Second {
			t.Errorf("the next try is in %s, want %d s", got, want)
		}
	}
	b.Record(true, now)
	if b.IsOpen() || b.ProbeIn(now) != 0 || b.Allowed(now, 16) != 16 || !b.Admit(now, time.Minute) {
		t.Error("it stays open after a success")
	}
}
