package bunstore_test

import (
	"context"
	"database/sql"
	"fmt"
	"testing"
	"time"

	"github.com/vezne/vezne/core"
)

// TestDeadlockCostsNobodyTheirCommit: PostgreSQL undoes a commit since it and somebody else's transaction wait for each
// other. No version was lost, and the commit is carried through.
func TestDeadlockCostsNobodyTheirCommit(t *testing.T) {
	t.Parallel()
	cfg := postgresConfig(t)
	s, now, db := openStore(t, cfg), time.Unix(1_800_000_000, 0), rawDatabase(t, cfg)
	change := due(now)
	if err := s.Commit(t.Context(), change); err != nil {
		t.Fatal(err)
	}
	p, c := change.Payments[0], change.Callbacks[0]
	p.Version, c.Version = 2, 2
	other, err := db.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = other.Rollback() }()
	hold(t, other, "callbacks", c.ID)
	committed := make(chan error, 1)
	go func() {
		committed <- s.Commit(context.Background(), core.Changeset{Payments: []core.Payment{p}, Callbacks: []core.Callback{c}})
	}()
	untilOneWaits(t, db, other)
	hold(t, other, "payments", p.ID) // the commit has it, and waits for the callback: one of the two has to give way
	if err := other.Rollback(); err != nil {
		t.Fatal(err)
	}
	if err := <-committed; err != nil {
		t.Errorf("the commit: %v", err)
	}
	if now, err := s.PaymentByToken(t.Context(), p.Token); err != nil || now.Version != 2 {
		t.Errorf("the payment is at version %d (%v)", now.Version, err)
	}
}

// hold locks a row in a transaction.
func hold(t *testing.T, tx *sql.Tx, table string, id core.ID) {
	t.Helper()
	if _, err := tx.ExecContext(t.Context(), "SELECT 1 FROM "+table+" WHERE id = '"+string(id)+"' FOR UPDATE"); err != nil {
		t.Fatal(err)
	}
}

// untilOneWaits waits until somebody waits for a transaction.
func untilOneWaits(t *testing.T, db *sql.DB, tx *sql.Tx) {
	t.Helper()
	var holder int
	if err := tx.QueryRowContext(t.Context(), "SELECT pg_backend_pid()").Scan(&holder); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	query := fmt.Sprintf("SELECT count(*) FROM pg_stat_activity WHERE %d = ANY(pg_blocking_pids(pid))", holder)
	for waiting := 0; waiting == 0; {
		if err := db.QueryRowContext(ctx, query).Scan(&waiting); err != nil {
			t.Fatal(err)
		}
	}
}
