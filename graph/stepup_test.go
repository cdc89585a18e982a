package graph_test

import (
	"testing"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/e2e/apptest"
)

// stale returns a role's member a second factor, and lets their proof grow old: what a stolen token is.
func (a *api) stale(t *testing.T, role staff.Role) (prove func()) {
	t.Helper()
	code, _ := a.setUp(t, role)
	a.Clock.Advance(staff.StepUpLife)
	return func() {
		t.Helper()
		if got := a.send(t, request(t, a.tokens[role], stepUpCode, vars{"code": code()})); got.code() != "" {
			t.Fatal(got.Raw)
		}
	}
}

// still sends what a role asks, without proving anything anew.
func (a *api) still(t *testing.T, role staff.Role, query string, v vars) reply {
	t.Helper()
	return a.send(t, request(t, a.tokens[role], query, v))
}

// TestAStolenTokenMovesNoMoney: what goes back, is settled or is taken out of the house wants a proof of the last ten minutes.
func TestAStolenTokenMovesNoMoney(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	prove := a.stale(t, staff.Finance)
	for _, mutation := range []string{"refundTransaction", "refundDiscrepancy", "resolveDiscrepancy", "startExport", "adjustDifference"} {
		o := matrix["mutation "+mutation]
		s := o.about(a, t)
		a.Clock.Advance(staff.StepUpLife)
		if got := a.still(t, staff.Finance, o.query, a.varsOf(s, o.query)).code(); got != "STEP_UP_NEEDED" {
			t.Errorf("%s: %q", mutation, got)
		}
		if got := a.still(t, staff.Finance, withKey(o.query, mutation, "K"), a.varsOf(s, o.query)).code(); got != "STEP_UP_NEEDED" {
			t.Errorf("%s with a key: %q", mutation, got)
		}
		prove()
		if got := a.still(t, staff.Finance, o.query, a.varsOf(s, o.query)); got.code() != "" {
			t.Errorf("%s after a proof: %s", mutation, got.Raw)
		}
	}
	o := matrix["mutation exportDownload"] // what was exported before the token was stolen
	v := a.varsOf(o.about(a, t), o.query)
	a.Clock.Advance(staff.StepUpLife)
	if got := a.still(t, staff.Finance, o.query, v).code(); got != "STEP_UP_NEEDED" {
		t.Errorf("exportDownload: %q", got)
	}
	prove()
	if got := a.still(t, staff.Finance, o.query, v).code(); got == "STEP_UP_NEEDED" {
		t.Errorf("exportDownload after a proof: %q", got)
	}
}

// TestWhoHasNoFactorProvesWithThePassword: a stolen token is no more when its member has set no second factor up.
func TestWhoHasNoFactorProvesWithThePassword(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	s := paidCard(a, t)
	large := a.OfferedDeposit(t, money.New(apptest.StepUpAbove+1, money.TRY))
	refund, take := vars{"code": s.TrackingCode, "amount": "20.00"}, vars{"code": large.TrackingCode, "expected": large.Amount.String()}
	a.Clock.Advance(staff.StepUpLife)
	const prove = `mutation($password: String!) { stepUp(input: {password: $password}) { session { provenUntil } } }`
	for _, c := range []struct {
		role  staff.Role
		query string
		vars  vars
	}{{staff.Finance, refundTwenty, refund}, {staff.Operator, approve, take}, {staff.Operator, matrix["mutation startExport"].query, nil}} {
		if got := a.still(t, c.role, c.query, c.vars); got.code() != "STEP_UP_NEEDED" {
			t.Errorf("%s of before: %s", c.query, got.Raw)
		}
		if got := a.still(t, c.role, prove, vars{"password": "not " + apptest.Password}); got.code() != "BAD_LOGIN" {
			t.Errorf("a wrong password: %s", got.Raw)
		}
		if got := a.still(t, c.role, c.query, c.vars); got.code() != "STEP_UP_NEEDED" {
			t.Errorf("%s after a wrong proof: %s", c.query, got.Raw)
		}
		if got := a.still(t, c.role, prove, vars{"password": apptest.Password}); got.code() != "" {
			t.Fatal(got.Raw)
		}
		if got := a.still(t, c.role, c.query, c.vars); got.code() != "" {
			t.Errorf("%s after a proof: %s", c.query, got.Raw)
		}
		a.Clock.Advance(staff.StepUpLife)
	}
}

