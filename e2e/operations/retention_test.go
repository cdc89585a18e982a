package operations_test

import (
	"database/sql"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/e2e/harness"
)

// growing are tables that grow with every day and of which nobody has to keep a row for long: what names a row, and the column
// that says how old it is; empty: the ID does.
var growing = map[string][2]string{
	"idempotency_records": {"idempotency_key", "created_at"},
	"request_nonces":      {"nonce", "used_at"},
	"sessions":            {"id", "expires_at"},
	"jobs":                {"id", "finished_at"},
	"gateway_calls":       {"id"},
	"notifications":       {"id"},
}

// kept are tables of which nothing is deleted, but what is older than the years that the operator has set.
var kept = []string{"payments", "moves", "callbacks", "operations", "audit_entries", "staff"}

// TestWhatGrowsIsPruned: rows of every kind that are older than they have to be go, those that are younger stay, and so do the
// records of money. Customers of more than ten years ago lose their names, if the operator wants it.
func TestWhatGrowsIsPruned(t *testing.T) {
	t.Parallel()
	harness.ForEach(t, func(t *testing.T, in *harness.Installation) {
		in.Succeed("seed", "--transactions", "3000", "--days", "3660")
		db := in.OpenDatabase()
		month := time.Now().UTC().AddDate(0, 0, -3660)
		decade := "'" + string(core.FirstID(time.Date(month.Year(), month.Month(), 1, 0, 0, 0, 0, time.UTC))) + "'"
		oldHistories, oldEntries := "moves WHERE payment_id < "+decade, "audit_entries WHERE id < "+decade
		leaveTraceOf(t, in, time.Now().AddDate(-12, 0, 0))
		histories := rowsIn(t, db, oldHistories)
		if histories != 1 || rowsIn(t, db, oldEntries) != 1 {
			t.Fatalf("%d moves and %d entries are old: this test proves nothing", histories, rowsIn(t, db, oldEntries))
		}
		const forgotten = "payments WHERE personal = ''"
		if n := rowsIn(t, db, forgotten); n != 0 {
			t.Fatalf("%d payments are nobody's already", n)
		}
		isOld := "attempts WHERE id < '" + string(core.FirstID(time.Now().AddDate(0, 0, -90))) + "'"
		isYoung := strings.Replace(isOld, "<", ">=", 1)
		attempts, seeded := rowsIn(t, db, isYoung), rowsIn(t, db, isOld)
		if seeded == 0 || attempts == 0 {
			t.Fatalf("%d attempts are old, %d young: this test proves nothing", seeded, attempts)
		}
		s := in.OpenShop() // from here on a worker prunes
		leaveOneOfEach(t, s)
		old := namesOf(t, in, db)
		leaveOneOfEach(t, s)
		s.Server.Stop(t) // which has chained the entry
		age(t, in, old)
		young, before := map[string]int{}, map[string]int{}
		for table := range growing {
			young[table] = rowsIn(t, db, table) - len(old[table])
		}
		for _, table := range kept {
			before[table] = rowsIn(t, db, table)
		}

		before["moves"] -= histories
		before["audit_entries"]--
		server := in.Serve("VEZNE_RETAIN_JOBS=0", "VEZNE_RETAIN_CUSTOMERS=10", "VEZNE_RETAIN_HISTORY=10", "VEZNE_RETAIN_AUDIT=10")
		young["jobs"] += len(old["jobs"]) // kept for ever
		harness.Eventually(t, func() (wrong error) {
			for table := range growing {
				if got := rowsIn(t, db, table); got != young[table] {
					wrong = errors.Join(wrong, fmt.Errorf("%s has %d rows, %d are young", table, got, young[table]))
				}
			}
			if n := rowsIn(t, db, isOld); n != 0 {
				wrong = errors.Join(wrong, fmt.Errorf("%d attempts are still there", n))
			}
			if n := rowsIn(t, db, forgotten); n == 0 {
				wrong = errors.Join(wrong, errors.New("nobody was forgotten"))
			}
			if n := rowsIn(t, db, oldHistories); n != 0 {
				wrong = errors.Join(wrong, fmt.Errorf("%d moves of old histories are still there", n))
			}
			if n := rowsIn(t, db, oldEntries); n != 0 {
				wrong = errors.Join(wrong, fmt.Errorf("%d old entries of the audit log are still there", n))
			}
			return wrong
		})
		if got := rowsIn(t, db, isYoung); got < attempts {
			t.Errorf("%d young attempts are left of %d", got, attempts)
		}
		for _, table := range kept {
			if got := rowsIn(t, db, table); got < before[table] {
				t.Errorf("%s has %d rows after pruning, %d before", table, got, before[table])
			}
		}
		if said := in.Succeed("audit", "verify"); !strings.Contains(said, "1 of the 1 are gone") {
			t.Errorf("verify says nothing of the entry that was dropped:\n%s", said)
		}
		server.Stop(t)
	})
}

