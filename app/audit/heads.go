package audit

import (
	"cmp"
	"slices"
	"time"

	coreaudit "github.com/vezne/vezne/core/audit"
	"github.com/vezne/vezne/ports"
)

// maxHeads bounds how many heads are compared one by one: those of ten weeks at one a minute, in 10 MB. Of older ones the
// signature is checked; and since a link stands on all before it, the newest head speaks for them.
const maxHeads = 100_000

// keptHead is a head through which the chain has to go.
type keptHead struct {
	coreaudit.Head
	adoptions int // how many there were when it was made
	at        time.Time
	where     string
}

// gather collects the heads through which the chain has to go. What is kept outside is read before the chain's end: a chain
// that grows meanwhile is no cut one.
func (w *walk) gather() error {
	s := w.store
	var heads []keptHead
	newest := s.newestSeen()
	if newest.Version > 0 {
		heads = append(heads, headOf(newest, "this process has seen it"))
	}
	adoptions := newest.Adoptions
	next := 0
	take := func(h ports.KeptHead) error {
		if b := w.badnessOf(h); b != nil {
			w.bad = cmp.Or(w.bad, b)
			return nil
		}
		w.Heads++
		if newest.IsBefore(h.Checkpoint) {
			newest = h.Checkpoint
		}
		if len(h.Adoptions) > len(adoptions) {
			adoptions = h.Adoptions
		}
		if len(heads) < maxHeads {
			heads = append(heads, headOf(h.Checkpoint, h.Where))
		} else {
			heads[next%maxHeads] = headOf(h.Checkpoint, h.Where)
			next++
		}
		return nil
	}
	if s.Kept != nil {
		if err := s.Kept.Heads(w.ctx, take); err != nil {
			return err
		}
	}
	end, err := s.Store.AuditEnd(w.ctx, coreaudit.ChainName)
	if err != nil {
		return err
	}
	if c := end.Checkpoint; c.IsSigned(s.Keys) {
		heads = append(heads, headOf(c, "the signed checkpoint in the database has it"))
		if len(c.Adoptions) > len(adoptions) {
			adoptions = c.Adoptions
		}
	}
	if w.Dropped, err = s.dropped(w.ctx); err != nil {
		return err
	}
	w.end, w.newest = end, newest
	w.adoptions = slices.Concat(adoptions, w.question.adopted)
	w.expect(heads)
	return nil
}

// expect puts what the chain has to go through in its order, without what was given up when a break was adopted.
func (w *walk) expect(heads []keptHead) {
	for _, h := range heads {
		if h.No > 0 && w.adoptions.Expect(h.No, h.adoptions) {
			w.heads = append(w.heads, h)
		}
	}
	if through := w.Dropped.Through; through.No > 0 {
		w.heads = append(w.heads, keptHead{Head: through, where: "it was whole up to there when entries were dropped"})
	}
	if given := w.question.Head; given.No > 0 {
		w.heads = append(w.heads, keptHead{Head: given, where: "it was given"})
	}
	slices.SortStableFunc(w.heads, func(a, b keptHead) int { return cmp.Compare(a.No, b.No) })
}

func headOf(c coreaudit.Checkpoint, where string) keptHead {
	return keptHead{Head: c.Head, adoptions: len(c.Adoptions), at: c.At, where: where}
}

// badnessOf is what is wrong with a head that was kept outside; nil: nothing.
func (w *walk) badnessOf(h ports.KeptHead) *Break {
	b := &Break{No: h.Head.No, Where: h.Where, At: h.At, KeyID: h.KeyID}
	switch {
	case !h.IsReadable || h.Name != coreaudit.ChainName:
		b.Kind, b.KeyID = coreaudit.BreakForgedHead, ""
	case !w.store.Keys.Has(h.KeyID):
		b.Kind, b.seen = coreaudit.BreakUnknownKey, digestOf(h.KeyID)
	case !h.IsSigned(w.store.Keys):
		b.Kind = coreaudit.BreakForgedHead
	default:
		return nil
	}
	return b
}

// headAt compares a link with the heads that were kept of its number.
func (w *walk) headAt(l coreaudit.Link) (lost *Break) {
	for len(w.heads) > 0 && w.heads[0].No <= l.No {
		h := w.heads[0]
		w.heads = w.heads[1:]
		if h.Head != l.Head() && lost == nil { // or its number is missing
			lost = w.headBreak(h)
		}
	}
	return lost
}

// lostHead is the first head through which the chain does not go, or, of those behind its end, the greatest.
func (w *walk) lostHead() *Break {
	if w.lost != nil || len(w.heads) == 0 {
		return w.lost
	}
	return w.headBreak(w.heads[len(w.heads)-1])
}

func (w *walk) headBreak(h keptHead) *Break {
	return &Break{Kind: coreaudit.BreakHead, No: h.No, Where: h.where, At: h.at, End: w.end.Link.No}
}

// badHead is what is wrong with the heads that were kept, unless their key was lost and that was adopted.
func (w *walk) badHead() *Break {
	if w.bad == nil || w.bad.Kind == coreaudit.BreakUnknownKey && w.isKeyGivenUp(w.bad.seen) {
		return nil
	}
	return w.bad
}

func (w *walk) isKeyGivenUp(seen coreaudit.Hash) bool {
	return slices.ContainsFunc(w.adoptions, func(a coreaudit.Adoption) bool {
		return a.Kind == coreaudit.BreakUnknownKey && a.Seen == seen
	})
}

// badCheckpoint is what is wrong with the signed end in the database.
func (w *walk) badCheckpoint() *Break {
	c, end := w.end.Checkpoint, w.end.Link
	b := &Break{Kind: coreaudit.BreakCheckpoint, No: end.No, At: c.At, End: end.No}
	switch {
	case len(w.question.adopted) > 0:
		return nil // there is going to be a new one
	case c.Version == 0 && end.No == 0:
		return nil
	case c.Version == 0:
		b.Where = "is missing"
	case !w.store.Keys.Has(c.KeyID):
		b.Where = "was signed under the key " + c.KeyID + ", which was not given"
	case !c.IsSigned(w.store.Keys):
		b.Where = "has no valid signature"
	case c.IsBefore(w.newest) || c.Contradicts(w.newest):
		b.Where = "is older than one that was kept"
	case c.Head.No < end.No:
		b.Where = "is behind the chain's end"
	default:
		return nil
	}
	return b
}
