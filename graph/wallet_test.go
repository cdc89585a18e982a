package graph_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/e2e/apptest"
)

const (
	// walletOwn is what a wallet has of its own, for those who may read gateways.
	walletOwn = ` id dealerId gatewayId bankAccountId iban bankName holder isActive balance availableBalance reserved
		currency createdAt updatedAt `
	feedFields = ` feed { openedAt readUntil nextReadAt failureCount trouble bankBalance bankBalanceAt checkedAt isLedgerOff
		reconciledTo } `
	entryFields = ` id kind at available reserved outside transaction { trackingCode } lineId note `
	allWallets  = `query($dealer: ID) { wallets(filter: {dealerId: $dealer}) {` + walletOwn + feedFields + `} }`
	oneWallet   = `query($wallet: ID!) { wallet(id: $wallet) {` + walletOwn + feedFields + `} }`
	listEntries = `query($wallet: ID!, $first: Int, $after: String) { wallet(id: $wallet) {
		entries(first: $first, after: $after) { edges { cursor node { id } } nodes {` + entryFields + `}
			pageInfo { hasNextPage endCursor } } } }`
	walletStatement = `query($wallet: ID!, $from: Date!, $until: Date!, $page: Int) { wallet(id: $wallet) {
		statement(from: $from, until: $until, page: $page) {
			lines { lineId direction amount bookedAt text counterpartyName status transaction { trackingCode } }
			page pageCount totalCount } } }`
	createWallet = `mutation($input: CreateWalletInput!) { createWallet(input: $input) { wallet {` + walletOwn + feedFields + `
		entries {nodes {` + entryFields + `} } days { nodes { day ledgerClosing } } } } }`
	setActive = `mutation($wallet: String!, $is: Boolean!) { setWalletActive(input: {walletId: $wallet, isActive: $is}) { wallet {
		id isActive updatedAt } } }`
	bankAccounts = `query($gateway: ID!) { bankAccounts(gatewayId: $gateway) { id iban bankName holder asset isOpen } }`
)

func TestGoldenWallet(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.Clock.Advance(time.Second)
	transfer := a.StartTransfer(t, lira(15000))
	a.Work(t)
	a.receive(t, a.Wallet, lira(99999), "Mehmet Demir", "havale")
	v := vars{"wallet": a.Wallet.WalletID}
	checkScrubbed(t, "wallets", a.as(t, staff.Operator, allWallets, nil).Raw)
	checkScrubbed(t, "wallet-entries", a.as(t, staff.DealerStaff, listEntries, v).Raw)
	checkScrubbed(t, "wallet-statement", a.as(t, staff.DealerStaff, walletStatement, vars{
		"wallet": a.Wallet.WalletID, "from": "2026-02-28", "until": a.today(),
	}).Raw)
	query := `query($code: String!) { transaction(trackingCode: $code) { status kind method iban customer { userId username fullname }
		requestedBy { kind name } provider { id } site { id } payee { recipient description } wallet { id } bankLines { lineId }
		callbacks { id } history { nodes { command actor { kind name } } } } }`
	checkScrubbed(t, "transfer", a.as(t, staff.DealerStaff, query, vars{"code": transfer.TrackingCode}).Raw)
}

func TestGoldenWalletThatIsMade(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	s := openAccount(a, t)
	answer := a.as(t, staff.Admin, bankAccounts, vars{"gateway": a.BankGateway.ID})
	checkScrubbed(t, "bank-accounts", strings.ReplaceAll(answer.Raw, s.line, "new"))
	made := a.as(t, staff.Admin, createWallet, vars{"input": a.newWallet(s.line, vars{"dailyLimit": "50000"})})
	checkScrubbed(t, "wallet-created", strings.ReplaceAll(made.Raw, s.line, "new"))
	accounts, err := a.Store.AccountLoads(t.Context(), a.OtherDealer.ID, owner.EIBANAccount, a.today())
	if err != nil || len(accounts) != 1 || accounts[0].Max != lira(500000) || accounts[0].DailyLimit != lira(5000000) {
		t.Errorf("customers are shown %+v (%v)", accounts, err)
	}
}

// newWallet is an input for createWallet.
func (a *api) newWallet(account string, change vars) vars {
	input := vars{
		"dealerId": a.OtherDealer.ID, "gatewayId": a.BankGateway.ID, "bankAccountId": account, "min": "10", "max": "5000.00",
	}
	for name, value := range change {
		input[name] = value
	}
	return input
}

