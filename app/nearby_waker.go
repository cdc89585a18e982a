package app

import (
	"sync"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/ports"
)

// nearbyEvery is the least time between two rounds of wake-ups. The first comes at once; those of the meantime become few,
// so that under load a worker claims many rows at once and not one after each commit.
const nearbyEvery = 2 * time.Millisecond

// NearbyWaker brings what is due now to the workers of this process, without the way over the queue. It leaves to the queue
// what is due later, and everything while this process does not work. Where its workers are slow, those of others find
// what is due with their sweepers.
type NearbyWaker struct {
	Queue ports.Waker

	mu      sync.Mutex
	bring   func(core.WakeUp)        // nil while this process does not work
	waiting map[core.WakeUp]struct{} // for the next round
	last    time.Time                // when the last round began
}

// Start has this process's workers woken from now on. bring wakes one of them and returns at once.
func (n *NearbyWaker) Start(bring func(core.WakeUp)) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.bring, n.waiting = bring, map[core.WakeUp]struct{}{}
}

// Stop leaves everything to the queue from now on, also what waits.
func (n *NearbyWaker) Stop() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.bring = nil
	for up := range n.waiting {
		n.Queue.Wake(up)
	}
	n.waiting = nil
}

// Wake implements ports.Waker.
func (n *NearbyWaker) Wake(wakeUps ...core.WakeUp) {
	now := time.Now()
	var queued []core.WakeUp
	n.mu.Lock()
	for _, up := range wakeUps {
		if n.bring == nil || up.Kind == core.DuePayments || up.At.After(now) { // an expiry is work, which no caller waits for
			queued = append(queued, up)
			continue
		}
		up.At = time.Time{}
		n.waiting[up] = struct{}{}
		if len(n.waiting) == 1 {
			time.AfterFunc(nearbyEvery-now.Sub(n.last), n.round)
		}
	}
	n.mu.Unlock()
	if len(queued) > 0 {
		n.Queue.Wake(queued...)
	}
}

func (n *NearbyWaker) round() {
	n.mu.Lock()
	bring, waiting := n.bring, n.waiting
	n.last = time.Now()
	if bring != nil {
		n.waiting = map[core.WakeUp]struct{}{}
	}
	n.mu.Unlock()
	for up := range waiting {
		if bring != nil { // else Stop has given them to the queue
			bring(up)
		}
	}
}
