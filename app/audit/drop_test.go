package audit_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/vezne/vezne/app/audit"
	"github.com/vezne/vezne/core"
	coreaudit "github.com/vezne/vezne/core/audit"
	"github.com/vezne/vezne/core/coretest/audittest"
	"github.com/vezne/vezne/ports"
)

// aged is a log with five entries of twelve years ago, one of eight and three of now, whose head is kept outside. Entries are kept for ten.
func aged(t *testing.T) (*log, *place, []core.AuditEntry) {
	t.Helper()
	l, p := newLog(t), &place{}
	l.process(p, l.Audit.Keys)
	l.service.KeepYears, l.service.Rows = 10, l.Store
	now := l.Clock.Now()
	var all []core.AuditEntry
	for _, at := range []time.Time{
		now.AddDate(-12, 0, 0), now.AddDate(-12, 0, 1), now.AddDate(-12, 1, 0), now.AddDate(-11, 0, 0), now.AddDate(-10, -1, 0),
		now.AddDate(-8, 0, 0), now, now.Add(time.Second), now.Add(2 * time.Second),
	} {
		all = append(all, l.entry(t, at))
	}
	l.chain(t)
	l.service.Publish(t.Context())
	return l, p, all
}

// there are those entries that are still in the log.
func (l *log) there(t *testing.T, of []core.AuditEntry) (ids []core.ID) {
	t.Helper()
	rows, err := l.Store.AuditEntries(t.Context(), core.AuditQuery{Paging: core.Paging[core.ID]{Limit: core.MaxPage}})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range of {
		if slices.ContainsFunc(rows, func(r core.AuditRecord) bool { return r.ID == e.ID }) {
			ids = append(ids, e.ID)
		}
	}
	return ids
}

// statements are the entries that say what was dropped, newest first.
func (l *log) statements(t *testing.T) []core.AuditRecord {
	t.Helper()
	rows, err := l.Store.AuditEntries(t.Context(), core.AuditQuery{Action: coreaudit.DropAction, Paging: core.Paging[core.ID]{Limit: core.MaxPage}})
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// TestOldEntriesAreDroppedAndTheChainIsProvenOnwards: the log says so before they go, heads that were kept from before are still compared, and
// a year later the next statement covers what the first one did.
func TestOldEntriesAreDroppedAndTheChainIsProvenOnwards(t *testing.T) {
	t.Parallel()
	l, p, all := aged(t)
	if l.service.Check(t.Context()); len(l.there(t, all)) != 4 {
		t.Fatalf("there are %v: %s", l.there(t, all), l.Logs)
	}
	said := l.statements(t)
	if len(said) != 1 || said[0].Actor.Kind != core.BySystem || said[0].Reason != "kept for 10 years" || said[0].ChainNumber == 0 {
		t.Fatalf("the log says %+v", said)
	}
	l.service.Publish(t.Context())
	r := l.process(p, l.Audit.Keys)
	report, err := r.Verify(t.Context(), audit.Question{})
	if err != nil || report.Break != nil || report.Missing != 5 || report.Dropped.Links != 5 || report.Heads < 2 || report.Checked != report.Last.No {
		t.Fatalf("%+v, %v", report, err)
	}
	if first := time.Date(l.Clock.Now().Year()-10, l.Clock.Now().Month(), 1, 0, 0, 0, 0, time.UTC); !report.Dropped.Before().Equal(first) {
		t.Errorf("entries are kept from %s on, not %s", report.Dropped.Before(), first)
	}
	if state, err := r.State(t.Context(), l.Admin); err != nil || !state.KeptFrom.Equal(report.Dropped.Before()) {
		t.Errorf("staff see %s, %v", state.KeptFrom, err)
	}
	r.KeepYears, r.Rows = 10, l.Store
	l.Clock.Advance(25 * time.Hour)
	if r.Check(t.Context()); len(l.statements(t)) != 1 {
		t.Error("nothing was dropped, and the log says so again")
	}
	l.Clock.Set(l.Clock.Now().AddDate(2, 1, 0))
	l.entry(t, l.Clock.Now())
	l.chain(t)
	r.Check(t.Context())
	report = l.verify(t, audit.Question{})
	if report.Break != nil || report.Missing != 6 || len(l.statements(t)) != 2 || len(l.there(t, all)) != 3 {
		t.Errorf("two years later %+v, there are %v", report, l.there(t, all))
	}
	if report := l.verify(t, audit.Question{From: 7}); report.Break != nil {
		t.Errorf("from the seventh on: %s", report.Break)
	}
}

// TestNothingIsDroppedThatIsNotProven: not from a chain that is broken, not what is not chained yet, not where entries are kept for ever, and
// not before the log says so.
func TestNothingIsDroppedThatIsNotProven(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(t *testing.T, l *log){
		"kept for ever": func(_ *testing.T, l *log) { l.service.KeepYears = 0 },
		"broken": func(_ *testing.T, l *log) {
			l.service.Store = tampered{AuditLog: l.Store, change: func(c links) links { c[len(c)-2].Entry.Reason = "x"; return c }}
		},
		"not chained": func(t *testing.T, l *log) { l.entry(t, l.Clock.Now().AddDate(-11, 0, 0)) },
		"not said": func(t *testing.T, l *log) {
			if n, err := l.Store.Prune(t.Context(), core.AuditEntries, l.Clock.Now(), 100); n != 0 || err != nil {
				t.Errorf("%d were deleted, %v", n, err)
			}
			l.service.KeepYears = 0
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l, _, all := aged(t)
			spoil(t, l)
			isDone := l.service.Check(t.Context())
			if len(l.there(t, all)) != len(all) || len(l.statements(t)) != 0 {
				t.Errorf("there are %d of %d; the log says %+v", len(l.there(t, all)), len(all), l.statements(t))
			}
			if isToChain := name == "not chained"; isDone == isToChain {
				t.Errorf("the check is done: %v", isDone)
			}
		})
	}
}

