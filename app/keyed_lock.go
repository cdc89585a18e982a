package app

import (
	"context"
	"sync"
)

// KeyedLock lets one caller at a time offer the accounts of a dealer. The database decides who gets what is left of a
// limit (compare-and-set on the account's load); taking turns only keeps the callers of this process from losing that
// race to each other over and over.
type KeyedLock struct {
	mu    sync.Mutex
	locks map[int64]*heldLock
}

type heldLock struct {
	token   chan struct{} // holds one element while nobody has the turn
	waiting int
}

// Lock waits for the dealer's turn; the returned function ends it.
func (l *KeyedLock) Lock(ctx context.Context, key int64) (func(), error) {
	held := l.join(key)
	select {
	case <-held.token:
		return func() { held.token <- struct{}{}; l.leave(key) }, nil
	case <-ctx.Done():
		l.leave(key)
		return nil, ctx.Err()
	}
}

func (l *KeyedLock) join(key int64) *heldLock {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.locks == nil {
		l.locks = make(map[int64]*heldLock)
	}
	held, ok := l.locks[key]
	if !ok {
		held = &heldLock{token: make(chan struct{}, 1)}
		held.token <- struct{}{}
		l.locks[key] = held
	}
	held.waiting++
	return held
}

func (l *KeyedLock) leave(key int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	held := l.locks[key]
	if held.waiting--; held.waiting == 0 {
		delete(l.locks, key)
	}
}
