package bunstore_test

import (
	"database/sql"
	"regexp"
	"strings"
	"testing"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/payment"
)

// scansGrowing is how a plan says that all of a table is read that grows with payments.
var scansGrowing = regexp.MustCompile(`Seq Scan on (payments|callbacks|moves|attempts|payment_terms|personal_keys|idempotency_records|blocks)\b`)

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
	cfg := ownPostgresConfig(t)
	cfg.IsUnprepared = true
	s := openStore(t, cfg)
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
