package discrepancy_test

import (
	"testing"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/discrepancy"
)

// TestAQueryHoldsWhenAllThatItAsksForDoes: each filter alone, with what it lets through and what it does not.
func TestAQueryHoldsWhenAllThatItAsksForDoes(t *testing.T) {
	t.Parallel()
	found := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	d := discrepancy.Discrepancy{CreatedAt: found, ID: "1", DealerID: 2, ProviderID: 3, GatewayID: 4, Status: discrepancy.Open, Kind: discrepancy.OverMoney}
	for name, c := range map[string]struct{ yes, no discrepancy.Query }{
		"dealer":   {discrepancy.Query{Scope: core.Scope{DealerID: 2}}, discrepancy.Query{Scope: core.Scope{DealerID: 3}}},
		"provider": {discrepancy.Query{Scope: core.Scope{ProviderID: 3}}, discrepancy.Query{Scope: core.Scope{ProviderID: 2}}},
		"id":       {discrepancy.Query{ID: "1"}, discrepancy.Query{ID: "2"}},
		"ids":      {discrepancy.Query{IDs: []core.ID{"2", "1"}}, discrepancy.Query{IDs: []core.ID{"2"}}},
		"gateway":  {discrepancy.Query{GatewayID: 4}, discrepancy.Query{GatewayID: 5}},
		"status": {
			discrepancy.Query{Statuses: []discrepancy.Status{discrepancy.Accepted, discrepancy.Open}},
			discrepancy.Query{Statuses: []discrepancy.Status{discrepancy.Accepted}},
		},
		"kind": {
			discrepancy.Query{Kinds: []discrepancy.Kind{discrepancy.OverMoney}},
			discrepancy.Query{Kinds: []discrepancy.Kind{discrepancy.ShortMoney, discrepancy.LateMoney}},
		},
		"from":    {discrepancy.Query{CreatedFrom: found}, discrepancy.Query{CreatedFrom: found.Add(1)}},
		"until":   {discrepancy.Query{CreatedUntil: found.Add(1)}, discrepancy.Query{CreatedUntil: found}},
		"nothing": {discrepancy.Query{}, discrepancy.Query{ID: "1", GatewayID: 5}},
	} {
		if !c.yes.Holds(d) || c.no.Holds(d) {
			t.Errorf("%s: %v and %v", name, c.yes.Holds(d), c.no.Holds(d))
		}
	}
}
