package graph_test

import (
	"testing"
	"time"

	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/staff"
)

const saveRule = `mutation($input: RouteRuleInput!) { saveRouteRule(input: $input) { routeRule {
	id name isActive kind providerId siteId min max gatewayId gateway { id code name } priority weight createdAt updatedAt } } }`

func TestGoldenRouteRules(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	checkGolden(t, "rule-created", a.as(t, staff.Admin, saveRule, vars{"input": vars{
		"name": "high amounts", "kind": "CARD", "providerId": 1, "siteId": "1", "min": "1000", "max": "5000.50", "gatewayId": 2,
		"priority": 1, "weight": 3,
	}}).Raw)
	a.Clock.Advance(time.Minute)
	checkGolden(t, "rule-updated", a.as(t, staff.Admin, saveRule, vars{"input": vars{"id": 1,
		"name": nil, "kind": nil, "providerId": nil, "siteId": nil, "min": nil, "max": nil, "gatewayId": nil,
		"priority": nil, "weight": nil, "isActive": false,
	}}).Raw)
	checkGolden(t, "rules", a.as(t, staff.Operator, `{ routeRules { id name isActive kind min max gateway { code } } }`, nil).Raw)
}

func TestWhatARouteRuleMustNotBe(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	valid := vars{"name": "all", "gatewayId": 1}
	if answer := a.as(t, staff.Admin, saveRule, vars{"input": valid}); answer.code() != "" {
		t.Fatal(answer.Raw)
	}
	for name, c := range map[string]struct {
		id    any
		input vars
		field string
	}{
		"no name":            {nil, vars{"gatewayId": 1}, "name"},
		"an empty name":      {1, vars{"name": " "}, "name"},
		"no gateway":         {nil, vars{"name": "all"}, "gatewayId"},
		"no such gateway":    {1, vars{"gatewayId": 99}, "gatewayId"},
		"not a gateway":      {1, vars{"gatewayId": "till"}, "gatewayId"},
		"no such kind":       {1, vars{"kind": "Card"}, "kind"},
		"not a provider":     {1, vars{"providerId": "one"}, "providerId"},
		"provider zero":      {1, vars{"providerId": 0}, "providerId"},
		"not a site":         {1, vars{"siteId": "-1"}, "siteId"},
		"too heavy":          {1, vars{"weight": 10_001}, "weight"},
		"negative":           {1, vars{"priority": -1}, "priority"},
		"not an amount":      {1, vars{"min": "much"}, "min"},
		"turned around":      {1, vars{"min": "10", "max": "9"}, "max"},
		"the id is not one":  {"first", vars{}, "id"},
		"the id is too long": {"99999999999999999999", vars{}, "id"},
	} {
		answer := a.as(t, staff.Admin, saveRule, vars{"input": with(c.input, "id", c.id)})
		if field, _ := answer.field(); answer.code() != "INVALID" || field != c.field {
			t.Errorf("%s: got %s", name, answer.Raw)
		}
	}
	if answer := a.as(t, staff.Admin, saveRule, vars{"input": with(valid, "id", 99)}); answer.code() != "NOT_FOUND" {
		t.Errorf("no such rule: got %s", answer.Raw)
	}
}

func TestARouteRuleTakesEffectAtOnce(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	why := func() string { return a.begin(t, a.start(t, payment.CreditCard)).Why }
	save := func(id any, input vars) {
		t.Helper()
		if answer := a.as(t, staff.Admin, saveRule, vars{"input": with(input, "id", id)}); answer.code() != "" {
			t.Fatal(answer.Raw)
		}
	}
	save(nil, vars{"name": "high amounts", "kind": "CARD", "min": "1000", "gatewayId": 2})
	if got, want := why(), "default, priority 1, weight 1 of 1"; got != want {
		t.Errorf("a rule that does not match: got %q, want %q", got, want)
	}
	save(1, vars{"min": nil})
	if got, want := why(), "rule high amounts, priority 0, weight 1 of 1"; got != want {
		t.Errorf("a rule that matches: got %q, want %q", got, want)
	}
	save(1, vars{"isActive": false})
	if got, want := why(), "default, priority 1, weight 1 of 1"; got != want {
		t.Errorf("a rule that does not count: got %q, want %q", got, want)
	}
}
