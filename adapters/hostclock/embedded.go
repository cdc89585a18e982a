package hostclock

import (
	"context"
	"sync"
	"time"
)

// settled is how long a clock that was set may differ from elapsed time before the new time is taken for right: nothing but
// this machine could say otherwise, and starting anew would take it at once.
const settled = 10 * time.Minute

// Elapsed is the reference of an installation that nobody else works on: its own clock at the start, and the time that has
// passed since. It shows that the clock was set. Since returns how much time has passed since some moment, suspension
// included; where a system cannot tell that, nothing is compared.
func Elapsed(source Source, since func() (time.Duration, bool)) Reference {
	e := &elapsed{source: source, since: since}
	e.began, _ = source()
	e.at, _ = since()
	return e.now
}

type elapsed struct {
	source Source
	since  func() (time.Duration, bool)

	mu     sync.Mutex
	began  time.Time     // what the clock said
	at     time.Duration // when it said that
	wrong  bool
	passed time.Duration // when the clock was seen to be set
}

func (e *elapsed) now(context.Context) (time.Time, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	wall, _ := e.source()
	now, ok := e.since()
	if !ok {
		return wall, nil
	}
	there := e.began.Add(now - e.at)
	isOff := wall.Sub(there).Abs() > MaxOffset
	switch {
	case isOff && !e.wrong:
		e.wrong, e.passed = true, now
	case isOff && now-e.passed >= settled, !isOff: // small steps, as of NTP, do not add up
		e.wrong, e.began, e.at = false, wall, now
		there = wall
	}
	return there, nil
}
