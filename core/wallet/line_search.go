package wallet

import (
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/iban"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/owner"
)

// LineQuery asks for lines over all wallets of a scope, newest first. Zero fields do not narrow.
type LineQuery struct {
	core.Scope
	WalletID    int64
	Statuses    []LineStatus
	Direction   gateway.Direction
	Text        string       // see LineSearch
	Amount      money.Amount // exactly; zero: any
	MinAmount   money.Amount
	MaxAmount   money.Amount
	BookedFrom  time.Time
	BookedUntil time.Time // half open
	IDs         []core.ID // only among these, at most MaxPage; empty: among all
	core.Paging[core.ID]
}

// Cleaned returns the query as it is searched. What it cannot be searched for is told to the form.
func (q LineQuery) Cleaned(form *core.Form) LineQuery {
	if q.Text = strings.TrimSpace(q.Text); q.Text != "" && SearchLines(q.Text).IsEmpty() || utf8.RuneCountInString(q.Text) > core.MaxNameChars || !core.IsCleanText(q.Text) {
		form.Fail("text", "field.vague")
	}
	if !q.BookedFrom.IsZero() && !q.BookedUntil.IsZero() && !q.BookedFrom.Before(q.BookedUntil) {
		form.Fail("bookedUntil", "field.later", "bookedFrom")
	}
	return q
}

// LineSearch is what a text looks for among bank lines: an IBAN, or words. Every word has to be one of the line's: of the name of who
// sent the money or got it, of the bank's text, of a reference. Four digits are the last of the other side's IBAN, too.
type LineSearch struct {
	IBAN  string
	Words []string // each once, the longest first: it narrows most
}

// IsEmpty reports whether nothing is looked for.
func (s LineSearch) IsEmpty() bool { return s.IBAN == "" && len(s.Words) == 0 }

// SearchLines is what somebody has typed to find lines by.
func SearchLines(text string) LineSearch {
	if account := iban.Normalize(text); iban.HasShape(account) {
		return LineSearch{IBAN: account}
	}
	words := lineWords(text)
	slices.SortStableFunc(words, func(a, b string) int { return len(b) - len(a) })
	return LineSearch{Words: words[:min(len(words), maxSearchWords)]}
}

// Words are those under which the line is found, each once: of the name first, and then as many of the bank's text and of the
// references as there is room for.
func (l BankLine) Words() []string {
	words := lineWords(l.Party.Name + " " + l.LineID + " " + l.EndToEndID + " " + l.Text)
	return words[:min(len(words), maxLineWords)]
}

// Tail is what the other side's IBAN ends with; empty: there is none.
func (l BankLine) Tail() string {
	account := iban.Normalize(l.Party.IBAN)
	if len(account) < tailDigits || strings.Trim(account[len(account)-tailDigits:], "0123456789") != "" {
		return ""
	}
	return account[len(account)-tailDigits:]
}

// IsTail reports whether a word may be how an IBAN ends.
func IsTail(word string) bool {
	return len(word) == tailDigits && strings.Trim(word, "0123456789") == ""
}

// Bounds of what lines are found by.
const (
	maxLineWords   = 32
	maxSearchWords = 8
	minWordBytes   = 2
	maxWordBytes   = 64
	tailDigits     = 4
)

// lineWords are the words of a text, folded, each once.
func lineWords(text string) []string {
	isBetween := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.Is(unicode.Mn, r) }
	var words []string
	for _, raw := range strings.FieldsFunc(text, isBetween) {
		var word strings.Builder
		for _, r := range raw {
			if unicode.IsDigit(r) {
				word.WriteRune(r)
			} else {
				word.WriteString(owner.FoldName(string(r)))
			}
		}
		if w := word.String(); len(w) >= minWordBytes && len(w) <= maxWordBytes && !slices.Contains(words, w) {
			words = append(words, w)
		}
	}
	return words
}
