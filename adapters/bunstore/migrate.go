package bunstore

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/migrate"

	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/migrations"
)

const migrationsTable = "vezne_migrations"

// How the transaction of a migration ends.
const (
	commitMigration = "COMMIT"
	tryMigration    = "ROLLBACK"
)

// Migration is one step of the schema.
type Migration struct {
	Name      string
	AppliedAt time.Time // zero: not applied
	IsUnknown bool      // a newer Vezne has applied it
}

// MigrateUp applies every step that is not applied yet, all of them or none, and gives their names. Concurrent
// migrators take turns.
func MigrateUp(ctx context.Context, cfg Config) ([]string, error) {
	var names []string
	err := migrateWith(ctx, cfg, "bunstore.MigrateUp", commitMigration, func(m *migrate.Migrator) error {
		done, err := m.Migrate(ctx)
		if err != nil {
			return err
		}
		for _, step := range done.Migrations {
			names = append(names, nameOf(step))
		}
		return nil
	})
	return names, err
}

// Migrations returns every step of the schema in order, with the time at which it was applied, and behind them those that
// only a newer Vezne knows.
func (s *Store) Migrations(ctx context.Context) ([]Migration, error) {
	const op = "bunstore.Migrations"
	steps, unknown, err := s.steps(ctx)
	if err != nil {
		return nil, fail(op, err)
	}
	list := make([]Migration, len(steps), len(steps)+len(unknown))
	for i, step := range steps {
		list[i] = Migration{Name: nameOf(step)}
		if step.IsApplied() {
			list[i].AppliedAt = step.MigratedAt.UTC()
		}
	}
	for _, step := range unknown {
		list = append(list, Migration{Name: step.Name, AppliedAt: step.MigratedAt.UTC(), IsUnknown: true})
	}
	return list, nil
}

// steps lists the migrations; in an empty database none is applied.
func (s *Store) steps(ctx context.Context) (known, unknown migrate.MigrationSlice, err error) {
	all, err := stepsOf(s.dialect)
	if err != nil {
		return nil, nil, err
	}
	if isOurs, err := s.hasTable(ctx, migrationsTable); err != nil || !isOurs {
		return all.Sorted(), nil, err
	}
	m := migratorOf(s.reads, all)
	if unknown, err = unknownSteps(ctx, m, all); err != nil {
		return nil, nil, err
	}
	known, err = m.MigrationsWithStatus(ctx)
	return known, unknown, err
}

// unknownSteps returns the applied steps of a newer Vezne, oldest first. It fails for tables that other steps have made: one
// was applied that is neither known nor newer than all that are.
func unknownSteps(ctx context.Context, m *migrate.Migrator, all *migrate.Migrations) (migrate.MigrationSlice, error) {
	applied, err := m.AppliedMigrations(ctx)
	if err != nil {
		return nil, err
	}
	var unknown migrate.MigrationSlice
	known := all.Sorted()
	for _, step := range applied {
		switch {
		case slices.ContainsFunc(known, func(k migrate.Migration) bool { return k.Name == step.Name }):
		case step.Name < known[len(known)-1].Name:
			return nil, fault.E("bunstore.unknownSteps", fault.Invalid, fmt.Errorf("the database was made by a Vezne from before the "+
				"first release (it has migration %s, which this one does not know): start with an empty database", step.Name))
		default:
			unknown = append(unknown, step)
		}
	}
	slices.SortFunc(unknown, func(a, b migrate.Migration) int { return strings.Compare(a.Name, b.Name) })
	return unknown, nil
}

// errNewer is what an older Vezne says of a database whose schema it does not know: it would write rows that the newer one
// takes for something else.
func errNewer(newest string) error {
	return fault.E("bunstore.errNewer", fault.Invalid, fmt.Errorf("the database belongs to a newer Vezne (it has migration %s, which "+
		"this one does not know): use the newer version, or restore the backup from before the upgrade", newest))
}

// Pending counts the steps that are not applied yet. It fails where a newer Vezne has applied some.
func (s *Store) Pending(ctx context.Context) (int, error) {
	list, err := s.Migrations(ctx)
	pending := 0
	for _, m := range list {
		if m.IsUnknown {
			return 0, errNewer(list[len(list)-1].Name)
		}
		if m.AppliedAt.IsZero() {
			pending++
		}
	}
	return pending, err
}

// migrateWith works in one transaction on one connection: whatever ends the process or the connection takes everything
// back, with the lock that keeps other migrators out. The transaction ends as end says.
func migrateWith(ctx context.Context, cfg Config, op, end string, work func(*migrate.Migrator) error) error {
	d, err := dialectOf(cfg)
	if err != nil {
		return fault.E(op, fault.Invalid, err)
	}
	db, err := d.openForMigration(cfg)
	if err != nil {
		return fault.E(op, fault.Invalid, err)
	}
	err = inTransaction(ctx, db, d, end, work)
	return fail(op, errors.Join(err, db.Close()))
}

func inTransaction(ctx context.Context, db *bun.DB, d dialect, end string, work func(*migrate.Migrator) error) error {
	all, err := stepsOf(d)
	if err != nil {
		return err
	}
	if _, err := db.ExecContext(ctx, d.beginMigration()); err != nil {
		return err
	}
	table := db.NewCreateTable().Model((*migrate.Migration)(nil)).ModelTableExpr(migrationsTable).IfNotExists()
	if _, err := table.Exec(ctx); err != nil {
		return err
	}
	m := migratorOf(db, all)
	unknown, err := unknownSteps(ctx, m, all)
	if err != nil {
		return err
	}
	if len(unknown) > 0 {
		return errNewer(unknown[len(unknown)-1].Name)
	}
	if err := work(m); err != nil {
		return err // closing the connection rolls back
	}
	_, err = db.ExecContext(ctx, end)
	return err
}

func stepsOf(d dialect) (*migrate.Migrations, error) {
	files, err := migrations.For(d.migrations())
	if err != nil {
		return nil, err
	}
	all := migrate.NewMigrations()
	return all, all.Discover(files)
}

func migratorOf(db *bun.DB, all *migrate.Migrations) *migrate.Migrator {
	return migrate.NewMigrator(db, all, migrate.WithTableName(migrationsTable), migrate.WithMarkAppliedOnSuccess(true))
}

func nameOf(m migrate.Migration) string { return m.Name + "_" + m.Comment }
