package money

import (
	"errors"
	"math/big"
	"strconv"
	"strings"

	"github.com/ericlagergren/decimal"
)

// Why a text is not an amount.
var (
	ErrNotANumber    = errors.New("not a number")
	ErrTooPrecise    = errors.New("more decimals than the currency has")
	ErrOutOfRange    = errors.New("out of range")
	errUnexpectedNaN = errors.New("decimal: not finite")
)

// MaxTextBytes bounds the text of an amount, so that a hostile number costs constant time and memory.
const MaxTextBytes = 40

// maxExponent bounds |e| of scientific notation; MaxMinor needs no more than 11.
const maxExponent = 20

// ParseNumber reads a JSON number's text ("250", "250.5", "2.5e2"). More decimals than the currency has is
// ErrTooPrecise, never rounded, and trailing zeros count: 100.000 may mean a hundred thousand to its sender.
func ParseNumber(text string, c Currency) (Amount, error) {
	mantissa, exponent, err := splitExponent(text)
	if err != nil {
		return Amount{}, err
	}
	return parse(mantissa, exponent, c)
}

// ParseText reads a decimal string ("250.00"): digits with an optional minus and point, no exponent.
func ParseText(text string, c Currency) (Amount, error) { return parse(text, 0, c) }

func splitExponent(text string) (mantissa string, exponent int, err error) {
	i := strings.IndexAny(text, "eE")
	if i < 0 {
		return text, 0, nil
	}
	exponent, err = strconv.Atoi(text[i+1:]) // beyond int it returns the greatest or the smallest one
	switch {
	case errors.Is(err, strconv.ErrSyntax):
		return "", 0, ErrNotANumber
	case exponent > maxExponent:
		return "", 0, ErrOutOfRange
	case exponent < -maxExponent:
		return "", 0, ErrTooPrecise
	}
	return text[:i], exponent, nil
}

func parse(mantissa string, exponent int, c Currency) (Amount, error) {
	if len(mantissa) > MaxTextBytes {
		return Amount{}, ErrOutOfRange
	}
	if !isPlainDecimal(mantissa) {
		return Amount{}, ErrNotANumber
	}
	d, ok := new(decimal.Big).SetString(mantissa)
	if !ok || !d.IsFinite() {
		return Amount{}, errors.Join(ErrNotANumber, errUnexpectedNaN)
	}
	d.SetScale(d.Scale() - exponent)
	if d.Scale() > c.Decimals {
		return Amount{}, ErrTooPrecise
	}
	return fromDecimal(d, c)
}

// fromDecimal takes a value whose scale fits the currency into minor units.
func fromDecimal(d *decimal.Big, c Currency) (Amount, error) {
	minor := new(decimal.Big).Copy(d)
	minor.SetScale(d.Scale() - c.Decimals) // times 10^decimals, exactly
	whole := minor.Int(new(big.Int))
	if !whole.IsInt64() || whole.Int64() > MaxMinor || whole.Int64() < -MaxMinor {
		return Amount{}, ErrOutOfRange
	}
	return New(whole.Int64(), c), nil
}

// isPlainDecimal: optional minus, digits, optionally a point with digits after it.
func isPlainDecimal(s string) bool {
	s = strings.TrimPrefix(s, "-")
	whole, rest, hasPoint := strings.Cut(s, ".")
	return isDigits(whole) && (!hasPoint || isDigits(rest))
}

func isDigits(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}
