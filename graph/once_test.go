package graph_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/approval"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/e2e/apptest"
)

// keyless are the mutations that take no idempotency key, and why: they move and credit no money, and either a repeat finds
// what is there already, or what they answer is a secret, which is kept nowhere.
var keyless = map[string]string{
	"login": "a sign-in", "loginWithCode": "a sign-in", "beginPasskeyLogin": "a sign-in", "loginWithPasskey": "a sign-in",
	"acceptInvitation": "an invitation is accepted once", "logout": "a session ends once", "stepUp": "a proof is made anew",
	"beginPasskeyStepUp": "a question", "beginTotp": "a secret", "confirmTotp": "a code counts once", "removeTotp": "it goes once",
	"newRecoveryCodes": "secrets", "beginPasskey": "a question", "finishPasskey": "a passkey is made once",
	"renamePasskey": "the same again", "removePasskey": "it goes once", "changePassword": "the same again",
	"revokeSession": "a session ends once", "revokeOtherSessions": "a session ends once", "revokeStaffSessions": "a session ends once",
	"inviteStaff": "its link is a secret", "revokeInvitation": "it is revoked once", "updateStaff": "the same again",
	"unlockStaff": "the same again", "resetStaffFactors": "the same again",
	"createDealer": "its keys are secrets", "createSite": "its keys are secrets", "createSiteToken": "its keys are secrets",
	"createProvider": "its keys are secrets", "rotateDealerCredential": "a secret", "rotateSiteCredential": "a secret",
	"rotateSiteTokenCredential": "a secret", "rotateProviderCredential": "a secret", "takeApprovalResult": "a secret",
	"updateDealer": "the same again", "updateSite": "the same again", "updateCallbackUrls": "the same again", "updateSiteBrand": "the same again", "updateSiteToken": "the same again",
	"updateProvider": "the same again", "updateAccount": "the same again", "updateGatewayAccount": "the same again",
	"saveRouteRule": "the same again, or a rule more, which is seen", "setWalletActive": "the same again",
	"setApprovalRule": "the same again", "createAccount": "an IBAN is a dealer's once", "createWallet": "an account is a wallet's once",
	"createGatewayAccount": "a code is taken once", "testGatewayAccount": "a question", "sendTestCallback": "a test",
	"reconcileDay": "computed anew", "explainDifference": "a difference is explained once",
	"updateMyProfile": "the same again", "createSavedView": "a view more, which is seen", "updateSavedView": "the same again",
	"removeSavedView": "it goes once", "acknowledgeRemains": "each is acknowledged once", "thaw": "it thaws once",
	"exportDownload": "a ticket", "cancelJob": "a job ends once",
	"decideMany":     "each of its decisions has its own",
	"approveRequest": "a request is decided once", "refuseRequest": "a request is decided once", "withdrawRequest": "a request is decided once",
}

// keyed are the mutations that take an idempotency key.
func keyed() []string {
	var names []string
	for _, f := range schema().Mutation.Fields {
		if inputField(f, "idempotencyKey") != nil {
			names = append(names, f.Name)
		}
	}
	return names
}

func TestEveryMutationTakesAKeyOrSaysWhyNot(t *testing.T) {
	t.Parallel()
	all := keyed()
	for _, f := range schema().Mutation.Fields {
		why, isKeyless := keyless[f.Name]
		if isKeyless == slices.Contains(all, f.Name) {
			t.Errorf("%s: either it takes an idempotencyKey, or it is said here why not (%q)", f.Name, why)
		}
		if a := inputField(f, "idempotencyKey"); a != nil && a.Type.String() != "String" {
			t.Errorf("%s takes a key of the type %s", f.Name, a.Type)
		}
	}
	for name := range keyless {
		if schema().Mutation.Fields.ForName(name) == nil {
			t.Errorf("there is no mutation %s", name)
		}
	}
}

// inputField is a field of what a mutation takes; nil: there is none.
func inputField(f *ast.FieldDefinition, name string) *ast.FieldDefinition {
	input := f.Arguments.ForName("input")
	if input == nil {
		return nil
	}
	return schema().Types[input.Type.Name()].Fields.ForName(name)
}

