package program

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
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
	migrateUp struct {
		settings.Config
		Plan bool `help:"Show what would be done, with the locks that each statement takes on PostgreSQL and who waits for them, and change nothing."`
	}
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
	if c.Plan {
		plan, err := bunstore.PlanUp(ctx, config)
		if err != nil {
			err = set.DatabaseFault(err)
		}
		return errors.Join(err, printUpPlan(t, plan), lock.Release())
	}
	names, err := bunstore.MigrateUp(ctx, config)
	if err != nil {
		err = set.DatabaseFault(err)
		if len(names) > 0 { // they stay, whatever became of the next one
			err = errors.Join(printNames(t, "applied", names, ""), err)
		}
	}
	if err := errors.Join(err, lock.Release()); err != nil {
		return err
	}
	return printNames(t, "applied", names, "The schema is up to date.")
}

// printUpPlan says of each lock who waits for it and how large its table is, which is about how long.
func printUpPlan(t terminal, plan []bunstore.PlannedStep) error {
	var text strings.Builder
	if len(plan) == 0 {
		text.WriteString("The schema is up to date.\n")
	}
	for _, step := range plan {
		fmt.Fprintln(&text, step.Name)
		if len(step.Statements) == 0 {
			fmt.Fprintln(&text, "  the whole file: nobody else writes to it while the step runs")
		}
		for _, s := range step.Statements {
			fmt.Fprintf(&text, "  %.100s\n", s.SQL)
			for _, l := range s.Locks {
				fmt.Fprintf(&text, "    %s: %s, %s %s%s\n", cmp.Or(l.Table, l.Index, "what it names"), l.Mode, l.Waits, l.Length, sizeOf(l))
			}
		}
	}
	_, err := fmt.Fprint(t.out, text.String())
	return err
}

func sizeOf(l bunstore.PlannedLock) string {
	if l.Rows < 0 {
		return ""
	}
	return fmt.Sprintf(" (about %d rows, %.1f MB)", l.Rows, float64(l.Bytes)/(1<<20))
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
