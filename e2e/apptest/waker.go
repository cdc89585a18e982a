package apptest

import (
	"sync"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/ports"
)

var _ ports.Waker = (*Waker)(nil)

// Waker wakes nobody: it keeps the wake-ups in their order until a test takes them. It is safe for concurrent use.
type Waker struct {
	mu      sync.Mutex
	wakeUps []core.WakeUp
}

// NewWaker returns a waker without wake-ups.
func NewWaker() *Waker { return &Waker{} }

// Wake implements ports.Waker.
func (w *Waker) Wake(wakeUps ...core.WakeUp) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.wakeUps = append(w.wakeUps, wakeUps...)
}

// Drain takes all wake-ups that nobody has taken yet, oldest first.
func (w *Waker) Drain() []core.WakeUp {
	w.mu.Lock()
	defer w.mu.Unlock()
	wakeUps := w.wakeUps
	w.wakeUps = nil
	return wakeUps
}
