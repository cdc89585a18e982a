package asynqqueue

import (
	"sync"
	"time"

	"github.com/vezne/vezne/core"
)

const (
	// maxWaiting wake-ups are kept in memory while Redis does not take them; more are left to the sweeper.
	maxWaiting = 1 << 16
	// rememberedSeconds of wake-ups for the future are remembered at least, and twice as many at most.
	rememberedSeconds = 1 << 14
	// clockSkew is how far the clocks of two machines may be apart: a worker's may have reached a second already.
	clockSkew = 2 * time.Second
)

// queued is what makes two wake-ups equal.
type queued struct {
	kind   core.WakeUpKind
	key    string // as a task carries it
	second int64  // Unix time; 0: at once
}

// pending is the set of wake-ups that wait to be sent.
type pending struct {
	mu      sync.Mutex
	waiting map[queued]struct{}
	// Wake-ups for the future that were taken to be sent, by age: the same second need not be sent again.
	young, old map[queued]struct{}
}

func newPending() *pending {
	return &pending{waiting: map[queued]struct{}{}, young: map[queued]struct{}{}}
}

// add puts wake-ups into the set and reports whether one of them was new.
func (p *pending) add(wakeUps []core.WakeUp, now time.Time) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	before := len(p.waiting)
	for i := range wakeUps {
		r := queued{kind: wakeUps[i].Kind, key: keyOf(wakeUps[i])}
		if wakeUps[i].At.After(now) {
			r.second = nextSecond(wakeUps[i].At)
			if p.wasSent(r, now) {
				continue
			}
		}
		if len(p.waiting) < maxWaiting {
			p.waiting[r] = struct{}{}
		}
	}
	return len(p.waiting) > before
}

// nextSecond rounds up: asynq counts in whole seconds, and a wake-up must not come before its time.
func nextSecond(at time.Time) int64 { return at.Add(time.Second - 1).Unix() }

func (p *pending) wasSent(r queued, now time.Time) bool {
	if time.Unix(r.second, 0).Sub(now) < clockSkew {
		return false
	}
	_, young := p.young[r]
	_, old := p.old[r]
	return young || old
}

// take removes at most limit wake-ups. One that comes again from now on is a new wake-up: whoever receives these may have begun
// to look before it came. Those for the future are remembered instead: they are sent, or failed takes them back.
func (p *pending) take(limit int) []queued {
	p.mu.Lock()
	defer p.mu.Unlock()
	batch := make([]queued, 0, min(limit, len(p.waiting)))
	for r := range p.waiting {
		if len(batch) == limit {
			break
		}
		delete(p.waiting, r)
		batch = append(batch, r)
		p.remember(r)
	}
	return batch
}

func (p *pending) remember(r queued) {
	if r.second == 0 {
		return
	}
	if len(p.young) >= rememberedSeconds {
		p.young, p.old = map[queued]struct{}{}, p.young
	}
	p.young[r] = struct{}{}
}

// failed takes wake-ups back, and forgets what Redis may have lost.
func (p *pending) failed(batch []queued) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.young, p.old = map[queued]struct{}{}, nil
	for _, r := range batch {
		if len(p.waiting) < maxWaiting {
			p.waiting[r] = struct{}{}
		}
	}
}
