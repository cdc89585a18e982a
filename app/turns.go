package app

import (
	"context"
	"sync"
)

// Turns lets one caller at a time offer the accounts of a dealer. The database decides who gets what is left of a
// limit (compare-and-set on the account's load); taking turns only keeps the callers of this process from losing that
// race to each other over and over.
type Turns struct {
	mu     sync.Mutex
	queues map[int64]*turn
}

type turn struct {
	token   chan struct{} // holds one element while nobody has the turn
	waiting int
}

// Take waits for the dealer's turn; the returned function ends it.
func (t *Turns) Take(ctx context.Context, dealerID int64) (func(), error) {
	q := t.join(dealerID)
	select {
	case <-q.token:
		return func() { q.token <- struct{}{}; t.leave(dealerID) }, nil
	case <-ctx.Done():
		t.leave(dealerID)
		return nil, ctx.Err()
	}
}

func (t *Turns) join(dealerID int64) *turn {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.queues == nil {
		t.queues = make(map[int64]*turn)
	}
	q, ok := t.queues[dealerID]
	if !ok {
		q = &turn{token: make(chan struct{}, 1)}
		q.token <- struct{}{}
		t.queues[dealerID] = q
	}
	q.waiting++
	return q
}

func (t *Turns) leave(dealerID int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	q := t.queues[dealerID]
	if q.waiting--; q.waiting == 0 {
		delete(t.queues, dealerID)
	}
}
