package audit_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/app/audit"
	"github.com/vezne/vezne/core"
	coreaudit "github.com/vezne/vezne/core/audit"
	"github.com/vezne/vezne/core/coretest/audittest"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/e2e/apptest"
	"github.com/vezne/vezne/ports"
)

// place is a place outside the database, in memory.
type place struct {
	mu    sync.Mutex
	kept  []ports.KeptHead
	fails error
}

func (p *place) Name() string { return "memory" }

func (p *place) HasNone() bool { return len(p.all()) == 0 }

func (p *place) all() []ports.KeptHead {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.kept)
}

func (p *place) Write(_ context.Context, c coreaudit.Checkpoint) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.fails == nil {
		p.kept = append(p.kept, ports.KeptHead{Checkpoint: c, Where: "the place has it", IsReadable: true})
	}
	return p.fails
}

func (p *place) Heads(_ context.Context, each func(ports.KeptHead) error) error {
	for _, h := range p.all() {
		if err := each(h); err != nil {
			return err
		}
	}
	return nil
}

// process is a process that begins now, on what the log's service reads.
func (l *log) process(p *place, keys coreaudit.Keys) *audit.Service {
	s := &audit.Service{UnitOfWork: l.UnitOfWork, Store: l.service.Store, Log: l.Audit.Log, Keys: keys}
	if p != nil {
		s.Places, s.Kept = []ports.AuditPlace{p}, p
	}
	l.service = s
	return s
}

// grow has n entries made and chained, and the head published.
func (l *log) grow(t *testing.T, n int) {
	t.Helper()
	for range n {
		l.Clock.Advance(time.Second)
		l.entry(t, l.Clock.Now())
	}
	l.chain(t)
	l.service.Publish(t.Context())
}

func cutTo(no int64) func(links) links {
	return func(c links) links { return c[:no] }
}

// restore puts the chain back to where it was, with the checkpoint of that moment, as a backup does.
func (l *log) restore(t *testing.T, end coreaudit.End) {
	t.Helper()
	back := tampered{
		AuditLog: l.Store, change: cutTo(end.Link.No), end: func(coreaudit.End) coreaudit.End { return end },
	}
	l.service.Store = back
}

func TestAHeadIsWrittenOnceItMovedAndASecondLineContradictsNothing(t *testing.T) {
	t.Parallel()
	l, p := newLog(t), &place{}
	s := l.process(p, l.Audit.Keys)
	l.grow(t, 3)
	s.Publish(t.Context())
	s.Publish(t.Context())
	if kept := p.all(); len(kept) != 1 || kept[0].Head != l.head(t).Head() || !kept[0].IsSigned(l.Audit.Keys) {
		t.Fatalf("kept are %+v", kept)
	}
	l.process(p, l.Audit.Keys).Publish(t.Context()) // another process has written nothing yet
	l.grow(t, 1)
	if kept := p.all(); len(kept) != 3 || kept[1].Head != kept[0].Head || kept[2].Head != l.head(t).Head() {
		t.Errorf("kept are %+v", kept)
	}
	if r := l.verify(t, audit.Question{}); r.Break != nil || r.Heads != 3 {
		t.Errorf("%+v", r.Break)
	}
	p.kept = nil // the file was renamed
	s.Publish(t.Context())
	if len(p.all()) != 1 {
		t.Error("the new file has no head")
	}
}

func TestAPlaceThatFailsIsSaidOnceAndTriedAgain(t *testing.T) {
	t.Parallel()
	l, p := newLog(t), &place{fails: errors.New("no space")}
	s := l.process(p, l.Audit.Keys)
	var told []bool
	s.Published = func(_ string, err error) { told = append(told, err != nil) }
	l.grow(t, 1)
	l.grow(t, 1)
	if got := s.Failing(); !slices.Equal(got, []string{"memory"}) {
		t.Errorf("failing are %v", got)
	}
	s.Check(t.Context())
	if state, err := s.State(t.Context(), l.Admin); err != nil || !slices.Equal(state.LastCheck.FailingPlaces, []string{"memory"}) {
		t.Errorf("staff see %+v (%v)", state, err)
	}
	p.fails = nil
	s.Publish(t.Context())
	if kept := p.all(); len(kept) != 1 || kept[0].Head != l.head(t).Head() || len(s.Failing()) > 0 {
		t.Errorf("kept are %+v", kept)
	}
	if !slices.Equal(told, []bool{true, true, false}) || strings.Count(l.Logs.String(), "no space") != 1 {
		t.Errorf("told %v; %s", told, l.Logs)
	}
}