func TestWhatAWalletMustNotBe(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	account := openAccount(a, t).line
	for name, c := range map[string]struct {
		account string
		change  vars
		code    string
		field   string
	}{
		"a wallet already":    {a.Wallet.BankAccountID, nil, "CONFLICT", ""},
		"no such account":     {"nowhere", nil, "INVALID", "bankAccountId"},
		"no account":          {"", nil, "INVALID", "bankAccountId"},
		"no such dealer":      {account, vars{"dealerId": 99}, "NOT_FOUND", ""},
		"not a dealer's id":   {account, vars{"dealerId": "x"}, "INVALID", "dealerId"},
		"no such gateway":     {account, vars{"gatewayId": 99}, "NOT_FOUND", ""},
		"a gateway for cards": {account, vars{"gatewayId": a.Gateway.ID}, "GATEWAY_UNUSABLE", ""},
		"no least amount":     {account, vars{"min": "0.99"}, "INVALID", "min"},
		"max below min":       {account, vars{"max": "9.99"}, "INVALID", "max"},
		"not an amount":       {account, vars{"dailyLimit": "much"}, "INVALID", "dailyLimit"},
		"less than nothing":   {account, vars{"dailyLimit": "-1"}, "INVALID", "dailyLimit"},
	} {
		answer := a.as(t, staff.Admin, createWallet, vars{"input": a.newWallet(c.account, c.change)})
		if field, _ := answer.field(); answer.code() != c.code || field != c.field {
			t.Errorf("%s: got %s", name, answer.Raw)
		}
	}
	a.Bank.Fault = func(gateway.Capability, gateway.Ref) apptest.Fault { return apptest.Broken }
	for name, answer := range map[string]reply{
		"a wallet":     a.as(t, staff.Admin, createWallet, vars{"input": a.newWallet(account, nil)}),
		"its accounts": a.as(t, staff.Admin, bankAccounts, vars{"gateway": a.BankGateway.ID}),
	} {
		if answer.code() != "GATEWAY_FAILED" {
			t.Errorf("%s while the bank is down: got %s", name, answer.Raw)
		}
	}
	if list, err := a.Store.WalletsOf(t.Context(), 0); err != nil || len(list) != 2 {
		t.Errorf("there are %d wallets (%v)", len(list), err)
	}
}

func TestAWalletIsSwitchedOffAndOn(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	var audit []core.AuditEntry
	a.UnitOfWork.Commits = &apptest.Commits{Committer: a.Store, After: func(c core.Changeset) error {
		audit = append(audit, core.RowsOf[core.AuditEntry](c)...)
		return nil
	}}
	for _, is := range []bool{false, false, true} {
		a.Clock.Advance(time.Minute)
		var w struct{ IsActive bool }
		a.as(t, staff.Admin, setActive, vars{"wallet": a.Wallet.WalletID, "is": is}).into(t, "setWalletActive.wallet", &w)
		if w.IsActive != is || a.Held(t, a.Wallet).IsActive != is {
			t.Errorf("switched to %t: it is %t", is, w.IsActive)
		}
	}
	if len(audit) != 2 || audit[0].Action != "setWalletActive" || audit[0].Target != "wallet/"+a.Wallet.WalletID || audit[0].Actor.Addr != "192.0.2.1" {
		t.Errorf("audited %+v", audit)
	}
	if got := a.as(t, staff.Admin, setActive, vars{"wallet": "W-0000000000000000", "is": true}).code(); got != "NOT_FOUND" {
		t.Errorf("no such wallet: got %q", got)
	}
}

