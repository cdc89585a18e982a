package graph_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/app/approval"
	"github.com/vezne/vezne/core"
	coreapproval "github.com/vezne/vezne/core/approval"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/staff"
)

// ownOnly is what even those who may ask are answered about other people's requests.
var ownOnly = map[string]string{"mutation withdrawRequest": "NOT_FOUND", "mutation takeApprovalResult": "NOT_FOUND"}

// colleague makes one more staff member, of whom a matrix's roles know nothing.
func (a *api) colleague(t *testing.T, role staff.Role) staff.Staff {
	t.Helper()
	id, err := a.Store.NextID(t.Context(), "staff")
	if err != nil {
		t.Fatal(err)
	}
	member := a.Admin
	member.ID, member.Version, member.Email, member.Role = id, 1, fmt.Sprintf("colleague-%d@vezne.test", id), role
	if role == staff.DealerStaff {
		member.DealerID = a.Dealer.ID
	}
	if err := a.UnitOfWork.Commit(t.Context(), core.Changeset{member}); err != nil {
		t.Fatal(err)
	}
	return member
}

// waitingRequest is a request of a colleague to complete a withdrawal that is theirs.
func waitingRequest(a *api, t *testing.T) subject {
	t.Helper()
	member := a.colleague(t, staff.Operator)
	p := a.claimedBefore(t, member)
	request, err := a.Approvals.Ask(t.Context(), approval.Asked{
		Request: app.Request{Staff: member, Addr: "192.0.2.9"}, Action: "completeWithdrawal", Permission: staff.DecideWithdrawal,
		Input: `{"trackingCode":"` + p.TrackingCode + `"}`,
	}, &coreapproval.NeedsApproval{LapseAfter: time.Hour, PaymentID: p.ID, Holds: true, Claim: p.Claim, Guards: []core.Guard{{
		Action: core.GuardWithdrawal, Subject: "payment/" + p.TrackingCode, DealerID: p.DealerID, Amount: gateway.Lira(p.Amount),
		IsCounted: true,
	}}})
	if err != nil {
		t.Fatal(err)
	}
	return subject{Payment: a.Reload(t, p), discrepancy: request.ID}
}

// rule turns the rule of an action on, as the command line would; there is a second admin then.
func (a *api) rule(t *testing.T, action core.GuardedAction, above int64) {
	t.Helper()
	admins, err := a.Store.ListStaff(t.Context(), staff.Query{Role: staff.Admin, IsActive: new(true), Paging: core.Paging[int64]{Limit: 2}})
	if err != nil {
		t.Fatal(err)
	}
	if len(admins) < 2 {
		a.colleague(t, staff.Admin)
	}
	_, err = a.Approvals.SetRule(t.Context(), app.BySystem, coreapproval.Rule{
		Action: action, IsOn: true, Above: lira(above), LapseAfter: time.Hour,
	})
	if err != nil {
		t.Fatal(err)
	}
}

func (a *api) allRules(t *testing.T) {
	t.Helper()
	for _, action := range core.GuardedActions() {
		if action != core.GuardRules && action != core.GuardStaff && action != core.GuardCorrection && action != core.GuardThaw { // which are not set
			a.rule(t, action, 0)
		}
	}
}

// waits reads the id of the request that a mutation made.
func waits(t *testing.T, got reply) string {
	t.Helper()
	var whole struct {
		Errors []struct {
			Extensions struct{ Code, ApprovalID string }
		}
	}
	if err := json.Unmarshal([]byte(got.Raw), &whole); err != nil || len(whole.Errors) != 1 ||
		whole.Errors[0].Extensions.Code != "APPROVAL_NEEDED" || !core.IsID(whole.Errors[0].Extensions.ApprovalID) {
		t.Fatalf("it does not wait for a second person: %s (%v)", got.Raw, err)
	}
	return whole.Errors[0].Extensions.ApprovalID
}

const (
	claimIt    = `mutation($code: String!) { claimWithdrawal(input: {trackingCode: $code}) { transaction { status } } }`
	completeIt = `mutation($code: String!) { completeWithdrawal(input: {trackingCode: $code}) { transaction { status } } }`
	approveIt  = `mutation($id: ID!) { approveRequest(input: {id: $id, reason: "checked"}) { approval { status decidedBy { name } decisionReason } } }`
	readIt     = `query($id: ID!) { approval(id: $id) { status action permission guards { action subject amount { amount asset } }
		subject amount { amount asset } before after requestedBy { name } reason createdAt expiresAt decidedBy { name } decidedAt
		decisionReason hasResult } }`
)

