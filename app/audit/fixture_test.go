package audit_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/app/audit"
	"github.com/vezne/vezne/core"
	coreaudit "github.com/vezne/vezne/core/audit"
	"github.com/vezne/vezne/e2e/apptest"
	"github.com/vezne/vezne/ports"
)

// log is an audit log that the test fills, and a service on it.
type log struct {
	*apptest.World
	service *audit.Service
	n       int
}

func newLog(t *testing.T) *log {
	t.Helper()
	w := apptest.New(t)
	l := &log{World: w, service: w.Audit}
	l.chain(t) // what seeding has audited
	return l
}

// entry makes an entry of a moment and commits it.
func (l *log) entry(t *testing.T, at time.Time) core.AuditEntry {
	t.Helper()
	e := l.entryOf(t, at)
	if err := l.Store.Commit(t.Context(), core.Changeset{e}); err != nil {
		t.Fatal(err)
	}
	return e
}

func (l *log) entryOf(t *testing.T, at time.Time) core.AuditEntry {
	t.Helper()
	l.n++
	ids, err := core.NewIDs(at, strings.NewReader(fmt.Sprintf("%010d", l.n)))
	if err != nil {
		t.Fatal(err)
	}
	return core.AuditEntry{
		ID: ids.Next(), At: at, Actor: l.Admin.Actor("192.0.2.7"), Action: "approveDeposit", Target: fmt.Sprint("payment/MAN-", l.n),
	}
}

// chain does a round and gives how many entries it has linked.
func (l *log) chain(t *testing.T) int {
	t.Helper()
	n, err := l.service.Chain(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func (l *log) verify(t *testing.T, q audit.Question) audit.Report {
	t.Helper()
	report, err := l.service.Verify(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func (l *log) head(t *testing.T) coreaudit.Link {
	t.Helper()
	return l.end(t).Link
}

func (l *log) end(t *testing.T) coreaudit.End {
	t.Helper()
	end, err := l.Store.AuditEnd(t.Context(), coreaudit.ChainName)
	if err != nil {
		t.Fatal(err)
	}
	return end
}

// key is what the chain is made under.
func (l *log) key() coreaudit.Key { return l.Audit.Keys.Signer() }

// chained returns the ids of what was linked behind a number, in the chain's order.
func (l *log) chained(t *testing.T, behind int64) []core.ID {
	t.Helper()
	list, err := l.Store.AuditLinks(t.Context(), behind+1, 10_000)
	if err != nil {
		t.Fatal(err)
	}
	var ids []core.ID
	for _, c := range list {
		ids = append(ids, c.Link.EntryID)
	}
	return ids
}

// tampered is a store somebody has worked on behind our backs: change sees the whole chain and gives what is there now.
type tampered struct {
	ports.AuditLog
	change func([]coreaudit.ChainedEntry) []coreaudit.ChainedEntry
	end    func(coreaudit.End) coreaudit.End // nil: as it is
}

func (s tampered) AuditEnd(ctx context.Context, name string) (coreaudit.End, error) {
	end, err := s.AuditLog.AuditEnd(ctx, name)
	if s.end != nil {
		end = s.end(end)
	}
	return end, err
}

func (s tampered) AuditLinks(ctx context.Context, first int64, limit int) ([]coreaudit.ChainedEntry, error) {
	whole, err := s.AuditLog.AuditLinks(ctx, 1, 1_000_000)
	whole = s.change(slices.Clone(whole))
	whole = slices.DeleteFunc(whole, func(c coreaudit.ChainedEntry) bool { return c.Link.No < first })
	return whole[:min(limit, len(whole))], err
}

func (l *log) tamper(change func([]coreaudit.ChainedEntry) []coreaudit.ChainedEntry) {
	l.service = &audit.Service{UnitOfWork: l.UnitOfWork, Store: tampered{AuditLog: l.Store, change: change}, Log: l.Audit.Log, Keys: l.Audit.Keys, Checked: l.service.Checked}
}

// putBack has the chain changed, and the checkpoint of a moment when it was like that.
func (l *log) putBack(t *testing.T, change func([]coreaudit.ChainedEntry) []coreaudit.ChainedEntry) {
	t.Helper()
	whole, err := l.Store.AuditLinks(t.Context(), 1, 1_000_000)
	if err != nil {
		t.Fatal(err)
	}
	now := change(whole)
	end := func(e coreaudit.End) coreaudit.End {
		e.Link = now[len(now)-1].Link
		e.Checkpoint.Head = e.Link.Head()
		e.Checkpoint = e.Checkpoint.Sign(l.key())
		return e
	}
	l.tamper(change)
	l.service.Store = tampered{AuditLog: l.Store, change: change, end: end}
}

// watchCommits tells what the service commits from now on.
func (l *log) watchCommits(told func(core.Changeset)) {
	unit := *l.UnitOfWork
	unit.Commits = &apptest.Commits{Committer: l.Store, After: func(c core.Changeset) error { told(c); return nil }}
	l.service.UnitOfWork = &unit
}
