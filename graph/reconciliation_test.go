package graph_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/ledger"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/e2e/apptest"
)

const (
	dayFields = ` wallet { id } dealerId day status reconciledAt matchedCount openCount ledgerIn ledgerOut adjusted ledgerClosing
		bankIn bankOut bankClosing isCut
		differences { kind lineId entryId transaction { trackingCode } ours theirs reason explainedBy { kind name address } explainedAt } `
	listDays = `query($wallet: String, $open: Boolean, $first: Int, $after: String) {
		reconciliations(filter: {walletId: $wallet, isOpen: $open}, first: $first, after: $after) {
			edges { cursor node { day } } nodes {` + dayFields + `} pageInfo { hasNextPage endCursor } } }`
	reconcileDay = `mutation($wallet: String!, $day: Date!) { reconcileDay(input: {walletId: $wallet, day: $day}) { reconciliation {` + dayFields + `} } }`
	explain      = `mutation($wallet: String!, $day: Date!, $kind: DifferenceKind!, $line: String, $entry: ID, $reason: String!) {
		explainDifference(input: {walletId: $wallet, day: $day, kind: $kind, lineId: $line, entryId: $entry, reason: $reason}) { reconciliation {` + dayFields + `} } }`
)

func TestGoldenReconciledDay(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.receive(t, a.Wallet, lira(25000), "Mehmet Demir", "havale")
	v := vars{"wallet": a.Wallet.WalletID, "day": a.today()}
	checkScrubbed(t, "day-agreed", a.as(t, staff.Operator, reconcileDay, v).Raw)
	s := missing(a, t)
	checkScrubbed(t, "day-open", a.as(t, staff.DealerStaff, listDays, vars{"open": true}).Raw)
	v["kind"], v["line"], v["entry"], v["reason"] = "MISSING_THERE", s.line, s.entry, "the bank took it off by mistake"
	checkScrubbed(t, "day-explained", a.as(t, staff.Operator, explain, v).Raw)
	if got := a.dayList(t, staff.Operator, vars{"open": true}); len(got) != 0 {
		t.Errorf("explained, and still open: %v", got)
	}
	// What is explained stays so when the day is compared again, and the day as a whole is not what it was.
	answer := a.as(t, staff.Admin, reconcileDay, v)
	if !strings.Contains(answer.Raw, `"status":"EXPLAINED"`) || !strings.Contains(answer.Raw, "by mistake") {
		t.Errorf("compared again: %s", answer.Raw)
	}
}

const adjust = `mutation($wallet: String!, $day: Date!, $amount: Decimal!, $reason: String!) {
	adjustDifference(input: {walletId: $wallet, day: $day, amount: $amount, reason: $reason}) {
		reconciliation {` + dayFields + `} entry { id kind at available reserved outside lineId note day
			bookedBy { kind name address } transaction { trackingCode } } } }`

func TestGoldenAdjustedDay(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	s := unsettled(a, t)
	v := vars{"wallet": a.Wallet.WalletID, "day": firstDay(a), "amount": s.amount, "reason": "the bank's yearly fee"}
	checkScrubbed(t, "day-adjusted", a.as(t, staff.Finance, adjust, v).Raw)
	entries := a.as(t, staff.DealerStaff, `query($wallet: ID!) { wallet(id: $wallet) { balance entries { nodes {
		kind available note day bookedBy { name } } } } }`, vars{"wallet": a.Wallet.WalletID})
	checkScrubbed(t, "wallet-adjusted", entries.Raw)
	for _, code := range []string{"NOT_FOUND", "NOT_FOUND"} { // it agrees, whoever asks again
		if got := a.as(t, staff.Admin, adjust, v); got.code() != code {
			t.Errorf("adjusted again: %s", got.Raw)
		}
	}
	if got := a.as(t, staff.Operator, reconcileDay, vars{"wallet": a.Wallet.WalletID, "day": a.today()}); !strings.Contains(got.Raw, `"status":"AGREED"`) {
		t.Errorf("the day after is %s", got.Raw)
	}
}

