package redislimit

import (
	"context"
	"sync"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/ports"
)

var _ ports.Limiter = (*Local)(nil)

// Local counts by the same algorithm in this process alone, exactly: the embedded default, in which there is no other
// process. It forgets keys of which all is back, and the least recently used where there are very many. It is safe for concurrent use.
type Local struct {
	clock clock
	names names
	mu    sync.Mutex
	full  recent[name, moment] // when all of a key's events are back
}

// NewLocal makes a limiter that needs nothing.
func NewLocal() *Local {
	return &Local{clock: newClock(), names: newNames(), full: newRecent[name, moment](knownKeys)}
}

// Take implements ports.Limiter.
func (l *Local) Take(_ context.Context, key string, n int, rate core.Rate) core.Allowance {
	return l.look(key, max(n, 0), max(n, 0), rate)
}

// Peek implements ports.Limiter: OK reports whether one more event is within the rate.
func (l *Local) Peek(_ context.Context, key string, rate core.Rate) core.Allowance {
	return l.look(key, 1, 0, rate)
}

// look reports whether asked events fit, and counts some events if they do.
func (l *Local) look(key string, asked, count int, rate core.Rate) core.Allowance {
	if rate.IsOff() {
		return core.Allowance{OK: true}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	id := l.names.of(key, rate)
	full, _ := l.full.get(id)
	now := l.clock.now()
	a := fit(full, asked, count, rate, now)
	if a.OK && count > 0 {
		l.full.put(id, now+a.Reset, rate.Per)
	}
	return a
}

// fit reports whether asked events fit into a rate of which all is back at full, and how it stands when some of them are
// counted if they do.
func fit(full moment, asked, count int, rate core.Rate, now moment) core.Allowance {
	each, used := interval(rate), max(full-now, 0)
	left := min(int((rate.Per-used)/each), rate.Events)
	a := core.Allowance{OK: asked <= left, Limit: rate.Events}
	if a.OK {
		used += time.Duration(count) * each
		left -= count
	} else {
		a.Retry = min(used+time.Duration(min(asked, rate.Events))*each-rate.Per, rate.Per)
	}
	a.Remaining, a.Reset = max(left, 0), used
	return a
}