// withKey puts a key into the call of a mutation.
func withKey(query, mutation, key string) string {
	before, after, _ := strings.Cut(query, mutation+"(input: {")
	return fmt.Sprintf("%s%s(input: {idempotencyKey: %q, %s", before, mutation, key, after)
}

// madeBy collects what staff change from now on.
func (a *api) madeBy(t *testing.T) func() []core.AuditEntry {
	t.Helper()
	var (
		mu   sync.Mutex
		rows []core.AuditEntry
	)
	a.UnitOfWork.Commits = &apptest.Commits{Committer: a.UnitOfWork.Commits, After: func(c core.Changeset) error {
		mu.Lock()
		defer mu.Unlock()
		for _, e := range core.RowsOf[core.AuditEntry](c) {
			if e.Actor.Kind == core.ByStaff {
				rows = append(rows, e)
			}
		}
		return nil
	}}
	return func() []core.AuditEntry {
		mu.Lock()
		defer mu.Unlock()
		return slices.Clone(rows)
	}
}

// repeated reads what an answer says of repeats: by alias, the kinds of rows.
func repeated(t *testing.T, r reply) map[string][]string {
	t.Helper()
	var whole struct {
		Extensions struct {
			Repeated map[string]struct {
				FirstAt time.Time
				Rows    []struct{ Kind, ID, State, Amount string }
			}
		}
	}
	if err := json.Unmarshal([]byte(r.Raw), &whole); err != nil {
		t.Fatal(err)
	}
	found := map[string][]string{}
	for alias, x := range whole.Extensions.Repeated {
		if x.FirstAt.IsZero() {
			t.Errorf("%s does not say when it was done first", alias)
		}
		for _, row := range x.Rows {
			found[alias] = append(found[alias], row.Kind+" "+row.State+" "+row.Amount)
		}
		if found[alias] == nil {
			found[alias] = []string{}
		}
	}
	return found
}

// TestARepeatedMutationIsDoneOnce sends every mutation that takes a key twice.
func TestARepeatedMutationIsDoneOnce(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	made := a.madeBy(t)
	for _, mutation := range keyed() {
		o := matrix["mutation "+mutation]
		if o.code == "APPROVAL_NEEDED" {
			continue // it is done by who approves it, once
		}
		s := o.about(a, t)
		query, v := withKey(o.query, mutation, "first "+mutation), a.varsOf(s, o.query)
		first := a.as(t, staff.Admin, query, v)
		if first.code() != "" || len(repeated(t, first)) != 0 {
			t.Errorf("%s: %s", mutation, first.Raw)
			continue
		}
		before := len(made())
		// What a claim does before is its own: only the keyed mutation is sent again.
		again := a.as(t, staff.Admin, query, v)
		if _, isRepeat := repeated(t, again)[mutation]; !isRepeat {
			t.Errorf("%s: the second answer is no repeat: %s", mutation, again.Raw)
		}
		if got, want := string(again.Data[mutation]), string(first.Data[mutation]); got != want {
			t.Errorf("%s answers %s, and again %s", mutation, want, got)
		}
		for _, e := range made()[before:] {
			if e.Action == mutation {
				t.Errorf("%s was done again: %+v", mutation, e)
			}
		}
	}
}

const refundTwenty = `mutation($code: String!, $key: String, $amount: Decimal!) {
	refundTransaction(input: {trackingCode: $code, amount: $amount, idempotencyKey: $key, reason: "twice"}) { transaction { trackingCode status } } }`

// refundedOf sums what is given back of a payment, or about to be.
func (a *api) refundedOf(t *testing.T, p payment.Payment) string {
	t.Helper()
	sum := gateway.Lira(lira(0)).Amount
	for _, o := range a.operationsOf(t, p) {
		if o.Kind == operation.RefundOperation {
			sum = sum.Add(o.Amount.Amount)
		}
	}
	return sum.Fixed(2)
}

