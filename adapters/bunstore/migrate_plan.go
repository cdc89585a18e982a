package bunstore

import (
	"context"
	"slices"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/migrate"

	"github.com/vezne/vezne/migrations"
)

// PlannedStep is a step that MigrateUp would apply.
type PlannedStep struct {
	Name       string
	Statements []PlannedStatement // of SQLite none: each step has the whole file
}

// PlannedStatement is one of its statements.
type PlannedStatement struct {
	SQL   string
	Locks []PlannedLock // on tables that are there now; those of tables that the same plan makes keep nobody out
}

// PlannedLock is a lock with what it is on.
type PlannedLock struct {
	migrations.Locking
	Rows  int64 // as the database's statistics estimate them; -1: there are none yet
	Bytes int64 // with indexes, and of all partitions
}

// PlanUp says what MigrateUp would do, and changes nothing.
func PlanUp(ctx context.Context, cfg Config) ([]PlannedStep, error) {
	var plan []PlannedStep
	d, err := dialectOf(cfg)
	if err != nil {
		return nil, fail("bunstore.PlanUp", err)
	}
	err = migrateWith(ctx, cfg, "bunstore.PlanUp", tryMigration, func(m *migrate.Migrator) error {
		all, err := m.MigrationsWithStatus(ctx)
		var made []string
		for _, step := range all {
			if step.IsApplied() {
				continue
			}
			statements, err := statementsOf(cfg, d, step)
			if err != nil {
				return err
			}
			planned := PlannedStep{Name: nameOf(step)}
			for _, s := range statements {
				locks, err := locksOf(ctx, m.DB(), s, made)
				if err != nil {
					return err
				}
				made = append(made, s.Makes)
				planned.Statements = append(planned.Statements, PlannedStatement{SQL: s.SQL, Locks: locks})
			}
			plan = append(plan, planned)
		}
		return err
	})
	return plan, err
}

const findLocked = `SELECT t.relname AS name, sum(p.reltuples)::bigint AS rows, sum(pg_total_relation_size(p.oid))::bigint AS bytes
FROM pg_class AS t JOIN pg_class AS p ON p.relkind = 'r' AND (p.oid = t.oid OR p.oid IN (SELECT relid FROM pg_partition_tree(t.oid)))
WHERE t.oid = COALESCE((SELECT indrelid FROM pg_index WHERE indexrelid = to_regclass(NULLIF(?, ''))), to_regclass(NULLIF(?, ''))) GROUP BY t.relname`

func locksOf(ctx context.Context, db *bun.DB, s migrations.Statement, made []string) (locks []PlannedLock, err error) {
	for _, l := range s.Locks {
		var found []struct {
			Name        string
			Rows, Bytes int64
		}
		if err := db.NewRaw(findLocked, l.Index, l.Table).Scan(ctx, &found); err != nil {
			return nil, err
		}
		switch {
		case len(found) > 0:
			l.Table = found[0].Name
			locks = append(locks, PlannedLock{l, found[0].Rows, found[0].Bytes})
		case slices.Contains(made, l.Table) || slices.Contains(made, l.Index): // nobody uses it
		default:
			locks = append(locks, PlannedLock{Locking: l, Rows: -1})
		}
	}
	return locks, nil
}
