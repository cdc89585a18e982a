// Package report has what people ask about all of it: searches, statistics, customers' histories, jobs and exports.
package report

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/iban"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
)

// Lookup is one way to find payments: by something that the payment, or what was done for it, carries.
type Lookup struct {
	By   LookupKind
	Text string
}

// LookupKind is what a payment is found by.
type LookupKind string

// Kinds of lookups.
const (
	ByTrackingCode LookupKind = "tracking code"
	ByOrderID      LookupKind = "order id"
	ByReference    LookupKind = "reference"
	ByIBAN         LookupKind = "iban"
	ByUserID       LookupKind = "user id"
	ByName         LookupKind = "name"
)

// MaxSearchChars bounds what is searched for.
const MaxSearchChars = core.MaxNameChars

// minNameLetters is how many letters the longest word of a name has to have: one letter begins too many names.
const minNameLetters = 2

// Lookups are the ways in which the query names payments. All of the lists have to hold, and of each list any; the first
// list is the one that narrows most.
func (q PaymentQuery) Lookups() [][]Lookup {
	var all [][]Lookup
	for _, l := range []Lookup{
		{ByTrackingCode, q.TrackingCode}, {ByOrderID, q.OrderID}, {ByReference, q.GatewayReference}, {ByIBAN, q.IBAN},
		{ByUserID, q.UserID}, {ByName, owner.FoldName(q.Name)},
	} {
		if l.Text != "" {
			all = append(all, []Lookup{l})
		}
	}
	if q.Text != "" {
		all = append(all, TextLookups(q.Text))
	}
	return all
}

// TextLookups recognizes what somebody has typed into the one box for everything: a tracking code in any case or an IBAN
// with or without spaces is nothing else. Any other text is an order id, a reference, a user id or a name: all of them
// are looked for.
func TextLookups(text string) []Lookup {
	text = strings.TrimSpace(text)
	code := strings.ToUpper(text)
	if isTrackingCode(code) {
		return []Lookup{{ByTrackingCode, code}}
	}
	if account := iban.Normalize(text); looksLikeIBAN(account) {
		return []Lookup{{ByIBAN, account}}
	}
	lookups := []Lookup{{ByOrderID, code}, {ByReference, text}, {ByUserID, text}}
	if IsNameSearch(text) {
		lookups = append(lookups, Lookup{ByName, owner.FoldName(text)})
	}
	return lookups
}

// isTrackingCode reports whether a text in upper case is a method's prefix and 16 characters of Crockford base32.
func isTrackingCode(text string) bool {
	return slices.ContainsFunc(payment.Methods(), func(m payment.Method) bool {
		rest, ok := strings.CutPrefix(text, m.Prefix())
		return ok && len(rest) == 16 && strings.Trim(rest, core.Crockford) == ""
	})
}

// looksLikeIBAN distinguishes an IBAN, also one with wrong check digits, from other ids: two letters, then only digits for Turkey.
func looksLikeIBAN(text string) bool {
	if iban.IsValid(text) {
		return true
	}
	rest, isTurkish := strings.CutPrefix(text, "TR")
	return isTurkish && len(rest) == 24 && strings.Trim(rest, "0123456789") == ""
}

// IsNameSearch reports whether a text can be searched for in names: one of its words has two letters.
func IsNameSearch(text string) bool {
	words := strings.Fields(owner.FoldName(text))
	return slices.ContainsFunc(words, func(w string) bool { return letters(w) >= minNameLetters }) &&
		!slices.ContainsFunc(words, func(w string) bool { return strings.Contains(w, owner.Mask) })
}

func letters(word string) int { return utf8.RuneCountInString(word) }

// NameWords are the words under which a name is found, each once.
func NameWords(name string) []string {
	words := strings.Fields(owner.FoldName(name))
	slices.Sort(words)
	return slices.Compact(words)
}

// LongestWord is the word of a folded name with which a search for it begins.
func LongestWord(folded string) string {
	words := strings.Fields(folded)
	if len(words) == 0 {
		return ""
	}
	return slices.MaxFunc(words, func(a, b string) int { return letters(a) - letters(b) })
}

// HasName reports whether each of the words begins a word of the name. Both are folded.
func HasName(name, words string) bool {
	for _, w := range strings.Fields(words) {
		if !strings.Contains(" "+name, " "+w) {
			return false
		}
	}
	return true
}

// CodesOfOrder are the tracking codes that an order id can be of.
func CodesOfOrder(order string) []string {
	var codes []string
	for _, m := range payment.Methods() {
		if rest, ok := strings.CutPrefix(order, payment.OrderID(m.Prefix())); ok && rest != "" {
			codes = append(codes, m.Prefix()+rest)
		}
	}
	return codes
}
