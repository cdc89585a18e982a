package program

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/mattn/go-isatty"

	"github.com/vezne/vezne/adapters/bunstore"
	"github.com/vezne/vezne/cmd/vezne/dirlock"
	"github.com/vezne/vezne/cmd/vezne/settings"
	"github.com/vezne/vezne/ports"
)

type migrateDown struct {
	settings.Config
	Steps int  `default:"1" help:"How many."`
	Yes   bool `help:"Do not ask. Without a terminal to ask on it is needed."`
	Force bool `help:"Go on although Vezne is running on the database."`
}

const (
	// farewell is how long PostgreSQL may list the connections of a process that has just ended.
	farewell = 3 * time.Second
	// maxNameLine bounds the line that the name is read from.
	maxNameLine = 1024
)

// Run takes the newest migrations back, after it has said what will be lost, and has been told to go on.
func (c migrateDown) Run(ctx context.Context, t terminal) (err error) {
	if c.Steps < 1 {
		return errors.New("--steps must be 1 or more")
	}
	set, config, err := database(c.Config)
	if err != nil {
		return err
	}
	lock, err := c.refuseRunning(ctx, set, config)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Release()) }()
	plan, err := bunstore.PlanDown(ctx, config, c.Steps)
	if err != nil {
		return set.DatabaseFault(err)
	}
	if len(plan.Steps) == 0 {
		return printNames(t, "", nil, "There is nothing to take back.")
	}
	if err := c.confirm(ctx, t, set, config, plan); err != nil {
		return err
	}
	names, err := bunstore.MigrateDown(ctx, config, c.Steps)
	if err != nil {
		return set.DatabaseFault(err)
	}
	return printNames(t, "taken back", names, "There is nothing to take back.")
}

// refuseRunning refuses to take tables away from a running service: an embedded one has the directory, and one on PostgreSQL
// is connected, or has said lately that it runs.
func (c migrateDown) refuseRunning(ctx context.Context, set settings.Settings, config bunstore.Config) (*dirlock.Lock, error) {
	lock, err := set.TakeDirectory("migrate down")
	var held *dirlock.HeldError
	if c.Force && errors.As(err, &held) {
		return nil, nil
	}
	if err != nil || c.Force {
		return lock, err
	}
	others, err := othersThere(ctx, config)
	switch {
	case err != nil:
		return nil, errors.Join(set.DatabaseFault(err), lock.Release())
	case len(others.Sessions) > 0:
		o := others.Sessions[0]
		err = fmt.Errorf("it has %d connections, the oldest from %s since %s (process %d of the server)", len(others.Sessions), o.Address,
			o.Began.UTC().Format(time.RFC3339), o.PID)
	case len(others.Announced) > 0:
		err = fmt.Errorf("%d of its processes said so lately, the last one at %s", len(others.Announced),
			others.Announced[0].UTC().Format(time.RFC3339))
	default:
		return lock, nil
	}
	err = fmt.Errorf( //nolint:staticcheck // a name begins it
		"Vezne is running on this database: %w; stop it first, or go on all the same by --force", err)
	return nil, errors.Join(err, lock.Release())
}

// othersThere looks again and again while somebody may be there: a process that has just ended is connected for a moment, and one
// that was killed counts as running until it is taken for gone. Nobody there are no Others.
func othersThere(ctx context.Context, config bunstore.Config) (bunstore.Others, error) {
	began, again := time.Now(), time.NewTicker(farewell/10)
	defer again.Stop()
	for {
		others, err := bunstore.FindOthers(ctx, config)
		isConnected, waited := len(others.Sessions) > 0, time.Since(began)
		switch {
		case err != nil, !isConnected && len(others.Announced) == 0, isConnected && waited > farewell, waited > ports.GoneAfter+farewell:
			return others, err
		}
		select {
		case <-again.C:
		case <-ctx.Done():
			return others, ctx.Err()
		}
	}
}

// confirm says what will be lost and asks for the database's name.
func (c migrateDown) confirm(ctx context.Context, t terminal, set settings.Settings, config bunstore.Config, plan bunstore.Down) error {
	name, err := bunstore.DatabaseName(ctx, config)
	if err != nil {
		return set.DatabaseFault(err)
	}
	if name == "" {
		if name, err = filepath.Abs(set.DataDir); err != nil {
			return err
		}
		name = filepath.Base(name)
	}
	if err := printPlan(t, name, plan); err != nil || c.Yes {
		return err
	}
	if !isatty.IsTerminal(os.Stdin.Fd()) {
		return errors.New("nothing was taken back: there is no terminal to ask on, and --yes was not given")
	}
	if _, err := fmt.Fprintf(t.err, "Type the database's name, %s, to go on: ", name); err != nil {
		return err
	}
	line, err := bufio.NewReader(io.LimitReader(os.Stdin, maxNameLine)).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("reading the name: %w", err)
	}
	if strings.TrimSpace(line) != name {
		return errors.New("nothing was taken back: that is not the database's name")
	}
	return ctx.Err() // whoever interrupts at the question does not go on
}

func printPlan(t terminal, name string, plan bunstore.Down) error {
	var text strings.Builder
	fmt.Fprintf(&text, "Of the database %s will be taken back: %s.\n", name, strings.Join(plan.Steps, ", "))
	for _, loss := range plan.Losses {
		rows := fmt.Sprintf("%d rows", loss.Rows)
		switch loss.Rows {
		case bunstore.MaxLossCounted:
			rows = fmt.Sprintf("%d rows or more", loss.Rows)
		case 1:
			rows = "1 row"
		}
		if loss.Column == "" {
			fmt.Fprintf(&text, "  the table %s will be deleted: %s\n", loss.Table, rows)
		} else {
			fmt.Fprintf(&text, "  the column %s of %s will be deleted: set in %s\n", loss.Column, loss.Table, rows)
		}
	}
	_, err := fmt.Fprint(t.err, text.String())
	return err
}
