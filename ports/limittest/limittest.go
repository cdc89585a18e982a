// Package limittest is the conformance kit of ports.Limiter.
package limittest

import (
	"crypto/rand"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/ports"
)

// hourly is a rate so slow that a test ends long before an event comes back, on any clock.
var hourly = core.Rate{Events: 10, Per: time.Hour}

// Run tests the limiters that open gives, which may share one store: the kit makes keys of its own. Callers that take
// at the same time may together get up to a tenth of the rate (core.Rate.Tenth) more than the rate, so that a limiter
// on several machines need not ask its store about every single event; callers one after the other get the rate exactly.
func Run(t *testing.T, open func(t *testing.T) ports.Limiter) {
	t.Helper()
	sentences := []struct {
		says string
		test func(l *limited)
	}{
		{"within the rate every event is allowed and counted", within},
		{"beyond the rate events are refused, with how long to wait", beyond},
		{"several events are taken at once or not at all", severalAtOnce},
		{"more events than the rate are never allowed at once", moreThanTheRate},
		{"another key is not affected", otherKey},
		{"peeking tells the same and does not count", peeking},
		{"a key that nobody used is free", unused},
		{"without a rate everything is allowed", off},
		{"concurrent takes get the rate and no more than the slack beyond it", concurrent},
	}
	for _, s := range sentences {
		t.Run(s.says, func(t *testing.T) {
			t.Parallel()
			s.test(&limited{T: t, limiter: open(t), key: rand.Text()})
		})
	}
}

// limited is a limiter and a key that nobody has used.
type limited struct {
	*testing.T
	limiter ports.Limiter
	key     string
}

func (l *limited) take(n int, rate core.Rate) core.Allowance {
	return l.limiter.Take(l.Context(), l.key, n, rate)
}

func (l *limited) peek(rate core.Rate) core.Allowance {
	return l.limiter.Peek(l.Context(), l.key, rate)
}

// allows checks an answer that is yes, with so many events left.
func (l *limited) allows(a core.Allowance, remaining int) {
	l.Helper()
	if !a.OK || a.Limit != hourly.Events || a.Remaining != remaining || a.Retry != 0 {
		l.Fatalf("got %+v, want OK with %d of %d left and nothing to wait for", a, remaining, hourly.Events)
	}
	if a.Reset < 0 || a.Reset > hourly.Per {
		l.Fatalf("all of it is back in %s, want at most %s", a.Reset, hourly.Per)
	}
}

// refuses checks an answer that is no.
func (l *limited) refuses(a core.Allowance) {
	l.Helper()
	if a.OK || a.Limit != hourly.Events {
		l.Fatalf("got %+v, want a refusal with the limit of %d", a, hourly.Events)
	}
	if a.Retry <= 0 || a.Retry > hourly.Per || a.Reset < a.Retry {
		l.Fatalf("got %+v, want a wait of at most %s, and no longer than until all of it is back", a, hourly.Per)
	}
}

func within(l *limited) {
	for i := range hourly.Events {
		l.allows(l.take(1, hourly), hourly.Events-1-i)
	}
}

func beyond(l *limited) {
	for range hourly.Events {
		l.take(1, hourly)
	}
	for range 3 {
		a := l.take(1, hourly)
		l.refuses(a)
		if a.Remaining != 0 {
			l.Fatalf("%d left of a rate that is used up", a.Remaining)
		}
	}
}

func severalAtOnce(l *limited) {
	l.allows(l.take(4, hourly), 6)
	l.allows(l.take(6, hourly), 0)
	l.refuses(l.take(2, hourly))
}

func moreThanTheRate(l *limited) {
	if a := l.take(hourly.Events+1, hourly); a.OK {
		l.Fatalf("got %+v for more events than the rate has", a)
	}
}

func otherKey(l *limited) {
	for range hourly.Events + 1 {
		l.take(1, hourly)
	}
	for _, key := range []string{l.key + "2", "x" + l.key, "a key: " + l.key + " ğ*?[]{}\n"} {
		l.allows(l.limiter.Take(l.Context(), key, 1, hourly), hourly.Events-1)
	}
}

func peeking(l *limited) {
	l.take(3, hourly)
	for range 2 * hourly.Events {
		l.allows(l.peek(hourly), 7)
	}
	l.allows(l.take(7, hourly), 0)
	for range 3 {
		l.refuses(l.peek(hourly))
	}
}

func unused(l *limited) { l.allows(l.peek(hourly), hourly.Events) }

func off(l *limited) {
	for range 100 {
		if a := l.take(1000, core.Rate{}); a != (core.Allowance{OK: true}) {
			l.Fatalf("got %+v without a rate", a)
		}
	}
	if a := l.peek(core.Rate{}); a != (core.Allowance{OK: true}) {
		l.Fatalf("got %+v without a rate", a)
	}
	l.allows(l.peek(hourly), hourly.Events)
}

func concurrent(l *limited) {
	const callers, each = 40, 5
	rate := core.Rate{Events: 100, Per: time.Hour}
	var allowed atomic.Int64
	var all sync.WaitGroup
	for range callers {
		all.Go(func() {
			for range each {
				if l.take(1, rate).OK {
					allowed.Add(1)
				}
			}
		})
	}
	all.Wait()
	most := rate.Events + rate.Tenth().Events
	if n := int(allowed.Load()); n < rate.Events || n > most {
		l.Fatalf("%d of %d takes allowed, want %d to %d", n, callers*each, rate.Events, most)
	}
}
