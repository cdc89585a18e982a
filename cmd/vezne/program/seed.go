package program

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"time"

	"github.com/vezne/vezne/adapters/bunstore"
	"github.com/vezne/vezne/cmd/vezne/crowd"
	"github.com/vezne/vezne/cmd/vezne/settings"
)

type seedCommand struct {
	settings.Config
	Transactions int    `default:"100000" help:"How many."`
	Days         int    `default:"365" help:"Number of days up to now over which they are spread."`
	Random       uint64 `default:"1" help:"Random seed."`
	Bare         bool   `help:"Omit histories and callbacks, which take half the space."`
}

// Bounds of a seeding.
const (
	maxSeeded   = 100_000_000
	maxSeedDays = 3660
)

// Run fills the database with made-up transactions.
func (c seedCommand) Run(ctx context.Context, t terminal) error {
	if c.Transactions < 1 || c.Transactions > maxSeeded || c.Days < 1 || c.Days > maxSeedDays {
		return fmt.Errorf("--transactions must be 1 to %d and --days 1 to %d", maxSeeded, maxSeedDays)
	}
	set, err := c.Check("demo-data")
	if err != nil {
		return err
	}
	set.IsDemo = true
	o := serveOptions{command: "seed", role: settings.RoleAPI, migrate: true}
	s, err := build(ctx, set, o, &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)}, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	return errors.Join(s.seedCrowd(ctx, t, c), s.close())
}

func (s *service) seedCrowd(ctx context.Context, t terminal, c seedCommand) error {
	if err := s.markDemo(ctx); err != nil {
		return err
	}
	began := s.clock.Now()
	people, err := s.demoHouse().Crowd(ctx, c.Random, s.set.Zone)
	if err != nil {
		return err
	}
	sealer, err := s.set.Sealer()
	if err != nil {
		return err
	}
	config, err := s.set.StoreConfig(sealer, s.log)
	if err != nil {
		return err
	}
	if err := bunstore.Load(ctx, config, people.Changes(crowd.Order{Transactions: c.Transactions, Days: c.Days, IsBare: c.Bare}, began)); err != nil {
		return fmt.Errorf("writing transactions: %w", err)
	}
	if err := s.database.ForgetStatistics(ctx); err != nil { // they look for what has changed lately, not for a past made up
		return err
	}
	took := s.clock.Now().Sub(began)
	_, err = fmt.Fprintf(t.out, "%d transactions over %d days in %s: %d/s\n", c.Transactions, c.Days, took.Round(time.Millisecond),
		int64(c.Transactions)*int64(time.Second)/max(int64(took), 1))
	return err
}
