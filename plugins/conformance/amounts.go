package conformance

import (
	"slices"

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
	one := money.MustDecimal("1")
	kurus := amount.Sub(whole(amount))
	if amount.Cmp(low) < 0 {
		if amount = whole(low).Add(kurus); amount.Cmp(low) < 0 {
			amount = amount.Add(one)
		}
	}
	if high.Sign() > 0 && amount.Cmp(high) > 0 {
		if amount = whole(high).Add(kurus); amount.Cmp(high) > 0 {
			amount = amount.Sub(one)
		}
	}
	if amount.Cmp(low) < 0 {
		return low
	}
	return amount
}

func whole(d money.Decimal) money.Decimal { return d.QuoDown(money.MustDecimal("1"), 0) }

// isOneOf reports whether a value is in the list.
func isOneOf[V comparable](v V, list ...V) bool { return slices.Contains(list, v) }
