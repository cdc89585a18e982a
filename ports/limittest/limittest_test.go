package limittest_test

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/app/apptest"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/ports"
	"github.com/vezne/vezne/ports/limittest"
)

var start = time.Date(2026, time.March, 14, 9, 26, 53, 0, time.UTC)

func TestReference(t *testing.T) {
	t.Parallel()
	limittest.Run(t, func(*testing.T) ports.Limiter { return apptest.NewLimiter(apptest.NewClock(start)) })
}

// take is one call to a limiter, Peek when n is 0.
type take struct {
	key  string
	n    int
	rate core.Rate
}

// broken is the reference limiter with a defect in what it is asked or in what it answers.
type broken struct {
	*apptest.Limiter
	ask    func(*take)
	answer func(*core.Allowance)
}

func (b broken) Take(ctx context.Context, key string, n int, rate core.Rate) core.Allowance {
	return b.call(take{key, n, rate}, func(c take) core.Allowance { return b.Limiter.Take(ctx, c.key, c.n, c.rate) })
}

func (b broken) Peek(ctx context.Context, key string, rate core.Rate) core.Allowance {
	return b.call(take{key, 0, rate}, func(c take) core.Allowance {
		if c.n > 0 {
			return b.Limiter.Take(ctx, c.key, c.n, c.rate)
		}
		return b.Limiter.Peek(ctx, c.key, c.rate)
	})
}

func (b broken) call(c take, next func(take) core.Allowance) core.Allowance {
	if b.ask != nil {
		b.ask(&c)
	}
	a := next(c)
	if b.answer != nil {
		b.answer(&a)
	}
	return a
}

// defects are broken limiters, each with a sentence that it must fail.
var defects = []struct {
	name, fails string
	ask         func(*take)
	answer      func(*core.Allowance)
}{
	{"counts one for several", "several events are taken at once or not at all", func(c *take) { c.n = min(c.n, 1) }, nil},
	{"counts a peek", "peeking tells the same and does not count", func(c *take) { c.n = max(c.n, 1) }, nil},
	{"has one key", "another key is not affected", func(c *take) { c.key = "" }, nil},
	{"allows a fifth more", "concurrent takes get the rate and no more than the slack beyond it",
		func(c *take) { c.rate.Events += c.rate.Events / 5 }, nil},
	{"never refuses", "beyond the rate events are refused, with how long to wait", nil,
		func(a *core.Allowance) { a.OK = true }},
	{"does not say how long to wait", "beyond the rate events are refused, with how long to wait", nil,
		func(a *core.Allowance) { a.Retry = 0 }},
	{"takes no rate for none allowed", "without a rate everything is allowed", nil,
		func(a *core.Allowance) { a.OK = a.OK && a.Limit > 0 }},
	{"counts what is left from one", "within the rate every event is allowed and counted", nil,
		func(a *core.Allowance) { a.Remaining++ }},
}

const asSubject = "LIMITTEST_BROKEN"

// TestBrokenLimiters runs the kit on the broken limiters in a second process and looks for the sentences that fail.
func TestBrokenLimiters(t *testing.T) {
	t.Parallel()
	if os.Getenv(asSubject) != "" {
		failTheKit(t)
		return
	}
	kit := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestBrokenLimiters$", "-test.v")
	kit.Env = append(os.Environ(), asSubject+"=1")
	output, err := kit.CombinedOutput()
	if err == nil {
		t.Fatal("the kit passed the broken limiters")
	}
	for _, d := range defects {
		t.Run(d.name, func(t *testing.T) {
			name := strings.ReplaceAll("TestBrokenLimiters/"+d.name+"/"+d.fails, " ", "_")
			if !strings.Contains(string(output), "--- FAIL: "+name+" (") {
				t.Errorf("the kit does not fail %s", name)
			}
		})
	}
}

func failTheKit(t *testing.T) {
	for _, d := range defects {
		t.Run(d.name, func(t *testing.T) {
			limittest.Run(t, func(*testing.T) ports.Limiter {
				return broken{apptest.NewLimiter(apptest.NewClock(start)), d.ask, d.answer}
			})
		})
	}
}
