package graph_test

import (
	"cmp"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/sign"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/e2e/apptest"
)

const loginMutation = `mutation($email: String!, $password: String!) { login(input: {email: $email, password: $password}) { token } }`

func TestLogin(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	var login struct{ Token string }
	a.as(t, "", loginMutation, vars{"email": " Admin@Vezne.test ", "password": apptest.Password}).into(t, "login", &login)
	answer := a.send(t, request(t, login.Token, `{ me { email role dealerId permissions } }`, nil))
	want := `{"data":{"me":{"email":"admin@vezne.test","role":"ADMIN","dealerId":null,` +
		`"permissions":["TRANSACTIONS_READ","DEPOSITS_DECIDE","WITHDRAWALS_DECIDE","PROVIDERS_EDIT",` +
		`"PAYMENTS_REFUND","DISCREPANCIES_RESOLVE","GATEWAYS_READ","GATEWAYS_EDIT","WALLETS_READ","WALLETS_EDIT",` +
		`"AUDIT_READ","QUEUES_READ",` +
		`"PROVIDERS_READ","DEALERS_READ","DEALERS_EDIT","ACCOUNTS_EDIT","KEYS_ROTATE","CALLBACKS_EDIT","CALLBACKS_TEST","BRANDS_EDIT","CUSTOMERS_READ",` +
		`"CUSTOMERS_BLOCK","CALLBACKS_RESEND","STAFF_READ","STAFF_EDIT","APPROVALS_READ","APPROVALS_DECIDE","APPROVALS_CONFIGURE","STATISTICS_READ","WALLETS_ADJUST","NOTES_WRITE"]}}}`
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
	admin := a.tokens[staff.Admin]
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
	a.revoke(t, a.tokens[staff.Operator])
	if got := me("Bearer " + a.tokens[staff.Operator]); got != "UNAUTHENTICATED" {
		t.Errorf("a revoked session: got %q", got)
	}
	a.deactivate(t, a.Viewer)
	if got := me("Bearer " + a.tokens[staff.Viewer]); got != "UNAUTHENTICATED" {
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
	if err := a.UnitOfWork.Commit(t.Context(), core.Changeset{session}); err != nil {
		t.Fatal(err)
	}
}

func (a *api) deactivate(t *testing.T, member staff.Staff) {
	t.Helper()
	member.Version++
	member.IsActive = false
	if err := a.UnitOfWork.Commit(t.Context(), core.Changeset{member}); err != nil {
		t.Fatal(err)
	}
}

// row is one row of the matrix: what to send about something new, and which roles may.
type row struct {
	query string
	about func(*api, *testing.T) subject // what the variables name
	may   []staff.Role

	codes map[staff.Role]string // what some are answered: they may ask, but of something else
	code  string                // what those are answered who may: of an operation that fails only after it was allowed
	ends  bool                  // it ends sessions
}

// subject is what an operation is about.
type subject struct {
	payment.Payment
	discrepancy core.ID
	line        string  // of the bank: $line, or an account: $account
	entry       core.ID // of the ledger
	amount      string  // that a day differs by
	job         core.ID
	callback    core.ID
	others      string // what the other roles are answered with; empty: FORBIDDEN
}

// a payment of a method, as it was created.
func fresh(m payment.Method) func(*api, *testing.T) subject {
	return func(a *api, t *testing.T) subject { return subject{Payment: a.start(t, m)} }
}

func offered(a *api, t *testing.T) subject { return subject{Payment: a.OfferedDeposit(t, lira(25000))} }

func decisionRow(name string, about func(*api, *testing.T) subject) row {
	return row{
		query: fmt.Sprintf(`mutation($code: String!) { %s(input: {trackingCode: $code}) { transaction { status } } }`, name),
		about: about, may: deciders,
	}
}

// heldRow is a decision about money that a gateway holds.
func heldRow(name string) row {
	r := decisionRow(name, heldCard)
	r.may = refunders
	return r
}

// claimedDecision is a decision for who has claimed the withdrawal.
func claimedDecision(name string) row {
	r := decisionRow(name, fresh(payment.ManualWithdrawal))
	r.query = fmt.Sprintf(`mutation($code: String!) {
		claimWithdrawal(input: {trackingCode: $code}) { transaction { status } } %s(input: {trackingCode: $code}) { transaction { status } } }`, name)
	return r
}

// Who may do what.
var (
	everybody     = append(staff.Roles(), "")
	deciders      = []staff.Role{staff.Admin, staff.Operator, staff.DealerStaff, staff.DealerManager}
	refunders     = []staff.Role{staff.Admin, staff.Operator, staff.Finance}
	readers       = []staff.Role{staff.Admin, staff.Operator, staff.Finance, staff.Auditor}
	editors       = []staff.Role{staff.Admin}
	bankers       = []staff.Role{staff.Admin, staff.Operator, staff.Finance, staff.Auditor, staff.DealerStaff, staff.DealerManager}
	bookers       = []staff.Role{staff.Admin, staff.Finance}
	staffReader   = []staff.Role{staff.Admin, staff.Auditor}
	operators     = []staff.Role{staff.Admin, staff.Operator}
	auditors      = []staff.Role{staff.Admin, staff.Auditor}
	senders       = []staff.Role{staff.Admin, staff.Operator, staff.Support, staff.ProviderStaff, staff.ProviderManager}
	dealerReaders = append([]staff.Role{staff.DealerStaff, staff.DealerManager}, watchers...)
	ownersOf      = append([]staff.Role{staff.ProviderStaff, staff.ProviderManager}, watchers...)
	askers        = append([]staff.Role{staff.ProviderManager}, dealerReaders...)
	accountants   = []staff.Role{staff.Admin, staff.Operator, staff.DealerManager}
	blockers      = []staff.Role{staff.Admin, staff.Operator, staff.ProviderManager}
	keyHolders    = []staff.Role{staff.Admin, staff.ProviderManager}
	// What a dealer's manager asks for takes somebody of the house; what is not the provider's is not there for its manager.
	houseFirst       = map[staff.Role]string{staff.DealerManager: "APPROVAL_NEEDED"}
	othersOfProvider = map[staff.Role]string{staff.ProviderManager: "NOT_FOUND"}
	watchers         = []staff.Role{staff.Admin, staff.Operator, staff.Finance, staff.Support, staff.Auditor, staff.Viewer}
)

var matrix = map[string]row{
	"query me":          {query: `{ me { id } }`, about: fresh(payment.ManualDeposit), may: staff.Roles()},
	"query transaction": {query: `query($code: String!) { transaction(trackingCode: $code) { status operations { kind } } }`, about: paidCard, may: staff.Roles()},
	"query transactions": {
		query: `{ transactions { nodes { status awaitsApproval discrepancies { nodes { kind } } gatewayCalls { name } } } }`, about: overpaidCard, may: staff.Roles(),
	},
	"query provider": {query: `{ provider(id: 1) { name sites { name } } }`, about: fresh(payment.ManualDeposit), may: ownersOf},
	"mutation login": {
		query: `mutation { login(input: {email: "viewer@vezne.test", password: "` + apptest.Password + `"}) { token } }`, about: fresh(payment.ManualDeposit), may: everybody,
	},
	"query installation": {query: `{ installation { version limits { pageRows } } }`, about: nothing, may: staff.Roles()},
	"query labels":       {query: `{ labels(language: "en", enums: ["Role"]) { values { label } } }`, about: nothing, may: staff.Roles()},
	"mutation updateMyProfile": {
		query: `mutation { updateMyProfile(input: {name: "A"}) { staffMember { profile { name theme } } } }`, about: nothing, may: staff.Roles(),
	},
	"query savedViews": {query: `{ savedViews { nodes { name } } }`, about: nothing, may: staff.Roles()},
	"mutation createSavedView": {
		query: `mutation { createSavedView(input: {list: TRANSACTIONS, name: "A", filter: "{}"}) { savedView { name } } }`, about: nothing, may: staff.Roles(),
	},
	"mutation updateSavedView": {
		query: `mutation($id: ID!) { updateSavedView(input: {id: $id, name: "B"}) { savedView { name } } }`, about: sharedView,
		may: []staff.Role{staff.Admin, staff.Operator},
	},
	"mutation removeSavedView": {
		query: `mutation($id: ID!) { removeSavedView(input: {id: $id}) { savedView { name } } }`, about: sharedView,
		may: []staff.Role{staff.Admin, staff.Operator},
	},
	"mutation updateProvider": {query: `mutation { updateProvider(input: {id: 1, }) { provider { name } } }`, about: fresh(payment.ManualDeposit), may: editors},
	"mutation approveDeposit": {
		query: `mutation($code: String!) { approveDeposit(input: {trackingCode: $code, expectedAmount: "250.00", reason: "why"}) { transaction { status } } }`,
		about: offered, may: deciders,
	},
	"mutation correctCredit": {
		query: `mutation($code: String!) {
			correctCredit(input: {trackingCode: $code, amount: "1.00", expectedAmount: "250.00", reason: "why"}) { transaction { status } } }`,
		about: paidCard, may: refunders, code: "APPROVAL_NEEDED",
	},
	"query decisionPreview": {
		query: `query($code: String!) { decisionPreview(decision: {rejectDeposit: {trackingCode: $code}}) { status } }`,
		about: fresh(payment.EIBANDeposit), may: deciders,
	},
	"mutation decideMany": { // what somebody may not do is refused row by row
		query: `mutation($code: String!) { decideMany(input: {decisions: [{rejectDeposit: {trackingCode: $code}}]}) { results { code } } }`,
		about: fresh(payment.EIBANDeposit), may: staff.Roles(),
	},
	"mutation addNote": {
		query: `mutation($code: String!) { addNote(input: {trackingCode: $code, text: "called"}) { transaction { notes { text } } } }`,
		about: fresh(payment.ManualWithdrawal), may: []staff.Role{staff.Admin, staff.Operator, staff.Finance, staff.Support, staff.DealerStaff, staff.DealerManager},
	},
	"mutation rejectDeposit":      decisionRow("rejectDeposit", fresh(payment.EIBANDeposit)),
	"mutation claimWithdrawal":    decisionRow("claimWithdrawal", fresh(payment.EIBANWithdrawal)),
	"mutation releaseWithdrawal":  claimedDecision("releaseWithdrawal"),
	"mutation completeWithdrawal": claimedDecision("completeWithdrawal"),
	"mutation rejectWithdrawal":   decisionRow("rejectWithdrawal", fresh(payment.EIBANWithdrawal)),
	"mutation failWithdrawal":     claimedDecision("failWithdrawal"),
	"mutation cancelWithdrawal":   decisionRow("cancelWithdrawal", fresh(payment.EIBANWithdrawal)),
	"mutation approvePayout":      decisionRow("approvePayout", waitingPayout),
	"mutation rejectPayout":       decisionRow("rejectPayout", waitingPayout),
	"mutation cancelPayout":       decisionRow("cancelPayout", waitingPayout),
	"mutation failPayout":         decisionRow("failPayout", triedPayout),
	"mutation confirmPayout": {
		query: `mutation($code: String!) { confirmPayout(input: {trackingCode: $code, code: "123456"}) { transaction { status } } }`, about: payoutWithCode, may: deciders,
	},
	"mutation refundTransaction": {
		query: `mutation($code: String!) { refundTransaction(input: {trackingCode: $code}) { transaction { status } } }`, about: paidCard, may: refunders,
	},
	"mutation approveHeldDeposit": heldRow("approveHeldDeposit"),
	"mutation declineHeldDeposit": heldRow("declineHeldDeposit"),
	"mutation cancelRefund": {
		query: `mutation($id: ID!) { cancelRefund(input: {operationId: $id}) { transaction { status } } }`, about: plannedRefund, may: refunders,
	},
	"query discrepancies": {query: `{ discrepancies { nodes { kind } } }`, about: overpaidCard, may: staff.Roles()},
	"query discrepancy":   {query: `query($id: ID!) { discrepancy(id: $id) { kind transaction { trackingCode } } }`, about: overpaidCard, may: staff.Roles()},
	"query disputes":      {query: `{ disputes(sort: EVIDENCE_DUE_ASC) { nodes { state takesEvidence transaction { trackingCode } } } }`, about: disputedCard, may: staff.Roles()},
	"query dispute":       {query: `query($id: ID!) { dispute(id: $id) { state transaction { trackingCode disputes { id } } } }`, about: disputedCard, may: staff.Roles()},
	"mutation acceptDispute": {
		query: `mutation($id: ID!) { acceptDispute(input: {id: $id, reason: "theirs"}) { dispute { state } } }`, about: disputedCard, may: refunders,
		code: "APPROVAL_NEEDED",
	},
	"mutation submitDisputeEvidence": {
		query: `mutation($id: ID!) { submitDisputeEvidence(input: {id: $id, statement: "delivered"}) { dispute { evidence { outcome by { name } pieces { kind } } } } }`,
		about: disputedCard, may: refunders,
	},
	"mutation recordDispute": {
		query: `mutation($code: String!) { recordDispute(input: {trackingCode: $code, reference: "LETTER-1", state: NEEDS_RESPONSE,
			disputeReason: FRAUD, amount: "10.00", withdrawn: "10.00", reason: "a letter"}) { dispute { state } } }`,
		about: paidByLetter, may: refunders, code: "APPROVAL_NEEDED",
	},
	"mutation resolveDiscrepancy": {
		query: `mutation($id: ID!) { resolveDiscrepancy(input: {id: $id, resolution: ACCEPT}) { discrepancy { status } } }`, about: overpaidCard, may: refunders,
	},
	"mutation refundDiscrepancy": {query: `mutation($id: ID!) { refundDiscrepancy(input: {id: $id}) { discrepancy { status } } }`, about: overpaidCard, may: refunders},
	"query gatewayPlugins":       {query: `{ gatewayPlugins { code } }`, about: fresh(payment.CreditCard), may: readers},
	"query gatewayAccounts":      {query: `{ gatewayAccounts { code health { isFailing } config { isSet } } }`, about: fresh(payment.CreditCard), may: readers},
	"query gatewayAccount":       {query: `{ gatewayAccount(id: 1) { code } }`, about: fresh(payment.CreditCard), may: readers},
	"query gatewayNotifications": {query: `{ gatewayNotifications { nodes { status } } }`, about: fresh(payment.CreditCard), may: readers},
	"query routeRules":           {query: `{ routeRules { name } }`, about: fresh(payment.CreditCard), may: readers},
	"query routePreview": {
		query: `{ routePreview(input: {siteId: 1, method: CREDIT_CARD, amount: "250.00"}) { order { gateway { code } rule { name } } others { obstacle } } }`,
		about: fresh(payment.CreditCard), may: readers,
	},
	"mutation createGatewayAccount": {
		query: `mutation { createGatewayAccount(input: {plugin: "till", environment: PRODUCTION, code: "till-3", name: "Third",
			config: [{name: "api_key", value: "x"}]}) { gatewayAccount { notificationUrl } } }`, about: fresh(payment.CreditCard), may: editors,
	},
	"mutation updateGatewayAccount": {
		query: `mutation { updateGatewayAccount(input: {id: 1, }) { gatewayAccount { notificationUrl } } }`, about: fresh(payment.CreditCard), may: editors,
	},
	"mutation testGatewayAccount": {query: `mutation { testGatewayAccount(input: {id: 1}) { isOk } }`, about: fresh(payment.CreditCard), may: editors},
	"mutation saveRouteRule": {
		query: `mutation { saveRouteRule(input: {name: "all", gatewayId: 1}) { routeRule { id } } }`, about: fresh(payment.CreditCard), may: editors,
	},
	"query wallets": {query: `{ wallets { iban feed { readUntil } entries { nodes { kind } } } }`, about: doubtful, may: bankers},
	"mutation updateCallbackUrls": {
		query: `mutation { updateCallbackUrls(input: {siteId: 1}) { site { name } } }`, about: nothing, may: keyHolders,
	},
	"mutation updateSiteBrand": {
		query: `mutation { updateSiteBrand(input: {siteId: 1}) { site { brand { displayName onLight { brand } } } } }`, about: nothing, may: keyHolders,
	},
	"query statistics": {query: `{ statistics(by: [PROVIDER, DEALER, GATEWAY], from: "2026-03-02T00:00:00Z", until: "2026-03-03T00:00:00Z") {
			rows { count provider { id } dealer { name } gateway { name } } } }`, about: paidCard, may: dealerReaders},
	"query wallet": {
		query: `query($wallet: ID!, $day: Date!) { wallet(id: $wallet) { balance days { nodes { status } }
			statement(from: $day, until: $day) { lines { text } } } }`, about: doubtful, may: bankers,
	},
	"query bankAccounts": {query: `{ bankAccounts(gatewayId: 3) { iban } }`, about: fresh(payment.ManualDeposit), may: editors},
	"mutation createWallet": {
		query: `mutation($account: String!) { createWallet(input: {dealerId: 1, gatewayId: 3, bankAccountId: $account, min: 1, max: 9}) { wallet {
			id } } }`, about: openAccount, may: editors,
	},
	"mutation setWalletActive": {
		query: `mutation($wallet: String!) { setWalletActive(input: {walletId: $wallet, isActive: true}) { wallet { isActive } } }`, about: fresh(payment.ManualDeposit), may: editors,
	},
	"query bankLines": {query: `{ bankLines { nodes { text candidates { score } } } }`, about: doubtful, may: bankers},
	"query bankLine": {
		query: `query($wallet: String!, $line: String!) { bankLine(walletId: $wallet, lineId: $line) { text candidates { score } } }`, about: doubtful, may: bankers,
	},
	"mutation creditBankLine": {
		query: `mutation($wallet: String!, $line: String!, $code: String!) {
			creditBankLine(input: {walletId: $wallet, lineId: $line, trackingCode: $code}) { bankLine { status } } }`, about: doubtful, may: deciders,
	},
	"mutation setAsideBankLine": {
		query: `mutation($wallet: String!, $line: String!) {
			setAsideBankLine(input: {walletId: $wallet, lineId: $line, reason: "why"}) { bankLine { status } } }`, about: doubtful, may: deciders,
	},
	"mutation bringBackBankLine": {
		query: `mutation($wallet: String!, $line: String!) {
			bringBackBankLine(input: {walletId: $wallet, lineId: $line, reason: "why"}) { bankLine { status } } }`, about: aside, may: deciders,
	},
	"query reconciliations": {query: `{ reconciliations { nodes { status differences { kind } } } }`, about: missing, may: bankers},
	"mutation reconcileDay": {
		query: `mutation($wallet: String!, $day: Date!) { reconcileDay(input: {walletId: $wallet, day: $day}) { reconciliation { status } } }`, about: fresh(payment.ManualDeposit), may: refunders,
	},
	"mutation explainDifference": {
		query: `mutation($wallet: String!, $day: Date!, $line: String!, $entry: ID!) {
			explainDifference(input: {walletId: $wallet, day: $day, kind: MISSING_THERE, lineId: $line, entryId: $entry, reason: "why"}) { reconciliation {
				status } } }`, about: missing, may: refunders,
	},
	"query adjustmentPreview": {
		query: `query($wallet: String!, $day: Date!) { adjustmentPreview(walletId: $wallet, day: $day) { amount obstacle } }`, about: unsettled, may: bankers,
	},
	"mutation adjustDifference": {
		query: `mutation($wallet: String!, $past: Date!, $amount: Decimal!) {
			adjustDifference(input: {walletId: $wallet, day: $past, amount: $amount, reason: "why"}) { reconciliation { status } entry { kind } } }`,
		about: unsettled, may: bookers,
	},
	"query callbacks":             {query: `{ callbacks { nodes { status transaction { trackingCode } attempts { answer } } } }`, about: fresh(payment.ManualWithdrawal), may: staff.Roles()},
	"query openWork":              {query: `{ openWork { kind count hasMore oldestAt } }`, about: fresh(payment.ManualWithdrawal), may: staff.Roles()},
	"query withdrawalDesk":        {query: `{ withdrawalDesk { waitingCount } }`, about: fresh(payment.ManualWithdrawal), may: staff.Roles()},
	"query deskWithdrawals":       {query: `{ deskWithdrawals { nodes { claim { staffName } } } }`, about: fresh(payment.ManualWithdrawal), may: staff.Roles()},
	"query payoutsToDecide":       {query: `{ payoutsToDecide { nodes { status } } }`, about: waitingPayout, may: staff.Roles()},
	"query auditChain":            {query: `{ auditChain { head { number hash keyId } signedAt lastCheck { at problems { kind number } } } }`, about: fresh(payment.ManualDeposit), may: auditors},
	"query auditLog":              {query: `{ auditLog { nodes { action actor { address } chainNumber } } }`, about: fresh(payment.ManualDeposit), may: auditors},
	"query restoration":           {query: `{ restoration { state epoch remains { subject } } }`, about: fresh(payment.ManualDeposit), may: []staff.Role{staff.Admin, staff.Finance}},
	"mutation acknowledgeRemains": {query: `mutation($entry: ID!) { acknowledgeRemains(input: {ids: [$entry], reason: "why"}) { remains { subject } } }`, about: restored(true), may: []staff.Role{staff.Admin, staff.Finance}},
	"mutation thaw":               {query: `mutation { thaw(input: {reason: "why"}) { restoration { state } } }`, about: restored(false), may: []staff.Role{staff.Admin, staff.Finance}, code: "APPROVAL_NEEDED"},
	"query queues":                {query: `{ queues { taskQueues { size } work { dueCount } } }`, about: fresh(payment.ManualDeposit), may: auditors},
	"query jobs":                  {query: `{ jobs { nodes { percent failures { code } } } }`, about: fresh(payment.ManualDeposit), may: staff.Roles()},
	"query job":                   {query: `query($job: ID!) { job(id: $job) { status } }`, about: exported, may: editors},
	"mutation cancelJob":          {query: `mutation($job: ID!) { cancelJob(input: {id: $job}) { job { status } } }`, about: exporting, may: editors},
	"mutation exportDownload":     {query: `mutation($job: ID!) { exportDownload(input: {jobId: $job}) { path } }`, about: exported, may: editors},
	"mutation startExport":        {query: `mutation { startExport(input: {format: CSV}) { job { status } } }`, about: fresh(payment.ManualDeposit), may: staff.Roles()},
	"mutation exportList":         {query: `mutation { exportList(input: {list: BANK_LINES, format: CSV}) { job { status } } }`, about: fresh(payment.ManualDeposit), may: bankers},
	"mutation resendCallback":     {query: `mutation($callback: ID!) { resendCallback(input: {callbackId: $callback}) { callback { status } } }`, about: undelivered, may: senders},
	"mutation resendCallbacks":    {query: `mutation($code: String!) { resendCallbacks(input: {trackingCodes: [$code]}) { count } }`, about: undelivered, may: senders},

	"query providers":                    {query: `{ providers { nodes { name sites { name } } } }`, about: fresh(payment.ManualDeposit), may: ownersOf},
	"query site":                         {query: `{ site(id: 1) { name provider { name } } }`, about: fresh(payment.ManualDeposit), may: ownersOf},
	"query dealers":                      {query: `{ dealers { nodes { name siteTokens { name } accounts { iban } } } }`, about: fresh(payment.ManualDeposit), may: dealerReaders},
	"query dealer":                       {query: `{ dealer(id: 1) { name siteTokens { name } accounts { iban } } }`, about: fresh(payment.ManualDeposit), may: dealerReaders},
	"query customer":                     {query: `{ customer(providerId: 1, userId: "u-1001") { paymentCount transactions { nodes { status } } } }`, about: fresh(payment.ManualDeposit), may: staff.Roles()},
	"query customers":                    {query: `{ customers(filter: {text: "Yılmaz"}) { nodes { userId provider { name } } } }`, about: fresh(payment.ManualDeposit), may: staff.Roles()},
	"query blockedCustomers":             {query: `{ blockedCustomers { nodes { reason } } }`, about: fresh(payment.ManualDeposit), may: staff.Roles()},
	"mutation createProvider":            {query: `mutation { createProvider(input: {name: "New"}) { credentials { credential } } }`, about: fresh(payment.ManualDeposit), may: editors},
	"mutation rotateProviderCredential":  {query: `mutation { rotateProviderCredential(input: {id: 1, credential: SECRET_KEY, endsGrace: true}) { provider { name } } }`, about: fresh(payment.ManualDeposit), may: keyHolders},
	"mutation createSite":                {query: `mutation { createSite(input: {providerId: 1, dealerId: 1, name: "New"}) { site { name } } }`, about: fresh(payment.ManualDeposit), may: editors},
	"mutation updateSite":                {query: `mutation { updateSite(input: {id: 1, }) { site { name } } }`, about: fresh(payment.ManualDeposit), may: editors},
	"mutation rotateSiteCredential":      {query: `mutation { rotateSiteCredential(input: {id: 2, credential: CREDENTIAL_KEY, endsGrace: true}) { site { name } } }`, about: fresh(payment.ManualDeposit), may: editors, codes: othersOfProvider},
	"mutation sendTestCallback":          {query: `mutation { sendTestCallback(input: {providerId: 1, kind: DEPOSIT}) { isAccepted } }`, about: fresh(payment.ManualDeposit), may: senders},
	"mutation createDealer":              {query: `mutation { createDealer(input: {name: "New"}) { dealer { name } } }`, about: fresh(payment.ManualDeposit), may: editors},
	"mutation updateDealer":              {query: `mutation { updateDealer(input: {id: 1, }) { dealer { name } } }`, about: fresh(payment.ManualDeposit), may: editors},
	"mutation rotateDealerCredential":    {query: `mutation { rotateDealerCredential(input: {id: 1, credential: API_KEY, endsGrace: true}) { dealer { name } } }`, about: fresh(payment.ManualDeposit), may: editors},
	"mutation createSiteToken":           {query: `mutation { createSiteToken(input: {dealerId: 1, name: "New"}) { siteToken { name } } }`, about: fresh(payment.ManualDeposit), may: editors},
	"mutation updateSiteToken":           {query: `mutation { updateSiteToken(input: {id: 1, }) { siteToken { name } } }`, about: withSiteToken, may: editors},
	"mutation rotateSiteTokenCredential": {query: `mutation { rotateSiteTokenCredential(input: {id: 1, credential: SITE_TOKEN, endsGrace: true}) { siteToken { name } } }`, about: withSiteToken, may: editors},
	"mutation createAccount": {query: `mutation($account: String!) { createAccount(input: {dealerId: 1, kind: MANUAL, iban: $account, bankName: "B", holder: "H",
			min: "1", max: "9"}) { ibanAccount { iban } } }`, about: newIBAN, may: operators, codes: houseFirst},
	"mutation updateAccount":      {query: `mutation { updateAccount(input: {id: 1, }) { ibanAccount { iban } } }`, about: fresh(payment.ManualDeposit), may: accountants},
	"mutation blockCustomer":      {query: `mutation { blockCustomer(input: {providerId: 1, userId: "bad", reason: "why"}) { customer { userId } } }`, about: unblocked, may: blockers},
	"mutation unblockCustomer":    {query: `mutation { unblockCustomer(input: {providerId: 1, userId: "bad"}) { customer { userId } } }`, about: blocked, may: operators},
	"query approvals":             {query: `{ approvals { nodes { status } } }`, about: fresh(payment.ManualDeposit), may: askers},
	"query approval":              {query: `query($id: ID!) { approval(id: $id) { status } }`, about: waitingRequest, may: dealerReaders, codes: othersOfProvider},
	"query approvalRules":         {query: `{ approvalRules { isOn } }`, about: fresh(payment.ManualDeposit), may: dealerReaders},
	"mutation approveRequest":     {query: `mutation($id: ID!) { approveRequest(input: {id: $id}) { approval { status } } }`, about: waitingRequest, may: deciders},
	"mutation refuseRequest":      {query: `mutation($id: ID!) { refuseRequest(input: {id: $id}) { approval { status } } }`, about: waitingRequest, may: deciders},
	"mutation withdrawRequest":    {query: `mutation($id: ID!) { withdrawRequest(input: {id: $id}) { approval { status } } }`, about: waitingRequest, may: askers},
	"mutation takeApprovalResult": {query: `mutation($id: ID!) { takeApprovalResult(input: {id: $id}) { credentials { value } } }`, about: waitingRequest, may: askers},
	"mutation setApprovalRule":    {query: `mutation { setApprovalRule(input: {action: WITHDRAWAL, isOn: false}) { approvalRule { isOn } } }`, about: fresh(payment.ManualDeposit), may: editors},
}

func TestWhoMayDoWhat(t *testing.T) {
	t.Parallel()
	if got, want := keysOf(wholeMatrix()), keysOf(rootFields()); !slices.Equal(got, want) {
		t.Fatalf("the matrix has %v, the schema %v", got, want)
	}
	a := newAPI(t)
	for name, o := range wholeMatrix() {
		var s subject
		acted := false
		for i, role := range append([]staff.Role{""}, staff.Roles()...) {
			if i == 0 || acted { // what was refused has left its subject as it was
				s = o.about(a, t)
			}
			v := a.varsOf(s, o.query)
			want := cmp.Or(s.others, "FORBIDDEN")
			switch {
			case o.codes[role] != "":
				want = o.codes[role]
			case slices.Contains(o.may, role):
				want = cmp.Or(o.code, ownOnly[name])
			case role == "":
				want = "UNAUTHENTICATED"
			}
			if answer := a.as(t, role, o.query, v); answer.code() != want {
				t.Errorf("%s as %q: got %s, want %q", name, role, answer.Raw, want)
			}
			acted = slices.Contains(o.may, role) || o.codes[role] != ""
			if o.ends {
				a.signIn(t)
			}
			if s.ID == "" {
				continue
			}
			if after := a.Reload(t, s.Payment); want != "" && after.Version != s.Version {
				t.Errorf("%s as %q was refused and moved the payment to %s", name, role, after.Status)
			}
		}
	}
}

// varsOf returns an operation of the matrix the variables that it has.
func (a *api) varsOf(s subject, query string) vars {
	v := vars{}
	for name, value := range map[string]any{
		"code": s.TrackingCode, "id": s.discrepancy, "wallet": a.Wallet.WalletID, "line": s.line, "account": s.line,
		"entry": s.entry, "amount": s.amount, "past": firstDay(a), "day": a.today(), "job": s.job, "callback": s.callback,
	} {
		if strings.Contains(query, "$"+name+":") {
			v[name] = value
		}
	}
	return v
}

func TestAPermissionIsCheckedBeforeAnythingElse(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	v := vars{"code": "MAN-1", "amount": "0.10"} // less than a deposit may have
	for role, want := range map[staff.Role]string{staff.Viewer: "FORBIDDEN", "": "UNAUTHENTICATED", staff.Operator: "INVALID"} {
		if got := a.as(t, role, approve, v).code(); got != want {
			t.Errorf("as %q: got %q, want %q", role, got, want)
		}
	}
}

// start creates a payment of any method at the first provider's site.
func (a *api) start(t *testing.T, m payment.Method) payment.Payment {
	t.Helper()
	return a.Start(t, payment.Request{Method: m, Amount: lira(25000)})
}

func TestLoginKeepsTheAddress(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	r := request(t, "", loginMutation, vars{"email": a.Admin.Email, "password": apptest.Password})
	r.RemoteAddr = "[2001:db8::7]:4711"
	var login struct{ Token string }
	a.send(t, r).into(t, "login", &login)
	session, _, err := a.Store.SessionByFingerprint(t.Context(), sign.Fingerprint(login.Token))
	if err != nil || session.Address != netip.MustParseAddr("2001:db8::7").String() {
		t.Errorf("the session has the address %q (%v)", session.Address, err)
	}
}
