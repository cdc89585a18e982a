package money_test

import (
	"encoding/json"
	"errors"
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/vezne/vezne/core/money"
)

func TestDecimalHasOneFormForEachNumber(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"0": "0", "-0": "0", "0.00": "0", "000": "0", "5.0": "5", "005.10": "5.1", "-0.50": "-0.5", "100": "100",
		"0.000000000000000001": "0.000000000000000001",
	} {
		d, err := money.ParseDecimal(text)
		if err != nil || d.String() != want {
			t.Errorf("%q: %s, %v, want %s", text, d, err, want)
		}
	}
	for _, text := range []string{"", "-", ".5", "1.", "1e3", "+1", " 1", "1,5", "NaN", "0x1", "١"} {
		if _, err := money.ParseDecimal(text); !errors.Is(err, money.ErrNotANumber) {
			t.Errorf("%q: %v", text, err)
		}
	}
	if _, err := money.ParseDecimal(strings.Repeat("9", 60)); !errors.Is(err, money.ErrOutOfRange) {
		t.Errorf("60 digits: %v", err)
	}
}

func drawDecimal(t *rapid.T, label string) money.Decimal {
	units := big.NewInt(rapid.Int64().Draw(t, label))
	return money.DecimalOf(units, rapid.IntRange(0, 18).Draw(t, label+" decimals"))
}

func ratOf(d money.Decimal) *big.Rat {
	r, _ := new(big.Rat).SetString(d.String())
	return r
}

// TestDecimalArithmeticIsExact holds every operation against exact rational arithmetic.
func TestDecimalArithmeticIsExact(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawDecimal(t, "a"), drawDecimal(t, "b")
		x, y := ratOf(a), ratOf(b)
		for _, got := range []struct {
			name string
			d    money.Decimal
			want *big.Rat
		}{
			{"Add", a.Add(b), new(big.Rat).Add(x, y)}, {"Sub", a.Sub(b), new(big.Rat).Sub(x, y)},
			{"Mul", a.Mul(b), new(big.Rat).Mul(x, y)},
		} {
			if ratOf(got.d).Cmp(got.want) != 0 {
				t.Fatalf("%s of %s and %s: %s", got.name, a, b, got.d)
			}
		}
		if a.Cmp(b) != x.Cmp(y) || a.Sign() != x.Sign() || (a == b) != (x.Cmp(y) == 0) {
			t.Fatalf("order of %s and %s", a, b)
		}
		checkQuotient(t, a, b)
		var again money.Decimal
		text, err := json.Marshal(a)
		if err != nil || json.Unmarshal(text, &again) != nil || again != a || text[0] != '"' {
			t.Fatalf("%s as JSON: %s, %s, %v", a, text, again, err)
		}
	})
}

// checkQuotient: what a payer has to send is never less than the quotient, and less than one unit more.
func checkQuotient(t *rapid.T, a, b money.Decimal) {
	if a.Sign() < 0 || b.Sign() <= 0 {
		return
	}
	got := a.QuoUp(b, 6)
	exact := new(big.Rat).Quo(ratOf(a), ratOf(b))
	above := new(big.Rat).Sub(ratOf(got), exact)
	if above.Sign() < 0 || above.Cmp(big.NewRat(1, 1_000_000)) >= 0 || got.Places() > 6 {
		t.Fatalf("%s / %s: %s", a, b, got)
	}
}

func TestDecimalAndAmount(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		want := money.New(rapid.Int64Range(-money.MaxMinor, money.MaxMinor).Draw(t, "minor"), money.TRY)
		got, err := want.Decimal().Amount(money.TRY)
		if err != nil || got != want || want.Decimal().Fixed(2) != want.String() {
			t.Fatalf("%s: %s, %v", want, got, err)
		}
	})
	if _, err := money.MustDecimal("1.005").Amount(money.TRY); !errors.Is(err, money.ErrTooPrecise) {
		t.Errorf("three decimals of TRY: %v", err)
	}
	if _, err := money.MustDecimal("1000000000").Amount(money.TRY); !errors.Is(err, money.ErrOutOfRange) {
		t.Errorf("too much: %v", err)
	}
}
