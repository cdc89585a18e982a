package graph_test

import (
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/core/wallet"
)

const (
	lineFields = ` lineId wallet { id } direction amount currency bookedAt importedAt text counterpartyName
		counterpartyIban endToEndId reversesLineId status note transaction { trackingCode status }
		candidates { transaction { trackingCode amount customer { fullname } } score evidence } `
	listLines = `query($filter: BankLineFilter, $first: Int, $after: String) {
		bankLines(filter: $filter, first: $first, after: $after) {
			edges { cursor node { lineId } } nodes {` + lineFields + `} pageInfo { hasNextPage endCursor } } }`
	credit = `mutation($wallet: String!, $line: String!, $code: String!, $reason: String) {
		creditBankLine(input: {walletId: $wallet, lineId: $line, trackingCode: $code, reason: $reason}) { bankLine {` + lineFields + `} } }`
	setAside = `mutation($wallet: String!, $line: String!, $reason: String!) {
		setAsideBankLine(input: {walletId: $wallet, lineId: $line, reason: $reason}) { bankLine { lineId status note } } }`
	bringBack = `mutation($wallet: String!, $line: String!, $reason: String!) {
		bringBackBankLine(input: {walletId: $wallet, lineId: $line, reason: $reason}) { bankLine { lineId status note candidates { score } } } }`
)

func TestGoldenBankLines(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	first := a.shown(t, lira(25000))
	a.Clock.Advance(time.Second)
	a.shown(t, lira(25000))
	l := a.receive(t, a.Wallet, lira(25000), "Mehmet Demir", "ödeme")
	certain := a.shown(t, lira(70000))
	a.receive(t, a.Wallet, lira(70000), "Ayşe Yılmaz", "ref "+certain.TrackingCode)
	a.receive(t, a.OtherWallet, lira(5000), "Ali Veli", "borç")
	checkScrubbed(t, "bank-lines", a.as(t, staff.Operator, listLines, nil).Raw)
	v := vars{"wallet": a.Wallet.WalletID, "line": l.LineID, "code": first.TrackingCode, "reason": " by  phone "}
	checkScrubbed(t, "bank-line-credited", a.as(t, staff.DealerStaff, credit, v).Raw)
	query := `query($code: String!) { transaction(trackingCode: $code) { status amount reason bankLines { lineId status amount }
		history { nodes { command from to reason actor { kind name } } } callbacks { kind status } } }`
	checkScrubbed(t, "deposit-credited", a.as(t, staff.DealerStaff, query, vars{"code": first.TrackingCode}).Raw)
	checkScrubbed(t, "deposit-matched", a.as(t, staff.DealerStaff, query, vars{"code": certain.TrackingCode}).Raw)
}

func TestALineIsCreditedOnce(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	s, other := doubtful(a, t), a.shown(t, lira(25000))
	codes := make(chan string, 30)
	var member sync.WaitGroup
	for i := range cap(codes) {
		code := []string{s.TrackingCode, other.TrackingCode}[i%2]
		member.Go(func() {
			v := vars{"wallet": a.Wallet.WalletID, "line": s.line, "code": code}
			codes <- a.as(t, staff.Operator, credit, v).code()
		})
	}
	member.Wait()
	close(codes)
	got := map[string]int{}
	for code := range codes {
		got[code]++
	}
	if got[""] != 1 || got["NOT_ALLOWED_IN_STATUS"]+got["ALREADY_FINAL"] != 29 {
		t.Errorf("thirty credits of one line were answered %v", got)
	}
	done := 0
	for _, p := range []payment.Payment{s.Payment, other} {
		if a.Reload(t, p).Status == payment.Completed {
			done++
		}
	}
	if l := a.line(t, a.Wallet, s.line); done != 1 || l.Status != wallet.LineMatched {
		t.Errorf("%d deposits are completed, the line is %s", done, l.Status)
	}
	if again := a.as(t, staff.Admin, credit, vars{"wallet": a.Wallet.WalletID, "line": s.line, "code": s.TrackingCode}); again.code() != "NOT_ALLOWED_IN_STATUS" {
		t.Errorf("credited a second time: %s", again.Raw)
	}
}

