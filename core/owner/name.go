package owner

import (
	"slices"
	"strings"
	"unicode"
)

// Bounds of what is compared of a name: banks put addresses behind some.
const (
	maxNameWords   = 8
	maxFoldedBytes = 256
)

// How much two words of a name are alike, in percent. Same letters are all of it, anything else but these is nothing.
const (
	cutLikeness      = 85 // the one begins as the other: a bank has cut it off
	misspeltLikeness = 70
	maskedLikeness   = 70 // the letters that the bank shows are the same
	initialLikeness  = 60 // no more than the first letter is known
	extraWordCosts   = 10 // off a name's likeness, for each word that only one of the two has
	oneWordLikeness  = 50 // at most, of a name of one word: a first name is many people's
)

// NameLikeness says how much a bank's name of a person is the customer's, 0 to 100. 100: the same words, at least two,
// whatever their order, case and Turkish letters. Banks leave out second names, cut names off, write initials, and mask
// letters. A word for which the longer name has nothing alike makes it somebody else's: 0. It does not matter which of the
// two names is the bank's.
func NameLikeness(customer, bank string) int {
	few, many := NameParts(customer), NameParts(bank)
	if len(few) > len(many) {
		few, many = many, few
	}
	if len(few) == 0 {
		return 0
	}
	likeness := pairWords(few, many)/len(few) - extraWordCosts*(len(many)-len(few))
	if len(few) == 1 {
		likeness = min(likeness, oneWordLikeness)
	}
	return max(likeness, 0)
}

// pairWords returns each of the few words another one of the many, so that the likenesses add up to the most, and gives that
// sum; 0 where a word has none.
func pairWords(few, many []string) int {
	sums := map[int]int{0: 0} // the greatest by which of the many are taken, a bit each
	for _, word := range few {
		next := map[int]int{}
		for taken, sum := range sums {
			for i, other := range many {
				if l := wordLikeness(word, other); l > 0 && taken>>i&1 == 0 {
					next[taken|1<<i] = max(next[taken|1<<i], sum+l)
				}
			}
		}
		sums = next
	}
	best := 0
	for _, sum := range sums {
		best = max(best, sum)
	}
	return best
}

// wordLikeness compares two folded words of names. What is short is not called cut off or misspelt: "Ali" is no "Alican",
// "Emin" no "Emine", and "Hakan" no "Hasan".
func wordLikeness(a, b string) int {
	if len(a) > len(b) {
		a, b = b, a
	}
	switch {
	case strings.Contains(a+b, Mask):
		return maskedWordLikeness(a, b)
	case a == b:
		return 100
	case len(a) == 1 && a[0] == b[0]:
		return initialLikeness
	case len(a) >= 4 && len(a)+1 < len(b) && strings.HasPrefix(b, a):
		return cutLikeness
	case len(a) >= 6 && isOneEdit(a, b):
		return misspeltLikeness
	default:
		return 0
	}
}

// maskedWordLikeness compares what two words show at their ends. How many letters a mask stands for says nothing: many
// banks write the same number for every name.
func maskedWordLikeness(a, b string) int {
	headA, tailA := wordEnds(a)
	headB, tailB := wordEnds(b)
	head, tail := min(len(headA), len(headB)), min(len(tailA), len(tailB))
	isSame := headA[:head] == headB[:head] && tailA[len(tailA)-tail:] == tailB[len(tailB)-tail:]
	switch {
	case !isSame || head+tail == 0:
		return 0
	case head+tail == 1:
		return initialLikeness
	default:
		return maskedLikeness
	}
}

// wordEnds are the letters before and behind a word's masks; of a word without any, all of them, twice.
func wordEnds(word string) (head, tail string) {
	head, _, _ = strings.Cut(word, Mask)
	return head, word[strings.LastIndex(word, Mask)+1:]
}

// isOneEdit reports whether one letter more, another one, or two neighbours swapped make b of a. a is not longer.
func isOneEdit(a, b string) bool {
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	if len(a) < len(b) {
		return a[i:] == b[i+1:]
	}
	isSwap := i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
	return isSwap || i < len(a) && a[i+1:] == b[i+1:]
}

// titles are no part of a name.
var titles = []string{"bay", "bayan", "sn", "sayin", "dr", "prof", "doc", "av", "mr", "mrs", "ms"}

// NameParts are the folded words of a name, without titles and what shows no letter.
func NameParts(name string) []string {
	words := slices.DeleteFunc(strings.Fields(FoldName(name)), func(w string) bool {
		return slices.Contains(titles, w) || strings.Trim(w, Mask) == ""
	})
	return words[:min(len(words), maxNameWords)]
}

// Mask stands for letters that a name does not show: hidden by the bank, or lost on the way from its character set.
const Mask = "*"

// FoldName is a name as names are compared: in lower case, with plain letters for Turkish and accented ones, single spaces
// for everything that is no letter or mask, and no more than its first 256 bytes. Folded again it stays as it is.
func FoldName(name string) string {
	var folded strings.Builder
	gap := ""
	for _, r := range name {
		if unicode.Is(unicode.Mn, r) {
			continue // an accent of its own, as decomposed text has them
		}
		letter := plainLetter(unicode.ToLower(r))
		if letter == "" {
			gap = " "
			continue
		}
		if folded.Len() == 0 {
			gap = ""
		}
		if folded.Len()+len(gap)+len(letter) > maxFoldedBytes {
			break
		}
		folded.WriteString(gap + letter)
		gap = ""
	}
	return folded.String()
}

// plainLetter is what is written for a letter in lower case; nothing for what is none.
func plainLetter(r rune) string {
	switch {
	case r >= 'a' && r <= 'z':
		return string(r)
	case strings.ContainsRune("*?#•\uFFFD", r): // U+FFFD: a byte that was no text
		return Mask
	case !unicode.IsLetter(r):
		return ""
	}
	for _, l := range plainLetters {
		if strings.ContainsRune(l.accented, r) {
			return l.plain
		}
	}
	return string(r)
}

// plainLetters are the letters of Turkish, of its neighbours and of Europe. þ and ð are none of Turkish: they stand where
// ş and ğ were read in the wrong character set.
var plainLetters = []struct{ plain, accented string }{
	{"a", "àáâãäåāăą"}, {"ae", "æ"}, {"c", "çćĉċč"}, {"d", "ďđ"}, {"e", "èéêëēĕėęěə"}, {"g", "ğĝġģǧð"}, {"h", "ĥħ"},
	{"i", "ıìíîïĩīĭį"}, {"j", "ĵ"}, {"k", "ķ"}, {"l", "ĺļľł"}, {"n", "ñńņňŋ"}, {"o", "öòóôõøōŏő"}, {"oe", "œ"},
	{"r", "ŕŗř"}, {"s", "şśŝšșþ"}, {"ss", "ß"}, {"t", "ţťŧț"}, {"u", "üùúûũūŭůűų"}, {"w", "ŵ"}, {"y", "ýÿŷ"},
	{"z", "źżž"},
}
