package routing_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/coretest"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/routing"
)

// candidates are accounts, each told as "code priority weight" and, when it does not fit, why.
func candidates(t *testing.T, lines ...string) (all []routing.Candidate) {
	t.Helper()
	for i, line := range lines {
		var c routing.Candidate
		text, unfit, _ := strings.Cut(line, ": ")
		if _, err := fmt.Sscan(text, &c.Gateway.Code, &c.Gateway.Priority, &c.Gateway.Weight); err != nil {
			t.Fatal(err)
		}
		c.Gateway.ID, c.Obstacle = int64(i+1), routing.Obstacle(unfit)
		all = append(all, c)
	}
	return all
}

func codesOf(order []routing.Choice) (codes []string) {
	for _, c := range order {
		codes = append(codes, c.Gateway.Code)
	}
	return codes
}

// TestDecideRoute: rules before defaults, priority before weight, and why for everything.
func TestDecideRoute(t *testing.T) {
	t.Parallel()
	rule := func(gatewayID int64, change func(*routing.Rule)) routing.Rule {
		r := routing.Rule{Name: "r", IsActive: true, GatewayID: gatewayID, Priority: 1, Weight: 1}
		change(&r)
		return r
	}
	every := func(*routing.Rule) {}
	tests := []struct {
		name       string
		candidates []string
		rules      []routing.Rule
		want       []string
		why        string // of the first
		skipped    []string
	}{
		{"nobody", nil, nil, nil, "", nil},
		{"by priority", []string{"c 3 1", "a 1 1", "b 2 1"}, nil, []string{"a", "b", "c"}, "default, priority 1, weight 1 of 1", nil},
		{"who does not fit", []string{"a 1 1: not_answering", "b 2 1"}, nil, []string{"b"}, "default, priority 2, weight 1 of 1", []string{"a: not_answering"}},
		{"a rule", []string{"a 1 1", "b 2 1"}, []routing.Rule{rule(2, every)}, []string{"b"}, "rule r, priority 1, weight 1 of 1",
			[]string{"a: no_rule"}},
		{"a rule to one who does not fit", []string{"a 1 1", "b 2 1: limits"}, []routing.Rule{rule(2, every)}, nil, "",
			[]string{"a: no_rule", "b: limits"}},
		{"a rule that is off", []string{"a 1 1"}, []routing.Rule{rule(2, func(r *routing.Rule) { r.IsActive = false })}, []string{"a"},
			"default, priority 1, weight 1 of 1", nil},
		{"the sooner of two rules", []string{"a 9 9", "b 9 9"}, []routing.Rule{
			rule(1, func(r *routing.Rule) { r.Priority, r.Name = 5, "slow" }),
			rule(1, func(r *routing.Rule) { r.Priority, r.Name = 2, "fast" }),
			rule(2, func(r *routing.Rule) { r.Priority = 3 }),
		}, []string{"a", "b"}, "rule fast, priority 2, weight 1 of 1", nil},
		{"weight nothing comes last", []string{"a 1 0", "b 1 0", "c 1 7"}, nil, []string{"c", "a", "b"}, "default, priority 1, weight 7 of 7", nil},
		{"less than nothing is nothing", []string{"a 1 -5", "b 1 7"}, nil, []string{"b", "a"}, "default, priority 1, weight 7 of 7", nil},
	}
	p := payment.Payment{TrackingCode: "CC-1", Method: payment.CreditCard, ProviderID: 7, SiteID: 3, Amount: coretest.Lira(25000)}
	for _, tt := range tests {
		order, others := routing.DecideRoute(p, gateway.Card, candidates(t, tt.candidates...), tt.rules)
		var skipped []string
		for _, o := range others {
			skipped = append(skipped, o.String())
		}
		why := ""
		if len(order) > 0 {
			why = order[0].Why
		}
		if got := codesOf(order); !slices.Equal(got, tt.want) || why != tt.why || !slices.Equal(skipped, tt.skipped) {
			t.Errorf("%s: %q (%s), skipped %q", tt.name, got, why, skipped)
		}
	}
}

// TestRulesMatch: each setting of a rule, at its edges.
func TestRulesMatch(t *testing.T) {
	t.Parallel()
	p := payment.Payment{TrackingCode: "TPBD-1", Method: payment.BankDeposit, ProviderID: 7, SiteID: 3, Amount: coretest.Lira(25000)}
	tests := []struct {
		name string
		rule routing.Rule
		want bool
	}{
		{"any", routing.Rule{}, true},
		{"kind", routing.Rule{Kind: gateway.Wallet}, true}, // the customer picked a wallet
		{"other kind", routing.Rule{Kind: gateway.Bank}, false},
		{"provider", routing.Rule{ProviderID: 7}, true},
		{"other provider", routing.Rule{ProviderID: 8}, false},
		{"site", routing.Rule{SiteID: 3}, true},
		{"other site", routing.Rule{SiteID: 4}, false},
		{"least", routing.Rule{Min: coretest.Lira(25000)}, true},
		{"too little", routing.Rule{Min: coretest.Lira(25001)}, false},
		{"greatest", routing.Rule{Max: coretest.Lira(25000)}, true},
		{"too much", routing.Rule{Max: coretest.Lira(24999)}, false},
		{"all of it", routing.Rule{Kind: gateway.Wallet, ProviderID: 7, SiteID: 3, Min: coretest.Lira(1), Max: coretest.Lira(30000)}, true},
	}
	for _, tt := range tests {
		tt.rule.IsActive, tt.rule.GatewayID = true, 2
		order, _ := routing.DecideRoute(p, gateway.Wallet, candidates(t, "a 1 1", "b 2 1"), []routing.Rule{tt.rule})
		if isRuled := slices.Equal(codesOf(order), []string{"b"}); isRuled != tt.want {
			t.Errorf("%s: ruled %v: %q", tt.name, isRuled, codesOf(order))
		}
	}
}

// TestTheDrawIsFair: over many tracking codes each account is first, and second after another, as its weight says; the
// same payment is always routed alike.
func TestTheDrawIsFair(t *testing.T) {
	t.Parallel()
	const payments = 20_000
	weights := map[string]int{"a": 1, "b": 2, "c": 7}
	all := candidates(t, "a 1 1", "b 1 2", "c 1 7")
	first, second := map[string]int{}, map[string]int{}
	codes := coretest.Random(1)
	for range payments {
		code, err := core.NewTrackingCode(payment.CreditCard.Prefix(), codes)
		if err != nil {
			t.Fatal(err)
		}
		p := payment.Payment{TrackingCode: code, Amount: coretest.Lira(100)}
		order, _ := routing.DecideRoute(p, gateway.Card, all, nil)
		again, _ := routing.DecideRoute(p, gateway.Card, all, nil)
		if !slices.Equal(codesOf(order), codesOf(again)) {
			t.Fatalf("%s: %q, then %q", code, codesOf(order), codesOf(again))
		}
		first[order[0].Gateway.Code]++
		if order[0].Gateway.Code == "c" {
			second[order[1].Gateway.Code]++
		}
	}
	// Three standard deviations of these counts are below 1.1 percent of all payments.
	for code, weight := range weights {
		if got, want := first[code], payments*weight/10; got < want-payments/90 || got > want+payments/90 {
			t.Errorf("%s is first %d times of %d, want about %d", code, got, payments, want)
		}
	}
	if got, want := second["b"], first["c"]*2/3; got < want-payments/90 || got > want+payments/90 {
		t.Errorf("b comes second after c %d times of %d, want about %d", got, first["c"], want)
	}
}
