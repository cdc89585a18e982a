package bunstore

import (
	"context"
	"crypto/rand"
	"errors"
	"net"
	"net/url"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/vezne/vezne/ports"
)

const (
	// proofTimeout is when a proof that hangs is given up and its connection with it. Whoever waits for the proof gives up
	// long before; a new one each time would leave a server that hangs as many connections that hang.
	proofTimeout = 30 * time.Second
	// endTimeout bounds ending those on the server.
	endTimeout = 5 * time.Second
	// processKept is how long a process is known that writes no more.
	processKept = 24 * time.Hour
)

// Now implements ports.Vitals.
func (s *Store) Now(ctx context.Context) (time.Time, error) {
	var microseconds int64
	err := s.proofs.NewRaw(s.dialect.clock()).Scan(ctx, &microseconds)
	return time.UnixMicro(microseconds).UTC(), fail("bunstore.Now", err)
}

// ProveWrite implements ports.Vitals.
func (s *Store) ProveWrite(ctx context.Context, process string, at time.Time, needsSpace bool) error {
	if s.isHanging.Swap(false) {
		s.dialect.endProofs(ctx, s.pools)
	}
	ctx, cancel := context.WithTimeout(ctx, proofTimeout)
	defer cancel()
	var space []string
	if needsSpace {
		space = s.dialect.takeSpace()
	}
	err := s.proveWrite(ctx, process, at, needsSpace, space)
	if needsSpace && isDenied(err) { // who may make no temporary table can still write
		err = s.proveWrite(ctx, process, at, needsSpace, nil)
	}
	if timeout := (net.Error)(nil); errors.As(err, &timeout) && timeout.Timeout() || ctx.Err() != nil {
		s.isHanging.Store(true)
	}
	return fail("bunstore.ProveWrite", hindrance(err))
}

// A process's row. What takes space comes first, so that a transaction that finds none has written nothing.
const (
	keepProcess = `INSERT INTO processes (id, seen_at) VALUES (?, ?)
		ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at`
	forgetProcesses = "DELETE FROM processes WHERE seen_at < ?"
)

func (s *Store) proveWrite(ctx context.Context, process string, at time.Time, forgets bool, space []string) error {
	tx, err := s.proofs.DB.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // after a commit there is nothing to roll back
	// This connection is there for Mark, too, which comes before Follow: nothing else would be taken yet.
	if s.timeline != nil {
		if _, err := tx.ExecContext(ctx, s.timeline.refusal()); err != nil {
			return err
		}
	}
	for _, statement := range space {
		if _, err := tx.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	if forgets {
		if _, err := s.proofs.NewRaw(forgetProcesses, timestamp(at.Add(-processKept))).Conn(tx).Exec(ctx); err != nil {
			return err
		}
	}
	if _, err := s.proofs.NewRaw(keepProcess, process, timestamp(at)).Conn(tx).Exec(ctx); err != nil {
		return err
	}
	return tx.Commit()
}

// ForgetProcess implements ports.Vitals.
func (s *Store) ForgetProcess(ctx context.Context, process string) error {
	_, err := s.proofs.NewRaw("DELETE FROM processes WHERE id = ?", process).Exec(ctx)
	return fail("bunstore.ForgetProcess", err)
}

func isDenied(err error) bool {
	var refusal serverError
	return errors.As(err, &refusal) && refusal.Field('C') == "42501"
}

// hindrance says why the database takes no write, where it says so itself.
func hindrance(err error) error {
	var (
		fromPostgres serverError
		fromSQLite   *sqlite.Error
	)
	switch {
	case errors.As(err, &fromPostgres):
		switch fromPostgres.Field('C') {
		case "25006":
			return errors.Join(ports.ErrReadOnly, err)
		case "53100":
			return errors.Join(ports.ErrFull, err)
		}
	case errors.As(err, &fromSQLite):
		switch fromSQLite.Code() & 0xff {
		case sqlite3.SQLITE_READONLY:
			return errors.Join(ports.ErrReadOnly, err)
		case sqlite3.SQLITE_FULL:
			return errors.Join(ports.ErrFull, err)
		}
	}
	return err
}

// takeSpace makes a table for the transaction alone, whose files are new. No lock is asked for that a backup would hold.
func (postgres) takeSpace() []string {
	return []string{`CREATE TEMPORARY TABLE vezne_space ON COMMIT DROP AS
		SELECT repeat('x', 1900) AS filler FROM generate_series(1, 16)`}
}

// takeSpace writes a row of 128 KiB and deletes it: the file keeps that much for whoever writes next.
func (sqliteFile) takeSpace() []string {
	return []string{
		"INSERT INTO processes (id, seen_at) VALUES ('space' || hex(zeroblob(65536)), 0)",
		"DELETE FROM processes WHERE id > 'space' AND id < 'spacf'",
	}
}

// proofName names this store's proofs to the server, behind the service's own name, so that those that hang can be told from
// all others.
func proofName() string { return "proof " + rand.Text()[:12] }

// called is a database's URL with which sessions have a name.
func called(databaseURL, name string) string {
	u, err := url.Parse(databaseURL)
	if err != nil {
		return databaseURL // opening it says what is wrong with it
	}
	query := u.Query()
	query.Set("application_name", name)
	u.RawQuery = query.Encode()
	return u.String()
}

// endProofs ends the sessions whose commits hang on the server: giving up the connection does not end them there.
func (postgres) endProofs(ctx context.Context, p pools) {
	ctx, cancel := context.WithTimeout(ctx, endTimeout)
	defer cancel()
	_, _ = p.reads.NewRaw( // what stays ends with the hanging
		"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = ? AND pid <> pg_backend_pid()",
		p.proofName).Exec(ctx)
}

func (sqliteFile) endProofs(context.Context, pools) {} // a transaction that hangs is this process's