// dying is a store that deletes nothing.
type dying struct{ ports.Retention }

func (dying) Prune(context.Context, core.Prunable, time.Time, int) (int, error) {
	return 0, errors.New("the process has ended")
}

func TestWhatWasSaidIsDroppedAfterACrash(t *testing.T) {
	t.Parallel()
	l, _, all := aged(t)
	l.service.Rows = dying{l.Store}
	if isDone := l.service.Check(t.Context()); isDone || len(l.statements(t)) != 1 || len(l.there(t, all)) != len(all) {
		t.Fatalf("there are %d, done %v; the log says %+v", len(l.there(t, all)), isDone, l.statements(t))
	}
	if report := l.verify(t, audit.Question{}); report.Break != nil || report.Missing != 0 {
		t.Errorf("in between %+v", report)
	}
	next := l.process(nil, l.Audit.Keys)
	next.KeepYears, next.Rows = 10, l.Store
	if isDone := next.Check(t.Context()); !isDone || len(l.statements(t)) != 1 || len(l.there(t, all)) != 4 {
		t.Errorf("there are %d, done %v; the log says %+v", len(l.there(t, all)), isDone, l.statements(t))
	}
}

// TestTheNextCheckDropsWhatAnEarlierOneCouldNot: it is about the whole chain again, not about what has come since.
func TestTheNextCheckDropsWhatAnEarlierOneCouldNot(t *testing.T) {
	t.Parallel()
	l, _, all := aged(t)
	l.service.Rows = dying{l.Store}
	l.service.Check(t.Context())
	l.service.Rows = l.Store
	if isDone := l.service.Check(t.Context()); !isDone || len(l.there(t, all)) != 4 {
		t.Errorf("there are %d, done %v", len(l.there(t, all)), isDone)
	}
}

// meanwhile is a store in which something happens before links are read for the first time.
type meanwhile struct {
	ports.AuditLog
	happens func()
}

func (s *meanwhile) AuditLinks(ctx context.Context, first int64, limit int) ([]coreaudit.ChainedEntry, error) {
	if happens := s.happens; happens != nil {
		s.happens = nil
		happens()
	}
	return s.AuditLog.AuditLinks(ctx, first, limit)
}

// TestEntriesThatGoWhileOthersVerifyAreNotMissed: one process drops them while another one looks.
func TestEntriesThatGoWhileOthersVerifyAreNotMissed(t *testing.T) {
	t.Parallel()
	l, _, _ := aged(t)
	worker := l.service
	l.process(nil, l.Audit.Keys)
	l.service.Store = &meanwhile{l.Store, func() { worker.Check(t.Context()) }}
	if report := l.verify(t, audit.Question{}); report.Break != nil || report.Missing != 5 {
		t.Errorf("%+v", report)
	}
}