func TestTwoLinesForOneDeposit(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	s := doubtful(a, t)
	second := a.receive(t, a.Wallet, lira(30000), "Mehmet Demir", "havale")
	for _, c := range []struct{ line, want string }{{s.line, ""}, {second.LineID, "ALREADY_FINAL"}} {
		answer := a.as(t, staff.DealerStaff, credit, vars{"wallet": a.Wallet.WalletID, "line": c.line, "code": s.TrackingCode})
		if answer.code() != c.want {
			t.Errorf("%s: got %s", c.line, answer.Raw)
		}
	}
	if l := a.line(t, a.Wallet, second.LineID); l.Status == wallet.LineMatched || a.Reload(t, s.Payment).Amount != lira(25000) {
		t.Errorf("the second line is %s", l.Status)
	}
}

func TestALineIsSetAsideAndBroughtBack(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	s := doubtful(a, t)
	v := vars{"wallet": a.Wallet.WalletID, "line": s.line, "reason": " the dealer's own money "}
	steps := []struct{ query, code, state string }{
		{bringBack, "NOT_ALLOWED_IN_STATUS", "doubtful"}, {setAside, "", "set_aside"}, {setAside, "NOT_ALLOWED_IN_STATUS", "set_aside"},
		{credit, "NOT_ALLOWED_IN_STATUS", "set_aside"}, {bringBack, "", "unmatched"}, {bringBack, "NOT_ALLOWED_IN_STATUS", "unmatched"},
	}
	v["code"] = s.TrackingCode
	for i, step := range steps {
		answer := a.as(t, staff.DealerStaff, step.query, v)
		l := a.line(t, a.Wallet, s.line)
		if answer.code() != step.code || string(l.Status) != step.state || step.code == "" && l.Note != "the dealer's own money" {
			t.Errorf("step %d: the line is %s, %q: %s", i, l.Status, l.Note, answer.Raw)
		}
	}
	if answer := a.as(t, staff.DealerStaff, credit, v); answer.code() != "" {
		t.Errorf("after it came back: %s", answer.Raw)
	}
}

func TestDecisionsAboutLinesRefuse(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	s := doubtful(a, t)
	manual, other := a.start(t, payment.ManualDeposit), a.Start(t, payment.Request{
		Method: payment.EIBANDeposit, Amount: lira(25000), Provider: a.OtherProvider, Site: a.OtherSite,
	})
	out := a.Bank.BookLine(a.Wallet.BankAccountID, gateway.StatementLine{
		Direction: gateway.Outgoing, Amount: lira(100).Decimal(), BookedAt: a.Clock.Now(), Text: "fee",
	})
	a.readStatements(t)
	for name, c := range map[string]struct {
		query string
		vars  vars
		code  string
		field string
	}{
		"no such line":           {credit, vars{"line": "nowhere"}, "NOT_FOUND", ""},
		"no such wallet":         {credit, vars{"wallet": "W-0000000000000000"}, "NOT_FOUND", ""},
		"another wallet's line":  {credit, vars{"wallet": a.OtherWallet.WalletID}, "NOT_FOUND", ""},
		"no such deposit":        {credit, vars{"code": "EIBAN-0000000000000000"}, "NOT_FOUND", ""},
		"a manual deposit":       {credit, vars{"code": manual.TrackingCode}, "WRONG_METHOD", ""},
		"another dealer's":       {credit, vars{"code": other.TrackingCode}, "WRONG_METHOD", ""},
		"money that went out":    {credit, vars{"line": out}, "NOT_ALLOWED_IN_STATUS", ""},
		"a long reason":          {credit, vars{"reason": strings.Repeat("ğ", 501)}, "INVALID", "reason"},
		"a control character":    {setAside, vars{"reason": "a\u0007b"}, "INVALID", "reason"},
		"set aside, no reason":   {setAside, vars{"reason": " \n "}, "INVALID", "reason"},
		"bring back, no reason":  {bringBack, vars{"reason": ""}, "INVALID", "reason"},
		"set aside, no line":     {setAside, vars{"line": ""}, "NOT_FOUND", ""},
		"bring back, no wallet":  {bringBack, vars{"wallet": ""}, "NOT_FOUND", ""},
		"bring back what waits":  {bringBack, vars{}, "NOT_ALLOWED_IN_STATUS", ""},
		"set aside, a long id":   {setAside, vars{"line": strings.Repeat("9", 5000)}, "NOT_FOUND", ""},
		"set aside, long wallet": {setAside, vars{"wallet": strings.Repeat("W", 5000)}, "NOT_FOUND", ""},
	} {
		v := vars{"wallet": a.Wallet.WalletID, "line": s.line, "code": s.TrackingCode, "reason": "why"}
		for name, value := range c.vars {
			v[name] = value
		}
		answer := a.as(t, staff.Operator, c.query, v)
		if field, _ := answer.field(); answer.code() != c.code || field != c.field {
			t.Errorf("%s: got %s", name, answer.Raw)
		}
	}
	if l := a.line(t, a.Wallet, s.line); l.Status != wallet.LineDoubtful || a.Reload(t, s.Payment).Version != s.Version {
		t.Errorf("what was refused left the line %s", l.Status)
	}
}