// TestAFirstAnswerIsNotToldWithoutAProof: who may not do it now is not told with its key what came of it.
func TestAFirstAnswerIsNotToldWithoutAProof(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	prove := a.stale(t, staff.Finance)
	s := paidCard(a, t)
	v := vars{"code": s.TrackingCode, "key": "K", "amount": "20.00"}
	prove()
	if got := a.still(t, staff.Finance, refundTwenty, v); got.code() != "" {
		t.Fatal(got.Raw)
	}
	a.Clock.Advance(staff.StepUpLife)
	if got := a.still(t, staff.Finance, refundTwenty, v).code(); got != "STEP_UP_NEEDED" {
		t.Errorf("a repeat: %q", got)
	}
}

// TestLargeDecisionsWantAProof: what is really credited or paid counts, whatever the arguments say, and a cashier's hundred
// small ones are none.
func TestLargeDecisionsWantAProof(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	prove := a.stale(t, staff.Operator)
	over, upTo := money.New(apptest.StepUpAbove+1, money.TRY), money.New(apptest.StepUpAbove, money.TRY)
	begin := func(m payment.Method, amount money.Amount) payment.Payment {
		if m == payment.ManualDeposit {
			return a.OfferedDeposit(t, amount)
		}
		return a.StartWithdrawal(t, m, amount)
	}
	const approvePayout = `mutation($code: String!) { approvePayout(input: {trackingCode: $code}) { transaction { status } } }`
	for name, c := range map[string]struct {
		method      payment.Method
		amount      money.Amount
		first       string
		query, with string
		isAsked     bool
	}{
		"a deposit, no amount said":   {payment.ManualDeposit, over, "", approve, "", true},
		"a deposit, more than asked":  {payment.ManualDeposit, lira(600000), "", approve, over.String(), true},
		"a deposit, less than asked":  {payment.ManualDeposit, over, "", approve, upTo.String(), false},
		"a deposit up to the bound":   {payment.ManualDeposit, upTo, "", approve, "", false},
		"a withdrawal":                {payment.ManualWithdrawal, over, claimIt, completeIt, "", true},
		"a withdrawal up to it":       {payment.ManualWithdrawal, upTo, claimIt, completeIt, "", false},
		"a payout that waits":         {payment.BankWithdrawal, over, "", approvePayout, "", true},
		"a payout that waits, of few": {payment.BankWithdrawal, lira(150000), "", approvePayout, "", false},
	} {
		p := begin(c.method, c.amount)
		v := vars{"code": p.TrackingCode}
		if c.query == approve {
			v["expected"] = p.Amount.String()
		}
		if c.with != "" {
			v["amount"] = c.with
		}
		a.Clock.Advance(staff.StepUpLife)
		if c.first != "" {
			if got := a.still(t, staff.Operator, c.first, v); got.code() != "" {
				t.Fatal(got.Raw)
			}
		}
		got := a.still(t, staff.Operator, c.query, v)
		if want := map[bool]string{true: "STEP_UP_NEEDED"}[c.isAsked]; got.code() != want {
			t.Errorf("%s: got %s, want %q", name, got.Raw, want)
		}
		if !c.isAsked {
			continue
		}
		prove()
		if got := a.still(t, staff.Operator, c.query, v); got.code() != "" {
			t.Errorf("%s after a proof: %s", name, got.Raw)
		}
	}
}

