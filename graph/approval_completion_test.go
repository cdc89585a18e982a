package graph_test

import (
	"slices"
	"testing"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/staff"
)

const (
	creditIt = `mutation($wallet: String!, $line: String!, $code: String!) {
		creditBankLine(input: {walletId: $wallet, lineId: $line, trackingCode: $code, reason: "the bank was late"}) { __typename } }`
	takeInIt = `mutation($code: String!) { approveDeposit(input: {trackingCode: $code, expectedAmount: "250.00", reason: "seen"}) { __typename } }`
	payOutIt = `mutation($code: String!) { completeWithdrawal(input: {trackingCode: $code}) { __typename } }`
)

// expire lets a payment's time pass.
func (a *api) expire(t *testing.T, p payment.Payment) {
	t.Helper()
	a.Clock.Advance(p.ExpiresAt.Sub(a.Clock.Now()) + time.Hour)
	if err := a.Sweep.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	if p = a.Reload(t, p); p.Status != payment.Expired {
		t.Fatalf("the payment is %s", p.Status)
	}
}

func (a *api) credit(s subject) vars {
	return vars{"wallet": a.Wallet.WalletID, "line": s.line, "code": s.TrackingCode}
}

// TestTheRuleOfCompletionsHoldsUpThoseOfExpiredPayments, and no other way in which staff complete payments: there is no
// discrepancy here that could be accepted.
func TestTheRuleOfCompletionsHoldsUpThoseOfExpiredPayments(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.rule(t, core.GuardCompletion, 0)
	withdrawal := a.start(t, payment.ManualWithdrawal)
	for name, in := range map[string]struct {
		query string
		v     vars
	}{
		"a deposit": {takeInIt, vars{"code": a.OfferedDeposit(t, lira(25000)).TrackingCode}}, "a line": {creditIt, a.credit(doubtful(a, t))},
		"a lock": {claimIt, vars{"code": withdrawal.TrackingCode}}, "a payout": {approveWaiting, vars{"code": waitingPayout(a, t).TrackingCode}},
	} {
		if got := a.as(t, staff.Operator, in.query, in.v); got.code() != "" {
			t.Errorf("%s in time: %s", name, got.Raw)
		}
	}
	if got := a.as(t, staff.Operator, payOutIt, vars{"code": withdrawal.TrackingCode}); got.code() != "" {
		t.Errorf("a withdrawal in time: %s", got.Raw)
	}
	s := doubtful(a, t)
	a.expire(t, s.Payment)
	request, err := a.Store.Approval(t.Context(), core.ID(waits(t, a.as(t, staff.Operator, creditIt, a.credit(s)))))
	completion := core.Guard{
		Action: core.GuardCompletion, Subject: "payment/" + s.TrackingCode, DealerID: s.DealerID, Amount: gateway.Lira(s.RequestedAmount),
	}
	byHand := completion
	byHand.Action = core.GuardCredit
	want := []core.Guard{completion, byHand}
	if err != nil || !slices.Equal(request.Guards, want) {
		t.Errorf("it waits for %+v, want %+v (%v)", request.Guards, want, err)
	}
	if list, err := a.Store.DiscrepanciesOf(t.Context(), s.Key()); err != nil || len(list) > 0 {
		t.Errorf("there are the discrepancies %+v (%v)", list, err)
	}
	if p := a.Reload(t, s.Payment); p.Status != payment.Expired {
		t.Errorf("before anybody approves it is %s", p.Status)
	}
	if got := a.as(t, staff.Admin, approveIt, vars{"id": request.ID}); got.code() != "" {
		t.Fatal(got.Raw)
	}
	if p := a.Reload(t, s.Payment); p.Status != payment.Completed {
		t.Errorf("approved, it is %s", p.Status)
	}
}

// TestExpiredPaymentsAreCompletedByOneUpToTheRulesAmount: the amount of the rule is that of the payment.
func TestExpiredPaymentsAreCompletedByOneUpToTheRulesAmount(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		action core.GuardedAction
		above  int64
		waits  bool
	}{
		"above less": {core.GuardCompletion, 24_999, true}, "above the same": {core.GuardCompletion, 25_000, false},
		"another rule": {core.GuardWithdrawal, 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := newAPI(t)
			a.rule(t, c.action, c.above)
			s := doubtful(a, t)
			a.expire(t, s.Payment)
			got := a.as(t, staff.Operator, creditIt, a.credit(s))
			if c.waits {
				waits(t, got)
			} else if p := a.Reload(t, s.Payment); got.code() != "" || p.Status != payment.Completed {
				t.Errorf("it is %s: %s", p.Status, got.Raw)
			}
		})
	}
}

// TestACodeThatHasGoneStaleIsGivenAnew: what a second person approves is tried once. The gateway's refusal is told to them,
// the payout goes on waiting, and whoever asked asks again, with a code of the moment.
func TestACodeThatHasGoneStaleIsGivenAnew(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.rule(t, core.GuardWithdrawal, 0)
	s := payoutWithCode(a, t)
	give := func(code string) core.ID {
		return core.ID(waits(t, a.as(t, staff.Operator, confirmIt, vars{"code": s.TrackingCode, "factor": code})))
	}
	stale := give("000000")
	if got := a.as(t, staff.Admin, approveIt, vars{"id": stale}).code(); got != "GATEWAY_FAILED" {
		t.Fatalf("a code that is stale: %q", got)
	}
	if o := a.operationsOf(t, s.Payment)[0]; o.Status != string(gateway.PayoutNeedsApproval) {
		t.Errorf("the payout is %s", o.Status)
	}
	if got := a.as(t, staff.Admin, approveIt, vars{"id": stale}).code(); got != "APPROVAL_DECIDED" {
		t.Errorf("approving what was tried: %q", got)
	}
	fresh := give("123456")
	if fresh == stale {
		t.Fatal("the code of the moment is not asked for anew")
	}
	if got := a.as(t, staff.Admin, approveIt, vars{"id": fresh}); got.code() != "" {
		t.Fatal(got.Raw)
	}
	if o := a.operationsOf(t, s.Payment)[0]; o.Status == string(gateway.PayoutNeedsApproval) {
		t.Errorf("the payout is %s", o.Status)
	}
}

const (
	approveWaiting = `mutation($code: String!) { approvePayout(input: {trackingCode: $code}) { __typename } }`
	confirmIt      = `mutation($code: String!, $factor: String!) { confirmPayout(input: {trackingCode: $code, code: $factor}) { __typename } }`
)