// TestNobodyClaimsRetention: whoever has the database, and not the key, cannot have an entry of theirs taken for one that was dropped.
func TestNobodyClaimsRetention(t *testing.T) {
	t.Parallel()
	gone := func(c coreaudit.ChainedEntry) coreaudit.ChainedEntry { return coreaudit.ChainedEntry{Link: c.Link} }
	statement := func(l *log, d coreaudit.Dropped) core.AuditEntry {
		e := l.entryOf(t, l.Clock.Now().Add(time.Minute))
		e.Action, e.Target, e.After = coreaudit.DropAction, coreaudit.LogTarget, d.State()
		return e
	}
	for name, c := range map[string]struct {
		isDropped bool                        // retention has dropped what is old
		claim     func(*log) *core.AuditEntry // is put into the log, and chained
		change    func(l *log, c links, first int) links
		kind      coreaudit.Break
	}{
		"an old entry is deleted by hand": {change: func(_ *log, c links, first int) links { c[first] = gone(c[first]); return c }, kind: coreaudit.BreakMissing},
		"a statement without a signature": {
			claim: func(l *log) *core.AuditEntry {
				e := statement(l, coreaudit.Dropped{Until: core.FirstID(l.Clock.Now()), Through: l.head(t).Head(), Links: 99, KeyID: l.key().ID()})
				return &e
			},
			change: func(_ *log, c links, first int) links { c[first] = gone(c[first]); return c }, kind: coreaudit.BreakMissing,
		},
		"a statement under another key": {
			claim: func(l *log) *core.AuditEntry {
				e := statement(l, coreaudit.Dropped{Until: core.FirstID(l.Clock.Now()), Through: l.head(t).Head(), Links: 99}.Sign(audittest.Keys(9)[0]))
				return &e
			},
			change: func(_ *log, c links, first int) links { c[first] = gone(c[first]); return c }, kind: coreaudit.BreakMissing,
		},
		"the signed statement with a later end": {
			isDropped: true,
			claim: func(l *log) *core.AuditEntry {
				d, err := coreaudit.ParseDropped(l.statements(t)[0].After)
				if err != nil {
					t.Error(err)
				}
				d.Until = core.FirstID(l.Clock.Now().AddDate(-1, 0, 0))
				e := statement(l, d)
				return &e
			},
			change: func(_ *log, c links, first int) links { c[first+5] = gone(c[first+5]); return c }, kind: coreaudit.BreakMissing,
		},
		"a later entry's link that names an old one": {
			isDropped: true, kind: coreaudit.BreakDropped,
			change: func(l *log, c links, first int) links {
				c[first+5] = gone(c[first+5])
				c[first+5].Link.EntryID = core.FirstID(l.Clock.Now().AddDate(-13, 0, 0))
				return c
			},
		},
		"the link of an entry that was dropped has another hash": {
			isDropped: true, kind: coreaudit.BreakDropped,
			change: func(_ *log, c links, first int) links { c[first+1].Link.Hash[0]++; return c },
		},
		"the link of an entry that was dropped is deleted": {
			isDropped: true, kind: coreaudit.BreakUnlinked,
			change: func(_ *log, c links, first int) links { return slices.Delete(c, first+1, first+2) },
		},
		"an entry of after the statement with an old ID is deleted": {
			isDropped: true, kind: coreaudit.BreakMissing,
			claim:  func(l *log) *core.AuditEntry { e := l.entryOf(t, l.Clock.Now().AddDate(-12, 0, 9)); return &e },
			change: func(_ *log, c links, _ int) links { c[len(c)-1] = gone(c[len(c)-1]); return c },
		},
		"the statement is deleted": {
			isDropped: true, kind: coreaudit.BreakMissing,
			change: func(l *log, c links, _ int) links { c[len(c)-1] = gone(c[len(c)-1]); return c },
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l, _, all := aged(t)
			if c.isDropped {
				l.service.Check(t.Context())
			}
			if c.claim != nil {
				if err := l.Store.Commit(t.Context(), core.Changeset{*c.claim(l)}); err != nil {
					t.Fatal(err)
				}
				l.chain(t)
			}
			whole := l.service.Store
			if report := l.verify(t, audit.Question{}); report.Break != nil {
				t.Fatalf("before: %s", report.Break)
			}
			list, err := whole.AuditLinks(t.Context(), 1, 1_000_000)
			if err != nil {
				t.Fatal(err)
			}
			first := slices.IndexFunc(list, func(e coreaudit.ChainedEntry) bool { return e.Link.EntryID == all[0].ID })
			l.service.Store = tampered{AuditLog: whole, change: func(list links) links { return c.change(l, list, first) }}
			if report := l.verify(t, audit.Question{}); report.Break == nil || report.Break.Kind != c.kind {
				t.Errorf("it is found to be %+v", report.Break)
			}
		})
	}
}
