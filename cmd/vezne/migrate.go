package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/vezne/vezne/adapters/bunstore"
)

type migrateCommand struct {
	Up     migrateUp     `cmd:"" help:"Apply all pending migrations."`
	Down   migrateDown   `cmd:"" help:"Revert the newest migrations. The data in their tables is lost."`
	Status migrateStatus `cmd:"" help:"Show which migrations are applied."`
}

type (
	migrateUp     struct{ Config }
	migrateStatus struct{ Config }
)

// Run brings the schema up to date.
func (c migrateUp) Run(ctx context.Context, t terminal) error {
	set, config, err := c.database()
	if err != nil {
		return err
	}
	lock, err := set.takeDirectory("migrate up")
	if err != nil {
		return err
	}
	names, err := bunstore.MigrateUp(ctx, config)
	if err != nil {
		err = set.databaseFault(err)
	}
	if err := errors.Join(err, lock.Release()); err != nil {
		return err
	}
	return printNames(t, "applied", names, "The schema is up to date.")
}

// Run lists the migrations.
func (c migrateStatus) Run(ctx context.Context, t terminal) error {
	set, config, err := c.database()
	if err != nil {
		return err
	}
	store, err := bunstore.Open(ctx, config)
	if err != nil {
		return fmt.Errorf("opening the database: %w", set.databaseFault(err))
	}
	defer func() { _ = store.Close() }() // only read from
	list, err := store.Migrations(ctx)
	if err != nil {
		return set.databaseFault(err)
	}
	for _, m := range list {
		state := "missing"
		if !m.AppliedAt.IsZero() {
			state = "applied " + m.AppliedAt.Format(time.RFC3339)
		}
		if m.IsUnknown {
			state += " by a newer Vezne"
		}
		if _, err := fmt.Fprintf(t.out, "%-40s %s\n", m.Name, state); err != nil {
			return err
		}
	}
	return nil
}

// database is where the migrations work. They touch no secret, so they need no key.
func (c Config) database() (settings, bunstore.Config, error) {
	set, err := c.check("data")
	if err != nil {
		return set, bunstore.Config{}, err
	}
	config, err := set.storeConfig(noSealer{}, slog.New(slog.DiscardHandler))
	return set, config, err
}

// noSealer stands in where no secret is touched.
type noSealer struct{}

var errNoKey = errors.New("this command works without a master key")

// Seal refuses.
func (noSealer) Seal(string, string) (string, error) { return "", errNoKey }

// Open refuses.
func (noSealer) Open(string, string) (string, error) { return "", errNoKey }

func printNames(t terminal, what string, names []string, none string) error {
	if len(names) == 0 {
		_, err := fmt.Fprintln(t.out, none)
		return err
	}
	for _, name := range names {
		if _, err := fmt.Fprintln(t.out, what+" "+name); err != nil {
			return err
		}
	}
	return nil
}
