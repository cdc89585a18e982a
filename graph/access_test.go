package graph_test

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/app/apptest"
	"github.com/vezne/vezne/core/sign"
)

const loginMutation = `mutation($email: String!, $password: String!) { login(email: $email, password: $password) { token } }`

func TestLogin(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	var login struct{ Token string }
	a.as(t, "", loginMutation, vars{"email": " Admin@Vezne.test ", "password": apptest.Password}).into(t, "login", &login)
	answer := a.send(t, request(t, login.Token, `{ me { email role dealerId permissions } }`, nil))
	want := `{"data":{"me":{"email":"admin@vezne.test","role":"admin","dealerId":null,` +
		`"permissions":["transactions_read","deposits_decide","withdrawals_decide","providers_edit",` +
		`"payments_refund","discrepancies_resolve","gateways_read","gateways_edit","wallets_read","wallets_edit","statistics_read"]}}}`
	if answer.Raw != want {
		t.Errorf("me: got %s, want %s", answer.Raw, want)
	}
}

func TestLoginIsRefused(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	for name, v := range map[string]vars{
		"wrong password": {"email": a.Admin.Email, "password": "correct horse batterx"},
		"unknown email":  {"email": "nobody@vezne.test", "password": apptest.Password},
		"empty":          {"email": "", "password": ""},
		"very long":      {"email": strings.Repeat("a", 10_000), "password": strings.Repeat("p", 10_000)},
	} {
		answer := a.as(t, "", loginMutation, v)
		if answer.code() != "BAD_LOGIN" || answer.Status != 200 || string(answer.Data["login"]) != "null" {
			t.Errorf("%s: got %s", name, answer.Raw)
		}
	}
}

func TestLoginFailuresAreLimited(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	wrong := vars{"email": a.Viewer.Email, "password": "not the password"}
	var codes []string
	for range 12 {
		codes = append(codes, a.as(t, "", loginMutation, wrong).code())
	}
	if codes[9] != "BAD_LOGIN" || codes[10] != "RATE_LIMITED" || codes[11] != "RATE_LIMITED" {
		t.Errorf("twelve failed sign-ins were answered %v", codes)
	}
	right := vars{"email": a.Viewer.Email, "password": apptest.Password}
	if got := a.as(t, "", loginMutation, right).code(); got != "RATE_LIMITED" {
		t.Errorf("the right password while limited: got %q", got)
	}
	a.Clock.Advance(time.Minute)
	if got := a.as(t, "", loginMutation, right).code(); got != "" {
		t.Errorf("a minute later: got %q", got)
	}
}

func TestOnlyALiveSessionIsTaken(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	me := func(authorization string) string {
		r := request(t, "", `{ me { email } }`, nil)
		r.Header.Set("Authorization", authorization)
		return a.send(t, r).code()
	}
	admin := a.tokens[core.Admin]
	if got := me("bearer  " + admin); got != "" {
		t.Errorf("the scheme in lower case: got %q", got)
	}
	for name, authorization := range map[string]string{
		"none": "", "no token": "Bearer ", "another scheme": "Basic " + admin, "bare": admin,
		"cut short": "Bearer " + admin[:len(admin)-1], "long": "Bearer " + strings.Repeat("x", 5000),
		"the password hash": "Bearer " + a.Admin.PasswordHash.Reveal(), "fingerprint": "Bearer " + sign.Fingerprint(admin),
	} {
		if got := me(authorization); got != "UNAUTHENTICATED" {
			t.Errorf("%s: got %q", name, got)
		}
	}
	a.revoke(t, a.tokens[core.Operator])
	if got := me("Bearer " + a.tokens[core.Operator]); got != "UNAUTHENTICATED" {
		t.Errorf("a revoked session: got %q", got)
	}
	a.deactivate(t, a.Viewer)
	if got := me("Bearer " + a.tokens[core.Viewer]); got != "UNAUTHENTICATED" {
		t.Errorf("an inactive staff member: got %q", got)
	}
	a.Clock.Advance(12 * time.Hour)
	if got := me("Bearer " + admin); got != "UNAUTHENTICATED" {
		t.Errorf("after twelve hours: got %q", got)
	}
}

