package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"time"

	"github.com/vezne/vezne/adapters/bunstore"
	"github.com/vezne/vezne/cmd/vezne/crowd"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/lang"
	"github.com/vezne/vezne/core/owner"
)

type seedCommand struct {
	Config
	Transactions int    `default:"100000" help:"How many."`
	Days         int    `default:"365" help:"Number of days up to now over which they are spread."`
	Random       uint64 `default:"1" help:"Random seed."`
	Bare         bool   `help:"Omit histories and callbacks, which take half the space."`
}

// Bounds of a seeding, and the owners that it makes.
const (
	maxSeeded     = 100_000_000
	maxSeedDays   = 3660
	seedProviders = 40
	seedDealers   = 20
	seedGateways  = 6
	sitesEach     = 4 // at most; each provider has one at least
)

// Run fills the database with made-up transactions.
func (c seedCommand) Run(ctx context.Context, t terminal) error {
	if c.Transactions < 1 || c.Transactions > maxSeeded || c.Days < 1 || c.Days > maxSeedDays {
		return fmt.Errorf("--transactions must be 1 to %d and --days 1 to %d", maxSeeded, maxSeedDays)
	}
	set, err := c.check("demo-data")
	if err != nil {
		return err
	}
	o := serveOptions{command: "seed", role: roleAPI, migrate: true, isDemo: true}
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
	m := &seeder{service: s}
	people := m.crowd(ctx, c.Random)
	if m.err != nil {
		return m.err
	}
	sealer, err := s.set.sealer(serveOptions{isDemo: true})
	if err != nil {
		return err
	}
	config, err := s.set.storeConfig(sealer, s.log)
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

// crowd makes the owners of made-up transactions.
func (m *seeder) crowd(ctx context.Context, random uint64) *crowd.Crowd {
	var dealers []owner.Dealer
	for i := range seedDealers {
		dealers = append(dealers, m.dealer(ctx, fmt.Sprintf("%s Finans", crowd.LastNames[i])))
	}
	var sites []owner.Site
	for i := range seedProviders {
		p := m.provider(ctx, fmt.Sprintf("%s Pay", crowd.LastNames[len(crowd.LastNames)-1-i]), lang.TR)
		for j := range 1 + i%sitesEach {
			name := fmt.Sprintf("site-%d-%d.example", p.ID, j+1)
			made := m.site(ctx, p.ID, dealers[(i*7+j*3)%seedDealers].ID, name)
			sites = append(sites, owner.Site{ID: made.ID, ProviderID: p.ID, DealerID: dealers[(i*7+j*3)%seedDealers].ID, Name: name})
		}
	}
	var gateways []owner.GatewayAccount
	for i := range seedGateways {
		m.try("a gateway account", func() error {
			a, err := m.seedGateway(ctx, i)
			gateways = append(gateways, a)
			return err
		})
	}
	if m.err != nil {
		return nil
	}
	return crowd.New(random, sites, dealers, gateways, m.set.zone)
}

// seedGateway makes an account that is switched off: it only gives made-up operations a name.
func (m *seeder) seedGateway(ctx context.Context, i int) (owner.GatewayAccount, error) {
	id, err := m.database.NextID(ctx, "gateway")
	if err != nil {
		return owner.GatewayAccount{}, err
	}
	now := m.clock.Now()
	a := owner.GatewayAccount{
		ID: id, Version: 1, Plugin: "sandbox", Code: fmt.Sprintf("seed-%d", id), Name: fmt.Sprintf("Gateway %c", 'A'+i),
		Environment: "sandbox", Config: core.NewSecret("{}"), CreatedAt: now, UpdatedAt: now,
	}
	return a, m.unit.Commit(ctx, core.Changeset{a})
}
