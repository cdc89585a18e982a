package apptest

import (
	"context"
	"sync"
	"time"

	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/ports"
)

var _ ports.Tickets = (*Tickets)(nil)

// Tickets keeps texts on a clock. It forgets none by itself: it is for tests.
type Tickets struct {
	clock ports.Clock
	mu    sync.Mutex
	kept  map[string]ticket
}

type ticket struct {
	text string
	end  time.Time
}

// NewTickets keeps nothing yet.
func NewTickets(clock ports.Clock) *Tickets { return &Tickets{clock: clock, kept: map[string]ticket{}} }

// Keep implements ports.Tickets.
func (k *Tickets) Keep(ctx context.Context, key, text string, life time.Duration) error {
	if err := ctx.Err(); err != nil {
		return fault.E("apptest.Keep", fault.Unavailable, err)
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.kept[key] = ticket{text: text, end: k.clock.Now().Add(life)}
	return nil
}

// Kept implements ports.Tickets.
func (k *Tickets) Kept(ctx context.Context, key string) (string, error) {
	return k.look(ctx, key, false)
}

// Take implements ports.Tickets.
func (k *Tickets) Take(ctx context.Context, key string) (string, error) {
	return k.look(ctx, key, true)
}

func (k *Tickets) look(ctx context.Context, key string, takes bool) (string, error) {
	const op = "apptest.Tickets"
	if err := ctx.Err(); err != nil {
		return "", fault.E(op, fault.Unavailable, err)
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	t, ok := k.kept[key]
	if !ok || !k.clock.Now().Before(t.end) {
		return "", fault.New(op, fault.NotFound)
	}
	if takes {
		delete(k.kept, key)
	}
	return t.text, nil
}
