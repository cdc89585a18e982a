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
// while the batches before it were under way, so that a lone commit waits for nothing and many share one. A caller who comes while
// fewer batches than that are under way commits the next one itself, with what waits for it: to hand it to somebody else takes
// longer than a short commit does.
type committer struct {
	commit func(ctx context.Context, batch []*encoded) error
	// short finds the members of a batch that ask for more than there is even alone.
	short func(ctx context.Context, batch []*encoded) []bool

	mu       sync.Mutex
	queue    []*waiting
	free     int                 // batches that may begin
	inFlight map[rowKey]struct{} // rows of the batches under way: two of those never wait for each other's locks
	isClosed bool
	underWay sync.WaitGroup // batches
}

func newCommitter(
	atOnce int, commit func(context.Context, []*encoded) error, short func(context.Context, []*encoded) []bool,
) *committer {
	return &committer{commit: commit, short: short, free: atOnce, inFlight: map[rowKey]struct{}{}}
}

// Do commits one changeset and waits for the result. A context that ends while the changeset still waits takes it out
// of the queue; once its batch has begun it is carried through, and Do returns the true result.
func (c *committer) Do(ctx context.Context, change *encoded) error {
	const op = "bunstore.Commit"
	w := &waiting{encoded: change, done: make(chan error, 1)}
	batch, err := c.enqueue(ctx, w)
	if err != nil {
		return fault.E(op, fault.Unavailable, err)
	}
	if batch != nil {
		c.lead(batch)
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

// enqueue queues a changeset, and returns a batch that its caller has to carry out, if one may begin.
func (c *committer) enqueue(ctx context.Context, w *waiting) ([]*waiting, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.isClosed {
		return nil, errClosed
	}
	if len(c.queue) >= maxQueue {
		return nil, errQueueFull
	}
	c.queue = append(c.queue, w)
	if c.free == 0 {
		return nil, nil
	}
	batch := c.pick()
	if batch != nil {
		c.free--
		c.underWay.Add(1)
	}
	return batch, nil
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
	c.mu.Unlock()
	c.underWay.Wait()
}

// lead carries out a batch for one of its callers. Whoever catches a panic of theirs must not leave the others waiting for ever.
func (c *committer) lead(batch []*waiting) {
	isAnswered := false
	defer func() {
		for i := 0; !isAnswered && i < len(batch); i++ {
			select {
			case batch[i].done <- errAborted:
			default: // it was answered
			}
		}
		if next := c.end(batch); next != nil {
			go c.carryOut(next)
		}
	}()
	c.run(batch)
	isAnswered = true
}

// carryOut carries out a batch, and those that have gathered meanwhile.
func (c *committer) carryOut(batch []*waiting) {
	for batch != nil {
		c.run(batch)
		batch = c.end(batch)
	}
}

// end lets go of a batch, and returns the next one: what has come meanwhile and shares no row with another one under way. Nil: there
// is none, and somebody else may begin one.
func (c *committer) end(batch []*waiting) (next []*waiting) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, w := range batch {
		for _, key := range w.keys {
			delete(c.inFlight, key)
		}
	}
	if next = c.pick(); next == nil {
		c.free++
		c.underWay.Done()
	}
	return next
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
