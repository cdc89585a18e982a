package gateway

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/iban"
	"github.com/vezne/vezne/core/lang"
)

// MaxFieldChars bounds one field of a customer.
const MaxFieldChars = 191

// CheckFields takes what a customer supplied for the specs: trimmed, normalized, and checked; what no spec asks for is
// dropped. Each failed field is given.
func CheckFields(specs []FieldSpec, asset Asset, values map[string]string) (map[string]string, []fault.Field) {
	var failed []fault.Field
	taken := map[string]string{}
	for _, s := range specs {
		value, key, args := s.take(asset, strings.TrimSpace(lang.Bare(values[s.Name])))
		if key != "" {
			failed = append(failed, fault.Field{Name: s.Name, Key: key, Args: append([]any{s.Name}, args...)})
		} else if value != "" {
			taken[s.Name] = value
		}
	}
	return taken, failed
}

func (s FieldSpec) take(asset Asset, value string) (taken, key string, args []any) {
	switch {
	case value == "" && s.IsOptional:
		return "", "", nil
	case value == "":
		return "", "field.required", nil
	case !lang.IsClean(value):
		return "", "field.text", nil
	case utf8.RuneCountInString(value) > MaxFieldChars:
		return "", "field.max", []any{MaxFieldChars}
	case s.Check == CheckIBAN:
		value = iban.Normalize(value)
	case s.Check == CheckWallet || s.Check == CheckPhone || s.Check == CheckTCKN:
		value = strings.Map(func(r rune) rune {
			if unicode.IsSpace(r) || r == '-' || r == '(' || r == ')' {
				return -1
			}
			return r
		}, value)
	}
	if key, args := s.problem(asset, value); key != "" {
		return "", key, args
	}
	return value, "", nil
}

func (s FieldSpec) problem(asset Asset, value string) (key string, args []any) {
	isRight := true
	switch s.Check {
	case CheckIBAN:
		isRight, key = iban.IsValid(value), "field.iban"
	case CheckTCKN:
		isRight, key = isTCKN(value), "field.tckn"
	case CheckWallet:
		isRight, key = isDigits(value) && len(value) >= 5 && len(value) <= 20, "field.wallet"
	case CheckPhone:
		digits := strings.TrimPrefix(value, "+")
		isRight, key = isDigits(digits) && len(digits) >= 7 && len(digits) <= 15, "field.phone"
	case CheckEmail:
		isRight, key = IsEmail(value), "field.email"
	case CheckAddress:
		isRight, key, args = IsAddress(asset.Network, value), "field.address", []any{asset.String()}
	case CheckChoice:
		isRight, key, args = slices.Contains(s.Choices, value), "field.choice", []any{strings.Join(s.Choices, ", ")}
	case CheckText, CheckName:
	}
	if isRight {
		return "", nil
	}
	return key, args
}

// IsEmail reports whether a text has the shape of one plain email address.
func IsEmail(s string) bool {
	name, domain, ok := strings.Cut(s, "@")
	isPlain := func(part string) bool { return part != "" && !strings.ContainsAny(part, " ,;<>()\"@") }
	return ok && len(s) <= 254 && isPlain(name) && isPlain(domain) && strings.Contains(domain, ".") &&
		!strings.HasPrefix(domain, ".") && !strings.HasSuffix(domain, ".") && !strings.Contains(domain, "..")
}

func isDigits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// isTCKN checks a Turkish national id: eleven digits, not beginning with 0, the last two computed from the others.
func isTCKN(s string) bool {
	if len(s) != 11 || !isDigits(s) || s[0] == '0' {
		return false
	}
	odd, even, sum := 0, 0, 0
	for i := range 9 {
		d := int(s[i] - '0')
		sum += d
		if i%2 == 0 {
			odd += d
		} else {
			even += d
		}
	}
	tenth := ((odd*7-even)%10 + 10) % 10
	return int(s[9]-'0') == tenth && int(s[10]-'0') == (sum+tenth)%10
}
