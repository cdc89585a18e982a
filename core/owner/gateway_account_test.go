package owner_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/coretest"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/owner"
)

// TestBounds: the tighter of the account's limits and the plugin's, and never below the contract's least amount.
func TestBounds(t *testing.T) {
	t.Parallel()
	dec := money.MustDecimal
	tests := []struct {
		low, high   int64 // the account's
		pluginLow   money.Decimal
		pluginHigh  money.Decimal
		least, most int64
	}{
		{0, 0, dec("0"), dec("0"), 100, 0},
		{0, 0, dec("5"), dec("500"), 500, 50000},
		{1000, 40000, dec("5"), dec("500"), 1000, 40000},
		{100, 90000, dec("5.25"), dec("500"), 525, 50000},
		{50, 0, dec("0.10"), dec("0"), 100, 0},
	}
	for _, tt := range tests {
		a := owner.GatewayAccount{Min: coretest.Lira(tt.low), Max: coretest.Lira(tt.high)}
		least, most := a.Bounds(tt.pluginLow, tt.pluginHigh)
		if least.Minor() != tt.least || most.Minor() != tt.most {
			t.Errorf("%s to %s with the plugin's %s to %s: %s to %s", a.Min, a.Max, tt.pluginLow, tt.pluginHigh, least, most)
		}
	}
	empty := owner.GatewayAccount{}
	if least, most := empty.Bounds(dec("5"), dec("9")); least.Minor() != 500 || most.Minor() != 900 {
		t.Errorf("an account without limits: %s to %s", least, most)
	}
	if empty.Takes() || !(owner.GatewayAccount{IsEnabled: true}).Takes() || (owner.GatewayAccount{IsEnabled: true, Trouble: "keys"}).Takes() {
		t.Error("takes what it should not, or not what it should")
	}
}

// TestAccountValues: what goes in comes out, and a print shows nothing of it.
func TestAccountValues(t *testing.T) {
	t.Parallel()
	secret, err := owner.ConfigSecret(map[string]string{"api_key": "sk_1"})
	if err != nil {
		t.Fatal(err)
	}
	values, previous, err := owner.GatewayAccount{Config: secret}.Values()
	if err != nil || values["api_key"] != "sk_1" || len(previous) != 0 || strings.Contains(fmt.Sprintf("%+v", secret), "sk_1") {
		t.Errorf("%v, %v, %v", values, previous, err)
	}
	if _, _, err := (owner.GatewayAccount{Config: core.NewSecret("{")}).Values(); err == nil {
		t.Error("a damaged configuration is taken")
	}
}
