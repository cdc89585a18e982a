package core_test

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
)

// TestNobodyDecidesAboutTheirOwnRequest walks requests through random lives: whatever is tried, what a decision lets
// through was decided by somebody else in time, once, and is what a store may keep.
func TestNobodyDecidesAboutTheirOwnRequest(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		start := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
		a := core.Approval{
			ID: "A", Version: 1, State: core.ApprovalWaiting, RequesterID: 1, Permission: core.DecideWithdrawal,
			CreatedAt: start, ExpiresAt: start.Add(time.Hour),
			Guards: []core.Guard{{Action: core.GuardWithdrawal, Subject: "payment/1", DealerID: 7}},
		}
		ends := 0
		for range rapid.IntRange(1, 8).Draw(t, "steps") {
			role := rapid.SampledFrom(core.Roles()).Draw(t, "role")
			v := core.Verdict{
				By: core.Staff{
					ID: rapid.Int64Range(1, 3).Draw(t, "who"), Role: role, IsActive: rapid.Bool().Draw(t, "active"),
					DealerID: rapid.Int64Range(6, 7).Draw(t, "dealer"),
				},
				At: start.Add(time.Duration(rapid.IntRange(0, 120).Draw(t, "minute")) * time.Minute),
			}
			var after core.Approval
			var err error
			switch rapid.IntRange(0, 3).Draw(t, "what") {
			case 0:
				after, err = a.Decide(core.ApprovalApproved, v)
			case 1:
				after, err = a.Decide(core.ApprovalRefused, v)
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

func wantEnded(t *rapid.T, before, after core.Approval, v core.Verdict) core.Approval {
	isSecond := after.State == core.ApprovalApproved || after.State == core.ApprovalRefused
	mayDecide := v.By.IsActive && v.By.Role.May(core.DecideApprovals) && v.By.Role.May(before.Permission)
	isHere := v.By.Role != core.DealerStaff || v.By.DealerID == 7
	isInTime := v.At.Before(before.ExpiresAt)
	switch {
	case before.State != core.ApprovalWaiting, after.Version != before.Version+1, !after.IsFourEyes():
		t.Fatalf("%+v became %+v", before, after)
	case isSecond && (v.By.ID == before.RequesterID || !mayDecide || !isHere):
		t.Fatalf("%+v decided %+v", v.By, after)
	case isInTime != (after.State != core.ApprovalLapsed):
		t.Fatalf("at %v it became %s", v.At, after.State)
	}
	return after
}

func TestWhenARuleNeedsASecondPerson(t *testing.T) {
	t.Parallel()
	try := func(minor int64) gateway.Money { return gateway.Lira(money.New(minor, money.TRY)) }
	coin := gateway.Money{Amount: money.MustDecimal("0.01"), Asset: gateway.Asset{Code: "USDT", Network: "TRC20", Decimals: 6}}
	above := core.ApprovalRule{Action: core.GuardWithdrawal, IsOn: true, Above: money.New(1000, money.TRY), LapseAfter: time.Hour}
	every := core.ApprovalRule{Action: core.GuardRefund, IsOn: true, LapseAfter: time.Minute}
	off := core.ApprovalRule{Action: core.GuardKeys, LapseAfter: time.Hour}
	rules := core.ApprovalRules{above, every, off}
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
		if active, _ := rules.Active([]core.Guard{c.guard}, core.Alone{}); (len(active) == 1) != c.want {
			t.Errorf("%+v: active are %+v", c.guard, active)
		}
	}
	both := []core.Guard{{Action: core.GuardWithdrawal, Amount: try(1001)}, {Action: core.GuardRefund, Amount: try(1)}}
	if _, lapse := rules.Active(both, core.Alone{}); lapse != time.Minute {
		t.Errorf("both lapse after %v", lapse)
	}
	if active, _ := (core.ApprovalRules{off}).Active([]core.Guard{{Action: core.GuardRules}}, core.Alone{}); len(active) > 0 {
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
	a := core.Approval{Guards: []core.Guard{g, elsewhere}}
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
		method   core.Method
		from, to core.Status
		by       core.Actor
		expires  time.Time
		want     []core.GuardedAction
	}{
		"a withdrawal completed by staff":              {core.ManualWithdrawal, core.Processing, core.Completed, staff, time.Time{}, []core.GuardedAction{core.GuardWithdrawal}},
		"a payout completed by staff":                  {core.BankWithdrawal, core.Processing, core.Completed, staff, time.Time{}, []core.GuardedAction{core.GuardWithdrawal}},
		"a payout completed by its gateway":            {core.BankWithdrawal, core.Processing, core.Completed, core.Actor{Kind: core.ByGateway}, time.Time{}, nil},
		"a withdrawal rejected":                        {core.ManualWithdrawal, core.Processing, core.Rejected, staff, time.Time{}, nil},
		"a deposit in time":                            {core.ManualDeposit, core.Pending, core.Completed, staff, at.Add(time.Hour), nil},
		"a deposit that waits for staff":               {core.ManualDeposit, core.Processing, core.Completed, staff, at.Add(-time.Hour), nil},
		"a deposit that the clock has not reached yet": {core.ManualDeposit, core.Pending, core.Completed, staff, at, []core.GuardedAction{core.GuardCompletion}},
		"an expired deposit":                           {core.ManualDeposit, core.Expired, core.Completed, staff, at, []core.GuardedAction{core.GuardCompletion}},
		"a failed card":                                {core.CreditCard, core.Failed, core.Success, staff, time.Time{}, []core.GuardedAction{core.GuardCompletion}},
		"a failed withdrawal": {
			core.ManualWithdrawal, core.Failed, core.Completed, staff, time.Time{},
			[]core.GuardedAction{core.GuardCompletion, core.GuardWithdrawal},
		},
	} {
		before := core.Payment{ID: "P", Version: 1, Method: c.method, Status: c.from, ExpiresAt: c.expires, Amount: money.New(1, money.TRY)}
		after := before
		after.Version, after.Status, after.UpdatedAt = 2, c.to, at
		change := core.Changeset{
			after,
			core.Move{PaymentID: "P", By: c.by, From: c.from, To: c.to},
		}
		if got := guardsOf(change, before); !slices.Equal(got, c.want) {
			t.Errorf("%s: guards are %v, want %v", name, got, c.want)
		}
	}
}

// TestSwitchingOffIsNeverHeldUp: an account, wallet or gateway that should not be used any more is stopped at once.
func TestSwitchingOffIsNeverHeldUp(t *testing.T) {
	t.Parallel()
	on, off := core.Account{ID: 1, Version: 1, IsActive: true}, core.Account{ID: 1, Version: 2}
	wallet, closed := core.Wallet{ID: 1, Version: 1, IsActive: true}, core.Wallet{ID: 1, Version: 2}
	gate, disabled := core.GatewayAccount{ID: 1, Version: 1, IsEnabled: true}, core.GatewayAccount{ID: 1, Version: 2}
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
		change         core.Changeset
		isStaffRequest bool
		want           bool
	}{
		"audited as staff's":      {core.Changeset{core.AuditEntry{By: staff}}, false, true},
		"moved by staff":          {core.Changeset{core.Move{By: system}, core.Move{By: staff}}, false, true},
		"nobody's, and in a call": {core.Changeset{}, true, true},
		"nobody's":                {core.Changeset{}, false, false},
		"the system's, in a call": {core.Changeset{core.AuditEntry{By: system}}, true, false},
	} {
		if got := c.change.IsByStaff(c.isStaffRequest); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}