// TestARestoredStateIsNoticed puts an older state of chain and checkpoint back, which the database alone cannot show.
func TestARestoredStateIsNoticed(t *testing.T) {
	t.Parallel()
	l, p := newLog(t), &place{}
	l.process(p, l.Audit.Keys)
	l.grow(t, 3)
	older := l.end(t)
	l.grow(t, 5)
	newer := l.head(t).Head()
	running := l.service
	l.restore(t, older)
	for name, s := range map[string]*audit.Service{
		"the running service": running, "verify with the heads": l.process(p, l.Audit.Keys),
	} {
		r, err := s.Verify(t.Context(), audit.Question{})
		if err != nil || r.Break == nil || r.Break.Kind != coreaudit.BreakHead || r.Break.No != newer.No {
			t.Errorf("%s: %+v, %v", name, r.Break, err)
		} else if text := r.Break.String(); !strings.Contains(text, "an older backup was restored") || !strings.Contains(text, "vezne audit adopt") {
			t.Errorf("%s says %q", name, text)
		}
	}
	l.process(nil, l.Audit.Keys)
	if r := l.verify(t, audit.Question{}); r.Break != nil {
		t.Errorf("without anything outside the database: %+v", r.Break)
	}
}

// TestAServiceDoesNotRepairWhatWasCut has it find the checkpoint ahead of the chain, behind what it has seen, or gone.
func TestAServiceDoesNotRepairWhatWasCut(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(older, now coreaudit.End) coreaudit.End{
		"cut": func(older, now coreaudit.End) coreaudit.End {
			return coreaudit.End{Link: older.Link, Checkpoint: now.Checkpoint}
		},
		"put back":                func(older, _ coreaudit.End) coreaudit.End { return older },
		"without a checkpoint":    func(_, now coreaudit.End) coreaudit.End { return coreaudit.End{Link: now.Link} },
		"emptied":                 func(_, _ coreaudit.End) coreaudit.End { return coreaudit.End{} },
		"with a forged signature": func(_, now coreaudit.End) coreaudit.End { now.Checkpoint.Signature[0]++; return now },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l, p := newLog(t), &place{}
			l.process(p, l.Audit.Keys)
			l.grow(t, 2)
			older := l.end(t)
			l.grow(t, 2)
			now := l.end(t)
			end := change(older, now)
			l.service.Store = tampered{
				AuditLog: l.Store, change: cutTo(end.Link.No), end: func(coreaudit.End) coreaudit.End { return end },
			}
			lines := len(p.all())
			var written []coreaudit.Checkpoint
			l.watchCommits(func(c core.Changeset) { written = append(written, core.RowsOf[coreaudit.Checkpoint](c)...) })
			l.entry(t, l.Clock.Now())
			_, _ = l.service.Chain(t.Context()) // whether its links still fit the store is another matter
			l.service.Publish(t.Context())
			if len(written) > 0 || len(p.all()) != lines {
				t.Errorf("it was signed over: %+v", written)
			}
			if r := l.verify(t, audit.Question{}); r.Break == nil {
				t.Error("it goes unnoticed")
			}
		})
	}
}

// TestAnAdoptedBackupIsWholeAgainAndNothingElseIsForgiven restores a backup, goes on from it, and adopts that.
func TestAnAdoptedBackupIsWholeAgainAndNothingElseIsForgiven(t *testing.T) {
	t.Parallel()
	l, p := newLog(t), &place{}
	l.process(p, l.Audit.Keys)
	by := app.By(core.Actor{Kind: core.BySystem, Name: "test"})
	if _, err := l.service.Adopt(t.Context(), by.Because("no need")); !fault.Is(err, fault.Invalid) {
		t.Errorf("a whole chain is adopted: %v", err)
	}
	l.grow(t, 3)
	other := newLog(t) // the same log before it grew, in another database
	o := other.process(p, other.Audit.Keys)
	other.grow(t, 1)
	r := other.verify(t, audit.Question{})
	if r.Break == nil || r.Break.Kind != coreaudit.BreakHead {
		t.Fatalf("a copy that went another way: %+v", r.Break)
	}
	if _, err := o.Adopt(t.Context(), by); !fault.Is(err, fault.Invalid) {
		t.Errorf("adopted without a reason: %v", err)
	}
	found, err := o.Adopt(t.Context(), by.Because("restored the backup of noon"))
	if err != nil || len(found) == 0 {
		t.Fatalf("%+v, %v", found, err)
	}
	o.Publish(t.Context())
	other.grow(t, 2)
	if r := other.verify(t, audit.Question{}); r.Break != nil {
		t.Errorf("after it was adopted: %v", r.Break)
	}
	query := core.AuditQuery{Action: "adoptAuditChain", Paging: core.Paging[core.ID]{Limit: 9}}
	entries, err := o.Entries(t.Context(), other.Admin, query)
	if err != nil || len(entries) != 1 || entries[0].Reason != "restored the backup of noon" || entries[0].ChainNumber == 0 ||
		!strings.Contains(entries[0].Before, "problems") {
		t.Errorf("the log says %+v, %v", entries, err)
	}
	if r := l.verify(t, audit.Question{}); r.Break == nil {
		t.Error("the copy that was given up finds nothing wrong")
	}
	back := other.end(t)
	other.grow(t, 2)
	other.restore(t, back)
	if r := other.verify(t, audit.Question{}); r.Break == nil {
		t.Error("what is cut after that goes unnoticed")
	}
}

