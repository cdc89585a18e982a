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

	// patience is how long a batch may take before another one begins beside it. One after the other, batches are larger and cost the
	// database less; one that waits for somebody else's lock or for the disk holds nobody else up.
	patience = 20 * time.Millisecond
)

// waiting is a changeset in the queue or in a batch.
type waiting struct {
	*encoded
	done chan error // takes one result without blocking
}

// batch is changesets that one transaction commits.
type batch struct {
	members        []*waiting
	watch          *time.Timer // begins another one beside it
	isSlow, isOver bool
}

// committer gathers the changesets of concurrent callers into batches. Nobody waits for a batch to fill: it is whatever came
// while the batch before it was under way, so that a lone commit waits for nothing and many share one. A caller who comes while
// none is under way commits the next one itself, with what waits for it: to hand it to somebody else takes longer than a short
// commit does.
type committer struct {
	commit func(ctx context.Context, batch []*encoded) error
	// short finds the members of a batch that ask for more than there is even alone.
	short func(ctx context.Context, batch []*encoded) []bool

	atOnce int // batches under way at most

	mu             sync.Mutex
	queue          []*waiting
	underWay, slow int                 // batches; slow ones are among those under way
	inFlight       map[rowKey]struct{} // rows of the batches under way: two of those never wait for each other's locks
	isClosed       bool
	ended          sync.WaitGroup // of the batches under way
}

func newCommitter(
	atOnce int, commit func(context.Context, []*encoded) error, short func(context.Context, []*encoded) []bool,
) *committer {
	return &committer{commit: commit, short: short, atOnce: atOnce, inFlight: map[rowKey]struct{}{}}
}

// Do commits one changeset and waits for the result. A context that ends while the changeset still waits takes it out
// of the queue; once its batch has begun it is carried through, and Do returns the true result.
func (c *committer) Do(ctx context.Context, change *encoded) error {
	const op = "bunstore.Commit"
	w := &waiting{encoded: change, done: make(chan error, 1)}
	next, err := c.enqueue(ctx, w)
	if err != nil {
		return fault.E(op, fault.Unavailable, err)
	}
	if next != nil {
		c.lead(next)
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
func (c *committer) enqueue(ctx context.Context, w *waiting) (*batch, error) {
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
	return c.begin(), nil
}

// begin returns the next batch, for its caller to carry out: what shares no row with another one under way. Nil: there is none, or one
// is under way that has not taken long.
func (c *committer) begin() *batch {
	if c.underWay == c.atOnce || c.underWay > c.slow {
		return nil
	}
	members := c.pick()
	if members == nil {
		return nil
	}
	b := &batch{members: members}
	c.underWay++
	c.ended.Add(1)
	b.watch = time.AfterFunc(patience, func() { c.carryOut(c.beside(b)) })
	return b
}

// beside returns the batch that begins beside one that takes long.
func (c *committer) beside(b *batch) *batch {
	c.mu.Lock()
	defer c.mu.Unlock()
	if b.isOver {
		return nil
	}
	b.isSlow = true
	c.slow++
	return c.begin()
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
	c.ended.Wait()
}

// lead carries out a batch for one of its callers. Whoever catches a panic of theirs must not leave the others waiting for ever.
func (c *committer) lead(b *batch) {
	isAnswered := false
	defer func() {
		for i := 0; !isAnswered && i < len(b.members); i++ {
			select {
			case b.members[i].done <- errAborted:
			default: // it was answered
			}
		}
		if next := c.end(b); next != nil {
			go c.carryOut(next)
		}
	}()
	c.run(b.members)
	isAnswered = true
}

// carryOut carries out a batch, if there is one, and those that have gathered meanwhile.
func (c *committer) carryOut(b *batch) {
	for b != nil {
		c.run(b.members)
		b = c.end(b)
	}
}

// end lets go of a batch, and returns the one that begins then.
func (c *committer) end(b *batch) (next *batch) {
	c.mu.Lock()
	defer c.mu.Unlock()
	b.watch.Stop()
	b.isOver = true
	for _, w := range b.members {
		for _, key := range w.keys {
			delete(c.inFlight, key)
		}
	}
	c.underWay--
	if b.isSlow {
		c.slow--
	}
	next = c.begin()
	c.ended.Done()
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
