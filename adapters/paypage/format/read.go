// Package format writes amounts and moments as people do in each language, and reads the amounts that they type.
package format

import (
	"errors"
	"strings"

	"github.com/vezne/vezne/core/lang"
	"github.com/vezne/vezne/core/money"
)

// Problem says why an amount was not taken; its sentence is problem.<problem>.
type Problem string

// Problems with an amount.
const (
	NoProblem  Problem = ""
	Empty      Problem = "empty"
	Unreadable Problem = "format"
	Ambiguous  Problem = "ambiguous"
	TooPrecise Problem = "decimals"
	TooLarge   Problem = "large"
	TooSmall   Problem = "small"
	NoAccount  Problem = "no_account"
)

// Problems are those that a link to the amount form may carry.
func Problems() []Problem {
	return []Problem{Empty, Unreadable, Ambiguous, TooPrecise, TooLarge, TooSmall, NoAccount}
}

// groupDigits is how many digits stand between thousands separators.
const groupDigits = 3

// ParseAmount reads an amount as people type it: digits with a point or a comma before at most two decimals, with or
// without thousands separators and the lira's sign or name. It never guesses. "1.250" and "1,250" are twelve hundred
// and fifty only where the page's language writes thousands that way; in the other language they are ambiguous, and
// refused. So is everything else that could mean two amounts.
func ParseAmount(text string, t lang.Tag) (money.Amount, Problem) {
	text = withoutCurrency(text)
	switch {
	case text == "":
		return money.Amount{}, Empty
	case strings.Trim(text, "0123456789.,\u00a0\u202f ") != "":
		return money.Amount{}, Unreadable
	case len(text) > money.MaxTextBytes:
		return money.Amount{}, TooLarge
	}
	text = strings.NewReplacer("\u00a0", " ", "\u202f", " ").Replace(text)
	whole, decimals, problem := splitAmount(text, t)
	if problem != NoProblem {
		return money.Amount{}, problem
	}
	return exact(whole, decimals)
}

// withoutCurrency takes the lira's sign or name off either end.
func withoutCurrency(text string) string {
	text = strings.TrimSpace(text)
	for _, mark := range []string{"₺", "TL", "TRY", "lira"} {
		if n := len(mark); len(text) > n && strings.EqualFold(text[:n], mark) {
			return strings.TrimSpace(text[n:])
		}
		if at := len(text) - len(mark); at > 0 && strings.EqualFold(text[at:], mark) {
			return strings.TrimSpace(text[:at])
		}
	}
	return text
}

// splitAmount separates the whole part from the decimals, or returns why that cannot be done. Its text holds nothing but digits,
// points, commas and spaces.
func splitAmount(text string, t lang.Tag) (whole, decimals string, why Problem) {
	at := strings.LastIndexAny(text, ".,")
	if at < 0 {
		whole, ok := ungroup(text, " ")
		return whole, "", unless(ok)
	}
	separator, head, tail := text[at:at+1], text[:at], text[at+1:]
	if !isDigits(tail) {
		return "", "", Unreadable
	}
	if strings.Contains(head, separator) { // twice or more: it can only part thousands
		whole, ok := ungroup(text, separator)
		return whole, "", unless(ok)
	}
	if other := strings.Trim(head, "0123456789"); other != "" { // another one parts thousands: these are decimals
		whole, ok := ungroup(head, other[:1])
		return whole, tail, unless(ok)
	}
	if len(tail) == groupDigits {
		whole, ok := ungroup(text, separator)
		if ok && separator == thousands(t) {
			return whole, "", NoProblem
		}
		if ok {
			return "", "", Ambiguous
		}
	}
	return head, tail, unless(isDigits(head))
}

// ungroup joins thousands that a separator parts. A text with separators anywhere else, or with leading zeros before
// them, is not grouped.
func ungroup(text, separator string) (whole string, ok bool) {
	first, rest, isGrouped := strings.Cut(text, separator)
	if !isGrouped {
		return text, isDigits(text)
	}
	if len(first) > groupDigits || !isDigits(first) || first[0] == '0' {
		return "", false
	}
	for group := range strings.SplitSeq(rest, separator) {
		if len(group) != groupDigits || !isDigits(group) {
			return "", false
		}
		first += group
	}
	return first, true
}

func exact(whole, decimals string) (money.Amount, Problem) {
	text := whole
	if decimals != "" {
		text += "." + decimals
	}
	amount, err := money.ParseText(text, money.TRY)
	switch {
	case errors.Is(err, money.ErrTooPrecise):
		return money.Amount{}, TooPrecise
	case errors.Is(err, money.ErrOutOfRange):
		return money.Amount{}, TooLarge
	case err != nil:
		return money.Amount{}, Unreadable
	}
	return amount, NoProblem
}

func unless(ok bool) Problem {
	if ok {
		return NoProblem
	}
	return Unreadable
}

func isDigits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// thousands is what a language writes between thousands, and decimalMark what it writes before decimals.
func thousands(t lang.Tag) string {
	if t == lang.EN {
		return ","
	}
	return "."
}

func decimalMark(t lang.Tag) string {
	if t == lang.EN {
		return "."
	}
	return ","
}