func TestBankLinePagesAndFilters(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	var want []string // newest first
	for range 5 {
		want = append([]string{a.receive(t, a.Wallet, lira(1000), "Mehmet Demir", "havale").LineID}, want...)
	}
	if got := a.lineIDs(t, staff.Admin, vars{"first": 2}); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	a.as(t, staff.Admin, setAside, vars{"wallet": a.Wallet.WalletID, "line": want[1], "reason": "why"})
	for name, c := range map[string]struct {
		filter vars
		want   []string
	}{
		"all":                {nil, want},
		"set aside":          {vars{"status": []string{"SET_ASIDE"}}, want[1:2]},
		"what waits":         {vars{"status": []string{"UNMATCHED", "DOUBTFUL"}}, append(want[:1:1], want[2:]...)},
		"of the wallet":      {vars{"walletId": a.Wallet.WalletID}, want},
		"of another wallet":  {vars{"walletId": a.OtherWallet.WalletID}, nil},
		"matched, of either": {vars{"walletId": a.Wallet.WalletID, "status": "MATCHED"}, nil},
	} {
		if got := a.lineIDs(t, staff.Operator, vars{"filter": c.filter}); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %v, want %v", name, got, c.want)
		}
	}
	for name, v := range map[string]vars{
		"first": {"first": -1}, "after": {"after": "x"}, "status": {"filter": vars{"status": "matched"}},
	} {
		answer := a.as(t, staff.Admin, listLines, v)
		if field, _ := answer.field(); answer.code() != "INVALID" || field != name {
			t.Errorf("a bad %s: got %s", name, answer.Raw)
		}
	}
	if got := a.as(t, staff.Admin, listLines, vars{"filter": vars{"walletId": "W-1"}}).code(); got != "NOT_FOUND" {
		t.Errorf("no such wallet: got %q", got)
	}
}

// lineIDs reads every page of a list of bank lines.
func (a *api) lineIDs(t *testing.T, role staff.Role, v vars) []string {
	t.Helper()
	var ids []string
	for {
		var page struct {
			Nodes    []struct{ LineID string }
			PageInfo struct {
				HasNextPage bool
				EndCursor   string
			}
		}
		a.as(t, role, listLines, v).into(t, "bankLines", &page)
		for _, n := range page.Nodes {
			ids = append(ids, n.LineID)
		}
		if !page.PageInfo.HasNextPage {
			return ids
		}
		v["after"] = page.PageInfo.EndCursor
	}
}
