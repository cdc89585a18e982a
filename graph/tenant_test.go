package graph_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/vezne/vezne/app"
	wallets "github.com/vezne/vezne/app/wallet"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/approval"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/core/wallet"
)

// tenants is a world in which both dealers have everything: a bank line that waits, a difference, a withdrawal on the
// desk, and a transfer.
type tenants struct {
	*api
	line, entry        string // of the other dealer
	deposit            payment.Payment
	withdrawal         payment.Payment
	transfer           payment.Payment
	mine, myWithdrawal string // of the own dealer: a line, a tracking code
	othersCard         subject
	secret             []string // what the other tenants have that nobody else is to read: names, ids, addresses, amounts
	requests           []string // of the other tenants, for a second person
}

func newTenants(t *testing.T) tenants {
	t.Helper()
	w := tenants{api: newAPI(t, unlimited)}
	w.StartTransfer(t, lira(10000))
	w.transfer = w.send6(t, w.OtherDealer, w.OtherWallet)
	w.myWithdrawal = w.StartWithdrawal(t, payment.ManualWithdrawal, lira(25000)).TrackingCode
	w.withdrawal = w.Start(t, payment.Request{
		Method: payment.ManualWithdrawal, Amount: lira(25000), Provider: w.OtherProvider, Site: w.OtherSite,
	})
	w.deposit = w.Start(t, payment.Request{Method: payment.EIBANDeposit, Amount: lira(25000), Provider: w.OtherProvider, Site: w.OtherSite})
	w.mine = w.receive(t, w.Wallet, lira(25000), "Mehmet Demir", "ours").LineID
	w.line = w.receive(t, w.OtherWallet, lira(25000), "Zeynep Kaya", "theirs").LineID
	w.Bank.Hide(w.line, true)
	r := w.reconcile(t, w.OtherWallet, w.today())
	w.entry = string(r.Differences[0].EntryID)
	w.reconcile(t, w.Wallet, w.today())
	w.settings(t)
	return w
}

// settings gives the other dealer and the other provider what is theirs alone: an account, a site token, a customer whom the house
// has blocked, where callbacks go, and requests that wait for a second person.
func (w *tenants) settings(t *testing.T) {
	t.Helper()
	const customer, username, fullname, elsewhere, bank, token = "u-theirs-77", "zeliha77", "Zeliha Karakaş", "https://elsewhere.test/hook", "Öteki Banka", "Öteki Dükkan"
	w.Start(t, payment.Request{
		Method: payment.ManualDeposit, Amount: lira(7654321), Provider: w.OtherProvider, Site: w.OtherSite,
		Customer: owner.Customer{UserID: customer, Username: username, Fullname: fullname},
	})
	iban := turkish(987654)
	manager := w.employ(t, staff.Staff{Email: "their.manager@vezne.test", Role: staff.ProviderManager, ProviderID: w.OtherProvider.ID})
	cashier := w.employ(t, staff.Staff{Email: "their.dealer@vezne.test", Role: staff.DealerManager, DealerID: w.OtherDealer.ID})
	w.setRule(t, core.GuardCallbackURL, true)
	for _, ask := range []struct {
		token, query, code string
	}{
		{w.tokens[staff.Admin], `mutation { createAccount(input: {dealerId: 2, kind: MANUAL, iban: "` + iban + `", bankName: "` + bank + `", holder: "H", min: "1", max: "9"}) { ibanAccount { iban } } }`, ""},
		{w.tokens[staff.Admin], `mutation { createSiteToken(input: {dealerId: 2, name: "` + token + `"}) { siteToken { name } } }`, ""},
		{w.tokens[staff.Operator], `mutation { blockCustomer(input: {providerId: 2, userId: "` + customer + `", reason: "their fraud"}) { customer { userId } } }`, ""},
		{w.session(t, manager), `mutation { updateCallbackUrls(input: {siteId: 2, callbackUrl: "` + elsewhere + `"}) { site { name } } }`, "APPROVAL_NEEDED"},
		{w.session(t, cashier), `mutation { updateAccount(input: {id: 5, holder: "Their Holder"}) { ibanAccount { iban } } }`, "APPROVAL_NEEDED"},
	} {
		if got := w.send(t, request(t, ask.token, ask.query, nil)); got.code() != ask.code {
			t.Fatalf("%s: got %s", ask.query, got.Raw)
		} else if ask.code != "" {
			w.requests = append(w.requests, waits(t, got))
		}
	}
	w.secret = append(w.secret, w.requests...)
	w.setRule(t, core.GuardCallbackURL, false)
	w.secret = append(w.secret, customer, username, fullname, "76543.21", iban, bank, token, "their fraud", elsewhere, "Their Holder",
		manager.Email, cashier.Email, w.OtherProvider.URLs.Deposit, w.OtherSite.Name)
}