// TestTwoWindowsRefundOnce: of many refunds with one key at once one is made, and all of them are answered.
func TestTwoWindowsRefundOnce(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	s := paidCard(a, t)
	v := vars{"code": s.TrackingCode, "key": "window", "amount": "20.00"}
	var (
		group   sync.WaitGroup
		answers [12]reply
	)
	for i := range answers {
		group.Go(func() { answers[i] = a.as(t, staff.Finance, refundTwenty, v) })
	}
	group.Wait()
	for _, answer := range answers {
		if answer.code() != "" || string(answer.Data["refundTransaction"]) != string(answers[0].Data["refundTransaction"]) {
			t.Errorf("got %s, and at the same moment %s", answers[0].Raw, answer.Raw)
		}
	}
	if got := a.refundedOf(t, s.Payment); got != "20.00" {
		t.Errorf("given back are %s", got)
	}
}

// TestOfManyDecisionsWithOneKeyAllAreAnswered: who comes late finds the deposit decided, by their own twin.
func TestOfManyDecisionsWithOneKeyAllAreAnswered(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	p := a.OfferedDeposit(t, lira(25000))
	var group sync.WaitGroup
	for range 12 {
		group.Go(func() {
			got := a.as(t, staff.Operator, withKey(approve, "approveDeposit", "k"), vars{"code": p.TrackingCode, "amount": "240.00"})
			if got.code() != "" {
				t.Errorf("got %s", got.Raw)
			}
		})
	}
	group.Wait()
	if got := a.Reload(t, p); got.Status != payment.Completed || got.Version != p.Version+1 {
		t.Errorf("the deposit is %s in version %d", got.Status, got.Version)
	}
	if got := a.as(t, staff.Operator, approve, vars{"code": p.TrackingCode, "amount": "240.00"}).code(); got != "ALREADY_FINAL" {
		t.Errorf("without the key: %q", got)
	}
}

// TestAKeyIsItsOwners: other arguments, other people and other mutations are other things.
func TestAKeyIsItsOwners(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	s := paidCard(a, t)
	v := vars{"code": s.TrackingCode, "key": "K", "amount": "20.00"}
	if got := a.as(t, staff.Finance, refundTwenty, v); got.code() != "" {
		t.Fatal(got.Raw)
	}
	for name, changed := range map[string]vars{
		"another amount":  {"code": s.TrackingCode, "key": "K", "amount": "21.00"},
		"another payment": {"code": paidCard(a, t).TrackingCode, "key": "K", "amount": "20.00"},
	} {
		if got := a.as(t, staff.Finance, refundTwenty, changed).code(); got != "IDEMPOTENCY_KEY_REUSED" {
			t.Errorf("%s: %q", name, got)
		}
	}
	if got := a.refundedOf(t, s.Payment); got != "20.00" {
		t.Errorf("given back are %s", got)
	}
	// A colleague's key is no secret and says nothing: the same one makes a refund of their own.
	if got := a.as(t, staff.Operator, refundTwenty, v); got.code() != "" || len(repeated(t, got)) != 0 {
		t.Errorf("a colleague: %s", got.Raw)
	}
	if got := a.refundedOf(t, s.Payment); got != "40.00" {
		t.Errorf("given back are %s", got)
	}
	p := a.OfferedDeposit(t, lira(25000))
	if got := a.as(t, staff.Operator, withKey(approve, "approveDeposit", "K"), vars{"code": p.TrackingCode, "amount": "240.00"}); got.code() != "" {
		t.Errorf("another mutation: %s", got.Raw)
	}
	// Who may not ask learns nothing from a key, not even their own of better days.
	member := a.Finance
	member.Version, member.Role = member.Version+1, staff.Viewer
	if err := a.Store.Commit(t.Context(), core.Changeset{member}); err != nil {
		t.Fatal(err)
	}
	if got := a.as(t, staff.Finance, refundTwenty, v).code(); got != "FORBIDDEN" {
		t.Errorf("demoted: %q", got)
	}
}