func TestAStaleTokenDoesNotKeepFromSigningIn(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	answer := a.send(t, request(t, "vzg_stale", loginMutation, vars{"email": a.Admin.Email, "password": apptest.Password}))
	if answer.code() != "" {
		t.Errorf("got %s", answer.Raw)
	}
}

func (a *api) revoke(t *testing.T, token string) {
	t.Helper()
	session, _, err := a.Store.SessionByFingerprint(t.Context(), sign.Fingerprint(token))
	if err != nil {
		t.Fatal(err)
	}
	session.Version++
	session.RevokedAt = a.Clock.Now()
	if err := a.Desk.Commit(t.Context(), core.Changeset{Sessions: []core.Session{session}}); err != nil {
		t.Fatal(err)
	}
}

func (a *api) deactivate(t *testing.T, member core.Staff) {
	t.Helper()
	member.Version++
	member.IsActive = false
	if err := a.Desk.Commit(t.Context(), core.Changeset{Staff: []core.Staff{member}}); err != nil {
		t.Fatal(err)
	}
}

// row is one row of the matrix: what to send about something new, and which roles may.
type row struct {
	query string
	about func(*api, *testing.T) subject // what the variables name
	may   []core.Role
}

// subject is what an operation is about.
type subject struct {
	core.Payment
	discrepancy core.ID
	line        string  // of the bank: $line, or an account: $account
	entry       core.ID // of the ledger
}

// a payment of a method, as it was created.
func fresh(m core.Method) func(*api, *testing.T) subject {
	return func(a *api, t *testing.T) subject { return subject{Payment: a.start(t, m)} }
}

func decision(name string, about func(*api, *testing.T) subject) row {
	return row{
		query: fmt.Sprintf(`mutation($code: String!) { %s(trackingCode: $code) { status } }`, name),
		about: about, may: []core.Role{core.Admin, core.Operator, core.DealerStaff},
	}
}

// claimedDecision is a decision for who has claimed the withdrawal.
func claimedDecision(name string) row {
	r := decision(name, fresh(core.ManualWithdrawal))
	r.query = fmt.Sprintf(`mutation($code: String!) {
		claimWithdrawal(trackingCode: $code) { status } %s(trackingCode: $code) { status } }`, name)
	return r
}

// Who may do what about gateways, and about wallets.
var (
	readers = []core.Role{core.Admin, core.Operator}
	editors = []core.Role{core.Admin}
	bankers = []core.Role{core.Admin, core.Operator, core.DealerStaff}
)