// TestALinkThatWasChangedCanBeAdoptedAsItStands and only as it stands.
func TestALinkThatWasChangedCanBeAdoptedAsItStands(t *testing.T) {
	t.Parallel()
	l, before := tenChained(t)
	change := func(reason string, also int64) func(links) links {
		return func(c links) links {
			c[before+2].Entry.Reason = reason
			if also > 0 {
				c[also].Entry.Reason = reason
			}
			return c
		}
	}
	l.tamper(change("x", 0))
	by := app.By(core.Actor{Kind: core.BySystem, Name: "test"}).Because("known")
	if _, err := l.service.Adopt(t.Context(), by); err != nil {
		t.Fatal(err)
	}
	if r := l.verify(t, audit.Question{}); r.Break != nil || r.Adopted != 1 || r.Known[0].No != before+3 {
		t.Errorf("%+v, %+v", r.Break, r.Known)
	}
	for name, other := range map[string]func(links) links{"changed again": change("y", 0), "and another": change("x", before+6)} {
		l.tamper(other)
		if r := l.verify(t, audit.Question{}); r.Break == nil || r.Break.Kind != coreaudit.BreakChanged {
			t.Errorf("%s: %+v", name, r.Break)
		}
	}
}

func TestTheChainGoesOnOverAChangeOfKeys(t *testing.T) {
	t.Parallel()
	l, p := newLog(t), &place{}
	l.process(p, l.Audit.Keys)
	l.grow(t, 2)
	l.process(p, audittest.Keys(2, 1))
	l.grow(t, 2)
	if r := l.verify(t, audit.Question{}); r.Break != nil || r.LastKey != audittest.Keys(2)[0].ID() {
		t.Errorf("%+v", r)
	}
	l.process(p, audittest.Keys(2))
	r := l.verify(t, audit.Question{})
	if r.Break == nil || r.Break.Kind != coreaudit.BreakUnknownKey || r.Break.No != 1 || !strings.Contains(r.Break.String(), "VEZNE_AUDIT_KEY") {
		t.Errorf("without the old key: %+v", r.Break)
	}
	by := app.By(core.Actor{Kind: core.BySystem, Name: "test"}).Because("the old key is lost")
	if _, err := l.service.Adopt(t.Context(), by); err != nil {
		t.Fatal(err)
	}
	if r := l.verify(t, audit.Question{}); r.Break != nil {
		t.Errorf("after the loss was adopted: %v", r.Break)
	}
}

// TestAChainFromBeforeThereWereKeysGoesOnUnderOne is the way from a version without keys: it is adopted once, verified as it
// was made, and never made like that again.
func TestAChainFromBeforeThereWereKeysGoesOnUnderOne(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	l := &log{World: w, service: w.Audit}
	seeded, _, err := l.Store.Unchained(t.Context(), "", 1000)
	if err != nil {
		t.Fatal(err)
	}
	var last coreaudit.Link
	plain := func(entries ...core.AuditEntry) {
		var change core.Changeset
		for _, e := range entries {
			last = coreaudit.NewLink(last, e, coreaudit.Key{})
			change = append(change, last)
		}
		if err := l.Store.Commit(t.Context(), change); err != nil {
			t.Fatal(err)
		}
	}
	plain(seeded...)
	r := l.verify(t, audit.Question{})
	if r.Break == nil || r.Break.Kind != coreaudit.BreakCheckpoint || !strings.Contains(r.Break.String(), "before there were keys") {
		t.Fatalf("%+v", r.Break)
	}
	by := app.By(core.Actor{Kind: core.BySystem, Name: "test"}).Because("upgrade")
	if _, err := l.service.Adopt(t.Context(), by); err != nil {
		t.Fatal(err)
	}
	l.grow(t, 2)
	if r := l.verify(t, audit.Question{}); r.Break != nil || r.Plain != int64(len(seeded)) || r.Checked != r.Plain+3 {
		t.Errorf("%+v", r)
	}
	last = l.head(t)
	plain(l.entry(t, l.Clock.Now()))
	if r := l.verify(t, audit.Question{}); r.Break == nil || r.Break.Kind != coreaudit.BreakUnkeyed || r.Break.No != last.No {
		t.Errorf("a plain link behind one with a key: %+v", r.Break)
	}
}

// TestAForgedHeadIsNamed has somebody write into the place.
func TestAForgedHeadIsNamed(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(*ports.KeptHead)
		kind   coreaudit.Break
	}{
		"unreadable":        {func(h *ports.KeptHead) { h.IsReadable = false }, coreaudit.BreakForgedHead},
		"changed":           {func(h *ports.KeptHead) { h.Head.No-- }, coreaudit.BreakForgedHead},
		"under another key": {func(h *ports.KeptHead) { h.Checkpoint = h.Sign(audittest.Keys(9).Signer()) }, coreaudit.BreakUnknownKey},
	} {
		l, p := newLog(t), &place{}
		l.process(p, l.Audit.Keys)
		l.grow(t, 2)
		c.change(&p.kept[0])
		if r := l.verify(t, audit.Question{}); r.Break == nil || r.Break.Kind != c.kind || !strings.Contains(r.Break.String(), "the place has it") {
			t.Errorf("%s: %+v", name, r.Break)
		}
	}
}
