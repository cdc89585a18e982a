package core_test

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/approval"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/core/wallet"
)

// TestNobodyDecidesAboutTheirOwnRequest walks requests through random lives: whatever is tried, what a decision lets
// through was decided by somebody else in time, once, and is what a store may keep.
func TestNobodyDecidesAboutTheirOwnRequest(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		start := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
		a := approval.Approval{
			ID: "A", Version: 1, State: approval.ApprovalWaiting, RequesterID: 1, Permission: staff.DecideWithdrawal,
			CreatedAt: start, ExpiresAt: start.Add(time.Hour),
			Guards: []core.Guard{{Action: core.GuardWithdrawal, Subject: "payment/1", DealerID: 7}},
		}
		ends := 0
		for range rapid.IntRange(1, 8).Draw(t, "steps") {
			role := rapid.SampledFrom(staff.Roles()).Draw(t, "role")
			v := approval.Verdict{
				By: staff.Staff{
					ID: rapid.Int64Range(1, 3).Draw(t, "who"), Role: role, IsActive: rapid.Bool().Draw(t, "active"),
					DealerID: rapid.Int64Range(6, 7).Draw(t, "dealer"),
				},
				At: start.Add(time.Duration(rapid.IntRange(0, 120).Draw(t, "minute")) * time.Minute),
			}
			var after approval.Approval
			var err error
			switch rapid.IntRange(0, 3).Draw(t, "what") {
			case 0:
				after, err = a.Decide(approval.ApprovalApproved, v)
			case 1:
				after, err = a.Decide(approval.ApprovalRefused, v)
			case 2:
				after, err = a.Withdraw(v)
			default:
				var isLapsed bool
				if after, isLapsed = a.Lapse(v.At); !isLapsed {
					err = fault.New("lapse", fault.NotAllowed)
				}
			}
			if err != nil {
				continue
			}
			ends++
			a = wantEnded(t, a, after, v)
		}
		if ends > 1 {
			t.Fatalf("it ended %d times", ends)
		}
	})
}

func wantEnded(t *rapid.T, before, after approval.Approval, v approval.Verdict) approval.Approval {
	isSecond := after.State == approval.ApprovalApproved || after.State == approval.ApprovalRefused
	mayDecide := v.By.IsActive && v.By.Role.May(staff.DecideApprovals) && v.By.Role.May(before.Permission)
	isHere := v.By.Role != staff.DealerStaff || v.By.DealerID == 7
	isInTime := v.At.Before(before.ExpiresAt)
	switch {
	case before.State != approval.ApprovalWaiting, after.Version != before.Version+1, !after.IsFourEyes():
		t.Fatalf("%+v became %+v", before, after)
	case isSecond && (v.By.ID == before.RequesterID || !mayDecide || !isHere):
		t.Fatalf("%+v decided %+v", v.By, after)
	case isInTime != (after.State != approval.ApprovalLapsed):
		t.Fatalf("at %v it became %s", v.At, after.State)
	}
	return after
}

func TestWhenARuleNeedsASecondPerson(t *testing.T) {
	t.Parallel()
	try := func(minor int64) gateway.Money { return gateway.Lira(money.New(minor, money.TRY)) }
	coin := gateway.Money{Amount: money.MustDecimal("0.01"), Asset: gateway.Asset{Code: "USDT", Network: "TRC20", Decimals: 6}}
	above := approval.ApprovalRule{Action: core.GuardWithdrawal, IsOn: true, Above: money.New(1000, money.TRY), LapseAfter: time.Hour}
	every := approval.ApprovalRule{Action: core.GuardRefund, IsOn: true, LapseAfter: time.Minute}
	off := approval.ApprovalRule{Action: core.GuardKeys, LapseAfter: time.Hour}
	rules := approval.ApprovalRules{above, every, off}
	for _, c := range []struct {
		guard core.Guard
		want  bool
	}{
		{core.Guard{Action: core.GuardWithdrawal, Amount: try(1000)}, false},
		{core.Guard{Action: core.GuardWithdrawal, Amount: try(1001)}, true},
		{core.Guard{Action: core.GuardWithdrawal, Amount: coin}, true},
		{core.Guard{Action: core.GuardWithdrawal}, true},
		{core.Guard{Action: core.GuardRefund, Amount: try(1)}, true},
		{core.Guard{Action: core.GuardKeys}, false},
		{core.Guard{Action: core.GuardLimits}, false},
		{core.Guard{Action: core.GuardRules}, true},
	} {
		if active, _ := rules.Active([]core.Guard{c.guard}, approval.Alone{}); (len(active) == 1) != c.want {
			t.Errorf("%+v: active are %+v", c.guard, active)
		}
	}
	both := []core.Guard{{Action: core.GuardWithdrawal, Amount: try(1001)}, {Action: core.GuardRefund, Amount: try(1)}}
	if _, lapse := rules.Active(both, approval.Alone{}); lapse != time.Minute {
		t.Errorf("both lapse after %v", lapse)
	}
	if active, _ := (approval.ApprovalRules{off}).Active([]core.Guard{{Action: core.GuardRules}}, approval.Alone{}); len(active) > 0 {
		t.Error("while no rule is on, turning one on needs somebody")
	}
}

