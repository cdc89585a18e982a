package bunstore

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
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

// MigrateUp applies every step that is not applied yet, in order, and returns the names of those that it has applied, also beside an error.
// Each is a transaction of its own, so that no lock is held for longer than its step; one that makes indexes concurrently is none, and
// goes on where it was broken off. A step that cannot have a lock within a second lets those behind it in the queue pass and is tried
// again, for some minutes (Unavailable). Concurrent migrators take turns. In the end there is room for the coming months, as of
// MakeRoom.
func MigrateUp(ctx context.Context, cfg Config) ([]string, error) {
	const op = "bunstore.MigrateUp"
	var names []string
	err := onMigration(cfg, op, func(d dialect, db *bun.DB) error {
		for {
			name, err := upPatiently(ctx, cfg, d, db)
			if err != nil {
				return err
			}
			if name == "" {
				return makeRoomNow(ctx, d, db)
			}
			names = append(names, name)
		}
	})
	return names, err
}

// How long a migration waits for locks: what came after it waits behind it meanwhile.
const (
	migrationLock  = time.Second
	maxLockTries   = 30
	firstLockPause = time.Second / 2 // doubled after each try
	maxLockPause   = 10 * time.Second
)

// upPatiently applies the next step; no name: there is none.
func upPatiently(ctx context.Context, cfg Config, d dialect, db *bun.DB) (name string, err error) {
	pause := firstLockPause
	for try := 1; ; try++ {
		err = inTransaction(ctx, cfg, db, d, commitMigration, func(m *migrate.Migrator) (err error) {
			name, err = upNext(ctx, cfg, d, m)
			return err
		})
		switch {
		case !isLockedOut(err):
			return name, err
		case try == maxLockTries:
			return "", fmt.Errorf("somebody holds a lock that the migration needs; nothing of this step was changed (pg_stat_activity shows "+
				"long transactions): %w", err)
		}
		if err := wait(ctx, pause); err != nil {
			return "", err
		}
		pause = min(2*pause, maxLockPause)
	}
}

// upNext applies the next step within the transaction under way.
func upNext(ctx context.Context, cfg Config, d dialect, m *migrate.Migrator) (string, error) {
	all, err := m.MigrationsWithStatus(ctx)
	if err != nil {
		return "", err
	}
	i := slices.IndexFunc(all, func(step migrate.Migration) bool { return !step.IsApplied() })
	if i < 0 {
		return "", nil
	}
	step := &all[i]
	statements, err := statementsOf(cfg, d, *step)
	if err != nil {
		return "", err
	}
	if slices.ContainsFunc(statements, migrations.Statement.IsConcurrent) {
		err = runBeside(ctx, cfg, d, statements)
	} else {
		err = step.Up(ctx, m, step)
	}
	if err != nil {
		return "", fmt.Errorf("%s: %w", nameOf(*step), err)
	}
	step.GroupID = all.LastGroupID() + 1
	return nameOf(*step), m.MarkApplied(ctx, step)
}

// runBeside runs statements that no transaction may be around, on a connection of their own. The transaction under way keeps other
// migrators out meanwhile; it has read nothing that the making of an index would wait for. An index whose making was broken off is there
// and not used: it is taken away and made anew.
func runBeside(ctx context.Context, cfg Config, d dialect, statements []migrations.Statement) error {
	db, err := d.openForMigration(cfg)
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }() // each statement was a transaction of its own
	for _, s := range statements {
		var isInvalid bool
		const find = "SELECT EXISTS (SELECT 1 FROM pg_index WHERE indexrelid = to_regclass(?) AND NOT indisvalid)"
		if err := db.NewRaw(find, s.Makes).Scan(ctx, &isInvalid); err != nil {
			return err
		}
		if isInvalid {
			if _, err := db.ExecContext(ctx, "DROP INDEX CONCURRENTLY "+s.Makes); err != nil {
				return err
			}
		}
		if _, err := db.ExecContext(ctx, s.SQL); err != nil {
			return err
		}
	}
	return nil
}

