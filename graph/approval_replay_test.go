package graph_test

import (
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/core/wallet"
	"github.com/vezne/vezne/e2e/apptest"
)

const takeIt = `mutation($id: ID!) { takeApprovalResult(input: {id: $id}) { credentials { credential value } } }`

// approved has the admin ask, and somebody else approve what waits; it returns the request's id.
func (a *api) approved(t *testing.T, query string, v vars) string {
	t.Helper()
	id := waits(t, a.as(t, staff.Admin, query, v))
	if got := a.send(t, request(t, a.session(t, a.colleague(t, staff.Admin)), approveIt, vars{"id": id})); got.code() != "" {
		t.Fatalf("approving %s: %s", query, got.Raw)
	}
	return id
}

// issued is what waits for the requester, by the name of its kind.
func (a *api) issued(t *testing.T, id string) map[string]string {
	t.Helper()
	var list []struct{ Credential, Value string }
	a.as(t, staff.Admin, takeIt, vars{"id": id}).into(t, "takeApprovalResult.credentials", &list)
	byKind := map[string]string{}
	for _, k := range list {
		byKind[k.Credential] = k.Value
	}
	return byKind
}

func TestAnApprovedRefundIsPaidBackOnce(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.allRules(t)
	s := paidCard(a, t)
	a.approved(t, matrix["mutation refundTransaction"].query, vars{"code": s.TrackingCode})
	operations, err := a.Store.OperationsOf(t.Context(), s.ID)
	refunds := 0
	for _, o := range operations {
		if o.Kind == operation.RefundOperation {
			refunds++
			if o.Amount != gateway.Lira(s.Amount) {
				t.Errorf("given back are %+v", o.Amount)
			}
		}
	}
	if err != nil || refunds != 1 {
		t.Errorf("%d refunds began (%v)", refunds, err)
	}
}

// TestAnEndedDepositIsCreditedByTwo: a bank line that staff give to a deposit that has expired completes it.
func TestAnEndedDepositIsCreditedByTwo(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.allRules(t)
	s := doubtful(a, t)
	a.Clock.Advance(s.ExpiresAt.Sub(a.Clock.Now()) + time.Hour)
	if err := a.Sweep.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	if p := a.Reload(t, s.Payment); !p.Status.IsFinal() || p.Status == payment.Completed {
		t.Fatalf("the deposit is %s", p.Status)
	}
	v := vars{"wallet": a.Wallet.WalletID, "line": s.line, "code": s.TrackingCode, "reason": "the bank was late"}
	const credit = `mutation($wallet: String!, $line: String!, $code: String!, $reason: String) {
		creditBankLine(input: {walletId: $wallet, lineId: $line, trackingCode: $code, reason: $reason}) { bankLine { status } } }`
	a.wantGuard(t, "creditBankLine", "completion", a.as(t, staff.Admin, credit, v))
	if p, l := a.Reload(t, s.Payment), a.line(t, a.Wallet, s.line); p.Status == payment.Completed || l.Status == wallet.LineMatched {
		t.Errorf("before anybody approves it is %s, and the line %s", p.Status, l.Status)
	}
	a.approved(t, credit, v)
	if p, l := a.Reload(t, s.Payment), a.line(t, a.Wallet, s.line); p.Status != payment.Completed || l.Status != wallet.LineMatched {
		t.Errorf("approved, it is %s, and the line %s", p.Status, l.Status)
	}
}

// TestAnOverdueDepositIsCompletedByTwo: nobody has swept it yet, and its time is over all the same.
func TestAnOverdueDepositIsCompletedByTwo(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.allRules(t)
	s := overpaidCard(a, t)
	a.Clock.Advance(48 * time.Hour)
	a.signIn(t)
	if err := a.Sweep.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	accept := matrix["mutation resolveDiscrepancy"].query
	a.wantGuard(t, "resolveDiscrepancy", "completion", a.as(t, staff.Admin, accept, vars{"id": s.discrepancy}))
	a.approved(t, accept, vars{"id": s.discrepancy})
	if p := a.Reload(t, s.Payment); p.Status != payment.Success {
		t.Errorf("approved, it is %s", p.Status)
	}
}