func TestWhatIsApprovedIsWhatRuns(t *testing.T) {
	t.Parallel()
	g := core.Guard{Action: core.GuardRefund, Subject: "payment/1", Amount: gateway.Lira(money.New(100, money.TRY))}
	more, elsewhere, action := g, g, g
	more.Amount = gateway.Lira(money.New(101, money.TRY))
	elsewhere.Subject = "payment/2"
	action.Action = core.GuardWithdrawal
	a := approval.Approval{Guards: []core.Guard{g, elsewhere}}
	if !a.Covers([]core.Guard{elsewhere, g}) {
		t.Error("the order counts")
	}
	for _, other := range [][]core.Guard{nil, {g}, {g, g}, {g, more}, {g, action}, {g, elsewhere, more}} {
		if a.Covers(other) {
			t.Errorf("%+v counts as what was asked for", other)
		}
	}
}

// guardsOf names the guards of a changeset.
func guardsOf(c core.Changeset, stored ...core.Row) []core.GuardedAction {
	var actions []core.GuardedAction
	for _, g := range core.Judge(c, stored).Guards() {
		actions = append(actions, g.Action)
	}
	return actions
}

func TestWhatOfAPaymentIsGuarded(t *testing.T) {
	t.Parallel()
	staff, at := core.Actor{Kind: core.ByStaff}, time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		method   payment.Method
		from, to payment.Status
		by       core.Actor
		expires  time.Time
		want     []core.GuardedAction
	}{
		"a withdrawal completed by staff":              {payment.ManualWithdrawal, payment.Processing, payment.Completed, staff, time.Time{}, []core.GuardedAction{core.GuardWithdrawal}},
		"a payout completed by staff":                  {payment.BankWithdrawal, payment.Processing, payment.Completed, staff, time.Time{}, []core.GuardedAction{core.GuardWithdrawal}},
		"a payout completed by its gateway":            {payment.BankWithdrawal, payment.Processing, payment.Completed, core.Actor{Kind: core.ByGateway}, time.Time{}, nil},
		"a withdrawal rejected":                        {payment.ManualWithdrawal, payment.Processing, payment.Rejected, staff, time.Time{}, nil},
		"a deposit in time":                            {payment.ManualDeposit, payment.Pending, payment.Completed, staff, at.Add(time.Hour), nil},
		"a deposit that waits for staff":               {payment.ManualDeposit, payment.Processing, payment.Completed, staff, at.Add(-time.Hour), nil},
		"a deposit that the clock has not reached yet": {payment.ManualDeposit, payment.Pending, payment.Completed, staff, at, []core.GuardedAction{core.GuardCompletion}},
		"an expired deposit":                           {payment.ManualDeposit, payment.Expired, payment.Completed, staff, at, []core.GuardedAction{core.GuardCompletion}},
		"a failed card":                                {payment.CreditCard, payment.Failed, payment.Success, staff, time.Time{}, []core.GuardedAction{core.GuardCompletion}},
		"a failed withdrawal": {
			payment.ManualWithdrawal, payment.Failed, payment.Completed, staff, time.Time{},
			[]core.GuardedAction{core.GuardCompletion, core.GuardWithdrawal},
		},
	} {
		before := payment.Payment{ID: "P", Version: 1, Method: c.method, Status: c.from, ExpiresAt: c.expires, Amount: money.New(1, money.TRY)}
		after := before
		after.Version, after.Status, after.UpdatedAt = 2, c.to, at
		change := core.Changeset{
			after,
			payment.Move{PaymentID: "P", By: c.by, From: c.from, To: c.to},
		}
		if got := guardsOf(change, before); !slices.Equal(got, c.want) {
			t.Errorf("%s: guards are %v, want %v", name, got, c.want)
		}
	}
}

// TestSwitchingOffIsNeverHeldUp: an account, wallet or gateway that should not be used any more is stopped at once.
func TestSwitchingOffIsNeverHeldUp(t *testing.T) {
	t.Parallel()
	on, off := owner.Account{ID: 1, Version: 1, IsActive: true}, owner.Account{ID: 1, Version: 2}
	wallet, closed := wallet.Wallet{ID: 1, Version: 1, IsActive: true}, wallet.Wallet{ID: 1, Version: 2}
	gate, disabled := owner.GatewayAccount{ID: 1, Version: 1, IsEnabled: true}, owner.GatewayAccount{ID: 1, Version: 2}
	change := core.Changeset{
		off,
		closed,
		disabled,
	}
	if got := guardsOf(change, on, wallet, gate); got != nil {
		t.Errorf("held up: %v", got)
	}
	again := core.Changeset{on, wallet}
	if got := guardsOf(again, off, closed); len(got) != 2 {
		t.Errorf("switching on is held up by %v", got)
	}
}

func TestWhoseChangesetItIs(t *testing.T) {
	t.Parallel()
	staff, system := core.Actor{Kind: core.ByStaff}, core.System
	for name, c := range map[string]struct {
		change core.Changeset
		want   bool
	}{
		"audited as staff's":               {core.Changeset{core.AuditEntry{By: staff}}, true},
		"what staff asked for, done later": {core.Changeset{payment.Move{By: staff}}, false},
		"nobody's":                         {core.Changeset{}, false},
		"the system's":                     {core.Changeset{core.AuditEntry{By: system}}, false},
	} {
		if got := c.change.IsByStaff(); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}
