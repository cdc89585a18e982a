package apptest_test

import (
	"testing"
	"time"

	"github.com/vezne/vezne/app/apptest"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/ports"
	"github.com/vezne/vezne/ports/limittest"
)

func TestLimiter(t *testing.T) {
	t.Parallel()
	limittest.Run(t, func(*testing.T) ports.Limiter { return apptest.NewLimiter(apptest.NewClock(start)) })
}

// TestLimiterWindow: the kit cannot move a clock, so it does not see events come back.
func TestLimiterWindow(t *testing.T) {
	t.Parallel()
	clock := apptest.NewClock(start)
	limiter, rate := apptest.NewLimiter(clock), core.Rate{Events: 2, Per: time.Minute}
	limiter.Take(t.Context(), "k", 2, rate)
	clock.Advance(time.Minute - time.Nanosecond)
	if a := limiter.Take(t.Context(), "k", 1, rate); a.OK || a.Retry != time.Nanosecond {
		t.Fatalf("got %+v a nanosecond before the window's end", a)
	}
	clock.Advance(time.Nanosecond)
	want := core.Allowance{OK: true, Limit: 2, Remaining: 1, Reset: time.Minute}
	if a := limiter.Take(t.Context(), "k", 1, rate); a != want {
		t.Fatalf("got %+v in a new window, want %+v", a, want)
	}
}
