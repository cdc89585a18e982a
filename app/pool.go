package app

import (
	"context"
	"sync"
)

// Pool works on what is due, a few at a time, from Allow to Stop: while there is room it claims more. What a Wake asks for
// that finds no room is looked for by whoever is done first.
type Pool[T any] struct {
	size  int
	claim func(ctx context.Context, room int) ([]T, error)
	work  func(ctx context.Context, claimed T)

	mu         sync.Mutex
	ctx        context.Context //nolint:containedctx // the life of the work, from Allow to Stop
	stop       context.CancelFunc
	working    sync.WaitGroup
	isClaiming bool
	again      bool // somebody rang meanwhile, or there was no room for what may be due
	busy       int  // of size
}

// Allow allows work until Stop, on at most size of what is claimed at once. claim leases what is due, as many as there is
// room for, and is not broken off; work must not panic: that would end the work on all others.
func (p *Pool[T]) Allow(
	size int, claim func(ctx context.Context, room int) ([]T, error), work func(ctx context.Context, claimed T),
) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.size, p.claim, p.work = size, claim, work
	p.ctx, p.stop = context.WithCancel(context.Background()) //nolint:gosec // Stop calls it
}

// Stop takes no new work and waits for what is under way; ctx bounds the waiting.
func (p *Pool[T]) Stop(ctx context.Context) error {
	p.mu.Lock()
	p.stop()
	p.mu.Unlock()
	return p.Wait(ctx)
}

// Wait waits until nothing is being worked on.
func (p *Pool[T]) Wait(ctx context.Context) error { return Await(ctx, &p.working) }

// Wake has what is due worked on; it returns at once.
func (p *Pool[T]) Wake() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.wake()
}

// wake is Wake for who holds p.mu.
func (p *Pool[T]) wake() {
	if p.ctx == nil || p.ctx.Err() != nil {
		return
	}
	if p.isClaiming || p.busy >= p.size {
		p.again = true
		return
	}
	p.isClaiming = true
	p.working.Go(func() {
		for p.claimSome() {
		}
	})
}

// claimSome claims as many as there is room for, and has each worked on; more tells whether to look again.
func (p *Pool[T]) claimSome() (more bool) {
	p.mu.Lock()
	room := p.size - p.busy
	p.again = false
	p.mu.Unlock()
	claimed, err := p.claim(context.WithoutCancel(p.ctx), room) // broken off, it might have leased what nobody works on
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range claimed {
		p.launch(c)
	}
	if len(claimed) == room || p.busy >= p.size {
		p.again = true // there may be more: where there is no room now, whoever is done first looks again
	}
	more = err == nil && p.ctx.Err() == nil && p.again && p.busy < p.size
	p.isClaiming = more
	return more
}

// launch works on one beside others. The caller holds p.mu.
func (p *Pool[T]) launch(claimed T) {
	p.busy++
	p.working.Go(func() {
		p.work(p.ctx, claimed)
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.busy--; p.again {
			p.wake()
		}
	})
}

// Await waits for a group, or until the context is over, which is then the error.
func Await(ctx context.Context, group *sync.WaitGroup) error {
	done := make(chan struct{})
	go func() { group.Wait(); close(done) }()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
