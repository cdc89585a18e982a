package bunstore

import (
	"context"
	"errors"
	"time"

	"github.com/vezne/vezne/core/fault"
)

// Bounds of group commit, beside those of every group.
const (
	maxBatchBytes = 4 << 20          // of a transaction's rows as SQL; a larger changeset goes alone
	commitTimeout = 10 * time.Second // of one transaction, whatever becomes of its callers
)

// waiting is a changeset in the queue or in a batch.
type waiting = member[*encoded]

// committer gathers the changesets of concurrent callers into batches that one transaction commits each.
type committer struct {
	group[*encoded]

	commit func(ctx context.Context, batch []*encoded) error
	// short finds the members of a batch that ask for more than there is even alone.
	short func(ctx context.Context, batch []*encoded) []bool

	told func(callers []context.Context) (ended func(error)) // of batches; nil: nobody is

	isEachAlone bool // no batch has two members

	inFlight map[rowKey]struct{} // rows of the batches under way: two of those never wait for each other's locks
	size     int                 // of the batch that is being picked
}

func newCommitter(
	atOnce int, commit func(context.Context, []*encoded) error, short func(context.Context, []*encoded) []bool,
) *committer {
	c := &committer{commit: commit, short: short, inFlight: map[rowKey]struct{}{}}
	c.atOnce, c.fits, c.carry, c.ended = atOnce, c.admit, c.run, c.release
	return c
}

// Do commits one changeset and waits for the result. A context that ends while the changeset still waits takes it out
// of the queue; once its batch has begun it is carried through, and Do returns the true result.
func (c *committer) Do(ctx context.Context, change *encoded) error {
	const op = "bunstore.Commit"
	w, err := c.join(ctx, change)
	if err != nil {
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

// admit takes into a batch what shares no row with a commit under way or picked before it.
func (c *committer) admit(batch []*waiting, w *waiting) bool {
	if len(batch) == 0 {
		c.size = 0
	}
	if len(batch) > 0 && (c.isEachAlone || c.size+w.of.size > maxBatchBytes) || c.isBusy(w) {
		return false
	}
	for _, key := range w.of.keys {
		c.inFlight[key] = struct{}{}
	}
	c.size += w.of.size
	return true
}

func (c *committer) isBusy(w *waiting) bool {
	for _, key := range w.of.keys {
		if _, ok := c.inFlight[key]; ok {
			return true
		}
	}
	return false
}

func (c *committer) release(batch []*waiting) {
	for _, w := range batch {
		for _, key := range w.of.keys {
			delete(c.inFlight, key)
		}
	}
}

// run commits a batch and answers its callers. What the database has undone for somebody else's sake is committed again:
// whether a version was lost shows then. A batch that fails because of a member is tried again in halves, down to
// single changesets: each bad member gets its own fault and the others are committed, at the price of a logarithm. Those
// who ask an empty wallet may be many: they are refused before that, all at once.
func (c *committer) run(batch []*waiting) {
	ctx, cancel := context.WithTimeout(context.Background(), commitTimeout)
	defer cancel()
	ended := c.tell(batch)
	err := c.commit(ctx, changesOf(batch))
	for errors.Is(err, errUndone) && ctx.Err() == nil {
		err = c.commit(ctx, changesOf(batch))
	}
	ended(err)
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

// tell says that a batch begins.
func (c *committer) tell(batch []*waiting) (ended func(error)) {
	if c.told == nil {
		return func(error) {}
	}
	callers := make([]context.Context, len(batch))
	for i, w := range batch {
		callers[i] = w.of.ctx
	}
	return c.told(callers)
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
		changes[i] = w.of
	}
	return changes
}
