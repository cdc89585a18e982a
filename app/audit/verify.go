package audit

import (
	"cmp"
	"context"
	"crypto/sha256"
	"time"

	"github.com/vezne/vezne/core"
	coreaudit "github.com/vezne/vezne/core/audit"
	"github.com/vezne/vezne/core/fault"
)

// lateAfter is from when an entry counts as linked suspiciously late: those that became visible late are found within
// catchUpEvery.
const lateAfter = 2 * catchUpEvery

// maxNamed is how many entries without a link, and how many adopted breaks, a report names.
const maxNamed = 10

// Question says what Verify checks. The zero Question is about the whole chain.
type Question struct {
	From int64          // the first number to be checked; those before it are trusted
	Head coreaudit.Head // kept elsewhere: the chain has to go through it; zero: none was kept
	// Progress is told, from time to time, up to where the chain was whole; nil: nobody is.
	Progress func(no int64)

	adopted coreaudit.Adoptions // beside those that were signed
	old     core.ID             // entries with a smaller ID are old enough to be dropped; empty: none are
}

// Report is what Verify found.
type Report struct {
	Checked int64
	Last    coreaudit.Head // of the links that were checked
	LastKey string         // under which the last was made
	Break   *Break         // nil: the chain is whole
	Adopted int64          // breaks that an operator has adopted
	Known   []Break        // the first of them
	Plain   int64          // links from before there were keys
	Heads   int64          // heads that were kept outside the database and were compared

	Unchained       int64             // entries that have no link yet
	Waiting         []core.AuditEntry // the first of them
	OldestUnchained time.Time
	// Late counts links of entries that say they are much older than those chained before them. Either no worker saw them
	// for that long, or somebody has put them into the log since.
	Late      int
	FirstLate int64

	// Dropped says which entries are kept no longer; zero: all are. Missing counts those that were there and are deleted.
	Dropped coreaudit.Dropped
	Missing int64

	end       coreaudit.End
	adoptions coreaudit.Adoptions
	newest    coreaudit.Checkpoint // of those that are signed
	old       coreaudit.Tally      // the links of entries that are old
	isOldKept bool                 // some of these entries are there, of which nothing says yet that they are kept no longer
}

// Verify walks the chain and computes it again, in pages, until it breaks. The chain has to go through every head that was
// kept and is signed: in the database, outside it, and in the memory of this process. Entries that are kept no longer may be missing,
// as far as a signed entry of the log says so; their links may not. Fault NotFound: there is no link before From.
func (s *Service) Verify(ctx context.Context, q Question) (Report, error) {
	for {
		r, err := s.verify(ctx, q)
		if err != nil || r.Break == nil || r.Break.Kind != coreaudit.BreakMissing {
			return r, err
		}
		if now, err := s.dropped(ctx); err != nil || now == r.Dropped { // else some were dropped meanwhile
			return r, fault.E("audit.Verify", "", err)
		}
	}
}

func (s *Service) verify(ctx context.Context, q Question) (Report, error) {
	const op = "audit.Verify"
	w := walk{store: s, ctx: ctx, question: q}
	err := w.gather()
	if err == nil {
		err = w.begin(max(q.From, 1))
	}
	for err == nil && w.Break == nil && !w.isOver {
		err = w.page()
	}
	for _, find := range []func() *Break{w.lostHead, w.badHead, w.badCheckpoint, w.badDropped} {
		if err == nil && w.Break == nil {
			w.Break = find()
		}
	}
	if err == nil {
		err = w.countUnchained()
	}
	w.Last, w.LastKey = w.last.Head(), w.last.KeyID
	return w.Report, fault.E(op, "", err)
}

// walk is one verification under way.
type walk struct {
	Report
	ctx      context.Context // lives as long as the call of Verify
	store    *Service
	question Question
	heads    []keptHead // through which the chain has to go, by number
	lost     *Break     // the first head through which the chain does not go
	bad      *Break     // about the heads that were kept
	last     coreaudit.Link
	before   coreaudit.Link  // the one before that
	entry    core.AuditEntry // of the last
	newestAt time.Time       // of the entries up to there
	isOver   bool
	covered  coreaudit.Tally // the links that may be without their entries
}

func (w *walk) links(first int64, limit int) ([]coreaudit.ChainedEntry, error) {
	return w.store.Store.AuditLinks(w.ctx, first, limit)
}

// begin finds the link before the first; it is trusted, unless there is a head that says otherwise.
func (w *walk) begin(first int64) error {
	if first > 1 {
		before, err := w.links(first-1, 1)
		if err == nil && (len(before) == 0 || before[0].Link.No != first-1) {
			err = fault.New("audit.begin", fault.NotFound)
		}
		if err != nil {
			return err
		}
		w.last = before[0].Link
	}
	passed := 0
	for passed < len(w.heads) && w.heads[passed].No <= w.last.No {
		passed++
	}
	over := w.heads[:passed]
	w.heads = w.heads[passed:]
	if passed == 0 {
		return nil
	}
	greatest := over[passed-1] // whoever has no key cannot have made another way to it
	at, err := w.links(greatest.No, 1)
	if err == nil && (len(at) == 0 || at[0].Link.Head() != greatest.Head) {
		w.Break = w.headBreak(greatest)
	}
	return err
}