// TestALargeBankLineWantsAProof: it is the line's amount that is credited.
func TestALargeBankLineWantsAProof(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.Above(0)
	prove := a.stale(t, staff.Operator)
	s := doubtful(a, t)
	o := matrix["mutation creditBankLine"]
	a.Clock.Advance(staff.StepUpLife)
	if got := a.still(t, staff.Operator, o.query, a.varsOf(s, o.query)).code(); got != "STEP_UP_NEEDED" {
		t.Errorf("got %q", got)
	}
	prove()
	if got := a.still(t, staff.Operator, o.query, a.varsOf(s, o.query)); got.code() != "" {
		t.Error(got.Raw)
	}
}

// TestALargePayoutsCodeWantsAProof: the code lets the payout go.
func TestALargePayoutsCodeWantsAProof(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.Above(0)
	prove := a.stale(t, staff.Operator)
	s := payoutWithCode(a, t)
	v := vars{"code": s.TrackingCode, "factor": "123456"}
	a.Clock.Advance(staff.StepUpLife)
	if got := a.still(t, staff.Operator, confirm, v).code(); got != "STEP_UP_NEEDED" {
		t.Errorf("got %q", got)
	}
	prove()
	if got := a.still(t, staff.Operator, confirm, v); got.code() != "" {
		t.Error(got.Raw)
	}
}

// TestASecondPersonProvesThemself: whoever has the second person's token has not their factor.
func TestASecondPersonProvesThemself(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.rule(t, core.GuardRefund, 0)
	prove := a.stale(t, staff.Admin)
	s := paidCard(a, t)
	id := waits(t, a.as(t, staff.Finance, refundTwenty, vars{"code": s.TrackingCode, "amount": "20.00"}))
	a.Clock.Advance(staff.StepUpLife)
	if got := a.still(t, staff.Admin, approveIt, vars{"id": id}).code(); got != "STEP_UP_NEEDED" {
		t.Errorf("got %q", got)
	}
	// A session of a password alone, however young, is none of a member who has a factor.
	young := a.session(t, a.Admin)
	if got := a.send(t, request(t, young, approveIt, vars{"id": id})).code(); got != "STEP_UP_NEEDED" {
		t.Errorf("a password's session: %q", got)
	}
	if got := a.send(t, request(t, young, matrix["mutation updateProvider"].query, nil)).code(); got != "STEP_UP_NEEDED" {
		t.Errorf("a password's session, on a provider: %q", got)
	}
	prove()
	if got := a.still(t, staff.Admin, approveIt, vars{"id": id}); got.code() != "" {
		t.Error(got.Raw)
	}
	if got := a.refundedOf(t, s.Payment); got != "20.00" {
		t.Errorf("given back are %s", got)
	}
}

// TestAFactorEndsThePasswordsSessions: whoever signed in elsewhere with the password alone is out.
func TestAFactorEndsThePasswordsSessions(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	stolen := a.session(t, a.Operator)
	a.setUp(t, staff.Operator)
	if got := a.send(t, request(t, stolen, `{ me { id } }`, nil)).code(); got != "UNAUTHENTICATED" {
		t.Errorf("another session: %q", got)
	}
	if got := a.still(t, staff.Operator, `{ me { id } }`, nil); got.code() != "" {
		t.Errorf("the present one: %s", got.Raw)
	}
	if got := a.still(t, staff.Admin, `{ me { id } }`, nil); got.code() != "" {
		t.Errorf("somebody else's: %s", got.Raw)
	}
}

// TestNobodyResetsTheirOwnFactor: where the role demands a factor, its last one does not go through the back door.
func TestNobodyResetsTheirOwnFactor(t *testing.T) {
	t.Parallel()
	a := newAPI(t, requiring(staff.Admin))
	a.setUp(t, staff.Admin)
	const reset = `mutation($id: ID!) { resetStaffFactors(input: {id: $id}) { __typename } }`
	if got := a.still(t, staff.Admin, reset, vars{"id": a.Admin.ID}).code(); got != "SECOND_FACTOR_REQUIRED" {
		t.Errorf("one's own: %q", got)
	}
	if got := a.still(t, staff.Admin, reset, vars{"id": a.Operator.ID}); got.code() != "" {
		t.Errorf("somebody else's: %s", got.Raw)
	}
}
