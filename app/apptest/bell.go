package apptest

import (
	"sync"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/ports"
)

var _ ports.Bell = (*Bell)(nil)

// Bell wakes nobody: it keeps the rings in their order until a test takes them. It is safe for concurrent use.
type Bell struct {
	mu    sync.Mutex
	rings []core.WakeUp
}

// NewBell is a bell that has not rung.
func NewBell() *Bell { return &Bell{} }

// Ring implements ports.Bell.
func (b *Bell) Ring(rings ...core.WakeUp) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.rings = append(b.rings, rings...)
}

// Drain takes all rings that nobody has taken yet, oldest first.
func (b *Bell) Drain() []core.WakeUp {
	b.mu.Lock()
	defer b.mu.Unlock()
	rings := b.rings
	b.rings = nil
	return rings
}
