package bank

import (
	"hash/fnv"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/vezne/vezne/core/iban"
	"github.com/vezne/vezne/core/money"
)

// The branch: a page where a person sees the bank's accounts and pays into them as a customer of another bank would, for
// who tries out a deposit by IBAN and has no bank to pay it from.

const branchPath = "/branch"

func (b *Bank) routeBranch() {
	if !b.config.HasBranch {
		return
	}
	origin := http.NewCrossOriginProtection()
	for _, method := range []string{http.MethodGet, http.MethodPost} {
		b.mux.Handle(method+" "+branchPath, origin.Handler(http.HandlerFunc(b.serveBranch)))
	}
}

func (b *Bank) serveBranch(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, maxFormBytes)
	if err := r.ParseForm(); err != nil {
		b.renderFailure(w, r, http.StatusBadRequest)
		return
	}
	p, status := b.branch(r)
	b.answer(w, r, p, status)
}

// branch lets a visitor act, with the bank to itself, and returns the page as it is then.
func (b *Bank) branch(r *http.Request) (page, int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.catchUp()
	switch {
	case b.outage.problem(now) != nil:
		return page{}, http.StatusServiceUnavailable
	case r.Method != http.MethodPost:
		return b.branchPage(r, transferFormOf(r.URL.Query()).proposed(), nil, now), http.StatusOK
	}
	s := transferFormOf(r.PostForm)
	a, line, problems := b.readTransferForm(s, now)
	p := b.branchPage(r, s, problems, now)
	if len(problems) == 0 {
		p.goTo = p.Here(url.Values{"sent": {b.enter(a, line, now).ID}})
	}
	return p, http.StatusOK
}

// transferForm is a transfer from another bank as it was typed, by field.
type transferForm map[string]string

// Bounds of a form.
const (
	minNameChars    = 2
	maxNameChars    = 100
	maxTransferText = 140 // of what banks take as a transfer's text
	maxTypedIBAN    = 64  // with its blanks
)

// When a transfer arrives. A late one is booked into the day before, as banks do it when they have not kept up.
const (
	arrivesNow  = "now"
	arrivesLate = "late"
	lateBy      = 24 * time.Hour
)

func transferFormOf(form url.Values) transferForm {
	s := transferForm{}
	for _, field := range []string{"iban", "name", "amount", "text", "from", "arrives"} {
		s[field] = strings.TrimSpace(strings.ToValidUTF8(form.Get(field), ""))
	}
	return s
}

// proposed is a form that a link has filled in, without what nobody would type.
func (s transferForm) proposed() transferForm {
	for field, text := range s {
		if !isText(text) {
			delete(s, field)
		}
	}
	return s
}

// readTransferForm returns the account and the line that a form orders, or what is wrong with it, by field.
func (b *Bank) readTransferForm(s transferForm, now time.Time) (*account, Line, map[string]string) {
	problems := map[string]string{}
	note := func(field, problem string) {
		if problem != "" {
			problems[field] = problem
		}
	}
	a, problem := b.payee(s["iban"])
	note("iban", problem)
	from, problem := b.payer(s["from"], s["name"])
	note("from", problem)
	amount, ok := readLira(s["amount"])
	if !ok {
		note("amount", "problem.amount")
	}
	if n := utf8.RuneCountInString(s["name"]); n < minNameChars || n > maxNameChars || !isText(s["name"]) {
		note("name", "problem.name")
	}
	if utf8.RuneCountInString(s["text"]) > maxTransferText || !isText(s["text"]) {
		note("text", "problem.text")
	}
	line := Line{
		Direction: Incoming, Amount: ofLira(amount), BookedAt: now, Text: s["text"], Party: Party{Name: s["name"], IBAN: from},
	}
	switch s["arrives"] {
	case arrivesNow, "":
	case arrivesLate:
		line.BookedAt = now.Add(-lateBy)
	default:
		note("arrives", "problem.arrives")
	}
	return a, line, problems
}

// payee finds the account that an IBAN was typed of, or says why there is none.
func (b *Bank) payee(typed string) (*account, string) {
	a := b.accountWith(typed)
	switch {
	case a == nil && !isIBAN(typed):
		return nil, "problem.iban"
	case a == nil:
		return nil, "problem.stranger"
	case !a.IsOpen:
		return nil, "problem.closed"
	case a.isFull():
		return nil, "problem.full"
	default:
		return a, ""
	}
}

// payer returns the IBAN that the money comes from: another bank's. Everybody has one of their own there, so that whoever
// knows senders by their IBAN takes nobody for somebody else.
func (b *Bank) payer(typed, name string) (string, string) {
	switch {
	case typed == "":
		sum := fnv.New64a()
		_, _ = io.WriteString(sum, name)
		return TurkishIBAN("99990", strconv.FormatUint(sum.Sum64()%1_000_000_000, 10)), ""
	case !isIBAN(typed):
		return "", "problem.iban"
	case b.accountWith(typed) != nil:
		return "", "problem.own"
	default:
		return iban.Normalize(typed), ""
	}
}

// accountWith finds the account of an IBAN; nil: none of this bank has it.
func (b *Bank) accountWith(typed string) *account {
	if len(typed) > maxTypedIBAN {
		return nil
	}
	for _, a := range b.accounts {
		if iban.Normalize(a.IBAN) == iban.Normalize(typed) {
			return a
		}
	}
	return nil
}

func isIBAN(typed string) bool {
	return len(typed) <= maxTypedIBAN && iban.IsValid(iban.Normalize(typed))
}

// Amounts as people type them: 1250, 1250,50 and 1250.50, and with thousands where the decimals show which separator
// is which. "1.250" could mean two amounts: it is none.
var (
	plainLira   = regexp.MustCompile(`^[0-9]{1,8}(?:[.,][0-9]{1,2})?$`)
	turkishLira = regexp.MustCompile(`^[1-9][0-9]{0,2}(?:\.[0-9]{3}){1,2},[0-9]{1,2}$`)
	englishLira = regexp.MustCompile(`^[1-9][0-9]{0,2}(?:,[0-9]{3}){1,2}\.[0-9]{1,2}$`)
)

// readLira reads an amount that a transfer may have.
func readLira(typed string) (money.Decimal, bool) {
	for _, mark := range []string{"₺", "TL", lira} {
		typed = strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(typed, mark), mark))
	}
	switch {
	case plainLira.MatchString(typed):
	case turkishLira.MatchString(typed):
		typed = strings.ReplaceAll(typed, ".", "")
	case englishLira.MatchString(typed):
		typed = strings.ReplaceAll(typed, ",", "")
	default:
		return money.Decimal{}, false
	}
	amount, err := money.ParseDecimal(strings.ReplaceAll(typed, ",", "."))
	return amount, err == nil && amount.Sign() > 0 && amount.Cmp(money.MustDecimal(maxOrderLira)) <= 0
}