// statementsOf are those of a step for PostgreSQL; of SQLite, which has one writer and nothing concurrent, none.
func statementsOf(cfg Config, d dialect, step migrate.Migration) ([]migrations.Statement, error) {
	if d.migrations() != migrations.Postgres {
		return nil, nil
	}
	files, err := stepFiles(cfg, d)
	if err != nil {
		return nil, err
	}
	text, err := fs.ReadFile(files, nameOf(step)+".up.sql")
	return migrations.Statements(string(text)), err
}

// makeRoomNow makes room by the database's clock.
func makeRoomNow(ctx context.Context, d dialect, db *bun.DB) error {
	if d.migrations() != migrations.Postgres {
		return nil
	}
	all, err := partitionsOf(ctx, db)
	if err != nil || len(all) == 0 {
		return err // a schema of no such tables
	}
	var microseconds int64
	if err := db.NewRaw(d.clock()).Scan(ctx, &microseconds); err != nil {
		return err
	}
	_, err = makeRoom(ctx, db, time.UnixMicro(microseconds))
	return err
}

func wait(ctx context.Context, pause time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(pause):
		return nil
	}
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
	all, err := stepsOf(Config{}, s.dialect)
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
	return onMigration(cfg, op, func(d dialect, db *bun.DB) error { return inTransaction(ctx, cfg, db, d, end, work) })
}

// onMigration opens the one connection of a migration.
func onMigration(cfg Config, op string, work func(dialect, *bun.DB) error) error {
	d, err := dialectOf(cfg)
	if err != nil {
		return fault.E(op, fault.Invalid, err)
	}
	db, err := d.openForMigration(cfg)
	if err != nil {
		return fault.E(op, fault.Invalid, err)
	}
	return fail(op, errors.Join(work(d, db), db.Close()))
}

func inTransaction(ctx context.Context, cfg Config, db *bun.DB, d dialect, end string, work func(*migrate.Migrator) error) error {
	if err := beginAlone(ctx, db, d); err != nil {
		return err
	}
	err := boundedIn(ctx, cfg, db, d, work)
	if err != nil {
		_, failed := db.ExecContext(ctx, "ROLLBACK")
		return errors.Join(err, failed)
	}
	_, err = db.ExecContext(ctx, end)
	return err
}

// boundedIn works in the transaction under way, in which no lock is waited for for long.
func boundedIn(ctx context.Context, cfg Config, db *bun.DB, d dialect, work func(*migrate.Migrator) error) error {
	all, err := stepsOf(cfg, d)
	if err != nil {
		return err
	}
	if bound := d.boundLocks(migrationLock); bound != "" {
		if _, err := db.ExecContext(ctx, bound); err != nil {
			return err
		}
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
	return work(m)
}

// turnPause is the time between two looks whether it is this migrator's turn. It looks again and again instead of waiting in the
// database, where the making of an index by the one whose turn it is would wait for its statement.
const turnPause = 50 * time.Millisecond

// beginAlone begins a transaction in which one migrator at a time works, and which ends with the connection, however the process ends.
func beginAlone(ctx context.Context, db *bun.DB, d dialect) error {
	for {
		if _, err := db.ExecContext(ctx, d.beginMigration()); err != nil {
			return err
		}
		isAlone := false
		if err := db.NewRaw(d.takeTurn()).Scan(ctx, &isAlone); err != nil || isAlone {
			return err
		}
		if _, err := db.ExecContext(ctx, "ROLLBACK"); err != nil {
			return err
		}
		if err := wait(ctx, turnPause); err != nil {
			return err
		}
	}
}

// stepFiles are the schema's, but for tests of the mechanism.
func stepFiles(cfg Config, d dialect) (fs.FS, error) {
	if cfg.steps != nil {
		return cfg.steps, nil
	}
	return migrations.For(d.migrations())
}

func stepsOf(cfg Config, d dialect) (*migrate.Migrations, error) {
	files, err := stepFiles(cfg, d)
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
