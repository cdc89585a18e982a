package bunstore

import (
	"context"
	"slices"
	"sync"
	"time"
)

// Bounds of a group.
const (
	maxBatch = 100    // members of a batch
	maxQueue = 10_000 // members waiting

	// patience is how long a batch may take before another one begins beside it. One after the other, batches are larger and cost the
	// database less; one that waits for somebody else's lock or for the disk holds nobody else up.
	patience = 20 * time.Millisecond
)

// member is what one caller wants, in the queue of a group or in a batch.
type member[T any] struct {
	of   T
	done chan error // takes one result without blocking
}

// batch is what is carried out at once.
type batch[T any] struct {
	members        []*member[T]
	watch          *time.Timer // begins another one beside it
	isSlow, isOver bool
}

// group gathers what concurrent callers want into batches. Nobody waits for a batch to fill: it is whatever came while the batch
// before it was under way, so that a lone caller waits for nothing and many share one. A caller who comes while none is under way
// carries out the next one itself, with what waits for it: to hand it to somebody else takes longer than a short batch does.
type group[T any] struct {
	carry func(batch []*member[T])                    // answers each member
	fits  func(batch []*member[T], m *member[T]) bool // nil: everything does
	ended func(batch []*member[T])                    // nil: nobody is told

	atOnce int // batches under way at most

	mu             sync.Mutex // fits and ended are called while it is held
	queue          []*member[T]
	underWay, slow int // batches; slow ones are among those under way
	isClosed       bool
	all            sync.WaitGroup // batches under way
}

// join queues what a caller wants, and carries out the next batch if one may begin. The result comes through the member's channel.
func (g *group[T]) join(ctx context.Context, want T) (*member[T], error) {
	m := &member[T]{of: want, done: make(chan error, 1)}
	next, err := g.enqueue(ctx, m)
	if err != nil {
		return nil, err
	}
	if next != nil {
		g.lead(next)
	}
	return m, nil
}

// enqueue queues a member, and returns a batch that its caller has to carry out, if one may begin.
func (g *group[T]) enqueue(ctx context.Context, m *member[T]) (*batch[T], error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.isClosed {
		return nil, errClosed
	}
	if len(g.queue) >= maxQueue {
		return nil, errQueueFull
	}
	g.queue = append(g.queue, m)
	return g.begin(), nil
}

// withdraw reports whether a member that still waited was taken out of the queue.
func (g *group[T]) withdraw(m *member[T]) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	i := slices.Index(g.queue, m)
	if i < 0 {
		return false
	}
	g.queue = slices.Delete(g.queue, i, i+1)
	return true
}

// begin returns the next batch, for its caller to carry out. Nil: there is none, or one is under way that has not taken long.
func (g *group[T]) begin() *batch[T] {
	if g.underWay == g.atOnce || g.underWay > g.slow {
		return nil
	}
	members := g.pick()
	if members == nil {
		return nil
	}
	b := &batch[T]{members: members}
	g.underWay++
	g.all.Add(1)
	b.watch = time.AfterFunc(patience, func() { g.carryOut(g.beside(b)) })
	return b
}

// pick takes from the queue, in order, what fits into a batch. The others stay for a later one.
func (g *group[T]) pick() []*member[T] {
	var batch []*member[T]
	rest := g.queue[:0]
	for _, m := range g.queue {
		if len(batch) < maxBatch && (g.fits == nil || g.fits(batch, m)) {
			batch = append(batch, m)
		} else {
			rest = append(rest, m)
		}
	}
	clear(g.queue[len(rest):])
	g.queue = rest
	return batch
}

// beside returns the batch that begins beside one that takes long.
func (g *group[T]) beside(b *batch[T]) *batch[T] {
	g.mu.Lock()
	defer g.mu.Unlock()
	if b.isOver {
		return nil
	}
	b.isSlow = true
	g.slow++
	return g.begin()
}

// lead carries out a batch for one of its callers. Whoever catches a panic of theirs must not leave the others waiting for ever.
func (g *group[T]) lead(b *batch[T]) {
	isAnswered := false
	defer func() {
		for i := 0; !isAnswered && i < len(b.members); i++ {
			select {
			case b.members[i].done <- errAborted:
			default: // it was answered
			}
		}
		if next := g.end(b); next != nil {
			go g.carryOut(next)
		}
	}()
	g.carry(b.members)
	isAnswered = true
}

// carryOut carries out a batch, if there is one, and those that have gathered meanwhile.
func (g *group[T]) carryOut(b *batch[T]) {
	for b != nil {
		g.carry(b.members)
		b = g.end(b)
	}
}

// end lets go of a batch, and returns the one that begins then.
func (g *group[T]) end(b *batch[T]) (next *batch[T]) {
	g.mu.Lock()
	defer g.mu.Unlock()
	b.watch.Stop()
	b.isOver = true
	if g.ended != nil {
		g.ended(b.members)
	}
	g.underWay--
	if b.isSlow {
		g.slow--
	}
	next = g.begin()
	g.all.Done()
	return next
}

// Close lets everything in the queue be carried out, refuses what comes after, and waits.
func (g *group[T]) Close() {
	g.mu.Lock()
	g.isClosed = true
	g.mu.Unlock()
	g.all.Wait()
}
