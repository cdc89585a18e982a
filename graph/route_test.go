package graph_test

import (
	"maps"
	"strconv"
	"strings"
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

const previewRoute = `query($input: RoutePreviewInput!) { routePreview(input: $input) { kind
	order { gateway { code name } rule { id name } priority weight weightOfAll } others { gateway { code } obstacle detail } } }`

func TestGoldenRoutePreview(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	if answer := a.as(t, staff.Admin, saveRule, vars{"input": vars{"name": "large cards", "kind": "CARD", "min": "1000", "gatewayId": 2}}); answer.code() != "" {
		t.Fatal(answer.Raw)
	}
	card := vars{"siteId": 1, "method": "CREDIT_CARD", "amount": "250.00"}
	checkGolden(t, "route-preview", a.as(t, staff.Operator, previewRoute, vars{"input": card}).Raw)
	checkGolden(t, "route-preview-ruled", a.as(t, staff.Auditor, previewRoute, vars{"input": vars{"siteId": 1, "method": "CREDIT_CARD", "amount": "1000"}}).Raw)
	checkGolden(t, "route-preview-picked", a.as(t, staff.Auditor, previewRoute, vars{"input": vars{
		"method": "THIRD_PARTY_BANK_DEPOSIT", "kind": "WALLET", "amount": "250.00", "trackingCode": "TPBD-1",
	}}).Raw)
}

// TestThePreviewSaysWhoGetsThePayment: for every tracking code, since it is drawn among equals, with rules and without.
func TestThePreviewSaysWhoGetsThePayment(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	even := `mutation($id: ID!) { updateGatewayAccount(input: {id: $id, priority: 1, weight: 3}) { gatewayAccount { id } } }`
	for _, id := range []int{1, 2} {
		if answer := a.as(t, staff.Admin, even, vars{"id": id}); answer.code() != "" {
			t.Fatal(answer.Raw)
		}
	}
	chosen := map[int64]int{}
	for i := range 24 {
		if i == 20 {
			if answer := a.as(t, staff.Admin, saveRule, vars{"input": vars{"name": "cards", "kind": "CARD", "gatewayId": 2}}); answer.code() != "" {
				t.Fatal(answer.Raw)
			}
		}
		p := a.start(t, payment.CreditCard)
		var said struct {
			Order []struct{ Gateway struct{ ID string } }
		}
		a.as(t, staff.Operator, `query($input: RoutePreviewInput!) { routePreview(input: $input) { order { gateway { id } } } }`, vars{"input": vars{
			"siteId": p.SiteID, "method": "CREDIT_CARD", "amount": p.Amount.String(), "trackingCode": p.TrackingCode,
		}}).into(t, "routePreview", &said)
		got := a.begin(t, p).GatewayID
		if len(said.Order) == 0 || said.Order[0].Gateway.ID != strconv.FormatInt(got, 10) {
			t.Errorf("%s goes to %d, and was said to go to %+v", p.TrackingCode, got, said.Order)
		}
		if chosen[got]++; i >= 20 && got != 2 {
			t.Errorf("the rule sends it to %d", got)
		}
	}
	if chosen[1] == 0 || chosen[2] == 0 {
		t.Errorf("nothing was drawn: %v", chosen)
	}
}

// TestAPreviewTakesNull for what may be absent.
func TestAPreviewTakesNull(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	answer := a.as(t, staff.Admin, previewRoute, vars{"input": vars{
		"siteId": nil, "method": "CREDIT_CARD", "kind": nil, "amount": "250", "trackingCode": nil,
	}})
	if answer.code() != "" {
		t.Error(answer.Raw)
	}
}

func TestWhatAPreviewIsNotAskedFor(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	for name, c := range map[string]struct {
		change vars
		field  string
	}{
		"no gateway":       {vars{"method": "MANUAL_DEPOSIT"}, "method"},
		"a payout":         {vars{"method": "THIRD_PARTY_BANK_WITHDRAWAL"}, "method"},
		"another way":      {vars{"kind": "CRYPTO"}, "kind"},
		"nothing":          {vars{"amount": "0"}, "amount"},
		"less than":        {vars{"amount": "-5"}, "amount"},
		"no such site":     {vars{"siteId": 99}, "siteId"},
		"no site":          {vars{"siteId": "one"}, "siteId"},
		"a very long code": {vars{"trackingCode": strings.Repeat("C", 65)}, "trackingCode"},
	} {
		input := vars{"siteId": 1, "method": "CREDIT_CARD", "amount": "250.00"}
		maps.Copy(input, c.change)
		answer := a.as(t, staff.Admin, previewRoute, vars{"input": input})
		if field, _ := answer.field(); answer.code() != "INVALID" || field != c.field {
			t.Errorf("%s: got %s", name, answer.Raw)
		}
	}
}
