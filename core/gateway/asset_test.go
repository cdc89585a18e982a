package gateway_test

import (
	"testing"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
)

func TestAnAssetIsCalledAsTheContractCallsIt(t *testing.T) {
	t.Parallel()
	assets := []gateway.Asset{gateway.TRY, usdt, {Code: "USDT", Network: "ERC20", Decimals: 6}}
	if gateway.TRY.String() != "TRY" || usdt.String() != "USDT (TRC20)" {
		t.Errorf("called %s and %s", gateway.TRY, usdt)
	}
	for name, want := range map[string]gateway.Asset{
		"TRY": gateway.TRY, "USDT (TRC20)": usdt, " usdt (trc20) ": usdt, "USDT (ERC20)": assets[2],
	} {
		if got, ok := gateway.AssetNamed(assets, name); !ok || got != want {
			t.Errorf("%q finds %v, %v", name, got, ok)
		}
	}
	for _, name := range []string{"", "USDT", "USDT(TRC20)", "USDT (BEP20)", "()"} {
		if got, ok := gateway.AssetNamed(assets, name); ok || got != (gateway.Asset{}) {
			t.Errorf("%q finds %v", name, got)
		}
	}
}

func TestMoneyIsPrintedWithoutLosingADigit(t *testing.T) {
	t.Parallel()
	for want, m := range map[string]gateway.Money{
		"12.50 TRY":             {Amount: money.MustDecimal("12.5"), Asset: gateway.TRY},
		"0.00 TRY":              {Asset: gateway.TRY},
		"7.10 USDT (TRC20)":     {Amount: money.MustDecimal("7.1"), Asset: usdt},
		"7.123456 USDT (TRC20)": {Amount: money.MustDecimal("7.123456"), Asset: usdt},
		"7 JPY":                 {Amount: money.MustDecimal("7"), Asset: gateway.Asset{Code: "JPY"}},
	} {
		if got := m.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	lira := gateway.Money{Amount: money.MustDecimal("12.50"), Asset: gateway.TRY}
	if got := gateway.Lira(money.New(1250, money.TRY)); got != lira {
		t.Errorf("%v are %v", lira, got)
	}
}

func TestDecimalsDoNotMakeAnotherAsset(t *testing.T) {
	t.Parallel()
	of := func(code, network string, decimals int) gateway.Money {
		return gateway.Money{Asset: gateway.Asset{Code: code, Network: network, Decimals: decimals}}
	}
	if !of("USDT", "TRC20", 6).IsSameAsset(of("USDT", "TRC20", 2)) {
		t.Error("the same asset with fewer decimals counts as another")
	}
	if of("USDT", "TRC20", 6).IsSameAsset(of("USDT", "ERC20", 6)) || of("TRY", "", 2).IsSameAsset(of("USD", "", 2)) {
		t.Error("another asset counts as the same")
	}
}
