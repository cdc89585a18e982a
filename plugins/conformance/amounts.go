package conformance

import (
	"slices"
	"strings"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
)

func lira(d money.Decimal) gateway.Money { return gateway.Money{Amount: d, Asset: gateway.TRY} }

func isSame(a, b gateway.Money) bool { return a.IsSameAsset(b) && a.Amount == b.Amount }

func isSameOrNil(a, b *gateway.Money) bool {
	return a == nil && b == nil || a != nil && b != nil && isSame(*a, *b)
}

// near is the amount, or the nearest with the same kuruş between the bounds, of which 0 is none. Where there is none at
// all it is the lower bound.
func near(amount, low, high money.Decimal) money.Decimal {
	whole, kurus := split(amount)
	one := money.MustDecimal("1")
	if amount.Cmp(low) < 0 {
		whole, _ = split(low)
		if whole.Add(kurus).Cmp(low) < 0 {
			whole = whole.Add(one)
		}
	}
	if high.Sign() > 0 && whole.Add(kurus).Cmp(high) > 0 {
		whole, _ = split(high)
		if whole.Add(kurus).Cmp(high) > 0 {
			whole = whole.Sub(one)
		}
	}
	if got := whole.Add(kurus); got.Cmp(low) >= 0 {
		return got
	}
	return low
}

func split(d money.Decimal) (whole, rest money.Decimal) {
	text, _, _ := strings.Cut(d.String(), ".")
	whole = money.MustDecimal(text)
	return whole, d.Sub(whole)
}

// isOneOf reports whether a value is in the list.
func isOneOf[V comparable](v V, list ...V) bool { return slices.Contains(list, v) }
