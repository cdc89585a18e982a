package bunstore_test

import (
	"context"
	"crypto/rand"
	"database/sql"
	"database/sql/driver"
	"fmt"
	"net/url"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/uptrace/bun/dialect/sqlitedialect"
	"github.com/uptrace/bun/driver/pgdriver"
	bunschema "github.com/uptrace/bun/schema"
	"pgregory.net/rapid"

	"github.com/vezne/vezne/adapters/bunstore"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/payment"
)

// scansGrowing is how a plan says that all of a table is read that grows with payments, or all that is a dealer's.
var scansGrowing = regexp.MustCompile(`Seq Scan on (payments|callbacks|moves|attempts|payment_terms|personal_keys|idempotency_records|blocks)\b` +
	`|using (payments_dealer|callbacks_dealer)\b`)

// preparedPlans are the plans of all statements that a connection has prepared, and how often each was planned for one execution.
func preparedPlans(t *testing.T, pool *sql.DB) (plans map[string]string, custom int) {
	t.Helper()
	rows, err := pool.QueryContext(t.Context(), "SELECT name, array_length(parameter_types, 1), custom_plans FROM pg_prepared_statements")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	parameters := map[string]int{}
	for rows.Next() {
		var (
			name     string
			n, times sql.NullInt64
		)
		if err := rows.Scan(&name, &n, &times); err != nil {
			t.Fatal(err)
		}
		parameters[name], custom = int(n.Int64), custom+int(times.Int64)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	plans = map[string]string{}
	for name, n := range parameters {
		execute := "EXPLAIN EXECUTE " + name
		if n > 0 {
			execute += "(" + strings.TrimSuffix(strings.Repeat("NULL, ", n), ", ") + ")"
		}
		conn, err := pool.Conn(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		plans[name] = planOf(t, conn, execute)
		_ = conn.Close() // gives it back
	}
	return plans, custom
}

// TestStatementsOfEveryPaymentArePlannedOnce: what a payment's creation, its page and its end run is prepared, planned for any
// values, and by a key although the tables are empty.
func TestStatementsOfEveryPaymentArePlannedOnce(t *testing.T) {
	t.Parallel()
	cfg := ownPostgresConfig(t)
	s := openStore(t, cfg)
	commits, keyed := s.OneConnectionEach()
	for range 8 { // more than the five executions after which PostgreSQL would settle by itself
		change := newDeposit(t)
		if err := s.Commit(t.Context(), change); err != nil {
			t.Fatal(err)
		}
		created := core.RowsOf[payment.Payment](change)[0]
		found, err := s.PaymentByTrackingCode(t.Context(), created.TrackingCode)
		if err != nil {
			t.Fatal(err)
		}
		found.Version++
		if err := s.Commit(t.Context(), core.Changeset{found}); err != nil {
			t.Fatal(err)
		}
		if _, err := s.PaymentByID(t.Context(), created.ID); err != nil {
			t.Fatal(err)
		}
	}
	for name, pool := range map[string]*sql.DB{"commits": commits, "keyed": keyed} {
		plans, custom := preparedPlans(t, pool)
		if len(plans) < 2 {
			t.Errorf("%s: only %d statements are prepared", name, len(plans))
		}
		if custom > 0 {
			t.Errorf("%s: planned anew %d times", name, custom)
		}
		for statement, plan := range plans {
			if scansGrowing.MatchString(plan) {
				t.Errorf("%s: %s scans:\n%s", name, statement, plan)
			}
		}
	}
}

// TestUnpreparedKeepsNothingOnAConnection: behind a pooler the next statement may run on another connection.
func TestUnpreparedKeepsNothingOnAConnection(t *testing.T) {
	t.Parallel()
	s := openStore(t, ofRole(t, ownPostgresConfig(t)))
	commits, keyed := s.OneConnectionEach()
	change := newDeposit(t)
	if err := s.Commit(t.Context(), change); err != nil {
		t.Fatal(err)
	}
	if _, err := s.PaymentByID(t.Context(), core.RowsOf[payment.Payment](change)[0].ID); err != nil {
		t.Fatal(err)
	}
	for name, pool := range map[string]*sql.DB{"commits": commits, "keyed": keyed} {
		if plans, _ := preparedPlans(t, pool); len(plans) > 0 {
			t.Errorf("%s: %d statements are prepared", name, len(plans))
		}
	}
}

// ofRole is a configuration for a pooler: what its sessions need is set for a role of its own.
func ofRole(t *testing.T, cfg bunstore.Config) bunstore.Config {
	t.Helper()
	u, err := url.Parse(cfg.DatabaseURL)
	if err != nil {
		t.Fatal(err)
	}
	role := "vezne_pooled_" + strings.ToLower(rand.Text())
	schema := u.Query().Get("search_path")
	ownURL := cfg.DatabaseURL
	execute := func(statement string) {
		db := sql.OpenDB(pgdriver.NewConnector(pgdriver.WithDSN(ownURL)))
		defer func() { _ = db.Close() }()
		if _, err := db.ExecContext(context.Background(), statement); err != nil {
			t.Fatal(err)
		}
	}
	execute("CREATE ROLE " + role + " SUPERUSER LOGIN; ALTER ROLE " + role + " SET search_path = " + schema)
	t.Cleanup(func() { execute("DROP ROLE " + role) })
	query := u.Query()
	query.Del("search_path")
	u.User, u.RawQuery = url.User(role), query.Encode()
	cfg.DatabaseURL, cfg.IsUnprepared = u.String(), true
	return cfg
}

// TestNobodyGetsTheSettingsOfAnothersSession: behind a pooler they would be found by whoever has the session next.
func TestNobodyGetsTheSettingsOfAnothersSession(t *testing.T) {
	t.Parallel()
	cfg := ownPostgresConfig(t)
	cfg.IsUnprepared = true
	if s, err := bunstore.Open(t.Context(), cfg); !fault.Is(err, fault.Invalid) || s != nil || !strings.Contains(err.Error(), "search_path") {
		t.Errorf("a URL with settings of the session gives %v", err)
	}
	s := openStore(t, ofRole(t, cfg))
	lacking, err := s.RoleSettings(t.Context())
	if err != nil || len(lacking) == 0 || lacking[0] != (bunstore.Wanting{Name: "statement_timeout", Is: "0", Wanted: "9s"}) {
		t.Errorf("a role without any setting lacks %+v (%v)", lacking, err)
	}
	if err := s.CheckSessions(t.Context()); err != nil {
		t.Errorf("where nothing is prepared: %v", err)
	}
}

// TestAServerWithoutAPoolerKeepsItsSessions: each connection has a process of the server of its own.
func TestAServerWithoutAPoolerKeepsItsSessions(t *testing.T) {
	t.Parallel()
	s := openStore(t, ownPostgresConfig(t))
	if err := s.CheckSessions(t.Context()); err != nil {
		t.Error(err)
	}
	if lacking, err := s.RoleSettings(t.Context()); err != nil || len(lacking) > 0 {
		t.Errorf("%+v (%v)", lacking, err)
	}
}

// TestLiteralsAreReadAsTheyAreWritten: what bun writes for SQLite is what is bound, whatever is in a text.
func TestLiteralsAreReadAsTheyAreWritten(t *testing.T) {
	t.Parallel()
	gen := bunschema.NewQueryGen(sqlitedialect.New())
	value := rapid.OneOf(
		rapid.Map(rapid.StringOf(rapid.OneOf(rapid.SampledFrom([]rune("',()?X; NULL")), rapid.Rune())), func(s string) any { return strings.ReplaceAll(s, "\x00", "") }),
		rapid.Map(rapid.Int64(), func(n int64) any { return n }),
		rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) any { return b }),
		rapid.Just[any](nil),
	)
	rapid.Check(t, func(rt *rapid.T) {
		want := rapid.SliceOfN(value, 0, 6).Draw(rt, "values")
		text := gen.FormatQuery(strings.TrimSuffix(strings.Repeat("?, ", len(want)), ", "), want...)
		got, err := bunstore.Literals(text)
		if err != nil || len(got) != len(want) {
			rt.Fatalf("%s is read as %v, %v", text, got, err)
		}
		for i, v := range got {
			if b, ok := want[i].([]byte); ok && len(b) == 0 {
				continue // no bytes, or none at all
			}
			if v.Ordinal != i+1 || !reflect.DeepEqual(v.Value, driver.Value(want[i])) {
				rt.Fatalf("value %d of %s is read as %#v, want %#v", i+1, text, v.Value, want[i])
			}
		}
	})
	for _, wrong := range []string{"'a", "'a' 'b'", "1,", "1,,2", "now()", "1.5", "X'0g'", "'a'b", "X'", "--1"} {
		if got, err := bunstore.Literals(wrong); err == nil || strings.Contains(err.Error(), wrong) {
			t.Errorf("%s is read as %v, %v", wrong, got, err)
		}
	}
}

// TestSQLitePreparesWhatRunsForEveryPayment once for each connection.
func TestSQLitePreparesWhatRunsForEveryPayment(t *testing.T) {
	t.Parallel()
	s := openStore(t, sqliteConfig(t))
	commits, keyed := s.OneConnectionEach()
	for range 3 {
		change := newDeposit(t)
		if err := s.Commit(t.Context(), change); err != nil {
			t.Fatal(err)
		}
		if _, err := s.PaymentByID(t.Context(), core.RowsOf[payment.Payment](change)[0].ID); err != nil {
			t.Fatal(err)
		}
	}
	for what, pool := range map[string]*sql.DB{"INSERT INTO payments (": commits, `FROM "payments"`: keyed} {
		conn, err := pool.Conn(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		err = conn.Raw(func(c any) error {
			prepared := bunstore.Executables(c)
			if n := len(slices.DeleteFunc(prepared, func(text string) bool { return !strings.Contains(text, what) })); n != 1 {
				return fmt.Errorf("%d statements with %s are prepared", n, what)
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
}
