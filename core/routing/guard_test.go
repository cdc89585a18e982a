package routing_test

import (
	"slices"
	"testing"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/coretest"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/routing"
)

// TestWhereMoneyGoesIsGuarded, and switching off what takes it is not.
func TestWhereMoneyGoesIsGuarded(t *testing.T) {
	t.Parallel()
	provider, site := owner.Provider{ID: 1, Version: 1, IsActive: true}, owner.Site{ID: 1, Version: 1, IsActive: true, DealerID: 1}
	dealer := owner.Dealer{ID: 1, Version: 1, Name: "A", IsActive: true, IsEIBANEnabled: true}
	gate := owner.GatewayAccount{ID: 1, Version: 1, IsEnabled: true, Priority: 1, Weight: 1}
	token := owner.SiteToken{ID: 1, Version: 1, IsActive: true}
	offProvider, offSite := owner.Provider{ID: 1, Version: 1}, owner.Site{ID: 1, Version: 1, DealerID: 1}
	offDealer := owner.Dealer{ID: 1, Version: 1, Name: "A", IsEIBANEnabled: true}
	offGate, offToken := owner.GatewayAccount{ID: 1, Version: 1, Priority: 1, Weight: 1}, owner.SiteToken{ID: 1, Version: 1}
	off := []core.Row{offProvider, offSite, offDealer, offGate, offToken}
	on := []core.Row{provider, site, dealer, gate, token}
	otherDealer, renamed, moreMethods, heavier := site, dealer, dealer, gate
	otherDealer.DealerID, renamed.Name, moreMethods.IsCreditCardEnabled, heavier.Weight = 2, "B", true, 2
	less := dealer
	less.IsEIBANEnabled = false
	routed := []core.GuardedAction{core.GuardRouting}
	for name, c := range map[string]struct {
		before []core.Row
		change core.Changeset
		want   []core.GuardedAction
	}{
		"a provider switched on":      {off, core.Changeset{provider}, routed},
		"a site switched on":          {off, core.Changeset{site}, routed},
		"a dealer switched on":        {off, core.Changeset{dealer}, routed},
		"a gateway switched on":       {off, core.Changeset{gate}, routed},
		"a token switched on":         {off, core.Changeset{token}, []core.GuardedAction{core.GuardKeys}},
		"a provider switched off":     {on, core.Changeset{offProvider}, nil},
		"a site switched off":         {on, core.Changeset{offSite}, nil},
		"a dealer switched off":       {on, core.Changeset{offDealer}, nil},
		"a gateway switched off":      {on, core.Changeset{offGate}, nil},
		"a token switched off":        {on, core.Changeset{offToken}, nil},
		"a method switched off":       {on, core.Changeset{less}, nil},
		"a method switched on":        {on, core.Changeset{moreMethods}, routed},
		"another dealer":              {on, core.Changeset{otherDealer}, routed},
		"another name":                {on, core.Changeset{renamed}, routed},
		"a gateway chosen more":       {on, core.Changeset{heavier}, routed},
		"a new rule":                  {on, core.Changeset{routing.Rule{ID: 1, Version: 1, IsActive: true}}, routed},
		"a rule that is not any more": {on, core.Changeset{routing.Rule{ID: 1, Version: 2}}, routed},
		"a new dealer": {
			nil, core.Changeset{owner.Dealer{ID: 2, Version: 1, Name: "C", IsActive: true}}, routed,
		},
	} {
		if got := coretest.GuardsOf(c.change, c.before...); !slices.Equal(got, c.want) || !c.change.IsGuarded() {
			t.Errorf("%s: guards are %v, want %v", name, got, c.want)
		}
	}
}
