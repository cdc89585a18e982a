package money

import (
	"errors"
	"math/big"
	"strings"
)

// MaxDecimalDigits bounds the digits of a Decimal, before and after the point together: 18 decimals of a coin and a
// number of coins far beyond any that exists.
const MaxDecimalDigits = 48

// Decimal is an exact decimal number of any asset, whatever its decimals: what gateways speak, where Amount is too
// narrow. It is immutable, comparable with ==, and its JSON is a string. The zero Decimal is 0.
type Decimal struct{ text string } // canonical: no exponent, no leading or trailing zeros; "" is 0

// ParseDecimal reads digits with an optional minus and point, no exponent: "0.1", "-12", "5.0". Errors: ErrNotANumber,
// ErrOutOfRange.
func ParseDecimal(text string) (Decimal, error) {
	if len(text) > MaxDecimalDigits+2 {
		return Decimal{}, ErrOutOfRange
	}
	if !isPlainDecimal(text) {
		return Decimal{}, ErrNotANumber
	}
	return canonical(text), nil
}

// DecimalOf is a whole number of units of 10^-decimals: DecimalOf(12550, 2) is 125.5.
func DecimalOf(units *big.Int, decimals int) Decimal {
	digits, sign := new(big.Int).Abs(units).Text(10), ""
	if units.Sign() < 0 {
		sign = "-"
	}
	if pad := decimals + 1 - len(digits); pad > 0 {
		digits = strings.Repeat("0", pad) + digits
	}
	return canonical(sign + digits[:len(digits)-decimals] + "." + digits[len(digits)-decimals:])
}

// Decimal is the amount without its currency.
func (a Amount) Decimal() Decimal { return DecimalOf(big.NewInt(a.minor), a.currency.Decimals) }

// Amount is the number as money of a currency. Errors: ErrTooPrecise (it is never rounded), ErrOutOfRange.
func (d Decimal) Amount(c Currency) (Amount, error) {
	units, err := d.Units(c.Decimals)
	if err != nil {
		return Amount{}, err
	}
	if !units.IsInt64() || units.Int64() > MaxMinor || units.Int64() < -MaxMinor {
		return Amount{}, ErrOutOfRange
	}
	return New(units.Int64(), c), nil
}

// Units is how many units of 10^-decimals the number is: 125.5 with 2 decimals is 12550. Error: ErrTooPrecise.
func (d Decimal) Units(decimals int) (*big.Int, error) {
	if d.Places() > decimals {
		return nil, ErrTooPrecise
	}
	whole, rest, _ := strings.Cut(d.String(), ".")
	units, ok := new(big.Int).SetString(whole+rest+strings.Repeat("0", decimals-len(rest)), 10)
	if !ok {
		return nil, ErrNotANumber
	}
	return units, nil
}

// Places is how many decimals the number has: 2 for 12.55.
func (d Decimal) Places() int {
	_, rest, _ := strings.Cut(d.text, ".")
	return len(rest)
}

// String is the number in plain notation without trailing zeros: "125.5".
func (d Decimal) String() string {
	if d.text == "" {
		return "0"
	}
	return d.text
}

// Fixed is the number with exactly so many decimals, "125.50", as long as it has no more: nothing is rounded.
func (d Decimal) Fixed(decimals int) string {
	s, missing := d.String(), decimals-d.Places()
	if missing <= 0 {
		return s
	}
	if d.Places() == 0 {
		s += "."
	}
	return s + strings.Repeat("0", missing)
}

// Sign is -1, 0 or 1.
func (d Decimal) Sign() int {
	switch {
	case d.text == "":
		return 0
	case d.text[0] == '-':
		return -1
	default:
		return 1
	}
}

// Cmp is -1, 0 or 1 where d is less than, equal to or greater than other.
func (d Decimal) Cmp(other Decimal) int { return d.rat().Cmp(other.rat()) }

// Add is d + other, exactly.
func (d Decimal) Add(other Decimal) Decimal { return ofRat(new(big.Rat).Add(d.rat(), other.rat())) }

// Sub is d - other, exactly.
func (d Decimal) Sub(other Decimal) Decimal { return ofRat(new(big.Rat).Sub(d.rat(), other.rat())) }

// Mul is d times other, exactly.
func (d Decimal) Mul(other Decimal) Decimal { return ofRat(new(big.Rat).Mul(d.rat(), other.rat())) }

// QuoUp is d divided by other, rounded up (away from zero) to so many decimals: what a payer has to send. By zero it
// is 0.
func (d Decimal) QuoUp(other Decimal, decimals int) Decimal {
	if other.Sign() == 0 {
		return Decimal{}
	}
	scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(decimals)), nil)
	q := new(big.Rat).Quo(d.rat(), other.rat())
	q.Mul(q, new(big.Rat).SetInt(scale))
	units, rest := new(big.Int).QuoRem(q.Num(), q.Denom(), new(big.Int))
	units.Add(units, big.NewInt(int64(rest.Sign())))
	return DecimalOf(units, decimals)
}

// QuoDown is d divided by other, rounded down (towards zero) to so many decimals: what a payee is sure of. By zero it is 0.
func (d Decimal) QuoDown(other Decimal, decimals int) Decimal {
	if other.Sign() == 0 {
		return Decimal{}
	}
	scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(decimals)), nil)
	q := new(big.Rat).Quo(d.rat(), other.rat())
	q.Mul(q, new(big.Rat).SetInt(scale))
	return DecimalOf(new(big.Int).Quo(q.Num(), q.Denom()), decimals)
}

// MarshalText writes the plain notation: in JSON a string.
func (d Decimal) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// maxKeptDigits is room for what sums and products of Decimals have.
const maxKeptDigits = 8 * MaxDecimalDigits

// UnmarshalText reads what MarshalText writes, and is wider than ParseDecimal: what was computed must be readable.
func (d *Decimal) UnmarshalText(text []byte) error {
	if len(text) > maxKeptDigits {
		return ErrOutOfRange
	}
	if !isPlainDecimal(string(text)) {
		return ErrNotANumber
	}
	*d = canonical(string(text))
	return nil
}

func (d Decimal) rat() *big.Rat {
	r, _ := new(big.Rat).SetString(d.String()) // canonical text always is a number
	return r
}

// ofRat writes a sum or product of decimals: its denominator divides a power of ten, so that it ends.
func ofRat(r *big.Rat) Decimal {
	places, _ := r.FloatPrec()
	return canonical(r.FloatString(places))
}

func canonical(text string) Decimal {
	isNegative := strings.HasPrefix(text, "-")
	whole, rest, _ := strings.Cut(strings.TrimPrefix(text, "-"), ".")
	whole, rest = strings.TrimLeft(whole, "0"), strings.TrimRight(rest, "0")
	if whole == "" && rest == "" {
		return Decimal{}
	}
	if whole == "" {
		whole = "0"
	}
	if rest != "" {
		whole += "." + rest
	}
	if isNegative {
		whole = "-" + whole
	}
	return Decimal{whole}
}

// MustDecimal is ParseDecimal for constants.
func MustDecimal(text string) Decimal {
	d, err := ParseDecimal(text)
	if err != nil {
		panic(errors.New("money: " + text + " is no decimal"))
	}
	return d
}
