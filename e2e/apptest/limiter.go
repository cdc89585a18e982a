package apptest

import (
	"context"
	"sync"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/ports"
)

var _ ports.Limiter = (*Limiter)(nil)

// Limiter counts in fixed windows that begin with a key's first event. Events beyond the rate are not counted. It is
// exact, safe for concurrent use, and forgets no key: it is for tests.
type Limiter struct {
	clock   ports.Clock
	mu      sync.Mutex
	windows map[string]window
}

type window struct {
	end  time.Time
	used int
}

// NewLimiter is a limiter on a clock.
func NewLimiter(clock ports.Clock) *Limiter {
	return &Limiter{clock: clock, windows: map[string]window{}}
}

// Take implements ports.Limiter.
func (l *Limiter) Take(_ context.Context, key string, n int, rate core.Rate) core.Allowance {
	return l.look(key, n, n, rate)
}

// Peek implements ports.Limiter: OK reports whether one more event would be within the rate.
func (l *Limiter) Peek(_ context.Context, key string, rate core.Rate) core.Allowance {
	return l.look(key, 1, 0, rate)
}

// look reports whether asked events fit, and counts some events if they do.
func (l *Limiter) look(key string, asked, count int, rate core.Rate) core.Allowance {
	if rate.IsOff() {
		return core.Allowance{OK: true}
	}
	now := l.clock.Now()
	l.mu.Lock()
	defer l.mu.Unlock()
	w := l.windows[key]
	if !now.Before(w.end) {
		w = window{end: now.Add(rate.Per)}
	}
	answer := core.Allowance{OK: w.used+asked <= rate.Events, Limit: rate.Events}
	if answer.OK {
		w.used += count
	} else {
		answer.Retry = w.end.Sub(now)
	}
	if w.used > 0 {
		l.windows[key] = w
		answer.Reset = w.end.Sub(now)
	}
	answer.Remaining = max(0, rate.Events-w.used)
	return answer
}