func TestAWithdrawalAboveAnAmountNeedsASecondPerson(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.fixRandom(t)
	a.rule(t, core.GuardWithdrawal, 25000)
	small, large := a.start(t, payment.ManualWithdrawal), a.StartWithdrawal(t, payment.ManualWithdrawal, lira(25001))
	if got := a.as(t, staff.Operator, claimIt, vars{"code": small.TrackingCode}); got.code() != "" {
		t.Fatal(got.Raw)
	}
	if got := a.as(t, staff.Operator, completeIt, vars{"code": small.TrackingCode}); got.code() != "" {
		t.Errorf("up to the amount: %s", got.Raw)
	}
	id := waits(t, a.as(t, staff.Operator, claimIt, vars{"code": large.TrackingCode}))
	if again := waits(t, a.as(t, staff.Operator, claimIt, vars{"code": large.TrackingCode})); again != id {
		t.Errorf("asking again made the request %s beside %s", again, id)
	}
	if got := a.as(t, staff.Operator, completeIt, vars{"code": large.TrackingCode}).code(); got != "AWAITS_APPROVAL" {
		t.Errorf("completing it before anybody approves: %q", got)
	}
	if got := a.as(t, staff.DealerStaff, claimIt, vars{"code": large.TrackingCode}); got.code() != "AWAITS_APPROVAL" ||
		!strings.Contains(got.Raw, a.Operator.Email) {
		t.Errorf("somebody else claims it: %s", got.Raw)
	}
	const look = `query($code: String!) { transaction(trackingCode: $code) { awaitsApproval claim { isOwn isHeld awaitsApproval }
		approvals { status decidedBy { name } } } withdrawalDesk { claimedCount awaitingApprovalCount } }`
	want := `{"data":{"transaction":{"awaitsApproval":true,"claim":{"isOwn":false,"isHeld":true,"awaitsApproval":true},` +
		`"approvals":[{"status":"WAITING","decidedBy":null}]},"withdrawalDesk":[{"claimedCount":1,"awaitingApprovalCount":1}]}}`
	if got := a.as(t, staff.Admin, look, vars{"code": large.TrackingCode}); got.Raw != want {
		t.Errorf("who looks sees %s, want %s", got.Raw, want)
	}
	checkGolden(t, "approval-waiting", a.as(t, staff.Admin, readIt, vars{"id": id}).Raw)
	if got := a.as(t, staff.Operator, approveIt, vars{"id": id}).code(); got != "OWN_REQUEST" {
		t.Errorf("approving one's own request: %q", got)
	}
	a.Clock.Advance(30 * time.Minute) // longer than a claim lasts
	if got := a.as(t, staff.Admin, approveIt, vars{"id": id}); got.code() != "" {
		t.Fatal(got.Raw)
	}
	checkGolden(t, "approval-approved", a.as(t, staff.Admin, readIt, vars{"id": id}).Raw)
	if got := a.as(t, staff.Admin, approveIt, vars{"id": id}).code(); got != "APPROVAL_DECIDED" {
		t.Errorf("approving again: %q", got)
	}
	a.Clock.Advance(time.Minute)
	if got := a.as(t, staff.Operator, completeIt, vars{"code": large.TrackingCode}); got.code() != "" {
		t.Errorf("approved, it is not completed: %s", got.Raw)
	}
	moves, err := a.Store.MovesOf(t.Context(), []core.ID{large.ID}, core.Paging[payment.TransitionID]{Limit: core.MaxPage})
	if err != nil || whoDid(moves, payment.Complete) != a.Operator.Email || whoDid(moves, payment.ApproveRequest) != a.Admin.Email {
		t.Errorf("who completed it, and who approved that: %+v (%v)", moves, err)
	}
	want = `{"data":{"transaction":{"awaitsApproval":false,"claim":{"isOwn":false,"isHeld":false,"awaitsApproval":false},` +
		`"approvals":[{"status":"APPROVED","decidedBy":{"name":"admin@vezne.test"}}]},"withdrawalDesk":[]}}`
	if got := a.as(t, staff.Admin, look, vars{"code": large.TrackingCode}); got.Raw != want {
		t.Errorf("afterwards who looks sees %s, want %s", got.Raw, want)
	}
}

// whoDid names who made the last move of a command.
func whoDid(moves []payment.Transition, command payment.Command) (name string) {
	for _, m := range moves {
		if m.Command == command {
			name = m.Actor.Name
		}
	}
	return name
}

func TestATransactionShowsWhatWaitsForASecondPerson(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	s := waitingRequest(a, t)
	const query = `query($code: String!) { transaction(trackingCode: $code) { approvals { id status } } }`
	want := `{"data":{"transaction":{"approvals":[{"id":"` + string(s.discrepancy) + `","status":"WAITING"}]}}}`
	if got := a.as(t, staff.DealerStaff, query, vars{"code": s.TrackingCode}); got.Raw != want {
		t.Errorf("got %s, want %s", got.Raw, want)
	}
	a.Clock.Advance(time.Hour)
	if got := a.as(t, staff.Admin, approveIt, vars{"id": s.discrepancy}).code(); got != "APPROVAL_DECIDED" {
		t.Errorf("approving what has lapsed: %q", got)
	}
	if err := a.Sweep.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	want = `{"data":{"transaction":{"approvals":[{"id":"` + string(s.discrepancy) + `","status":"LAPSED"}]}}}`
	if got := a.as(t, staff.DealerStaff, query, vars{"code": s.TrackingCode}); got.Raw != want {
		t.Errorf("got %s, want %s", got.Raw, want)
	}
}

