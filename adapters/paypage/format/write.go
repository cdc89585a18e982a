package format

import (
	"fmt"
	"strings"
	"time"

	"github.com/vezne/vezne/core/lang"
	"github.com/vezne/vezne/core/money"
)

// Amount writes an amount as the language's readers do: 1.250,50 ₺ or ₺1,250.50. The space does not break.
func Amount(a money.Amount, t lang.Tag) string {
	whole, decimals, _ := strings.Cut(a.String(), ".")
	text := group(whole, thousands(t)) + decimalMark(t) + decimals
	if t == lang.EN {
		return "₺" + text
	}
	return text + "\u00a0₺"
}

// PlainAmount is an amount to be typed or pasted elsewhere: no sign, no thousands, and decimals only where there are
// any, so that nothing can misread it: 1250 or 1250,50.
func PlainAmount(a money.Amount, t lang.Tag) string {
	whole, decimals, _ := strings.Cut(a.String(), ".")
	if strings.Trim(decimals, "0") == "" {
		return whole
	}
	return whole + decimalMark(t) + decimals
}

// group parts the thousands of a number's digits.
func group(digits, separator string) string {
	head := len(digits) % groupDigits
	var groups []string
	if head > 0 {
		groups = append(groups, digits[:head])
	}
	for i := head; i < len(digits); i += groupDigits {
		groups = append(groups, digits[i:i+groupDigits])
	}
	return strings.Join(groups, separator)
}

var monthsTR = [...]string{
	"Ocak", "Şubat", "Mart", "Nisan", "Mayıs", "Haziran", "Temmuz", "Ağustos", "Eylül", "Ekim", "Kasım", "Aralık",
}

// Moment writes a moment with its zone: 2 Mart 2026 12:30 (GMT+3).
func Moment(at time.Time, t lang.Tag) string {
	if t == lang.EN {
		return at.Format("2 January 2006, 15:04 ") + GMT(at)
	}
	return fmt.Sprintf("%d %s %s %s", at.Day(), monthsTR[at.Month()-1], at.Format("2006 15:04"), GMT(at))
}

// GMT names a moment's zone in the way that needs no knowledge of zones: (GMT+3).
func GMT(at time.Time) string {
	_, offset := at.Zone()
	sign := "+"
	if offset < 0 {
		sign, offset = "-", -offset
	}
	hours, minutes := offset/3600, offset%3600/60
	switch {
	case hours == 0 && minutes == 0:
		return "(GMT)"
	case minutes == 0:
		return fmt.Sprintf("(GMT%s%d)", sign, hours)
	default:
		return fmt.Sprintf("(GMT%s%d:%02d)", sign, hours, minutes)
	}
}

// Left writes a remaining time as minutes and seconds, 29:41, or hours before them.
func Left(left time.Duration) string {
	seconds := int(max(left, 0).Round(time.Second) / time.Second)
	if seconds >= 3600 {
		return fmt.Sprintf("%d:%02d:%02d", seconds/3600, seconds/60%60, seconds%60)
	}
	return fmt.Sprintf("%d:%02d", seconds/60, seconds%60)
}

// Within writes a time of whole minutes, or of whole hours.
func Within(d time.Duration, t lang.Tag) string {
	n, one, many := int(d/time.Minute), "minute", "minutes"
	if n%60 == 0 {
		n, one, many = n/60, "hour", "hours"
	}
	switch {
	case t != lang.EN:
		return fmt.Sprintf("%d %s", n, map[string]string{"minute": "dakika", "hour": "saat"}[one])
	case n == 1:
		return "1 " + one
	default:
		return fmt.Sprintf("%d %s", n, many)
	}
}
