// Package iban holds the rules of International Bank Account Numbers (ISO 13616).
package iban

import (
	"strings"

	"github.com/jacoelho/banking/iban"
)

// Lengths that the contract accepts on E4, E6 and E11.
const (
	MinLength = 15
	MaxLength = 34
)

// Normalize removes spaces and upper-cases, as the contract reads an IBAN. Only a to z are: a Turkish ı is no letter of
// an IBAN and must not become one.
func Normalize(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' {
			return r - 'a' + 'A'
		}
		return r
	}, strings.Join(strings.Fields(s), ""))
}

// HasShape reports whether a normalized text is 15 to 34 letters and digits: the only rule that rejects on E4, E6, E11.
func HasShape(s string) bool {
	if len(s) < MinLength || len(s) > MaxLength {
		return false
	}
	for i := 0; i < len(s); i++ {
		if (s[i] < '0' || s[i] > '9') && (s[i] < 'A' || s[i] > 'Z') {
			return false
		}
	}
	return true
}

// IsValid reports whether a normalized text has its country's length and a correct mod-97 check.
func IsValid(s string) bool { return HasShape(s) && iban.Validate(s) == nil }

// Grouped is the IBAN in groups of four characters separated by spaces.
func Grouped(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i += 4 {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(s[i:min(i+4, len(s))])
	}
	return b.String()
}