func TestAnApprovedAccountIsMade(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.allRules(t)
	s := newIBAN(a, t)
	a.approved(t, matrix["mutation createAccount"].query, vars{"account": s.line})
	accounts, err := a.Store.AccountLoads(t.Context(), a.Dealer.ID, owner.ManualAccount, a.today())
	made := 0
	for _, x := range accounts {
		if x.IBAN == s.line {
			made++
		}
	}
	if err != nil || made != 1 {
		t.Errorf("there are %+v (%v)", accounts, err)
	}
}

func TestAnApprovedDealerIsMadeAndItsKeysGoToWhoAsked(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.allRules(t)
	id := a.approved(t, `mutation { createDealer(input: {name: "New"}) { dealer { name } } }`, nil)
	keys := a.issued(t, id)
	dealer, err := a.Store.DealerByAPIKey(t.Context(), keys["API_KEY"])
	if err != nil || dealer.Name != "New" || !dealer.SecretKey.Equal(keys["SECRET_KEY"]) {
		t.Errorf("the keys are of %+v (%v)", dealer, err)
	}
}

// leave switches somebody off, as the server's operator would.
func (a *api) leave(t *testing.T, member staff.Staff) {
	t.Helper()
	member.Version, member.IsActive = member.Version+1, false
	if err := a.UnitOfWork.Commit(t.Context(), core.Changeset{member}); err != nil {
		t.Fatal(err)
	}
}

// TestWhoWorksHereTakesTwoWithoutAnyRule: from the second admin on nobody makes, gets into or gets rid of one alone. Who is the
// only one does, while no rule is on.
func TestWhoWorksHereTakesTwoWithoutAnyRule(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.setUp(t, staff.Operator)
	const (
		invite = `mutation($email: String!) { inviteStaff(input: {email: $email, role: ADMIN}) { link } }`
		off    = `mutation($id: ID!) { updateStaff(input: {id: $id, isActive: false}) { __typename } }`
		demote = `mutation($id: ID!) { updateStaff(input: {id: $id, role: VIEWER}) { __typename } }`
		reset  = `mutation($id: ID!) { resetStaffFactors(input: {id: $id}) { __typename } }`
	)
	one, other := vars{"email": "one@vezne.test"}, vars{"email": "other@vezne.test"}
	if got := a.as(t, staff.Admin, invite, one); got.code() != "" {
		t.Fatalf("the only admin invites: %s", got.Raw)
	}
	second := a.colleague(t, staff.Admin)
	v := vars{"id": second.ID}
	a.wantGuard(t, "inviteStaff", "staff", a.as(t, staff.Admin, invite, other))
	a.wantGuard(t, "updateStaff", "staff", a.as(t, staff.Admin, demote, v))
	a.wantGuard(t, "resetStaffFactors", "staff", a.as(t, staff.Admin, reset, vars{"id": a.Operator.ID}))
	a.wantGuard(t, "updateStaff", "staff", a.as(t, staff.Admin, off, v))
	if now, err := a.Store.StaffByID(t.Context(), second.ID); err != nil || now != second {
		t.Fatalf("before anybody approves: %+v (%v)", now, err)
	}
	id := waits(t, a.as(t, staff.Admin, off, v)) // the same request: they agree to go
	if got := a.as(t, staff.Admin, approveIt, vars{"id": id}); got.code() != "OWN_REQUEST" {
		t.Errorf("by oneself: %s", got.Raw)
	}
	if got := a.send(t, request(t, a.session(t, second), approveIt, vars{"id": id})); got.code() != "" {
		t.Fatal(got.Raw)
	}
	if now, err := a.Store.StaffByID(t.Context(), second.ID); err != nil || now.IsActive {
		t.Errorf("approved: %+v (%v)", now, err)
	}
	if got := a.as(t, staff.Admin, invite, other); got.code() != "" {
		t.Errorf("the only admin again: %s", got.Raw)
	}
	a.rule(t, core.GuardLimits, 0) // with another admin
	admins, err := a.Store.ListStaff(t.Context(), staff.Query{Role: staff.Admin, IsActive: new(true), Paging: core.Paging[int64]{Limit: 9}})
	if err != nil || len(admins) != 2 {
		t.Fatalf("there are %+v (%v)", admins, err)
	}
	a.leave(t, admins[1])
	if got := a.as(t, staff.Admin, invite, vars{"email": "third@vezne.test"}); got.code() != "NO_SECOND_PERSON" {
		t.Errorf("the only admin under a rule: %s", got.Raw)
	}
}

