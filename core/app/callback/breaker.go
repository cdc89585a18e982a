package callback

import (
	"sync"
	"time"
)

// When a receiver counts as failing, and how often it is then probed.
const (
	failuresToOpen = 20
	firstProbe     = 2 * time.Second
	maxProbe       = 30 * time.Second
)

// breaker keeps a receiver that keeps failing from being hammered: after failuresToOpen failures in a row only one
// callback is tried at a time, at growing intervals, until one is taken. The others stay due and lose no attempt.
type breaker struct {
	mu       sync.Mutex
	failures int
	wait     time.Duration
	probeAt  time.Time
}

// allowed is how many callbacks may be leased now.
func (b *breaker) allowed(now time.Time) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.failures < failuresToOpen:
		return maxBatch
	case now.Before(b.probeAt):
		return 0
	default:
		return 1
	}
}

// isOpen tells whether the receiver counts as failing.
func (b *breaker) isOpen() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.failures >= failuresToOpen
}

// record takes an attempt's outcome in.
func (b *breaker) record(success bool, now time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if success {
		b.failures, b.wait, b.probeAt = 0, 0, time.Time{}
		return
	}
	if b.failures++; b.failures < failuresToOpen || now.Before(b.probeAt) {
		return // not failing yet, or sent before it was known to
	}
	b.wait = min(max(2*b.wait, firstProbe), maxProbe)
	b.probeAt = now.Add(b.wait)
}