// TestOfManyApproversOneWins: the request's colleague may pay once, however many approve at the same moment.
func TestOfManyApproversOneWins(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	s := waitingRequest(a, t)
	a.rule(t, core.GuardWithdrawal, 0)
	var (
		group sync.WaitGroup
		mu    sync.Mutex
		codes = map[string]int{}
	)
	for i := range 16 {
		role := []staff.Role{staff.Admin, staff.Operator, staff.DealerStaff}[i%3]
		group.Go(func() {
			code := a.as(t, role, approveIt, vars{"id": s.discrepancy}).code()
			mu.Lock()
			defer mu.Unlock()
			codes[code]++
		})
	}
	group.Wait()
	moves, err := a.Store.MovesOf(t.Context(), []core.ID{s.ID}, core.Paging[payment.TransitionID]{Limit: core.MaxPage})
	completed := 0
	for _, m := range moves {
		if m.To == payment.Completed {
			completed++
		}
	}
	if err != nil || completed != 1 || codes[""] != 1 {
		t.Errorf("completed %d times; the answers are %v (%v)", completed, codes, err)
	}
}

// TestRotatedKeysAreShownToWhoAskedOnce: neither the approver nor anybody else sees the new key.
func TestRotatedKeysAreShownToWhoAskedOnce(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.rule(t, core.GuardKeys, 0)
	second := a.colleague(t, staff.Admin)
	token := a.session(t, second)
	id := waits(t, a.as(t, staff.Admin, `mutation { rotateProviderCredential(input: {id: 1, credential: SECRET_KEY}) {
		credentials { value } } }`, nil))
	if got := a.as(t, staff.Operator, approveIt, vars{"id": id}).code(); got != "FORBIDDEN" {
		t.Errorf("approving what one may not do oneself: %q", got)
	}
	approved := a.send(t, request(t, token, approveIt, vars{"id": id}))
	provider, err := a.Store.Provider(t.Context(), a.Provider.ID)
	if err != nil || provider.SecretKey == a.Provider.SecretKey || approved.code() != "" {
		t.Fatalf("the key was not rotated: %s (%v)", approved.Raw, err)
	}
	if strings.Contains(approved.Raw, provider.SecretKey.Reveal()) {
		t.Error("the approver sees the key")
	}
	const take = `mutation($id: ID!) { takeApprovalResult(input: {id: $id}) { credentials { credential value } } }`
	if got := a.send(t, request(t, token, take, vars{"id": id})).code(); got != "NOT_FOUND" {
		t.Errorf("the approver takes the key: %q", got)
	}
	demoted := a.Admin
	demoted.Version, demoted.Role = demoted.Version+1, staff.Finance
	a.save(t, demoted)
	if got := a.as(t, staff.Admin, take, vars{"id": id}).code(); got != "FORBIDDEN" {
		t.Errorf("who may not rotate keys any more takes the key: %q", got)
	}
	a.Admin.Version = demoted.Version + 1
	a.save(t, a.Admin)
	want := `{"data":{"takeApprovalResult":{"credentials":[{"credential":"SECRET_KEY","value":"` +
		provider.SecretKey.Reveal() + `"}]}}}`
	if got := a.as(t, staff.Admin, take, vars{"id": id}); got.Raw != want {
		t.Errorf("whoever asked gets %s", got.Raw)
	}
	if got := a.as(t, staff.Admin, take, vars{"id": id}).code(); got != "NOT_FOUND" {
		t.Errorf("a second time: %q", got)
	}
}

func TestTheRulesAreGuardedOnceOneIsOn(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.colleague(t, staff.Admin)
	const set = `mutation($on: Boolean!) { setApprovalRule(input: {action: LIMITS, isOn: $on, lapseAfterMinutes: 5}) { approvalRule { isOn } } }`
	if got := a.as(t, staff.Admin, set, vars{"on": true}); got.code() != "" {
		t.Fatal(got.Raw)
	}
	checkGolden(t, "approval-rules", strings.ReplaceAll(
		a.as(t, staff.Admin, `{ approvalRules { action isOn above lapseAfterMinutes updatedAt } }`, nil).Raw, "\n", ""))
	waits(t, a.as(t, staff.Admin, set, vars{"on": false}))
}

func TestWhatARuleMustNotBe(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	for _, input := range []string{
		`{action: RULES, isOn: true}`, `{action: CORRECTION, isOn: true}`, `{action: ROUTING, isOn: true, perDay: "5"}`,
		`{action: REFUND, isOn: true, differsBy: "5"}`, `{action: CREDIT, isOn: true, perDay: "-1"}`,
		`{action: KEYS, isOn: true, above: "5"}`, `{action: REFUND, isOn: true, above: "-5"}`,
		`{action: REFUND, isOn: true, lapseAfterMinutes: 0}`, `{action: REFUND, isOn: true, lapseAfterMinutes: 2000000000}`,
	} {
		if got := a.as(t, staff.Admin, `mutation { setApprovalRule(input: `+input+`) { approvalRule { isOn } } }`, nil).code(); got != "INVALID" {
			t.Errorf("%s: %q", input, got)
		}
	}
}
