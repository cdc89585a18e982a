package apptest

import (
	"context"
	"slices"
	"sync"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/ports"
)

var _ ports.Bell = (*Bell)(nil)

// Bell wakes nobody: it keeps the rings in their order until a test takes them. It is safe for concurrent use.
type Bell struct {
	mu    sync.Mutex
	rang  *sync.Cond
	rings []core.WakeUp
}

// NewBell is a bell that has not rung.
func NewBell() *Bell {
	b := &Bell{}
	b.rang = sync.NewCond(&b.mu)
	return b
}

// Ring implements ports.Bell.
func (b *Bell) Ring(rings ...core.WakeUp) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.rings = append(b.rings, rings...)
	b.rang.Broadcast()
}

// Drain takes all rings that nobody has taken yet, oldest first.
func (b *Bell) Drain() []core.WakeUp {
	b.mu.Lock()
	defer b.mu.Unlock()
	rings := b.rings
	b.rings = nil
	return rings
}

// Next takes the oldest ring; when there is none it waits for one until the context is over, whose error it then gives.
func (b *Bell) Next(ctx context.Context) (core.WakeUp, error) {
	stop := context.AfterFunc(ctx, func() {
		b.mu.Lock() // a waiter is either before its look at the context or asleep
		defer b.mu.Unlock()
		b.rang.Broadcast()
	})
	defer stop()
	b.mu.Lock()
	defer b.mu.Unlock()
	for len(b.rings) == 0 {
		if err := ctx.Err(); err != nil {
			return core.WakeUp{}, err
		}
		b.rang.Wait()
	}
	ring := b.rings[0]
	b.rings = slices.Delete(b.rings, 0, 1)
	return ring, nil
}
