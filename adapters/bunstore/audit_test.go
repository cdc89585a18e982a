package bunstore_test

import (
	"crypto/rand"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/adapters/bunstore"
	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/app/audit"
	"github.com/vezne/vezne/core"
	coreaudit "github.com/vezne/vezne/core/audit"
	"github.com/vezne/vezne/core/coretest/audittest"
	"github.com/vezne/vezne/e2e/apptest"
)

// auditLog is the service on a store with n entries, chained.
func auditLog(t *testing.T, s *bunstore.Store, n int) (*audit.Service, []core.AuditEntry) {
	t.Helper()
	entries := auditEntries(t, time.Date(2026, 3, 2, 9, 0, 0, 1000, time.UTC), n)
	service := &audit.Service{
		UnitOfWork: &app.UnitOfWork{Commits: s, Waker: apptest.NewWaker(), Clock: apptest.NewClock(time.Now()), Random: rand.Reader}, Store: s,
		Log: slog.New(slog.DiscardHandler), Keys: audittest.Keys(1),
	}
	if err := s.Commit(t.Context(), core.Rows(entries)); err != nil {
		t.Fatal(err)
	}
	if chained, err := service.Chain(t.Context()); err != nil || chained != n {
		t.Fatalf("%d of %d were chained, %v", chained, n, err)
	}
	return service, entries
}

func auditEntries(t testing.TB, at time.Time, n int) []core.AuditEntry {
	t.Helper()
	ids, err := core.NewIDs(at, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	entries := make([]core.AuditEntry, n)
	for i := range entries {
		entries[i] = core.AuditEntry{
			ID: ids.Next(), At: at.Add(time.Duration(i) * time.Microsecond), Actor: core.Actor{Kind: core.ByStaff, ID: "7", Name: "İ'\\", Addr: "192.0.2.7"},
			Action: "approveDeposit", Target: fmt.Sprint("payment/MAN-", i), Reason: "agreed", After: `{"status":"completed"}`,
		}
	}
	return entries
}

func TestTheAuditLogOnlyGrows(t *testing.T) {
	t.Parallel()
	forEach(t, func(t *testing.T, cfg bunstore.Config) {
		s := openStore(t, cfg)
		service, entries := auditLog(t, s, 3)
		db := rawDatabase(t, cfg)
		statements := []string{
			"UPDATE audit_entries SET reason = 'x'", "UPDATE audit_entries SET reason = 'x' WHERE id = ''", "DELETE FROM audit_entries",
			"UPDATE audit_chain SET hash = 'x'", "DELETE FROM audit_checkpoints", "DELETE FROM audit_chain WHERE no = 2",
			"INSERT INTO audit_entries SELECT * FROM audit_entries WHERE true ON CONFLICT (id) DO UPDATE SET reason = 'x'",
		}
		if cfg.Path == "" {
			statements = append(statements, "TRUNCATE audit_entries", "TRUNCATE audit_chain", "TRUNCATE audit_chain, audit_entries CASCADE")
			for _, month := range []string{"audit_entries_before", "audit_entries_" + time.Now().UTC().AddDate(0, 2, 1-time.Now().UTC().Day()).Format("200601")} {
				statements = append(statements, "TRUNCATE "+month, "DELETE FROM "+month, "UPDATE "+month+" SET reason = 'x'")
			}
		} else {
			statements = append(statements[2:], "UPDATE audit_entries SET reason = 'x'", // SQLite asks nobody about no rows
				"INSERT OR REPLACE INTO audit_entries SELECT id, at, by_kind, by_id, by_name, by_addr, action, target, 'x', before_state, after_state FROM audit_entries",
				"INSERT OR REPLACE INTO audit_chain SELECT no, entry_id, version, 'x', key_id FROM audit_chain",
				"INSERT OR REPLACE INTO audit_chain SELECT no + 9, entry_id, version, hash, key_id FROM audit_chain")
		}
		for _, statement := range statements {
			if _, err := db.ExecContext(t.Context(), statement); err == nil {
				t.Errorf("%s was let through", statement)
			} else if text := err.Error(); !strings.Contains(text, "it only") && !strings.Contains(text, "only replaced") && !strings.Contains(text, "taken") {
				t.Errorf("%s failed for another reason: %v", statement, err)
			}
		}
		if r, err := service.Verify(t.Context(), audit.Question{}); err != nil || r.Break != nil || r.Checked != int64(len(entries)) {
			t.Errorf("%+v, %v", r, err)
		}
	})
}

// TestWhatIsDoneToTheDatabaseIsNamed takes the triggers away, as an owner of the database can.
func TestWhatIsDoneToTheDatabaseIsNamed(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		statement string // %s is the fifth entry's id
		kind      coreaudit.Break
	}{
		"a changed entry":  {"UPDATE audit_entries SET reason = 'x' WHERE id = '%s'", coreaudit.BreakChanged},
		"a changed moment": {"UPDATE audit_entries SET at = (SELECT max(at) FROM audit_entries) WHERE id = '%s'", coreaudit.BreakChanged},
		"a deleted entry":  {"DELETE FROM audit_entries WHERE id = '%s'", coreaudit.BreakMissing},
		"a deleted link":   {"DELETE FROM audit_chain WHERE entry_id = '%s'", coreaudit.BreakUnlinked},
		"a changed hash":   {"UPDATE audit_chain SET hash = 'x' WHERE entry_id = '%s'", coreaudit.BreakChanged},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			forEach(t, func(t *testing.T, cfg bunstore.Config) {
				service, entries := auditLog(t, openStore(t, cfg), 9)
				db := rawDatabase(t, cfg)
				off := []string{
					"DROP TRIGGER audit_entries_append_only ON audit_entries", "DROP TRIGGER audit_entries_no_delete ON audit_entries",
					"DROP TRIGGER audit_chain_append_only ON audit_chain",
				}
				if cfg.Path != "" {
					off = []string{
						"DROP TRIGGER audit_entries_no_update", "DROP TRIGGER audit_entries_no_delete",
						"DROP TRIGGER audit_chain_no_update", "DROP TRIGGER audit_chain_no_delete",
					}
				}
				for _, statement := range append(off, fmt.Sprintf(c.statement, entries[4].ID)) {
					execute(t, db, statement)
				}
				r, err := service.Verify(t.Context(), audit.Question{})
				if err != nil || r.Break == nil || r.Break.Kind != c.kind || r.Break.No != 5 || r.Checked != 4 {
					t.Fatalf("%+v of %+v, %v", r.Break, r, err)
				}
				if r.Break.Kind != coreaudit.BreakUnlinked && r.Break.EntryID != entries[4].ID {
					t.Errorf("it names %s", r.Break.EntryID)
				}
			})
		})
	}
}
