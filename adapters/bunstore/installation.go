package bunstore

import (
	"context"
	"strings"
	"time"

	"github.com/vezne/vezne/core/fault"
)

// peopled are the tables of which one has a row as soon as somebody works with a database.
var peopled = []string{"providers", "dealers", "gateway_accounts", "staff", "invitations", "payments", "audit_entries"}

// IsDemo implements ports.Installation.
func (s *Store) IsDemo(ctx context.Context) (bool, error) {
	isThere, err := s.hasRows(ctx, "installation")
	return isThere, fail("bunstore.IsDemo", err)
}

// IsEmpty implements ports.Installation.
func (s *Store) IsEmpty(ctx context.Context) (bool, error) {
	const op = "bunstore.IsEmpty"
	isOurs, err := s.hasTable(ctx, migrationsTable)
	if err != nil {
		return false, fail(op, err)
	}
	if !isOurs {
		var tables int
		err := s.reads.NewRaw(s.dialect.countTables()).Scan(ctx, &tables)
		return tables == 0, fail(op, err)
	}
	for _, table := range peopled {
		if has, err := s.hasRows(ctx, table); err != nil || has {
			return false, fail(op, err)
		}
	}
	return true, nil
}

// MarkDemo implements ports.Installation. One statement looks and marks.
func (s *Store) MarkDemo(ctx context.Context, at time.Time) error {
	const op = "bunstore.MarkDemo"
	none := make([]string, len(peopled))
	for i, table := range peopled {
		none[i] = "NOT EXISTS (SELECT 1 FROM " + table + ")"
	}
	_, err := s.background.NewRaw("INSERT INTO installation (id, purpose, marked_at) SELECT 1, 'demo', ? WHERE "+
		strings.Join(none, " AND ")+" ON CONFLICT DO NOTHING", timestamp(at)).Exec(ctx)
	if err != nil {
		return fail(op, err)
	}
	isDemo, err := s.IsDemo(ctx)
	if err == nil && !isDemo {
		return fault.New(op, fault.Conflict)
	}
	return fail(op, err)
}

// hasRows reports whether a table is there and has rows.
func (s *Store) hasRows(ctx context.Context, table string) (has bool, err error) {
	if has, err = s.hasTable(ctx, table); err != nil || !has {
		return false, err
	}
	err = s.reads.NewRaw("SELECT EXISTS (SELECT 1 FROM "+table+")").Scan(ctx, &has)
	return has, err
}

func (s *Store) hasTable(ctx context.Context, name string) (bool, error) {
	var tables int
	err := s.reads.NewRaw(s.dialect.findTable(), name).Scan(ctx, &tables)
	return tables > 0, err
}
