package bank

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/vezne/vezne/core/iban"
	"github.com/vezne/vezne/core/lang"
	"github.com/vezne/vezne/core/money"
)

// maxBranchLines is how many lines of each account the branch shows.
const maxBranchLines = 20

// branchView is what the branch's template sees beside the form.
type branchView struct {
	Sent     *branchLine // what was just sent
	SentTo   string      // its account's holder
	Accounts []branchAccount
}

type branchAccount struct {
	Holder, IBAN, Balance string
	IsOpen                bool
	PayIn                 string // the form with its IBAN in it
	Lines                 []branchLine
}

// branchLine is a line in words. Moment is its time for machines.
type branchLine struct {
	At, Moment, Amount, Name, Text string
	IsIn, IsReversal               bool
}

// branchPage is the page as the accounts stand. The caller holds b.mu.
func (b *Bank) branchPage(r *http.Request, s transferForm, problems map[string]string, now time.Time) page {
	p := page{
		Lang: languageOf(r, ""), View: "branch", Root: rootFrom(r), Path: branchPath, Typed: s, Problems: problems,
		Branch: &branchView{}, kept: url.Values{},
	}
	p.choose(r)
	for field, text := range s {
		if text != "" {
			p.kept.Set(field, text)
		}
	}
	for _, a := range b.accounts {
		p.Branch.Accounts = append(p.Branch.Accounts, p.branchAccount(a, now))
		if l, ok := a.byID[r.URL.Query().Get("sent")]; ok && l.Direction == Incoming {
			line := p.branchLine(l)
			p.Branch.Sent, p.Branch.SentTo = &line, a.Holder
			p.kept.Set("sent", l.ID)
		}
	}
	return p
}

func (p page) branchAccount(a *account, now time.Time) branchAccount {
	view := branchAccount{
		Holder: a.Holder, IBAN: iban.Grouped(iban.Normalize(a.IBAN)), Balance: p.lira(a.balance(now).Total.Value), IsOpen: a.IsOpen,
		PayIn: p.Here(url.Values{"iban": {a.IBAN}}),
	}
	for _, l := range slices.Backward(a.lines[max(0, len(a.lines)-maxBranchLines):]) {
		view.Lines = append(view.Lines, p.branchLine(l))
	}
	return view
}

func (p page) branchLine(l *Line) branchLine {
	layout := "02.01.2006 15:04"
	if p.Lang == lang.EN {
		layout = "2 Jan 2006 15:04"
	}
	return branchLine{
		At: l.BookedAt.In(istanbul).Format(layout), Moment: l.BookedAt.In(istanbul).Format(time.RFC3339),
		Amount: p.lira(l.Amount.Value), Name: l.Party.Name, Text: strings.TrimPrefix(l.Text, reversalText), IsIn: l.Direction == Incoming, IsReversal: l.Reverses != "",
	}
}

// lira writes an amount as the language's readers do: 1.250,50 TRY or 1,250.50 TRY.
func (p page) lira(value money.Decimal) string {
	text, sign := value.Fixed(2), ""
	if value.Sign() < 0 {
		text, sign = text[1:], "−"
	}
	whole, cents, _ := strings.Cut(text, ".")
	group, point := ".", ","
	if p.Lang == lang.EN {
		group, point = ",", "."
	}
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + group + whole[i:]
	}
	return sign + whole + point + cents + "\u00a0" + lira
}

// IsLate reports whether the form asks for a late booking.
func (p page) IsLate() bool { return p.Typed["arrives"] == arrivesLate }
