// Package money holds exact amounts: minor units (kuruş) and a currency. No float is anywhere on its paths.
package money

import (
	"strconv"
)

// Currency is an ISO 4217 currency and how many decimals its amounts carry.
type Currency struct {
	Code     string
	Decimals int
}

// TRY is the Turkish lira: two decimals (kuruş).
var TRY = Currency{Code: "TRY", Decimals: 2}

// CurrencyOf finds a currency that Vezne handles by its ISO 4217 code.
func CurrencyOf(code string) (Currency, bool) {
	if code == TRY.Code {
		return TRY, true
	}
	return Currency{}, false
}

// MaxMinor is the greatest amount taken from outside: 999,999,999.99 (decisions: Amounts in).
const MaxMinor = 99_999_999_999

// Amount is an exact amount of money. The zero Amount has no currency.
type Amount struct {
	minor    int64
	currency Currency
}

// New is an amount of minor units: New(25000, TRY) is 250.00 TRY.
func New(minor int64, c Currency) Amount { return Amount{minor: minor, currency: c} }

// Kurus is an amount of the contract's currency.
func Kurus(minor int64) Amount { return New(minor, TRY) }

// Minor is the amount in minor units.
func (a Amount) Minor() int64 { return a.minor }

// Currency is the amount's currency.
func (a Amount) Currency() Currency { return a.currency }

// IsZero reports whether there is nothing.
func (a Amount) IsZero() bool { return a.minor == 0 }

// Equal reports whether both the amount and the currency are the same.
func (a Amount) Equal(b Amount) bool { return a == b }

// Less compares two amounts of one currency; of different currencies neither is less.
func (a Amount) Less(b Amount) bool { return a.currency == b.currency && a.minor < b.minor }

// String is the amount with its currency's decimals and no code: "250.00".
func (a Amount) String() string {
	if a.currency.Decimals == 0 {
		return strconv.FormatInt(a.minor, 10)
	}
	scale := pow10(a.currency.Decimals)
	whole, rest := a.minor/scale, a.minor%scale
	sign := ""
	if a.minor < 0 {
		sign, whole, rest = "-", -whole, -rest
	}
	digits := strconv.FormatInt(scale+rest, 10)[1:]
	return sign + strconv.FormatInt(whole, 10) + "." + digits
}

// MarshalJSON writes a JSON number with the currency's decimals: 250.00 (decisions: Amounts out).
func (a Amount) MarshalJSON() ([]byte, error) { return []byte(a.String()), nil }

// UnmarshalJSON reads what MarshalJSON wrote of an amount in lira, the only currency of amounts: what is in another asset is a
// Decimal. Errors: those of ParseNumber.
func (a *Amount) UnmarshalJSON(text []byte) (err error) {
	*a, err = ParseNumber(string(text), TRY)
	return err
}

func pow10(n int) int64 {
	p := int64(1)
	for range n {
		p *= 10
	}
	return p
}
