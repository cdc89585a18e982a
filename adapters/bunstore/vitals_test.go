package bunstore_test

import (
	"context"
	"database/sql"
	"errors"
	"net/url"
	"testing"
	"time"

	"github.com/vezne/vezne/adapters/bunstore"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/ports"
)

// withSetting is a configuration whose sessions have a setting of PostgreSQL.
func withSetting(t *testing.T, cfg bunstore.Config, name, value string) bunstore.Config {
	t.Helper()
	u, err := url.Parse(cfg.DatabaseURL)
	if err != nil {
		t.Fatal(err)
	}
	query := u.Query()
	query.Set(name, value)
	u.RawQuery = query.Encode()
	cfg.DatabaseURL = u.String()
	return cfg
}

func prove(ctx context.Context, s *bunstore.Store, needsSpace bool) error {
	return s.ProveWrite(ctx, "a process", time.Unix(1_800_000_000, 0), needsSpace)
}

// wantHindered fails the test unless a proof fails for a reason, with and without new space.
func wantHindered(t *testing.T, s *bunstore.Store, reason error) {
	t.Helper()
	for _, needsSpace := range []bool{true, false} {
		err := prove(t.Context(), s, needsSpace)
		if !errors.Is(err, reason) || !fault.Is(err, fault.Unavailable) {
			t.Errorf("with space %t: %v, want %v", needsSpace, err, reason)
		}
	}
}

func TestReadOnlyPostgresTakesNoProof(t *testing.T) {
	t.Parallel()
	s := openStore(t, withSetting(t, postgresConfig(t), "default_transaction_read_only", "on"))
	if err := s.Ping(t.Context()); err != nil {
		t.Fatal(err)
	}
	wantHindered(t, s, ports.ErrReadOnly)
}

func TestReadOnlySQLiteTakesNoProof(t *testing.T) {
	t.Parallel()
	cfg := sqliteConfig(t)
	cfg = bunstore.Config{SQLite: sqliteWith(t, cfg.Path, "query_only(ON)"), Sealer: cfg.Sealer}
	wantHindered(t, openStore(t, cfg), ports.ErrReadOnly)
}

// TestFullSQLiteTakesNoProof: a file that may not grow still takes what finds room in it, such as a process's row, and no
// payment. The proof that needs space finds it, and takes back what it took.
func TestFullSQLiteTakesNoProof(t *testing.T) {
	t.Parallel()
	cfg := sqliteConfig(t)
	full := openStore(t, bunstore.Config{SQLite: sqliteWith(t, cfg.Path, "max_page_count(1)"), Sealer: cfg.Sealer})
	if err := prove(t.Context(), full, true); !errors.Is(err, ports.ErrFull) || !fault.Is(err, fault.Unavailable) {
		t.Errorf("a full database says %v", err)
	}
	s := openStore(t, cfg)
	for range 3 {
		if err := prove(t.Context(), s, true); err != nil {
			t.Error(err)
		}
	}
	var rows int
	const count = "SELECT count(*) FROM processes"
	if err := rawDatabase(t, cfg).QueryRowContext(t.Context(), count).Scan(&rows); err != nil || rows != 1 {
		t.Errorf("%d processes are known (%v)", rows, err)
	}
}

// TestAProofThatHangsIsEnded: a proof that is given up while it waits on the server leaves nothing hanging there.
func TestAProofThatHangsIsEnded(t *testing.T) {
	t.Parallel()
	plain := ownPostgresConfig(t)
	s, admin := openStore(t, plain), rawDatabase(t, plain)
	if err := prove(t.Context(), s, true); err != nil {
		t.Fatal(err)
	}
	hold, err := admin.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := hold.ExecContext(t.Context(), "LOCK TABLE processes"); err != nil {
		t.Fatal(err)
	}
	waiting := 0
	for patience := 500 * time.Millisecond; waiting == 0; patience *= 2 { // a busy machine may be longer on the way to the lock
		ctx, giveUp := context.WithTimeout(t.Context(), patience)
		if err := prove(ctx, s, false); !fault.Is(err, fault.Unavailable) {
			t.Errorf("the proof that was given up says %v", err)
		}
		giveUp()
		_, waiting = waitingProofs(t, admin)
	}
	result := make(chan error, 1)
	go func() { result <- prove(t.Context(), s, false) }()
	for n, pid := 0, 0; n != 1 || pid == waiting; { // the one that hung is ended, and one waits in its place
		n, pid = waitingProofs(t, admin)
	}
	if err := hold.Rollback(); err != nil {
		t.Fatal(err)
	}
	<-result
	if err := prove(t.Context(), s, true); err != nil {
		t.Errorf("with nothing in its way the proof says %v", err)
	}
}

// waitingProofs counts this test's proofs that wait for a lock on the server, and returns the session of one of them.
func waitingProofs(t *testing.T, db *sql.DB) (n, pid int) {
	t.Helper()
	const query = `SELECT count(*), coalesce(max(a.pid), 0) FROM pg_stat_activity AS a JOIN pg_locks AS l ON l.pid = a.pid
		WHERE NOT l.granted AND l.relation = 'processes'::regclass AND application_name LIKE 'vezne proof %'`
	if err := db.QueryRowContext(t.Context(), query).Scan(&n, &pid); err != nil {
		t.Fatal(err)
	}
	return n, pid
}