func TestStatementBounds(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	for range 3 {
		a.receive(t, a.Wallet, lira(1000), "Mehmet Demir", "havale")
	}
	for name, c := range map[string]struct {
		change vars
		code   string
		field  string
	}{
		"31 days":          {vars{"from": "2026-02-01", "until": "2026-03-03"}, "", ""},
		"32 days":          {vars{"from": "2026-01-31", "until": "2026-03-03"}, "INVALID", "until"},
		"a day":            {vars{"from": "2026-03-02", "until": "2026-03-02"}, "", ""},
		"backwards":        {vars{"from": "2026-03-03", "until": "2026-03-02"}, "INVALID", "until"},
		"page 0":           {vars{"page": 0}, "INVALID", "page"},
		"page -1":          {vars{"page": -1}, "INVALID", "page"},
		"page 10001":       {vars{"page": 10_001}, "INVALID", "page"},
		"not a day":        {vars{"from": "2026-02-30"}, "INVALID", "from"},
		"another form":     {vars{"until": "02.03.2026"}, "INVALID", "until"},
		"a moment":         {vars{"until": "2026-03-02T00:00:00Z"}, "INVALID", "until"},
		"a number":         {vars{"until": 20260302}, "INVALID", "until"},
		"long ago":         {vars{"from": "1999-12-31"}, "INVALID", "from"},
		"in a far future":  {vars{"until": "3000-01-01"}, "INVALID", "until"},
		"year 0":           {vars{"from": "0000-01-01"}, "INVALID", "from"},
		"beyond the lines": {vars{"page": 2}, "", ""},
	} {
		v := vars{"wallet": a.Wallet.WalletID, "from": "2026-03-01", "until": "2026-03-02", "page": 1}
		for name, value := range c.change {
			v[name] = value
		}
		answer := a.as(t, staff.DealerStaff, walletStatement, v)
		if field, _ := answer.field(); answer.code() != c.code || field != c.field {
			t.Errorf("%s: got %s", name, answer.Raw)
		}
	}
	// Both days are included, in the service's zone.
	for day, want := range map[string]string{"2026-03-01": `"totalCount":0`, "2026-03-02": `"totalCount":3`, "2026-03-03": `"totalCount":0`} {
		answer := a.as(t, staff.Admin, walletStatement, vars{"wallet": a.Wallet.WalletID, "from": day, "until": day})
		if !strings.Contains(answer.Raw, want) {
			t.Errorf("%s: got %s", day, answer.Raw)
		}
	}
}

func TestEntriesPageByPage(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	for range 4 {
		a.receive(t, a.Wallet, lira(1000), "Mehmet Demir", "havale")
	}
	want, err := a.Store.Entries(context.Background(), a.Wallet.ID, core.Paging[core.ID]{Limit: 10})
	if err != nil || len(want) != 5 {
		t.Fatalf("there are %d entries (%v)", len(want), err)
	}
	var got []core.ID
	for v := (vars{"wallet": a.Wallet.WalletID, "first": 2}); v != nil; {
		var wallet struct {
			Entries struct {
				Nodes    []struct{ ID core.ID }
				PageInfo struct {
					HasNextPage bool
					EndCursor   string
				}
			}
		}
		a.as(t, staff.DealerStaff, listEntries, v).into(t, "wallet", &wallet)
		for _, n := range wallet.Entries.Nodes {
			got = append(got, n.ID)
		}
		v = vars{"wallet": a.Wallet.WalletID, "first": 2, "after": wallet.Entries.PageInfo.EndCursor}
		if !wallet.Entries.PageInfo.HasNextPage {
			v = nil
		}
	}
	for i, e := range want {
		if len(got) != len(want) || got[i] != e.ID {
			t.Fatalf("got %v, want %v", got, want)
		}
	}
	for name, v := range map[string]vars{"first": {"first": 0}, "after": {"after": "x"}} {
		v["wallet"] = a.Wallet.WalletID
		answer := a.as(t, staff.Admin, listEntries, v)
		if field, _ := answer.field(); answer.code() != "INVALID" || field != name {
			t.Errorf("a bad %s: got %s", name, answer.Raw)
		}
	}
}

func TestABankThatFailsShowsInTheFeed(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.Bank.Fault = func(gateway.Capability, gateway.Ref) apptest.Fault { return apptest.Broken }
	a.readStatements(t)
	answer := a.as(t, staff.DealerStaff, `query($wallet: ID!) { wallet(id: $wallet) { feed { failureCount trouble isLedgerOff
		bankBalance readUntil } } }`, vars{"wallet": a.Wallet.WalletID})
	if !strings.Contains(answer.Raw, `"failureCount":1`) || strings.Contains(answer.Raw, `"trouble":null`) ||
		!strings.Contains(answer.Raw, `"bankBalance":"10000.00"`) {
		t.Errorf("got %s", answer.Raw)
	}
}
