package bunstore

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/migrate"

	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/migrations"
)

const migrationsTable = "vezne_migrations"

// Migration is one step of the schema.
type Migration struct {
	Name      string
	AppliedAt time.Time // zero: not applied
}

// MigrateUp applies every step that is not applied yet, all of them or none, and gives their names. Concurrent
// migrators take turns.
func MigrateUp(ctx context.Context, cfg Config) ([]string, error) {
	var names []string
	err := migrateWith(ctx, cfg, "bunstore.MigrateUp", func(m *migrate.Migrator) error {
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

// MigrateDown takes the newest applied steps back, at most as many as given, and gives their names. The data in their
// tables is lost.
func MigrateDown(ctx context.Context, cfg Config, steps int) ([]string, error) {
	var names []string
	err := migrateWith(ctx, cfg, "bunstore.MigrateDown", func(m *migrate.Migrator) error {
		all, err := m.MigrationsWithStatus(ctx)
		if err != nil {
			return err
		}
		applied := all.Applied()
		for i := range min(len(applied), steps) {
			step := &applied[i]
			if err := errors.Join(step.Down(ctx, m, step), m.MarkUnapplied(ctx, step)); err != nil {
				return err
			}
			names = append(names, nameOf(*step))
		}
		return nil
	})
	return names, err
}

// Migrations returns every step of the schema in order, with the time at which it was applied.
func (s *Store) Migrations(ctx context.Context) ([]Migration, error) {
	const op = "bunstore.Migrations"
	steps, err := s.steps(ctx)
	if err != nil {
		return nil, fail(op, err)
	}
	list := make([]Migration, len(steps))
	for i, step := range steps {
		list[i] = Migration{Name: nameOf(step)}
		if step.IsApplied() {
			list[i].AppliedAt = step.MigratedAt.UTC()
		}
	}
	return list, nil
}

// steps lists the migrations; in an empty database none is applied.
func (s *Store) steps(ctx context.Context) (migrate.MigrationSlice, error) {
	all, err := stepsOf(s.dialect)
	if err != nil {
		return nil, err
	}
	var tables int
	if err := s.reads.NewRaw(s.dialect.findTable(), migrationsTable).Scan(ctx, &tables); err != nil {
		return nil, err
	}
	if tables == 0 {
		return all.Sorted(), nil
	}
	m := migratorOf(s.reads, all)
	if err := refuseOthers(ctx, m, all); err != nil {
		return nil, err
	}
	return m.MigrationsWithStatus(ctx)
}

// refuseOthers fails for tables that other steps have made: one was applied that is neither known nor newer than all that
// are. A newer Vezne, which may have added steps behind these, is not kept from sharing the database with this one.
func refuseOthers(ctx context.Context, m *migrate.Migrator, all *migrate.Migrations) error {
	applied, err := m.AppliedMigrations(ctx)
	if err != nil {
		return err
	}
	known := all.Sorted()
	for _, step := range applied {
		isKnown := slices.ContainsFunc(known, func(k migrate.Migration) bool { return k.Name == step.Name })
		if !isKnown && step.Name < known[len(known)-1].Name {
			return fault.E("bunstore.refuseOthers", fault.Invalid, fmt.Errorf("the database was made by a Vezne from before the first "+
				"release (it has migration %s, which this one does not know): start with an empty database", step.Name))
		}
	}
	return nil
}

// Pending counts the steps that are not applied yet.
func (s *Store) Pending(ctx context.Context) (int, error) {
	list, err := s.Migrations(ctx)
	pending := 0
	for _, m := range list {
		if m.AppliedAt.IsZero() {
			pending++
		}
	}
	return pending, err
}

// migrateWith works in one transaction on one connection: whatever ends the process or the connection takes everything
// back, with the lock that keeps other migrators out.
func migrateWith(ctx context.Context, cfg Config, op string, work func(*migrate.Migrator) error) error {
	d, err := dialectOf(cfg)
	if err != nil {
		return fault.E(op, fault.Invalid, err)
	}
	db, err := d.openForMigration(cfg)
	if err != nil {
		return fault.E(op, fault.Invalid, err)
	}
	err = inTransaction(ctx, db, d, work)
	return fail(op, errors.Join(err, db.Close()))
}

func inTransaction(ctx context.Context, db *bun.DB, d dialect, work func(*migrate.Migrator) error) error {
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
	if err := refuseOthers(ctx, m, all); err != nil {
		return err
	}
	if err := work(m); err != nil {
		return err // closing the connection rolls back
	}
	_, err = db.ExecContext(ctx, "COMMIT")
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
