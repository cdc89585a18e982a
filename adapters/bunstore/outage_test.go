package bunstore_test

import (
	"context"
	"database/sql"
	"net/url"
	"testing"

	"github.com/vezne/vezne/adapters/bunstore"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/payment"
)

// named returns the store's connections a name by which the test finds them.
func named(t *testing.T, cfg bunstore.Config) (bunstore.Config, string) {
	t.Helper()
	u, err := url.Parse(cfg.DatabaseURL)
	if err != nil {
		t.Fatal(err)
	}
	query := u.Query()
	name := "test of " + query.Get("search_path")
	query.Set("application_name", name)
	u.RawQuery = query.Encode()
	cfg.DatabaseURL = u.String()
	return cfg, name
}

// terminate ends a store's connections on the server, as a restart does, and says how many there were.
func terminate(t *testing.T, db *sql.DB, name string) (ended int) {
	t.Helper()
	const query = `SELECT count(*) FROM (
		SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE application_name IN ($1, 'vezne ' || $1)) AS ended`
	if err := db.QueryRowContext(t.Context(), query, name).Scan(&ended); err != nil {
		t.Fatal(err)
	}
	return ended
}

// awaitLock returns when one of a store's connections waits for a lock.
func awaitLock(t *testing.T, db *sql.DB, name string) {
	t.Helper()
	const query = "SELECT count(*) FROM pg_stat_activity WHERE application_name IN ($1, 'vezne ' || $1) AND wait_event_type = 'Lock'"
	for waiting := 0; waiting == 0; {
		if err := db.QueryRowContext(t.Context(), query, name).Scan(&waiting); err != nil {
			t.Fatal(err)
		}
	}
}

func TestIdleConnectionsLostFailNobody(t *testing.T) {
	t.Parallel()
	plain := ownPostgresConfig(t)
	cfg, name := named(t, plain)
	s, admin := openStore(t, cfg), rawDatabase(t, plain)
	first := newDeposit(t)
	if err := s.Commit(t.Context(), first); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if ended := terminate(t, admin, name); ended == 0 {
			t.Fatal("no connection was ended")
		}
		if err := s.Commit(t.Context(), newDeposit(t)); err != nil {
			t.Fatalf("commit: %v", err)
		}
		if _, err := s.PaymentByTrackingCode(t.Context(), core.RowsOf[payment.Payment](first)[0].TrackingCode); err != nil {
			t.Fatalf("read: %v", err)
		}
	}
}

func TestConnectionLostInCommitIsUnavailable(t *testing.T) {
	t.Parallel()
	plain := ownPostgresConfig(t)
	cfg, name := named(t, plain)
	s, admin := openStore(t, cfg), rawDatabase(t, plain)
	lock, err := admin.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := lock.ExecContext(t.Context(), "LOCK TABLE payments"); err != nil {
		t.Fatal(err)
	}
	change, result := newDeposit(t), make(chan error, 1)
	go func() { result <- s.Commit(context.WithoutCancel(t.Context()), change) }()
	awaitLock(t, admin, name)
	terminate(t, admin, name)
	if err := <-result; !fault.Is(err, fault.Unavailable) {
		t.Fatalf("the caller got %v", err)
	}
	if err := lock.Rollback(); err != nil {
		t.Fatal(err)
	}
	if err := s.Commit(t.Context(), change); err != nil {
		t.Fatalf("again: %v", err)
	}
	if err := s.Commit(t.Context(), change); !fault.Is(err, fault.Conflict) {
		t.Fatalf("once more: %v", err)
	}
}