// TestAnAdjustmentIsBookedWhenASecondPersonApprovesIt, with the name of who asked; where it would be another one by then it
// is not.
func TestAnAdjustmentIsBookedWhenASecondPersonApprovesIt(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	s := unsettled(a, t)
	a.rule(t, core.GuardAdjustment, 0)
	ask := func(amount string) string {
		return waits(t, a.as(t, staff.Finance, adjust, vars{
			"wallet": a.Wallet.WalletID, "day": firstDay(a), "amount": amount, "reason": "the bank's yearly fee",
		}))
	}
	stale := ask(s.amount)
	s = unsettled(a, t) // one more fee
	if got := a.as(t, staff.Admin, approveIt, vars{"id": stale}).code(); got != "APPROVAL_STALE" && got != "INVALID" {
		t.Errorf("approving what it does not come to any more: %q", got)
	}
	entries := func() (all []ledger.Entry) {
		all, err := a.Store.Entries(t.Context(), a.Wallet.ID, core.Paging[core.ID]{Limit: 9})
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	id := ask(s.amount)
	if got := len(entries()); got != 1 {
		t.Errorf("before anybody approves it there are %d entries", got)
	}
	if got := a.as(t, staff.Admin, approveIt, vars{"id": id}); got.code() != "" {
		t.Fatal(got.Raw)
	}
	e := entries()[0]
	if e.Kind != ledger.EntryAdjustment || e.Available.String() != "-2.00" || e.BookedBy.Name != "finance@vezne.test" {
		t.Errorf("the entry is %+v", e)
	}
}

func TestAdjustingRefuses(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	s := unsettled(a, t)
	for name, c := range map[string]struct {
		vars        vars
		code, field string
	}{
		"no such wallet":    {vars{"wallet": "W-1"}, "NOT_FOUND", ""},
		"tomorrow":          {vars{"day": "2026-03-09"}, "INVALID", "day"},
		"a day not over":    {vars{"day": a.today()}, "NOT_ADJUSTABLE", ""},
		"not a day":         {vars{"day": "today"}, "INVALID", "day"},
		"no reason":         {vars{"reason": " "}, "INVALID", "reason"},
		"a long reason":     {vars{"reason": strings.Repeat("x", 501)}, "INVALID", "reason"},
		"more":              {vars{"amount": "-1.01"}, "INVALID", "amount"},
		"the other way":     {vars{"amount": "1.00"}, "INVALID", "amount"},
		"no amount at all":  {vars{"amount": "one"}, "INVALID", "amount"},
		"parts of a kurush": {vars{"amount": "-1.001"}, "INVALID", "amount"},
	} {
		v := vars{"wallet": a.Wallet.WalletID, "day": firstDay(a), "amount": s.amount, "reason": "why"}
		for name, value := range c.vars {
			v[name] = value
		}
		answer := a.as(t, staff.Finance, adjust, v)
		if field, _ := answer.field(); answer.code() != c.code || field != c.field {
			t.Errorf("%s: got %s", name, answer.Raw)
		}
	}
}

func TestReconcilingRefuses(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	s := missing(a, t)
	for name, c := range map[string]struct {
		query string
		vars  vars
		code  string
		field string
	}{
		"tomorrow":                   {reconcileDay, vars{"day": "2026-03-03"}, "INVALID", "day"},
		"before the wallet":          {reconcileDay, vars{"day": "2026-03-01"}, "INVALID", "day"},
		"not a day":                  {reconcileDay, vars{"day": "today"}, "INVALID", "day"},
		"no such wallet":             {reconcileDay, vars{"wallet": "W-1"}, "NOT_FOUND", ""},
		"explain, no wallet":         {explain, vars{"wallet": ""}, "NOT_FOUND", ""},
		"explain, no day":            {explain, vars{"day": "2026-03-05"}, "NOT_FOUND", ""},
		"explain, another kind":      {explain, vars{"kind": "BALANCE_DIFFERS"}, "NOT_FOUND", ""},
		"explain, no such kind":      {explain, vars{"kind": "missing_there"}, "INVALID", "kind"},
		"explain, another line":      {explain, vars{"line": "nowhere"}, "NOT_FOUND", ""},
		"explain, without the entry": {explain, vars{"entry": nil}, "NOT_FOUND", ""},
		"explain, no reason":         {explain, vars{"reason": "  "}, "INVALID", "reason"},
		"explain, a long reason":     {explain, vars{"reason": strings.Repeat("x", 501)}, "INVALID", "reason"},
	} {
		v := vars{
			"wallet": a.Wallet.WalletID, "day": a.today(), "kind": "MISSING_THERE", "line": s.line, "entry": s.entry, "reason": "why",
		}
		for name, value := range c.vars {
			v[name] = value
		}
		answer := a.as(t, staff.Operator, c.query, v)
		if field, _ := answer.field(); answer.code() != c.code || field != c.field {
			t.Errorf("%s: got %s", name, answer.Raw)
		}
	}
	a.Bank.Fault = func(gateway.Capability, gateway.Ref) apptest.Fault { return apptest.Broken }
	if answer := a.as(t, staff.Admin, reconcileDay, vars{"wallet": a.Wallet.WalletID, "day": a.today()}); answer.code() != "GATEWAY_FAILED" {
		t.Errorf("while the bank is down: got %s", answer.Raw)
	}
}

func TestReconciledDayPagesAndFilters(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	for range 4 {
		a.Clock.Advance(24 * time.Hour)
		a.readStatements(t)
	}
	a.signIn(t)
	want := []string{"2026-03-05", "2026-03-04", "2026-03-03", "2026-03-02", "2026-03-01"}
	if got := a.dayList(t, staff.Admin, vars{"wallet": a.Wallet.WalletID, "first": 2}); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got := a.dayList(t, staff.DealerStaff, vars{}); !slices.Equal(got, want) {
		t.Errorf("the dealer's staff see %v, want %v", got, want)
	}
	if got := a.dayList(t, staff.Admin, vars{"first": 3}); len(got) != 2*len(want) {
		t.Errorf("of both wallets there are %v", got)
	}
	var wallet struct {
		Days struct {
			Nodes []struct{ Day, Status, BankClosing string }
		}
	}
	query := `query($wallet: ID!, $after: String) { wallet(id: $wallet) { days(first: 2, after: $after) {
		nodes { day status bankClosing } } } }`
	a.as(t, staff.DealerStaff, query, vars{"wallet": a.Wallet.WalletID}).into(t, "wallet", &wallet)
	if n := wallet.Days.Nodes; len(n) != 2 || n[0].Day != want[0] || n[0].Status != "AGREED" || n[0].BankClosing != "10000.00" {
		t.Errorf("the wallet has the days %+v", n)
	}
	for name, v := range map[string]vars{
		"first": {"first": 0}, "after": {"wallet": a.Wallet.WalletID, "after": "x"},
	} {
		answer := a.as(t, staff.Admin, listDays, v)
		if field, _ := answer.field(); answer.code() != "INVALID" || field != name {
			t.Errorf("a bad %s: got %s", name, answer.Raw)
		}
	}
}

// dayList reads every page of a list of reconciled days.
func (a *api) dayList(t *testing.T, role staff.Role, v vars) []string {
	t.Helper()
	var days []string
	for {
		var page struct {
			Nodes    []struct{ Day string }
			PageInfo struct {
				HasNextPage bool
				EndCursor   string
			}
		}
		a.as(t, role, listDays, v).into(t, "reconciliations", &page)
		for _, n := range page.Nodes {
			days = append(days, n.Day)
		}
		if !page.PageInfo.HasNextPage {
			return days
		}
		v["after"] = page.PageInfo.EndCursor
	}
}
