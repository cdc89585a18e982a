package bank

import (
	"time"

	"github.com/vezne/vezne/core/money"
)

// Money is an exact amount of a currency, or of a coin on a network.
type Money struct {
	Value    money.Decimal `json:"value"`
	Currency string        `json:"currency"`
	Network  string        `json:"network,omitempty"`
}

const lira = "TRY"

// ofLira is an amount of Turkish lira.
func ofLira(value money.Decimal) Money { return Money{Value: value, Currency: lira} }

// isSameAsset reports whether both are of one currency or coin.
func (m Money) isSameAsset(other Money) bool {
	return m.Currency == other.Currency && m.Network == other.Network
}

// decimals is how finely the asset divides.
func (m Money) decimals() int {
	for _, c := range coins {
		if c.Currency == m.Currency {
			return c.Decimals
		}
	}
	return 2
}

// times is a part or a multiple of an amount ("0.5"), rounded up to the asset's decimals.
func (m Money) times(factor string) Money {
	m.Value = m.Value.Mul(money.MustDecimal(factor)).QuoUp(money.MustDecimal("1"), m.decimals())
	return m
}

func (m Money) plus(value money.Decimal) Money {
	m.Value = m.Value.Add(value)
	return m
}

// Coin is one of the coins that the bank takes and pays out.
type Coin struct {
	ID            string        `json:"id"`
	Title         string        `json:"title"`
	Currency      string        `json:"currency"`
	Network       string        `json:"network"`
	Decimals      int           `json:"decimals"`
	Rate          money.Decimal `json:"rate"` // of one coin, in TRY; it never changes
	Confirmations int           `json:"confirmations"`
}

// coins is the rate table. The README has it too.
var coins = []Coin{
	{"USDT-TRC20", "USDT (TRC20)", "USDT", "TRC20", 6, money.MustDecimal("40"), 3},
	{"BTC", "Bitcoin", "BTC", "BTC", 8, money.MustDecimal("4000000"), 3},
}

// coinOf finds a coin by its id; the first one when none is named.
func coinOf(id string) (Coin, bool) {
	if id == "" {
		return coins[0], true
	}
	for _, c := range coins {
		if c.ID == id {
			return c, true
		}
	}
	return Coin{}, false
}

// coinOn finds a coin by what it is and where.
func coinOn(currency, network string) (Coin, bool) {
	for _, c := range coins {
		if c.Currency == currency && c.Network == network {
			return c, true
		}
	}
	return Coin{}, false
}

// price is an amount of TRY in the coin, rounded up to what the coin divides into.
func (c Coin) price(amount Money) Money {
	return Money{Value: amount.Value.QuoUp(c.Rate, c.Decimals), Currency: c.Currency, Network: c.Network}
}

// Quote says what an amount of TRY is in a coin.
type Quote struct {
	Pay        Money         `json:"pay"`
	Rate       money.Decimal `json:"rate"`
	ValidUntil time.Time     `json:"valid_until"`
}

// quoteLife is how long a quote holds.
const quoteLife = 10 * time.Minute

// istanbul is the zone of the bank's days: Turkey has had no summer time since 2016.
var istanbul = time.FixedZone("TRT", 3*60*60)

// isSameDay reports whether both moments are of one day at the bank.
func isSameDay(a, b time.Time) bool {
	return a.In(istanbul).Format(time.DateOnly) == b.In(istanbul).Format(time.DateOnly)
}

// afterMidnight is five minutes into the next day at the bank.
func afterMidnight(t time.Time) time.Time {
	y, m, d := t.In(istanbul).Date()
	return time.Date(y, m, d+1, 0, 5, 0, 0, istanbul).UTC()
}
