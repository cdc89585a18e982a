package audit

import (
	"context"
	"fmt"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
)

// lateAfter is from when an entry counts as linked suspiciously late: those that became visible late are found within
// catchUpEvery.
const lateAfter = 2 * catchUpEvery

// BreakKind says what is wrong with a chain.
type BreakKind string

// Kinds of breaks.
const (
	BreakChanged  BreakKind = "changed"  // the entry, or its link, is not what was chained
	BreakMissing  BreakKind = "missing"  // the entry was deleted
	BreakUnlinked BreakKind = "unlinked" // the link was deleted
	BreakInserted BreakKind = "inserted" // the link was put in between
	BreakHead     BreakKind = "head"     // the chain does not go through the head that was kept
)

// Break is where a chain breaks first.
type Break struct {
	Kind    BreakKind
	No      int64
	EntryID core.ID // empty: not known
	Action  string  // of the entry, where there is one
	Target  string
}

// String is the break as a sentence.
func (b Break) String() string {
	named := fmt.Sprintf("number %d (entry %s, %s of %s)", b.No, b.EntryID, b.Action, b.Target)
	switch b.Kind {
	case BreakMissing:
		return fmt.Sprintf("the entry %s, number %d in the chain, is missing: it was deleted from the log", b.EntryID, b.No)
	case BreakUnlinked:
		return fmt.Sprintf("number %d of the chain is missing: its link was deleted", b.No)
	case BreakInserted:
		return named + " was inserted into the chain"
	case BreakHead:
		return fmt.Sprintf("the chain does not go through number %d with the hash that was kept: it was cut or written anew", b.No)
	default:
		return named + " was changed, in the log or in the chain"
	}
}

// Question says what Verify checks. The zero Question is about the whole chain.
type Question struct {
	From int64          // the first number to be checked; those before it are trusted
	Head core.AuditHead // kept elsewhere: the chain has to go through it; zero: none was kept
}

// Report is what Verify found.
type Report struct {
	Checked int64
	Last    core.AuditHead // of the links that were checked
	Break   *Break         // nil: the chain is whole

	Unchained       int // entries that have no link yet
	OldestUnchained time.Time
	// Late counts links of entries that say they are much older than those chained before them. Either no worker saw them
	// for that long, or somebody has put them into the log since.
	Late      int
	FirstLate int64
}

// Verify walks the chain and computes it again, in pages, until it breaks. Fault NotFound: there is no link before From.
func (s *Service) Verify(ctx context.Context, q Question) (Report, error) {
	const op = "audit.Verify"
	w := walk{store: s, ctx: ctx, head: q.Head}
	err := w.begin(max(q.From, 1))
	for err == nil && w.Break == nil && !w.isOver {
		err = w.page()
	}
	if err == nil && w.Break == nil && q.Head.No > w.last.No {
		w.Break = &Break{Kind: BreakHead, No: q.Head.No}
	}
	if err == nil {
		err = w.countUnchained()
	}
	w.Last = w.last.Head()
	return w.Report, fault.E(op, "", err)
}

// walk is one verification under way.
type walk struct {
	Report
	ctx    context.Context // lives as long as the call of Verify
	store  *Service
	head   core.AuditHead
	last   core.AuditLink  // as far as the chain is whole
	before core.AuditLink  // the one before that
	entry  core.AuditEntry // of the last
	newest time.Time       // of the entries up to there
	isOver bool
}

func (w *walk) links(first int64, limit int) ([]core.ChainedEntry, error) {
	return w.store.Store.AuditLinks(w.ctx, first, limit)
}

// begin finds the link before the first; it is trusted, unless it is the head that was kept.
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
	if w.head.No == 0 || w.head.No > w.last.No {
		return nil
	}
	kept, err := w.links(w.head.No, 1)
	if err == nil && (len(kept) == 0 || kept[0].Link.Head() != w.head) {
		w.Break = &Break{Kind: BreakHead, No: w.head.No}
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
		if w.Break, err = w.breakAt(c, page[i+1:]); w.Break != nil || err != nil {
			return err
		}
		w.before, w.last, w.entry = w.last, c.Link, c.Entry
		w.Checked++
		w.noteTime(c)
	}
	w.isOver = len(page) < stretch
	return nil
}

func (w *walk) breakAt(c core.ChainedEntry, rest []core.ChainedEntry) (*Break, error) {
	b := breakOf(c.Link, c.Entry)
	switch {
	case c.Link.No != w.last.No+1:
		return &Break{Kind: BreakUnlinked, No: w.last.No + 1}, nil
	case !c.HasEntry:
		b.Kind = BreakMissing
		return b, nil
	case !c.Link.Follows(w.last, c.Entry):
		if w.isLastInserted(c) {
			b = breakOf(w.last, w.entry)
			b.Kind = BreakInserted
			return b, nil
		}
		isInserted, err := w.isInserted(c.Link, rest)
		b.Kind = BreakChanged
		if isInserted {
			b.Kind = BreakInserted
		}
		return b, err
	case c.Link.No == w.head.No && c.Link.Head() != w.head:
		return &Break{Kind: BreakHead, No: w.head.No}, nil
	}
	return nil, nil
}

func breakOf(l core.AuditLink, e core.AuditEntry) *Break {
	return &Break{No: l.No, EntryID: l.EntryID, Action: e.Action, Target: e.Target}
}

// isLastInserted reports whether the chain goes on as if the last link, which fits, were not there: whoever put it in could
// compute its hash, but not those behind it without writing them all anew.
func (w *walk) isLastInserted(c core.ChainedEntry) bool {
	c.Link.No--
	return w.Checked > 0 && c.Link.Follows(w.before, c.Entry)
}

// isInserted reports whether the chain goes on behind a link that does not fit as if that were not there.
func (w *walk) isInserted(l core.AuditLink, rest []core.ChainedEntry) (bool, error) {
	if len(rest) == 0 {
		var err error
		if rest, err = w.links(l.No+1, 1); err != nil || len(rest) == 0 {
			return false, err
		}
	}
	next := rest[0].Link
	next.No = l.No
	return next.Follows(w.last, rest[0].Entry), nil
}

func (w *walk) noteTime(c core.ChainedEntry) {
	if w.newest.Sub(c.Entry.At) > lateAfter {
		if w.Late == 0 {
			w.FirstLate = c.Link.No
		}
		w.Late++
	}
	if c.Entry.At.After(w.newest) {
		w.newest = c.Entry.At
	}
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
		w.Unchained += len(found)
		after = last
	}
}

// Watch checks the chain when it begins and once a day, until ctx ends.
func (s *Service) Watch(ctx context.Context) {
	tick := time.NewTicker(24 * time.Hour)
	defer tick.Stop()
	for {
		s.Check(ctx)
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// Check verifies the whole chain, and that it still goes through where it ended at the check before, and says so loudly
// when it does not. What keeps it from looking is no break: the next check looks again.
func (s *Service) Check(ctx context.Context) {
	report, err := s.Verify(ctx, Question{Head: s.known})
	switch {
	case err != nil && ctx.Err() != nil:
		return
	case err != nil:
		s.Log.Error("the audit log's chain could not be checked", "error", err)
		return
	case report.Break != nil:
		s.Log.Error("the audit log was tampered with: its chain is broken", "no", report.Break.No, "what", report.Break.String())
	default:
		s.known = report.Last
		s.Log.Info("the audit log's chain is whole", "links", report.Checked, "unchained", report.Unchained, "late", report.Late)
	}
	if s.Checked != nil {
		s.Checked(report.Break != nil)
	}
}
