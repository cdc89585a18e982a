// Package localevents carries events between the parts of one process, which needs no server.
package localevents

import (
	"context"
	"sync"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/ports"
)

var _ ports.Events = (*Events)(nil)

// maxEvents is how many rows' events wait for one listener.
const maxEvents = 1 << 12

// Events carries cues within this process. It is safe for concurrent use.
type Events struct {
	mu        sync.Mutex
	listeners map[*listener]struct{}
}

// listener is one who listens, and the events that wait for it.
type listener struct {
	waiting *core.EventSet
	wake    chan struct{}
}

// New returns events that nobody listens to yet.
func New() *Events { return &Events{listeners: map[*listener]struct{}{}} }

// Publish implements ports.Events.
func (e *Events) Publish(events ...core.Event) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for l := range e.listeners {
		l.waiting.Add(events...)
		select {
		case l.wake <- struct{}{}:
		default:
		}
	}
}

// Listen implements ports.Events.
func (e *Events) Listen(ctx context.Context, handle func([]core.Event)) {
	l := &listener{waiting: core.NewEventSet(maxEvents), wake: make(chan struct{}, 1)}
	e.enter(l)
	defer e.leave(l)
	for {
		select {
		case <-ctx.Done():
			return
		case <-l.wake:
			if events := e.take(l); len(events) > 0 {
				handle(events)
			}
		}
	}
}

func (e *Events) enter(l *listener) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.listeners[l] = struct{}{}
	l.waiting.Add(core.Event{Kind: core.EventsLost})
	l.wake <- struct{}{}
}

func (e *Events) leave(l *listener) {
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.listeners, l)
}

func (e *Events) take(l *listener) []core.Event {
	e.mu.Lock()
	defer e.mu.Unlock()
	return l.waiting.Take()
}