var matrix = map[string]row{
	"query me":          {`{ me { id } }`, fresh(core.ManualDeposit), core.Roles()},
	"query transaction": {`query($code: String!) { transaction(trackingCode: $code) { status operations { kind } } }`, paidCard, core.Roles()},
	"query transactions": {
		`{ transactions { nodes { status awaitsApproval discrepancies { kind } gatewayCalls { name } } } }`, overpaidCard, core.Roles(),
	},
	"query provider": {`{ provider(id: 1) { name } }`, fresh(core.ManualDeposit), editors},
	"mutation login": {
		`mutation { login(email: "viewer@vezne.test", password: "` + apptest.Password + `") { token } }`, fresh(core.ManualDeposit),
		append(core.Roles(), ""),
	},
	"mutation updateProvider":     {`mutation { updateProvider(id: 1, input: {}) { name } }`, fresh(core.ManualDeposit), editors},
	"mutation approveDeposit":     decision("approveDeposit", fresh(core.ManualDeposit)),
	"mutation rejectDeposit":      decision("rejectDeposit", fresh(core.EIBANDeposit)),
	"mutation claimWithdrawal":    decision("claimWithdrawal", fresh(core.EIBANWithdrawal)),
	"mutation releaseWithdrawal":  claimedDecision("releaseWithdrawal"),
	"mutation completeWithdrawal": claimedDecision("completeWithdrawal"),
	"mutation rejectWithdrawal":   decision("rejectWithdrawal", fresh(core.EIBANWithdrawal)),
	"mutation failWithdrawal":     claimedDecision("failWithdrawal"),
	"mutation cancelWithdrawal":   decision("cancelWithdrawal", fresh(core.EIBANWithdrawal)),
	"mutation approvePayout":      decision("approvePayout", waitingPayout),
	"mutation rejectPayout":       decision("rejectPayout", waitingPayout),
	"mutation cancelPayout":       decision("cancelPayout", waitingPayout),
	"mutation confirmPayout": {
		`mutation($code: String!) { confirmPayout(trackingCode: $code, code: "123456") { status } }`, payoutWithCode,
		[]core.Role{core.Admin, core.Operator, core.DealerStaff},
	},
	"mutation refundTransaction": {
		`mutation($code: String!) { refundTransaction(trackingCode: $code) { status } }`, paidCard, readers,
	},
	"query discrepancies": {`{ discrepancies { nodes { kind } } }`, overpaidCard, core.Roles()},
	"mutation resolveDiscrepancy": {
		`mutation($id: ID!) { resolveDiscrepancy(id: $id, resolution: accept) { state } }`, overpaidCard, readers,
	},
	"mutation refundDiscrepancy": {`mutation($id: ID!) { refundDiscrepancy(id: $id) { state } }`, overpaidCard, readers},
	"query gatewayPlugins":       {`{ gatewayPlugins { code } }`, fresh(core.CreditCard), readers},
	"query gatewayAccounts":      {`{ gatewayAccounts { code health { isFailing } config { isSet } } }`, fresh(core.CreditCard), readers},
	"query gatewayAccount":       {`{ gatewayAccount(id: 1) { code } }`, fresh(core.CreditCard), readers},
	"query gatewayNotifications": {`{ gatewayNotifications { nodes { state } } }`, fresh(core.CreditCard), readers},
	"query routeRules":           {`{ routeRules { name } }`, fresh(core.CreditCard), readers},
	"mutation createGatewayAccount": {
		`mutation { createGatewayAccount(input: {plugin: "till", environment: production, code: "till-3", name: "Third",
			config: [{name: "api_key", value: "x"}]}) { notificationUrl } }`, fresh(core.CreditCard), editors,
	},
	"mutation updateGatewayAccount": {
		`mutation { updateGatewayAccount(id: 1, input: {}) { notificationUrl } }`, fresh(core.CreditCard), editors,
	},
	"mutation testGatewayAccount": {`mutation { testGatewayAccount(id: 1) { isOk } }`, fresh(core.CreditCard), editors},
	"mutation saveRouteRule": {
		`mutation { saveRouteRule(input: {name: "all", gatewayId: 1}) { id } }`, fresh(core.CreditCard), editors,
	},
	"query statistics": {
		`{ statistics(by: [provider, dealer, gateway], from: "2026-03-02T00:00:00Z", to: "2026-03-03T00:00:00Z") {
			rows { count provider { id } dealerName gateway { name } } } }`, paidCard, core.Roles(),
	},
	"query wallets": {`{ wallets { iban feed { readUntil } entries { nodes { kind } } } }`, doubtful, bankers},
	"query wallet": {
		`query($wallet: String!, $day: Date!) { wallet(walletId: $wallet) { balance days { nodes { state } }
			statement(from: $day, to: $day) { lines { text } } } }`, doubtful, bankers,
	},
	"query bankAccounts": {`{ bankAccounts(gatewayId: 3) { iban } }`, fresh(core.ManualDeposit), editors},
	"mutation createWallet": {
		`mutation($account: String!) { createWallet(input: {dealerId: 1, gatewayId: 3, bankAccountId: $account, min: 1, max: 9}) {
			walletId } }`, openAccount, editors,
	},
	"mutation setWalletActive": {
		`mutation($wallet: String!) { setWalletActive(walletId: $wallet, isActive: true) { isActive } }`, fresh(core.ManualDeposit), editors,
	},
	"query bankLines": {`{ bankLines { nodes { text candidates { score } } } }`, doubtful, bankers},
	"mutation creditBankLine": {
		`mutation($wallet: String!, $line: String!, $code: String!) {
			creditBankLine(walletId: $wallet, lineId: $line, trackingCode: $code) { state } }`, doubtful, bankers,
	},
	"mutation setAsideBankLine": {
		`mutation($wallet: String!, $line: String!) {
			setAsideBankLine(walletId: $wallet, lineId: $line, reason: "why") { state } }`, doubtful, bankers,
	},
	"mutation bringBackBankLine": {
		`mutation($wallet: String!, $line: String!) {
			bringBackBankLine(walletId: $wallet, lineId: $line, reason: "why") { state } }`, aside, bankers,
	},
	"query reconciliations": {`{ reconciliations { nodes { state differences { kind } } } }`, missing, bankers},
	"mutation reconcileDay": {
		`mutation($wallet: String!, $day: Date!) { reconcileDay(walletId: $wallet, day: $day) { state } }`,
		fresh(core.ManualDeposit), readers,
	},
	"mutation explainDifference": {
		`mutation($wallet: String!, $day: Date!, $line: String!, $entry: ID!) {
			explainDifference(walletId: $wallet, day: $day, kind: missing_there, lineId: $line, entryId: $entry, reason: "why") {
				state } }`, missing, readers,
	},
	"query withdrawalDesk":  {`{ withdrawalDesk { waitingCount } }`, fresh(core.ManualWithdrawal), core.Roles()},
	"query deskWithdrawals": {`{ deskWithdrawals { nodes { claim { staffName } } } }`, fresh(core.ManualWithdrawal), core.Roles()},
}