// leaveTraceOf leaves an old entry of the audit log, and a history.
func leaveTraceOf(t *testing.T, in *harness.Installation, at time.Time) {
	t.Helper()
	id, moment := string(core.FirstID(at)), fmt.Sprint(at.UnixMicro())
	if in.Setting("DATABASE_URL") != "" {
		moment = "'" + at.Format(time.RFC3339) + "'"
	}
	if err := in.Tamper(
		"INSERT INTO audit_entries (id, at, by_kind, by_id, by_name, by_addr, action, target, reason, before_state, after_state) VALUES ('"+
			id+"', "+moment+", 'staff', '1', 'Ada', '', 'login', 'staff/1', '', '', '')",
		"INSERT INTO moves (payment_id, id, at, by_kind, by_id, by_name, by_addr, command, from_status, to_status, currency, amount_minor, reason) VALUES ('"+
			id+"', '"+id+"', "+moment+", 'system', '', '', '', 'expire', 'showing', 'canceled', 'TRY', 1, '')",
	); err != nil {
		t.Fatal(err)
	}
}

// leaveOneOfEach leaves at least a row in every growing table, and a member signed in.
func leaveOneOfEach(t *testing.T, s *harness.Shop) {
	t.Helper()
	if a, _, err := s.Provider.Try("start-manual-withdraw", harness.Order("10.00"), fmt.Sprint("key-", time.Now().UnixNano())); err != nil || a.Status != http.StatusOK {
		t.Fatalf("%d %s (%v)", a.Status, a.Body, err)
	}
	p := s.StartDeposit(t, "bank", "250.00")
	p.Must(t, harness.Press("begin"))
	s.To.Callback(t, p)
	s.Admin.Export(t, "CSV", "{}")
	signed := printedRequest(t, s.In.Succeed("sign", "start-manual-deposit", "--v2", "--demo", s.In.Dir))
	signed.URL.Host = strings.TrimPrefix(s.Server.URL, "http://")
	if a, err := harness.Send(signed); err != nil || a.Status != http.StatusOK {
		t.Fatalf("%d %s (%v)", a.Status, a.Body, err)
	}
	for _, member := range s.In.Keys.Staff {
		if member.Role == "viewer" {
			if _, err := harness.SignIn(s.Server.URL, member.Email, member.Password); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// namesOf are the names of all rows of the growing tables.
func namesOf(t *testing.T, in *harness.Installation, db *sql.DB) map[string][]string {
	t.Helper()
	names := map[string][]string{}
	for table, columns := range growing {
		if names[table] = in.Texts(db, "SELECT "+columns[0]+" FROM "+table); len(names[table]) == 0 {
			t.Errorf("%s has no row: this test proves nothing of it", table)
		}
	}
	return names
}

// age makes rows as old as they may get, and older.
func age(t *testing.T, in *harness.Installation, names map[string][]string) {
	t.Helper()
	long, moment := string(core.FirstID(time.Now().AddDate(-2, 0, 0))[:10]), "0"
	if in.Setting("DATABASE_URL") != "" {
		moment = "'2020-01-01 00:00:00+00'"
	}
	for table, columns := range growing {
		change := columns[1] + " = " + moment
		if columns[1] == "" {
			change = "id = '" + long + "' || SUBSTR(id, 11)" // the first characters of an ID are when it was made
		}
		if err := in.Tamper("UPDATE " + table + " SET " + change + " WHERE " + columns[0] + " IN ('" + strings.Join(names[table], "', '") + "')"); err != nil {
			t.Fatal(err)
		}
	}
}

func rowsIn(t *testing.T, db *sql.DB, table string) (n int) {
	t.Helper()
	if err := db.QueryRowContext(t.Context(), "SELECT COUNT(*) FROM "+table).Scan(&n); err != nil {
		t.Fatalf("%s: %v", table, err)
	}
	return n
}