// page checks the next links.
func (w *walk) page() error {
	page, err := w.links(w.last.No+1, stretch)
	if err != nil {
		return err
	}
	for i, c := range page {
		b, err := w.breakAt(c, page[i+1:])
		if err != nil {
			return err
		}
		if b != nil && !w.isAdopted(*b) {
			w.Break = b
			return nil
		}
		w.before, w.last, w.entry = w.last, c.Link, c.Entry
		w.Checked++
		if !c.Link.IsKeyed() {
			w.Plain++
		}
		w.noteTime(c)
		w.noteOld(c)
		w.lost = cmp.Or(w.lost, w.headAt(c.Link))
	}
	w.isOver = len(page) < stretch
	if w.question.Progress != nil {
		w.question.Progress(w.last.No)
	}
	return nil
}

// isAdopted reports whether an operator has adopted a break, and takes note of it.
func (w *walk) isAdopted(b Break) bool {
	if !w.adoptions.Covers(b.Kind, b.No, b.seen) {
		return false
	}
	w.Adopted++
	if len(w.Known) < maxNamed {
		w.Known = append(w.Known, b)
	}
	return true
}

func (w *walk) breakAt(c coreaudit.ChainedEntry, rest []coreaudit.ChainedEntry) (*Break, error) {
	b := breakOf(c.Link, c.Entry)
	b.seen = c.Seen()
	keys := w.store.Keys
	switch {
	case c.Link.No != w.last.No+1:
		return &Break{Kind: coreaudit.BreakUnlinked, No: w.last.No + 1, seen: c.Seen()}, nil
	case !c.HasEntry && w.Dropped.Covers(c.Link):
		return nil, nil
	case !c.HasEntry:
		b.Kind = coreaudit.BreakMissing
		return b, nil
	case c.Link.IsKeyed() && !keys.Has(c.Link.KeyID):
		b.Kind, b.KeyID, b.seen = coreaudit.BreakUnknownKey, c.Link.KeyID, digestOf(c.Link.KeyID)
		return b, nil
	case w.last.IsKeyed() && !c.Link.IsKeyed():
		b.Kind = coreaudit.BreakUnkeyed
		return b, nil
	case c.Link.Follows(w.last, c.Entry, keys):
		return nil, nil
	case w.isLastInserted(c):
		b = breakOf(w.last, w.entry)
		b.Kind, b.seen = coreaudit.BreakInserted, c.Seen()
		return b, nil
	}
	isInserted, err := w.isInserted(c.Link, rest)
	b.Kind = coreaudit.BreakChanged
	if isInserted {
		b.Kind = coreaudit.BreakInserted
	}
	return b, err
}

// digestOf stands for a key in an adoption.
func digestOf(keyID string) coreaudit.Hash { return sha256.Sum256([]byte("vezne audit key " + keyID)) }

func breakOf(l coreaudit.Link, e core.AuditEntry) *Break {
	return &Break{No: l.No, EntryID: l.EntryID, Action: e.Action, Target: e.Target}
}

// isLastInserted reports whether the chain goes on as if the last link, which fits, were not there: whoever put it in could
// compute its hash, but not those behind it without writing them all anew.
func (w *walk) isLastInserted(c coreaudit.ChainedEntry) bool {
	c.Link.No--
	return w.Checked > 0 && c.Link.Follows(w.before, c.Entry, w.store.Keys)
}

// isInserted reports whether the chain goes on behind a link that does not fit as if that were not there.
func (w *walk) isInserted(l coreaudit.Link, rest []coreaudit.ChainedEntry) (bool, error) {
	if len(rest) == 0 {
		var err error
		if rest, err = w.links(l.No+1, 1); err != nil || len(rest) == 0 {
			return false, err
		}
	}
	next := rest[0].Link
	next.No = l.No
	return next.Follows(w.last, rest[0].Entry, w.store.Keys), nil
}

func (w *walk) noteTime(c coreaudit.ChainedEntry) {
	if w.newestAt.Sub(c.Entry.At) > lateAfter && c.HasEntry {
		if w.Late == 0 {
			w.FirstLate = c.Link.No
		}
		w.Late++
	}
	if c.Entry.At.After(w.newestAt) {
		w.newestAt = c.Entry.At
	}
}

// noteOld counts links of entries that are kept no longer, and of those that are old enough not to be.
func (w *walk) noteOld(c coreaudit.ChainedEntry) {
	isCovered := w.Dropped.Covers(c.Link)
	if isCovered {
		w.covered.Add(c.Link)
	}
	if isCovered && !c.HasEntry {
		w.Missing++
	}
	if c.Link.EntryID < w.question.old {
		w.old.Add(c.Link)
		w.isOldKept = w.isOldKept || !isCovered
	}
}

// badDropped is what is wrong with the links of entries that are kept no longer, when the whole chain was walked. Nobody can take an entry
// of later for one of them: it would be one link more.
func (w *walk) badDropped() *Break {
	if w.question.From > 1 || w.covered.Links == w.Dropped.Links && w.covered.Digest() == w.Dropped.Digest {
		return nil
	}
	b := Break{Kind: coreaudit.BreakDropped, No: w.Dropped.Through.No, End: w.end.Link.No, seen: w.covered.Digest()}
	if w.isAdopted(b) {
		return nil
	}
	return &b
}

// countUnchained goes through the log once more.
func (w *walk) countUnchained() error {
	for after := core.ID(""); ; {
		found, last, err := w.store.Store.Unchained(w.ctx, after, stretch)
		if err != nil || last == "" {
			return err
		}
		if len(found) > 0 && w.Unchained == 0 {
			w.OldestUnchained = found[0].At
		}
		w.Unchained += int64(len(found))
		w.Waiting = append(w.Waiting, found[:min(len(found), maxNamed-len(w.Waiting))]...)
		after = last
	}
}
