package bunstore

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/vezne/vezne/core/fault"
)

// Bounds of group commit.
const (
	maxBatch      = 100              // changesets in one transaction
	maxBatchBytes = 4 << 20          // of their rows as SQL; a larger changeset goes alone
	maxQueue      = 10_000           // changesets waiting
	commitTimeout = 10 * time.Second // of one transaction, whatever becomes of its callers
)

// waiting is a changeset in the queue or in a batch.
type waiting struct {
	*encoded
	done chan error // takes one result without blocking
}

// committer gathers the changesets of concurrent callers into batches. There is no timer: a batch is whatever came
// while the batches before it were under way, so that a lone commit waits for nothing and many share one.
type committer struct {
	commit func(ctx context.Context, batch []*encoded) error
	// short finds the members of a batch that ask for more than there is even alone.
	short func(ctx context.Context, batch []*encoded) []bool

	mu       sync.Mutex
	changed  sync.Cond // something was queued, a batch ended, or the committer closes
	queue    []*waiting
	inFlight map[rowKey]struct{} // rows of the batches under way: two of those never wait for each other's locks
	isClosed bool
	workers  sync.WaitGroup
}

func newCommitter(
	workers int, commit func(context.Context, []*encoded) error, short func(context.Context, []*encoded) []bool,
) *committer {
	c := &committer{commit: commit, short: short, inFlight: map[rowKey]struct{}{}}
	c.changed.L = &c.mu
	for range workers {
		c.workers.Go(c.work)
	}
	return c
}

// Do commits one changeset and waits for the result. A context that ends while the changeset still waits takes it out
// of the queue; once its batch has begun it is carried through, and Do returns the true result.
func (c *committer) Do(ctx context.Context, change *encoded) error {
	const op = "bunstore.Commit"
	w := &waiting{encoded: change, done: make(chan error, 1)}
	if err := c.enqueue(ctx, w); err != nil {
		return fault.E(op, fault.Unavailable, err)
	}
	select {
	case err := <-w.done:
		return fail(op, err)
	case <-ctx.Done():
		if c.withdraw(w) {
			return fault.E(op, fault.Unavailable, ctx.Err())
		}
		return fail(op, <-w.done)
	}
}

func (c *committer) enqueue(ctx context.Context, w *waiting) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.isClosed {
		return errClosed
	}
	if len(c.queue) >= maxQueue {
		return errQueueFull
	}
	c.queue = append(c.queue, w)
	c.changed.Signal()
	return nil
}

func (c *committer) withdraw(w *waiting) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	i := slices.Index(c.queue, w)
	if i < 0 {
		return false
	}
	c.queue = slices.Delete(c.queue, i, i+1)
	return true
}

// Close lets everything in the queue be committed, refuses what comes after, and waits.
func (c *committer) Close() {
	c.mu.Lock()
	c.isClosed = true
	c.changed.Broadcast()
	c.mu.Unlock()
	c.workers.Wait()
}

func (c *committer) work() {
	for batch := c.take(); batch != nil; batch = c.take() {
		c.run(batch)
		c.release(batch)
	}
}

// take waits for changesets that may run now. Nil: the committer is closed and its queue empty.
func (c *committer) take() []*waiting {
	c.mu.Lock()
	defer c.mu.Unlock()
	for {
		if batch := c.pick(); len(batch) > 0 {
			return batch
		}
		if c.isClosed && len(c.queue) == 0 {
			return nil
		}
		c.changed.Wait()
	}
}

// pick takes from the queue, in order, what fits into a batch. What shares a row with a commit under way or picked
// before it stays for a later batch.
func (c *committer) pick() []*waiting {
	var batch []*waiting
	rest, size := c.queue[:0], 0
	for _, w := range c.queue {
		fits := len(batch) < maxBatch && (len(batch) == 0 || size+w.size <= maxBatchBytes)
		if !fits || c.isBusy(w) {
			rest = append(rest, w)
			continue
		}
		for _, key := range w.keys {
			c.inFlight[key] = struct{}{}
		}
		batch, size = append(batch, w), size+w.size
	}
	clear(c.queue[len(rest):])
	c.queue = rest
	return batch
}

func (c *committer) isBusy(w *waiting) bool {
	for _, key := range w.keys {
		if _, ok := c.inFlight[key]; ok {
			return true
		}
	}
	return false
}

func (c *committer) release(batch []*waiting) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, w := range batch {
		for _, key := range w.keys {
			delete(c.inFlight, key)
		}
	}
	c.changed.Broadcast()
}

// run commits a batch and answers its callers. What the database has undone for somebody else's sake is committed again:
// whether a version was lost shows then. A batch that fails because of a member is tried again in halves, down to
// single changesets: each bad member gets its own fault and the others are committed, at the price of a logarithm. Those
// who ask an empty wallet may be many: they are refused before that, all at once.
func (c *committer) run(batch []*waiting) {
	ctx, cancel := context.WithTimeout(context.Background(), commitTimeout)
	defer cancel()
	err := c.commit(ctx, changesOf(batch))
	for errors.Is(err, errUndone) && ctx.Err() == nil {
		err = c.commit(ctx, changesOf(batch))
	}
	if err == nil || len(batch) == 1 || fault.Is(err, fault.Unavailable) {
		for _, w := range batch {
			w.done <- err
		}
		return
	}
	if fault.Is(err, fault.Insufficient) {
		if rest := c.refuse(ctx, batch, err); len(rest) < len(batch) {
			c.runAny(rest)
			return
		}
	}
	c.runAny(batch[:len(batch)/2])
	c.runAny(batch[len(batch)/2:])
}

func (c *committer) runAny(batch []*waiting) {
	if len(batch) > 0 {
		c.run(batch)
	}
}

// refuse answers those who ask for more than there is, and returns the others.
func (c *committer) refuse(ctx context.Context, batch []*waiting, err error) (rest []*waiting) {
	isShort := c.short(ctx, changesOf(batch))
	for i, w := range batch {
		if isShort[i] {
			w.done <- err
		} else {
			rest = append(rest, w)
		}
	}
	return rest
}

func changesOf(batch []*waiting) []*encoded {
	changes := make([]*encoded, len(batch))
	for i, w := range batch {
		changes[i] = w.encoded
	}
	return changes
}
