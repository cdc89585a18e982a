package demo

import (
	"context"
	"fmt"
	"time"

	"github.com/vezne/vezne/cmd/vezne/crowd"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/lang"
	"github.com/vezne/vezne/core/owner"
)

// The owners that a crowd has.
const (
	seedProviders = 40
	seedDealers   = 20
	seedGateways  = 6
	sitesEach     = 4 // at most; each provider has one at least
)

// Crowd makes the owners of made-up transactions.
func (h House) Crowd(ctx context.Context, random uint64, zone *time.Location) (*crowd.Crowd, error) {
	m := &seeder{House: h}
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
		return nil, m.err
	}
	return crowd.New(random, sites, dealers, gateways, zone), nil
}

// seedGateway makes an account that is switched off: it only gives made-up operations a name.
func (m *seeder) seedGateway(ctx context.Context, i int) (owner.GatewayAccount, error) {
	id, err := m.Sequences.NextID(ctx, "gateway")
	if err != nil {
		return owner.GatewayAccount{}, err
	}
	now := m.Unit.Clock.Now()
	a := owner.GatewayAccount{
		ID: id, Version: 1, Plugin: "sandbox", Code: fmt.Sprintf("seed-%d", id), Name: fmt.Sprintf("Gateway %c", 'A'+i),
		Environment: "sandbox", Config: core.NewSecret("{}"), CreatedAt: now, UpdatedAt: now,
	}
	return a, m.Unit.Commit(ctx, core.Changeset{a})
}