func TestWhatIsNoKeyIsRefused(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	s := paidCard(a, t)
	long := strings.Repeat("ş", 255)
	for name, key := range map[string]string{
		"empty": "", "too long": long + "x", "a novel": strings.Repeat("It was a dark and stormy night. ", 1000), "control": "a\nb",
	} {
		got := a.as(t, staff.Finance, refundTwenty, vars{"code": s.TrackingCode, "key": key, "amount": "20.00"})
		if field, _ := got.field(); got.code() != "INVALID" || field != "idempotencyKey" {
			t.Errorf("%s: %s", name, got.Raw)
		}
	}
	for range 2 {
		got := a.as(t, staff.Finance, refundTwenty, vars{"code": s.TrackingCode, "key": long, "amount": "20.00"})
		if got.code() != "" {
			t.Errorf("the longest: %s", got.Raw)
		}
	}
	if got := a.refundedOf(t, s.Payment); got != "20.00" {
		t.Errorf("given back are %s", got)
	}
	for range 2 { // null is no key
		a.as(t, staff.Finance, refundTwenty, vars{"code": s.TrackingCode, "amount": "20.00"})
	}
	if got := a.refundedOf(t, s.Payment); got != "60.00" {
		t.Errorf("given back are %s", got)
	}
}

// TestAFailedMutationMayBeRepeated: what was not done is not kept.
func TestAFailedMutationMayBeRepeated(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	s := paidCard(a, t)
	if got := a.as(t, staff.Finance, refundTwenty, vars{"code": s.TrackingCode, "key": "K", "amount": "2000.00"}).code(); got != "INVALID" {
		t.Fatalf("too much: %q", got)
	}
	if got := a.as(t, staff.Finance, refundTwenty, vars{"code": s.TrackingCode, "key": "K", "amount": "20.00"}).code(); got != "" {
		t.Errorf("put right: %q", got)
	}
}

// TestAKeyIsKeptForADay: then the request starts afresh.
func TestAKeyIsKeptForADay(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	s := paidCard(a, t)
	v := vars{"code": s.TrackingCode, "key": "K", "amount": "20.00"}
	for _, wait := range []time.Duration{0, payment.IdempotencyWindow, time.Second} {
		a.Clock.Advance(wait)
		a.signIn(t)
		if got := a.as(t, staff.Finance, refundTwenty, v); got.code() != "" {
			t.Error(got.Raw)
		}
	}
	if got := a.refundedOf(t, s.Payment); got != "40.00" {
		t.Errorf("given back are %s", got)
	}
}

// TestAKeyOfWhatWaitsForASecondPerson: a repeat is the same request, and after its approval the result.
func TestAKeyOfWhatWaitsForASecondPerson(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.rule(t, core.GuardRefund, 0)
	s := paidCard(a, t)
	v := vars{"code": s.TrackingCode, "key": "K", "amount": "20.00"}
	ask := func() reply { return a.as(t, staff.Finance, refundTwenty, v) }
	var (
		group sync.WaitGroup
		ids   [6]string
	)
	for i := range ids {
		group.Go(func() { ids[i] = waits(t, ask()) })
	}
	group.Wait()
	for _, id := range ids {
		if id != ids[0] {
			t.Errorf("one key made the requests %v", ids)
		}
	}
	if got := a.as(t, staff.Finance, refundTwenty, vars{"code": s.TrackingCode, "key": "K", "amount": "21.00"}).code(); got != "IDEMPOTENCY_KEY_REUSED" {
		t.Errorf("with another amount: %q", got)
	}
	if got := a.as(t, staff.Admin, approveIt, vars{"id": ids[0]}); got.code() != "" {
		t.Fatal(got.Raw)
	}
	again := ask()
	if again.code() != "" || fmt.Sprint(repeated(t, again)["refundTransaction"]) != "[transaction success 250.00 refund  20]" {
		t.Errorf("approved, a repeat is answered %s", again.Raw)
	}
	if got := a.refundedOf(t, s.Payment); got != "20.00" {
		t.Errorf("given back are %s", got)
	}
	v = vars{"code": s.TrackingCode, "key": "refused", "amount": "20.00"}
	id := waits(t, ask())
	if got := a.as(t, staff.Admin, `mutation($id: ID!) { refuseRequest(input: {id: $id}) { approval { status } } }`, vars{"id": id}); got.code() != "" {
		t.Fatal(got.Raw)
	}
	if got := ask().code(); got != "APPROVAL_DECIDED" {
		t.Errorf("refused, a repeat is answered %q", got)
	}
}