// TestTwoOfADealerAreOne: what no rule switches off is approved by the house, and where nobody of it could there is no request.
func TestTwoOfADealerAreOne(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	v := vars{"code": a.OfferedDeposit(t, lira(25000)).TrackingCode}
	const much = `mutation($code: String!) { approveDeposit(input: {trackingCode: $code, expectedAmount: "250.00", amount: "501.00", reason: "seen"}) {
		transaction { status } } }`
	mate := a.colleague(t, staff.DealerStaff)
	id := waits(t, a.as(t, staff.DealerStaff, much, v))
	if got := a.send(t, request(t, a.session(t, mate), approveIt, vars{"id": id})); got.code() != "FORBIDDEN" {
		t.Errorf("their colleague: %s", got.Raw)
	}
	if got := a.as(t, staff.Operator, approveIt, vars{"id": id}); got.code() != "" {
		t.Errorf("the house: %s", got.Raw)
	}
	a.leave(t, a.Operator)
	a.leave(t, a.Admin)
	v["code"] = a.OfferedDeposit(t, lira(25000)).TrackingCode
	if got := a.as(t, staff.DealerStaff, much, v); got.code() != "NO_SECOND_PERSON" {
		t.Errorf("where only a colleague is: %s", got.Raw)
	}
}

// TestNobodyMakesThemselvesASecondPerson: an account of one's own to approve with takes somebody else's approval.
func TestNobodyMakesThemselvesASecondPerson(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	const invite = `mutation { inviteStaff(input: {email: "new@vezne.test", role: ADMIN}) { link } }`
	if got := a.as(t, staff.Admin, `mutation { inviteStaff(input: {email: "old@vezne.test", role: VIEWER}) { link } }`, nil); got.code() != "" {
		t.Fatalf("while no rule is on: %s", got.Raw)
	}
	a.rule(t, core.GuardLimits, 0)
	a.wantGuard(t, "inviteStaff", "staff", a.as(t, staff.Admin, invite, nil))
	id := a.approved(t, invite, nil)
	link := a.issued(t, id)["INVITATION_LINK"]
	_, token, _ := strings.Cut(link, "#")
	v := vars{"token": token, "password": apptest.Password}
	var in struct{ Token string }
	a.as(t, "", acceptInvitation, v).into(t, "acceptInvitation", &in)
	if got := a.send(t, request(t, in.Token, `{ me { email role } }`, nil)).Raw; got != `{"data":{"me":{"email":"new@vezne.test","role":"ADMIN"}}}` {
		t.Errorf("accepted, it is %s", got)
	}
	if got := a.as(t, staff.Admin, takeIt, vars{"id": id}).code(); got != "NOT_FOUND" {
		t.Errorf("the link a second time: %q", got)
	}
}

// TestNobodyGetsIntoAnothersAccount: taking somebody's second factors away waits, what takes rights away does not.
func TestNobodyGetsIntoAnothersAccount(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.setUp(t, staff.Operator)
	a.rule(t, core.GuardLimits, 0)
	v := vars{"id": a.Operator.ID}
	const reset = `mutation($id: ID!) { resetStaffFactors(input: {id: $id}) { staffMember { email } } }`
	a.wantGuard(t, "resetStaffFactors", "staff", a.as(t, staff.Admin, reset, v))
	if f, err := a.Store.FactorsOf(t.Context(), a.Operator.ID); err != nil || !f.HasTOTP() {
		t.Errorf("before anybody approves: %+v (%v)", f, err)
	}
	a.approved(t, reset, v)
	if f, err := a.Store.FactorsOf(t.Context(), a.Operator.ID); err != nil || f.HasTOTP() {
		t.Errorf("approved: %+v (%v)", f, err)
	}
	turn := func(on string) reply {
		return a.as(t, staff.Admin, `mutation($id: ID!) { updateStaff(input: {id: $id, isActive: `+on+`}) { staffMember { isActive } } }`, v)
	}
	if got := turn("false"); got.code() != "" {
		t.Errorf("switching somebody off: %s", got.Raw)
	}
	a.wantGuard(t, "updateStaff", "staff", turn("true"))
}
