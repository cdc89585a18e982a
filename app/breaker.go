package app

import (
	"sync"
	"time"
)

// How often something that counts as failing is probed.
const (
	firstProbe = 2 * time.Second
	maxProbe   = 30 * time.Second
)

// Breaker keeps what keeps failing from being hammered: after so many failures in a row only one thing is tried at a
// time, at growing intervals, until one succeeds. The others stay due and lose no attempt.
type Breaker struct {
	Failures int // in a row, that open it

	mu      sync.Mutex
	inARow  int
	wait    time.Duration
	probeAt time.Time
	isSent  bool // a probe was admitted, and nothing is known of it
}

// Allowed is how many of at most most may be tried now.
func (b *Breaker) Allowed(now time.Time, most int) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.inARow < b.Failures:
		return most
	case now.Before(b.probeAt):
		return 0
	default:
		return 1
	}
}

// Admit claims the one try that may be made now, while it counts as failing. Until its outcome is recorded, or for as
// long as the try may take, nobody else is admitted.
func (b *Breaker) Admit(now time.Time, tryTakes time.Duration) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.inARow < b.Failures:
		return true
	case now.Before(b.probeAt):
		return false
	default:
		b.probeAt, b.isSent = now.Add(tryTakes), true
		return true
	}
}

// ProbeIn is how long nothing may be tried from now on.
func (b *Breaker) ProbeIn(now time.Time) time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.inARow < b.Failures {
		return 0
	}
	return max(0, b.probeAt.Sub(now))
}

// IsOpen reports whether it counts as failing.
func (b *Breaker) IsOpen() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.inARow >= b.Failures
}

// Record takes an outcome in.
func (b *Breaker) Record(success bool, now time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if success {
		b.inARow, b.wait, b.probeAt, b.isSent = 0, 0, time.Time{}, false
		return
	}
	if b.inARow++; b.inARow < b.Failures || now.Before(b.probeAt) && !b.isSent {
		return // not failing yet, or sent before it was known to
	}
	b.isSent = false
	b.wait = min(max(2*b.wait, firstProbe), maxProbe)
	b.probeAt = now.Add(b.wait)
}