// setRule switches a rule that has no bounds.
func (a *api) setRule(t *testing.T, action core.GuardedAction, isOn bool) {
	t.Helper()
	_, err := a.Approvals.SetRule(t.Context(), app.BySystem, approval.Rule{Action: action, IsOn: isOn, LapseAfter: approval.DefaultLapse})
	if err != nil {
		t.Fatal(err)
	}
}

// employ makes a member of staff.
func (a *api) employ(t *testing.T, m staff.Staff) staff.Staff {
	t.Helper()
	id, err := a.Store.NextID(t.Context(), "staff")
	if err != nil {
		t.Fatal(err)
	}
	m.ID, m.Version, m.IsActive, m.CreatedAt, m.UpdatedAt = id, 1, true, a.Clock.Now(), a.Clock.Now()
	if err := a.Store.Commit(t.Context(), core.Changeset{m}); err != nil {
		t.Fatal(err)
	}
	return m
}

// send6 sends money from a dealer's wallet (D6).
func (a *api) send6(t *testing.T, d owner.Dealer, wallet wallet.Wallet) payment.Payment {
	t.Helper()
	var made payment.Payment
	s := a.Fill(payment.Request{Method: payment.EIBANTransfer, Amount: lira(10000), Dealer: d})
	s.Provider, s.Site = owner.Provider{}, owner.Site{}
	_, err := a.Wallets.Send(t.Context(), wallets.Sending{
		WalletID: wallet.WalletID, Recipient: "Zeynep Kaya", Creation: app.Creation{Request: s, Render: func(p payment.Payment) (app.Answer, error) {
			made = p
			return app.Answer{Status: 200}, nil
		}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// everyList is everything that a dealer's staff can list without naming it, and what hangs on it.
const everyList = `{
	wallets { id iban holder feed { trouble } entries(first: 5) { nodes { id lineId transaction { trackingCode } } }
		days(first: 5) { nodes { day differences { lineId entryId } } }
		statement(from: "2026-03-02", until: "2026-03-02") { lines { lineId text } } }
	bankLines(first: 5) { nodes { lineId text counterpartyName wallet { id } candidates { transaction { trackingCode } } } }
	reconciliations(first: 5) { nodes { dealerId wallet { id iban } differences { lineId entryId } } }
	withdrawalDesk { dealerId waitingCount }
	deskWithdrawals(first: 5) { nodes { trackingCode dealerId } }
	transactions(first: 10) { nodes { trackingCode dealerId requestedBy { name } wallet { id } bankLines { lineId } } }
}`

func TestADealersStaffListOnlyWhatIsTheirDealers(t *testing.T) {
	t.Parallel()
	w := newTenants(t)
	theirs := []string{
		w.OtherWallet.WalletID, w.OtherWallet.IBAN, w.line + `"`, w.entry, "theirs", "Zeynep", w.deposit.TrackingCode,
		w.withdrawal.TrackingCode, w.transfer.TrackingCode, `"dealerId":"2"`, w.OtherDealer.Name,
	}
	shown := w.as(t, staff.DealerStaff, everyList, nil)
	all := w.as(t, staff.Admin, everyList, nil)
	if shown.code() != "" || all.code() != "" {
		t.Fatalf("got %.500s and %.500s", shown.Raw, all.Raw)
	}
	for _, text := range theirs {
		if strings.Contains(shown.Raw, text) || !strings.Contains(all.Raw, text) {
			t.Errorf("%s: shown to the other dealer's staff, or not even to an admin", text)
		}
	}
	for _, text := range []string{w.Wallet.WalletID, w.mine, w.myWithdrawal, `"dealerId":"1"`} {
		if !strings.Contains(shown.Raw, text) {
			t.Errorf("%s: not shown to the dealer's own staff", text)
		}
	}
	for _, query := range []string{`{ list: wallets(filter: {dealerId: 2}) { id } }`, `{ list: wallets(filter: {dealerId: 3}) { id } }`} {
		if got := w.as(t, staff.DealerStaff, query, nil).Raw; got != `{"data":{"list":[]}}` {
			t.Errorf("%s: got %s", query, got)
		}
	}
	if got := w.as(t, staff.DealerStaff, `{ deskWithdrawals(filter: {dealerId: 2}) { nodes { trackingCode } } }`, nil).Raw; !strings.Contains(got, `"nodes":[]`) {
		t.Errorf("another dealer's desk: got %s", got)
	}
}

// everyOwn is everything that a provider's staff can list without naming it, and what hangs on it.
const everyOwn = `{
	discrepancies(first: 10) { nodes { id kind trackingCode } }
	withdrawalDesk { dealerId waitingCount }
	deskWithdrawals(first: 10) { nodes { trackingCode dealerId } }
	transactions(first: 20) { nodes { trackingCode requestedBy { name } provider { name } site { name } callbacks { receiver }
		discrepancies { nodes { id } } } }
}`

// otherProviderStaff is a session of the other provider's staff.
func (a *api) otherProviderStaff(t *testing.T) (token string) {
	t.Helper()
	return a.session(t, a.employ(t, staff.Staff{Email: "other.provider@vezne.test", Role: staff.ProviderStaff, ProviderID: a.OtherProvider.ID}))
}

// TestAProvidersStaffListOnlyWhatIsTheirProviders is for the staff of two providers, each of whom has the same.
func TestAProvidersStaffListOnlyWhatIsTheirProviders(t *testing.T) {
	t.Parallel()
	w := newTenants(t)
	over := w.overpaid(t, payment.CreditCard)
	ours := []string{over.TrackingCode, string(over.discrepancy), w.myWithdrawal, w.Provider.Name}
	theirs := []string{w.withdrawal.TrackingCode, w.deposit.TrackingCode, w.OtherProvider.Name}
	nobodys := []string{w.transfer.TrackingCode, w.Dealer.Name, w.OtherDealer.Name}
	for name, tt := range map[string]struct {
		token         string
		shown, hidden []string
	}{
		"provider's":       {w.tokens[staff.ProviderStaff], ours, append(theirs, nobodys...)},
		"other provider's": {w.otherProviderStaff(t), theirs, append(ours, nobodys...)},
	} {
		w.refresh(t, staff.ProviderStaff)
		got := w.send(t, request(t, tt.token, everyOwn, nil))
		if got.code() != "" {
			t.Fatalf("%s: %s", name, got.Raw)
		}
		for _, text := range tt.shown {
			if !strings.Contains(got.Raw, text) {
				t.Errorf("%s staff are not shown %s", name, text)
			}
		}
		for _, text := range tt.hidden {
			if strings.Contains(got.Raw, text) {
				t.Errorf("%s staff are shown %s", name, text)
			}
		}
	}
}

// TestNoFieldFindsWhatIsAnothers walks every field that dealer and provider staff may ask, with what belongs to others: it
// finds nothing and changes nothing.
func TestNoFieldFindsWhatIsAnothers(t *testing.T) {
	t.Parallel()
	w := newTenants(t)
	over := w.start(t, payment.CreditCard)
	others := vars{
		"code": w.deposit.TrackingCode, "wallet": w.OtherWallet.WalletID, "line": w.line, "account": "acc-2", "entry": w.entry,
		"day": w.today(), "id": "01JNB6QG000000000000000000", "job": "01JNB6QG000000000000000000", "callback": "01JNB6QG000000000000000000",
	}
	asked := 0
	for _, role := range []staff.Role{staff.DealerStaff, staff.ProviderStaff} {
		for name, o := range matrix {
			if !slices.Contains(o.may, role) || !strings.Contains(o.query, "$") {
				continue
			}
			v := vars{}
			for variable, value := range others {
				if strings.Contains(o.query, "$"+variable+":") {
					v[variable] = value
				}
			}
			asked++
			got := w.as(t, role, o.query, v)
			isNothing := got.Raw == `{"data":{"resendCallbacks":{"count":0}}}` || name == "mutation decideMany" &&
				(strings.Contains(got.Raw, `[{"code":"NOT_FOUND"}]`) || strings.Contains(got.Raw, `[{"code":"FORBIDDEN"}]`))
			if got.code() != "NOT_FOUND" && !isNothing {
				t.Errorf("%s as %s: got %s", name, role, got.Raw)
			}
		}
		for _, list := range []string{
			`transactions(filter: {trackingCode: %q}) { nodes { trackingCode } }`, `transactions(filter: {userId: "u-1001", providerId: 2, siteId: 2}) { nodes { trackingCode } } # %s`,
			`deskWithdrawals(filter: {dealerId: 2}) { nodes { trackingCode } } # %s`,
		} {
			query := "{ " + fmt.Sprintf(list, w.withdrawal.TrackingCode) + "\n}"
			if got := w.as(t, role, query, nil); got.code() != "" || !strings.Contains(got.Raw, `"nodes":[]`) {
				t.Errorf("%s as %s: got %s", query, role, got.Raw)
			}
		}
	}
	if asked < 15 {
		t.Errorf("only %d fields were asked", asked)
	}
	if p := w.Reload(t, w.deposit); p.Version != w.deposit.Version {
		t.Errorf("the other tenant's deposit is %s", p.Status)
	}
	if got := w.as(t, staff.ProviderStaff, `query($code: String!) { transaction(trackingCode: $code) { trackingCode } }`, vars{"code": over.TrackingCode}); got.code() != "" {
		t.Errorf("what is their own: got %s", got.Raw)
	}
}

func TestAnotherDealersIsNotFound(t *testing.T) {
	t.Parallel()
	w := newTenants(t)
	v := vars{
		"wallet": w.OtherWallet.WalletID, "line": w.line, "code": w.deposit.TrackingCode, "withdrawal": w.withdrawal.TrackingCode,
		"own": w.Wallet.WalletID, "mine": w.mine, "transfer": w.transfer.TrackingCode, "ours": w.myWithdrawal,
	}
	before := w.theirLine(t)
	for _, field := range []string{
		`query wallet(id: $wallet) { iban }`,
		`query bankLines(filter: {walletId: $wallet}) { nodes { text } }`,
		`query reconciliations(filter: {walletId: $wallet}) { nodes { day } }`,
		`query transaction(trackingCode: $transfer) { status }`,
		`mutation creditBankLine(input: {walletId: $wallet, lineId: $line, trackingCode: $code}) { bankLine { status } }`,
		`mutation creditBankLine(input: {walletId: $own, lineId: $line, trackingCode: $code}) { bankLine { status } }`,
		`mutation creditBankLine(input: {walletId: $own, lineId: $mine, trackingCode: $code}) { bankLine { status } }`,
		`mutation creditBankLine(input: {walletId: $own, lineId: $mine, trackingCode: $withdrawal}) { bankLine { status } }`,
		`mutation setAsideBankLine(input: {walletId: $wallet, lineId: $line, reason: "x"}) { bankLine { status } }`,
		`mutation setAsideBankLine(input: {walletId: $own, lineId: $line, reason: "x"}) { bankLine { status } }`,
		`mutation bringBackBankLine(input: {walletId: $wallet, lineId: $line, reason: "x"}) { bankLine { status } }`,
		`mutation claimWithdrawal(input: {trackingCode: $withdrawal}) { transaction { status } }`,
		`mutation claimWithdrawal(input: {trackingCode: $withdrawal, takeOver: true, reason: "x"}) { transaction { status } }`,
		`mutation releaseWithdrawal(input: {trackingCode: $withdrawal}) { transaction { status } }`,
	} {
		answer := w.as(t, staff.DealerStaff, withVariables(field, v), v)
		if answer.code() != "NOT_FOUND" || answer.Status != 200 {
			t.Errorf("%s: got %s", field, answer.Raw)
		}
	}
	if after := w.theirLine(t); after.Version != before.Version || w.Reload(t, w.withdrawal).Version != w.withdrawal.Version {
		t.Errorf("the other dealer's line is %s", after.Status)
	}
	if l := w.api.line(t, w.Wallet, w.mine); l.Status == wallet.LineMatched {
		t.Error("the own line was credited to another dealer's deposit")
	}
}

func (w tenants) theirLine(t *testing.T) wallet.BankLine {
	t.Helper()
	return w.api.line(t, w.OtherWallet, w.line)
}

// withVariables makes an operation of a field that uses some of the variables; each of them is a text.
func withVariables(field string, v vars) string {
	root, rest, _ := strings.Cut(field, " ")
	var declared strings.Builder
	for _, name := range keysOf(v) {
		if strings.Contains(rest, "$"+name) {
			kind := "String!"
			if strings.Contains(rest, "(id: $"+name) {
				kind = "ID!"
			}
			fmt.Fprintf(&declared, "$%s: %s ", name, kind)
		}
	}
	return root + "(" + declared.String() + ") { " + rest + " }"
}

func TestWhatOfAWalletIsForWhoReadsGateways(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	query := `query($wallet: ID!) { wallet(id: $wallet) { id gatewayId bankAccountId } }`
	v := vars{"wallet": a.Wallet.WalletID}
	answer := a.as(t, staff.DealerStaff, query, v)
	want := `{"id":"` + a.Wallet.WalletID + `","gatewayId":null,"bankAccountId":null}`
	if answer.code() != "FORBIDDEN" || len(answer.Errors) != 2 || string(answer.Data["wallet"]) != want {
		t.Errorf("a dealer's staff got %s", answer.Raw)
	}
	if answer := a.as(t, staff.Operator, query, v); answer.code() != "" || !strings.Contains(answer.Raw, `"gatewayId":"3"`) {
		t.Errorf("an operator got %s", answer.Raw)
	}
	transfer := a.StartTransfer(t, lira(10000)).TrackingCode
	answer = a.as(t, staff.Viewer, `query($code: String!) { transaction(trackingCode: $code) { status wallet { iban } bankLines { text } } }`,
		vars{"code": transfer})
	if len(answer.Errors) != 2 || answer.code() != "FORBIDDEN" || string(answer.Data["transaction"]) != `{"status":"PENDING","wallet":null,"bankLines":null}` {
		t.Errorf("a viewer got %s", answer.Raw)
	}
}

// dealersCard is a card payment of the dealer's own (D8).
func (a *api) dealersCard(t *testing.T) payment.Payment {
	t.Helper()
	var made payment.Payment
	s := a.Fill(payment.Request{Method: payment.CreditCard, Amount: lira(25000), Dealer: a.Dealer})
	s.Provider, s.Site = owner.Provider{}, owner.Site{}
	_, err := a.Dealers.StartCard(t.Context(), app.Creation{Request: s, Render: func(p payment.Payment) (app.Answer, error) {
		made = p
		return app.Answer{Status: 200}, nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	return made
}

func TestGoldenDealersOwn(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	card := a.dealersCard(t)
	a.Clock.Advance(a.Cards.ExpiresIn)
	a.Work(t)
	checkScrubbed(t, "dealers-card", a.as(t, staff.DealerStaff, everything, vars{"code": card.TrackingCode}).Raw)
	query := `{ transactions { nodes { trackingCode provider { name } site { name } requestedBy { kind name } } } }`
	checkScrubbed(t, "dealers-list", a.as(t, staff.Viewer, query, nil).Raw)
}

// TestAProvidersStaffDoNotLearnWhoWorksForThem: who the dealer of a payment is stays inside.
func TestAProvidersStaffDoNotLearnWhoWorksForThem(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	v := vars{"code": a.start(t, payment.ManualDeposit).TrackingCode}
	const query = `query($code: String!) { transaction(trackingCode: $code) { dealer { id name } provider { name } } }`
	for role, want := range map[staff.Role]string{
		staff.ProviderStaff: `{"dealer":null,"provider":{"name":"` + a.Provider.Name + `"}}`,
		staff.Viewer:        `{"dealer":{"id":"1","name":"` + a.Dealer.Name + `"},"provider":{"name":"` + a.Provider.Name + `"}}`,
	} {
		if got := a.as(t, role, query, v); string(got.Data["transaction"]) != want {
			t.Errorf("as %s: got %s, want %s", role, got.Raw, want)
		}
	}
}
