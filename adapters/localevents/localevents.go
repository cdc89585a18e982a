// Package localevents carries events between the parts of one process, which needs no server.
package localevents

import (
	"context"
	"sync"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/ports"
)

var _ ports.Events = (*News)(nil)

// maxNews is how many rows' news wait for one listener.
const maxNews = 1 << 12

// News carries cues within this process. It is safe for concurrent use.
type News struct {
	mu        sync.Mutex
	listeners map[*listener]struct{}
}

// listener is one who hears, and what waits to be heard.
type listener struct {
	waiting *core.EventSet
	wake    chan struct{}
}

// NewNews makes news that nobody hears yet.
func NewNews() *News { return &News{listeners: map[*listener]struct{}{}} }

// Publish implements ports.Events.
func (n *News) Publish(news ...core.Event) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for l := range n.listeners {
		l.waiting.Add(news...)
		select {
		case l.wake <- struct{}{}:
		default:
		}
	}
}

// Listen implements ports.Events.
func (n *News) Listen(ctx context.Context, hear func([]core.Event)) {
	l := &listener{waiting: core.NewEventSet(maxNews), wake: make(chan struct{}, 1)}
	n.enter(l)
	defer n.leave(l)
	for {
		select {
		case <-ctx.Done():
			return
		case <-l.wake:
			if news := n.take(l); len(news) > 0 {
				hear(news)
			}
		}
	}
}

func (n *News) enter(l *listener) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.listeners[l] = struct{}{}
	l.waiting.Add(core.Event{Kind: core.EventsLost})
	l.wake <- struct{}{}
}

func (n *News) leave(l *listener) {
	n.mu.Lock()
	defer n.mu.Unlock()
	delete(n.listeners, l)
}

func (n *News) take(l *listener) []core.Event {
	n.mu.Lock()
	defer n.mu.Unlock()
	return l.waiting.Take()
}
