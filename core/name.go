package core

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxNameWords bounds what is compared of a name: banks put addresses behind some.
const maxNameWords = 8

// NameLikeness says how much a bank's name of a person is the customer's, 0 to 100. 100: the same words, whatever their
// order, case and Turkish letters. Banks leave out second names, cut names off, write initials, and mask letters.
func NameLikeness(customer, bank string) int {
	ours, theirs := nameWords(customer), nameWords(bank)
	if len(ours) == 0 || len(theirs) == 0 {
		return 0
	}
	if len(ours) > len(theirs) {
		ours, theirs = theirs, ours
	}
	free := slices.Clone(theirs)
	sum := 0
	for _, word := range ours {
		best, at := 0, -1
		for i, other := range free {
			if l := wordLikeness(word, other); l > best {
				best, at = l, i
			}
		}
		if at < 0 {
			return 0 // a word that the other name does not have at all: somebody else
		}
		sum += best
		free = slices.Delete(free, at, at+1)
	}
	likeness := sum / len(ours)
	switch {
	case len(ours) == 1 && len(theirs) > 1:
		return likeness / 2 // one word of several: a relative, too
	case len(free) > 0:
		return min(likeness, 95) * 9 / 10 // a second name is missing on one side
	default:
		return likeness
	}
}

// wordLikeness compares two folded words of names.
func wordLikeness(a, b string) int {
	if len(a) > len(b) {
		a, b = b, a
	}
	stem, isMasked := strings.CutSuffix(strings.TrimRight(a, "*")+"*", "*")
	isMasked = isMasked && strings.HasSuffix(a, "*")
	other := strings.TrimRight(b, "*")
	switch {
	case a == b && !isMasked:
		return 100
	case strings.HasSuffix(b, "*") || isMasked:
		n := min(len(stem), len(other))
		if n > 0 && stem[:n] == other[:n] {
			return 70
		}
		return 0
	case len(a) == 1:
		if a[0] == b[0] {
			return 60 // an initial
		}
		return 0
	case len(a) >= 4 && strings.HasPrefix(b, a):
		return 85 // cut off
	case len(a) >= 5 && isOneEdit(a, b):
		return 80 // misspelt
	default:
		return 0
	}
}

// isOneEdit tells whether one letter more, less, other or swapped with its neighbour makes b of a. a is not longer.
func isOneEdit(a, b string) bool {
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	switch len(b) - len(a) {
	case 0:
		isSwap := i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
		return isSwap || i < len(a) && a[i+1:] == b[i+1:]
	case 1:
		return a[i:] == b[i+1:]
	default:
		return false
	}
}

// titles are no part of a name.
var titles = []string{"bay", "bayan", "sn", "sayin", "dr", "prof", "av", "mr", "mrs", "ms"} //nolint:gochecknoglobals // a constant

// nameWords are the folded words of a name, without titles.
func nameWords(name string) []string {
	words := strings.FieldsFunc(FoldName(name), func(r rune) bool { return r == ' ' })
	words = slices.DeleteFunc(words, func(w string) bool { return slices.Contains(titles, w) })
	return words[:min(len(words), maxNameWords)]
}

// FoldName is a name as names are compared: in lower case, Turkish letters and accents as plain ones, everything that is
// no letter or mask as a space.
func FoldName(name string) string {
	var b strings.Builder
	for len(name) > 0 {
		r, size := utf8.DecodeRuneInString(name)
		name = name[size:]
		if plain, ok := plainLetters[r]; ok {
			r = plain
		}
		switch r = unicode.ToLower(r); {
		case unicode.Is(unicode.Mn, r): // an accent of its own, as decomposed text has them
		case r >= 'a' && r <= 'z', r == '*', unicode.IsLetter(r):
			b.WriteRune(r)
		default:
			b.WriteByte(' ')
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

//nolint:gochecknoglobals // a constant
var plainLetters = map[rune]rune{
	'İ': 'i', 'I': 'i', 'ı': 'i', 'Î': 'i', 'î': 'i', 'Ş': 's', 'ş': 's', 'Ğ': 'g', 'ğ': 'g', 'Ü': 'u', 'ü': 'u',
	'Ö': 'o', 'ö': 'o', 'Ç': 'c', 'ç': 'c', 'Â': 'a', 'â': 'a', 'Û': 'u', 'û': 'u', 'Ê': 'e', 'ê': 'e',
}
