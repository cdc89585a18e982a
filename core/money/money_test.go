package money_test

import (
	"encoding/json"
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"github.com/vezne/vezne/core/money"
)

// Currencies of other shapes than TRY, which amounts must hold too.
var (
	whole  = money.Currency{Code: "XXX", Decimals: 0}
	thirds = money.Currency{Code: "XTS", Decimals: 3}
)

func TestString(t *testing.T) {
	t.Parallel()
	tests := []struct {
		amount money.Amount
		want   string
	}{
		{money.New(25000, money.TRY), "250.00"},
		{money.New(0, money.TRY), "0.00"},
		{money.New(5, money.TRY), "0.05"},
		{money.New(-5, money.TRY), "-0.05"},
		{money.New(-12345, money.TRY), "-123.45"},
		{money.New(money.MaxMinor, money.TRY), "999999999.99"},
		{money.New(math.MaxInt64, money.TRY), "92233720368547758.07"},
		{money.New(math.MinInt64, money.TRY), "-92233720368547758.08"},
		{money.New(1234, whole), "1234"},
		{money.New(math.MinInt64, whole), "-9223372036854775808"},
		{money.New(1234, thirds), "1.234"},
		{money.Amount{}, "0"},
	}
	for _, tt := range tests {
		if got := tt.amount.String(); got != tt.want {
			t.Errorf("%d of %s: %s, want %s", tt.amount.Minor(), tt.amount.Currency().Code, got, tt.want)
		}
		if text, err := json.Marshal(tt.amount); err != nil || string(text) != tt.want {
			t.Errorf("as JSON: %s, %v, want %s", text, err, tt.want)
		}
	}
}

func TestCompare(t *testing.T) {
	t.Parallel()
	one, two, foreign := money.New(1, money.TRY), money.New(2, money.TRY), money.New(2, thirds)
	if !one.Less(two) || two.Less(one) || one.Less(one) {
		t.Error("Less is not the order of one currency")
	}
	if one.Less(foreign) || foreign.Less(one) {
		t.Error("amounts of different currencies have an order")
	}
	if !one.Equal(money.New(1, money.TRY)) || one.Equal(two) || two.Equal(foreign) {
		t.Error("Equal is not the same amount of the same currency")
	}
	if !money.New(0, money.TRY).IsZero() || !(money.Amount{}).IsZero() || one.IsZero() {
		t.Error("IsZero is not nothing")
	}
	if two.Minor() != 2 || two.Currency() != money.TRY {
		t.Errorf("New(2, TRY) is %d of %v", two.Minor(), two.Currency())
	}
}

func TestCurrencyOf(t *testing.T) {
	t.Parallel()
	if c, ok := money.CurrencyOf("TRY"); !ok || c != money.TRY || c.Decimals != 2 {
		t.Errorf("TRY: %+v, %v", c, ok)
	}
	for _, code := range []string{"", "try", "USD"} {
		if c, ok := money.CurrencyOf(code); ok || c != (money.Currency{}) {
			t.Errorf("%q: %+v, %v", code, c, ok)
		}
	}
}

// TestRoundTrip: what an amount prints, both parsers read, to the same amount.
func TestRoundTrip(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		c := rapid.SampledFrom([]money.Currency{money.TRY, whole, thirds}).Draw(t, "currency")
		want := money.New(rapid.Int64Range(-money.MaxMinor, money.MaxMinor).Draw(t, "minor"), c)
		if got, err := money.ParseText(want.String(), c); err != nil || got != want {
			t.Fatalf("ParseText(%s) = %s, %v", want, got, err)
		}
		if got, err := money.ParseNumber(want.String(), c); err != nil || got != want {
			t.Fatalf("ParseNumber(%s) = %s, %v", want, got, err)
		}
	})
}

// TestParseIsExact holds both parsers against exact rational arithmetic, over all sorts of numbers.
func TestParseIsExact(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`-?[0-9]{1,20}([.][0-9]{1,6})?`).Draw(t, "text")
		got, err := money.ParseText(text, money.TRY)
		checkExact(t, text, got, err)
		text += rapid.StringMatching(`([eE][-+]?[0-9]{1,3})?`).Draw(t, "exponent")
		got, err = money.ParseNumber(text, money.TRY)
		checkExact(t, text, got, err)
	})
}

// checkExact: what was accepted has the very value, is in bounds, and prints to a text of the same value.
func checkExact(t interface {
	Helper()
	Fatalf(format string, args ...any)
}, text string, got money.Amount, err error) {
	t.Helper()
	if err != nil {
		if got != (money.Amount{}) {
			t.Fatalf("%s: refused (%v), yet %s", text, err, got)
		}
		return
	}
	want, ok := new(big.Rat).SetString(text)
	if !ok || want.Cmp(big.NewRat(got.Minor(), 100)) != 0 {
		t.Fatalf("%s was read as %s", text, got)
	}
	if got.Minor() > money.MaxMinor || got.Minor() < -money.MaxMinor || got.Currency() != money.TRY {
		t.Fatalf("%s was read as %s %s, out of bounds", text, got, got.Currency().Code)
	}
	if printed, ok := new(big.Rat).SetString(got.String()); !ok || printed.Cmp(want) != 0 {
		t.Fatalf("%s prints as %s", text, got)
	}
}