// TestWhatWasDoneWithItsKeyIsNotApprovedAgain: the request was made, its rule was switched off, a day went by, and whoever
// asked did it with the same key.
func TestWhatWasDoneWithItsKeyIsNotApprovedAgain(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	s := paidCard(a, t)
	setRule := func(isOn bool) {
		_, err := a.Approvals.SetRule(t.Context(), app.BySystem, approval.Rule{
			Action: core.GuardRefund, IsOn: isOn, Above: lira(0), LapseAfter: approval.MaxLapse,
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	setRule(true)
	v := vars{"code": s.TrackingCode, "key": "K", "amount": "20.00"}
	id := waits(t, a.as(t, staff.Finance, refundTwenty, v))
	setRule(false)
	a.Clock.Advance(payment.IdempotencyWindow + time.Minute)
	a.signIn(t)
	if got := a.as(t, staff.Finance, refundTwenty, v); got.code() != "" {
		t.Fatal(got.Raw)
	}
	if got := a.as(t, staff.Admin, approveIt, vars{"id": id}).code(); got != "APPROVAL_STALE" {
		t.Errorf("approving it: %q", got)
	}
	if got := a.refundedOf(t, s.Payment); got != "20.00" {
		t.Errorf("given back are %s", got)
	}
}

// TestARefusedCodeIsRefusedAgain: the gateway is not asked twice, and is not believed to have agreed.
func TestARefusedCodeIsRefusedAgain(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	s := payoutWithCode(a, t)
	asked := func() int {
		calls, err := a.Store.GatewayCalls(t.Context(), operation.GatewayCallQuery{Payments: []core.ID{s.ID}, Limit: core.MaxPage})
		if err != nil {
			t.Fatal(err)
		}
		return len(calls)
	}
	query := withKey(confirm, "confirmPayout", "K")
	first := a.as(t, staff.Operator, query, vars{"code": s.TrackingCode, "factor": "000000"})
	if first.code() != "GATEWAY_FAILED" {
		t.Fatal(first.Raw)
	}
	before := asked()
	again := a.as(t, staff.Operator, query, vars{"code": s.TrackingCode, "factor": "000000"})
	if again.code() != "GATEWAY_FAILED" || again.Errors[0].Message != first.Errors[0].Message {
		t.Errorf("first %s, and again %s", first.Raw, again.Raw)
	}
	if got := a.as(t, staff.Operator, query, vars{"code": s.TrackingCode, "factor": "123456"}).code(); got != "IDEMPOTENCY_KEY_REUSED" {
		t.Errorf("another code under the same key: %q", got)
	}
	if got := asked(); got != before {
		t.Errorf("the gateway was called %d times more", got-before)
	}
}

// TestNothingSecretIsKeptOfAKey: neither the key, nor a code that came with it.
func TestNothingSecretIsKeptOfAKey(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	var kept []payment.IdempotencyRecord
	a.UnitOfWork.Commits = &apptest.Commits{Committer: a.UnitOfWork.Commits, After: func(c core.Changeset) error {
		kept = append(kept, core.RowsOf[payment.IdempotencyRecord](c)...)
		return nil
	}}
	s := payoutWithCode(a, t)
	if got := a.as(t, staff.Operator, withKey(confirm, "confirmPayout", "my-own-key"), vars{"code": s.TrackingCode, "factor": "123456"}); got.code() != "" {
		t.Fatal(got.Raw)
	}
	if len(kept) != 1 {
		t.Fatalf("%d keys are kept", len(kept))
	}
	text := fmt.Sprintf("%+v %s", kept[0], kept[0].Body)
	for _, secret := range []string{"my-own-key", "123456", s.Token} {
		if secret != "" && strings.Contains(text, secret) {
			t.Errorf("%s is kept: %s", secret, text)
		}
	}
}
