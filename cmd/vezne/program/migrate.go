package program

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/vezne/vezne/adapters/bunstore"
	"github.com/vezne/vezne/cmd/vezne/settings"
)

type migrateCommand struct {
	Up     migrateUp     `cmd:"" help:"Apply all pending migrations."`
	Down   migrateDown   `cmd:"" help:"Revert the newest migrations. The data in their tables is lost."`
	Status migrateStatus `cmd:"" help:"Show which migrations are applied."`
}

type (
	migrateUp     struct{ settings.Config }
	migrateStatus struct{ settings.Config }
)

// Run brings the schema up to date.
func (c migrateUp) Run(ctx context.Context, t terminal) error {
	set, config, err := database(c.Config)
	if err != nil {
		return err
	}
	lock, err := set.TakeDirectory("migrate up")
	if err != nil {
		return err
	}
	names, err := bunstore.MigrateUp(ctx, config)
	if err != nil {
		err = set.DatabaseFault(err)
	}
	if err := errors.Join(err, lock.Release()); err != nil {
		return err
	}
	return printNames(t, "applied", names, "The schema is up to date.")
}

// Run lists the migrations.
func (c migrateStatus) Run(ctx context.Context, t terminal) error {
	set, config, err := database(c.Config)
	if err != nil {
		return err
	}
	store, err := bunstore.Open(ctx, config)
	if err != nil {
		return fmt.Errorf("opening the database: %w", set.DatabaseFault(err))
	}
	defer func() { _ = store.Close() }() // only read from
	list, err := store.Migrations(ctx)
	if err != nil {
		return set.DatabaseFault(err)
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

// database is where the migrations of a configuration work. They touch no secret, so they need no key.
func database(c settings.Config) (settings.Settings, bunstore.Config, error) {
	set, err := c.Check("data")
	if err != nil {
		return set, bunstore.Config{}, err
	}
	config, err := set.StoreConfig(settings.NoSealer{}, slog.New(slog.DiscardHandler))
	return set, config, err
}

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