func TestWhoMayDoWhat(t *testing.T) {
	t.Parallel()
	if got, want := keysOf(matrix), keysOf(rootFields()); !slices.Equal(got, want) {
		t.Fatalf("the matrix has %v, the schema %v", got, want)
	}
	a := newAPI(t)
	for name, o := range matrix {
		for _, role := range append(core.Roles(), "") {
			s := o.about(a, t)
			v := vars{}
			for name, value := range map[string]any{
				"code": s.TrackingCode, "id": s.discrepancy, "wallet": a.Wallet.WalletID, "line": s.line, "account": s.line,
				"entry": s.entry, "day": a.today(),
			} {
				if strings.Contains(o.query, "$"+name+":") {
					v[name] = value
				}
			}
			want := "FORBIDDEN"
			switch {
			case slices.Contains(o.may, role):
				want = ""
			case role == "":
				want = "UNAUTHENTICATED"
			}
			if answer := a.as(t, role, o.query, v); answer.code() != want {
				t.Errorf("%s as %q: got %s, want %q", name, role, answer.Raw, want)
			}
			if after := a.Reload(t, s.Payment); want != "" && after.Version != s.Version {
				t.Errorf("%s as %q was refused and moved the payment to %s", name, role, after.Status)
			}
		}
	}
}

func TestAPermissionIsCheckedBeforeAnythingElse(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	v := vars{"code": "MAN-1", "amount": "not an amount"}
	for role, want := range map[core.Role]string{core.Viewer: "FORBIDDEN", "": "UNAUTHENTICATED", core.Operator: "INVALID"} {
		if got := a.as(t, role, approve, v).code(); got != want {
			t.Errorf("as %q: got %q, want %q", role, got, want)
		}
	}
}

// start creates a payment of any method at the first provider's site.
func (a *api) start(t *testing.T, m core.Method) core.Payment {
	t.Helper()
	return a.Start(t, core.Start{Method: m, Amount: lira(25000)})
}

func TestLoginKeepsTheAddress(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	r := request(t, "", loginMutation, vars{"email": a.Admin.Email, "password": apptest.Password})
	r.RemoteAddr = "[2001:db8::7]:4711"
	var login struct{ Token string }
	a.send(t, r).into(t, "login", &login)
	session, _, err := a.Store.SessionByFingerprint(t.Context(), sign.Fingerprint(login.Token))
	if err != nil || session.Addr != netip.MustParseAddr("2001:db8::7").String() {
		t.Errorf("the session has the address %q (%v)", session.Addr, err)
	}
}
