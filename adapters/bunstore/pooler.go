package bunstore

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/uptrace/bun"
)

// Behind a pooler in transaction mode each transaction may be another session's of the server. What is said to a session, such as a
// setting or a prepared statement, is then found by whoever has the session next, and not by whoever has said it.

// ErrPooled is of a database whose connections do not keep their session.
var ErrPooled = errors.New("a pooler in transaction mode gives each transaction another session, in which statements are not prepared")

// refuseSession refuses settings of the session in the URL of a database whose sessions are not its own.
func refuseSession(params map[string]any) error {
	if len(params) == 0 {
		return nil
	}
	return fmt.Errorf("the database URL sets %s for its sessions, which a pooler gives to whoever comes next: "+
		"set it for the role, by ALTER ROLE … SET", strings.Join(slices.Sorted(maps.Keys(params)), ", "))
}

// CheckSessions returns ErrPooled where statements are prepared and a pooler in transaction mode is in between: what one transaction
// prepares, the next does not find. A connection that has another process of the server than before, or that of another connection, has
// no session of its own.
func (s *Store) CheckSessions(ctx context.Context) error {
	const op = "bunstore.CheckSessions"
	find := s.dialect.findBackend()
	if find == "" || s.prepared == nil {
		return nil
	}
	first, err := s.reads.DB.Conn(ctx)
	if err != nil {
		return fail(op, err)
	}
	defer func() { _ = first.Close() }() // it goes back
	var before, other, after int
	if err := first.QueryRowContext(ctx, find).Scan(&before); err != nil {
		return fail(op, err)
	}
	second, err := s.reads.DB.BeginTx(ctx, nil) // until its end the session is its own
	if err != nil {
		return fail(op, err)
	}
	defer func() { _ = second.Rollback() }() // it has only read
	if err := second.QueryRowContext(ctx, find).Scan(&other); err != nil {
		return fail(op, err)
	}
	if err := first.QueryRowContext(ctx, find).Scan(&after); err != nil {
		return fail(op, err)
	}
	if before != after || before == other {
		return ErrPooled
	}
	return nil
}

// Wanting is a setting that the role lacks, where a pooler keeps this service from setting it for its sessions.
type Wanting struct{ Name, Is, Wanted string }

// RoleSettings lists what the role of an unprepared PostgreSQL lacks. Without a bound to its statements one may outlive whoever waits for it.
// The role is asked, and not the session: a process of other settings may have had it before, and what that set stays.
func (s *Store) RoleSettings(ctx context.Context) (list []Wanting, err error) {
	if s.dialect.findBackend() == "" || s.prepared != nil {
		return nil, nil
	}
	err = s.reads.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error {
		for _, w := range []Wanting{
			{Name: "statement_timeout", Wanted: "9s"}, {Name: "jit", Wanted: "off"}, {Name: "random_page_cost", Wanted: "1.1"},
			{Name: "work_mem", Wanted: "64MB"}, {Name: "hash_mem_multiplier", Wanted: "8"},
		} {
			if _, err := tx.ExecContext(ctx, "SET LOCAL "+w.Name+" TO DEFAULT"); err != nil {
				return err
			}
			if err := tx.NewRaw("SELECT current_setting(?)", w.Name).Scan(ctx, &w.Is); err != nil {
				return err
			}
			if w.Is != w.Wanted {
				list = append(list, w)
			}
		}
		return nil
	})
	return list, fail("bunstore.RoleSettings", err)
}
