package approval_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/approval"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/staff"
)

// TestNobodyDecidesAboutTheirOwnRequest walks requests through random lives: whatever is tried, what a decision lets
// through was decided by somebody else in time, once, and is what a store may keep.
func TestNobodyDecidesAboutTheirOwnRequest(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		start := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
		a := approval.Approval{
			ID: "A", Version: 1, Status: approval.Waiting, RequesterID: 1, Permission: staff.DecideWithdrawal,
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
				after, err = a.Decide(approval.Approved, v)
			case 1:
				after, err = a.Decide(approval.Refused, v)
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
	isSecond := after.Status == approval.Approved || after.Status == approval.Refused
	mayDecide := v.By.IsActive && v.By.Role.May(staff.DecideApprovals) && v.By.Role.May(before.Permission)
	isHere := v.By.Role != staff.DealerStaff || v.By.DealerID == 7
	isInTime := v.At.Before(before.ExpiresAt)
	switch {
	case before.Status != approval.Waiting, after.Version != before.Version+1, !after.IsFourEyes():
		t.Fatalf("%+v became %+v", before, after)
	case isSecond && (v.By.ID == before.RequesterID || !mayDecide || !isHere):
		t.Fatalf("%+v decided %+v", v.By, after)
	case isInTime != (after.Status != approval.Lapsed):
		t.Fatalf("at %v it became %s", v.At, after.Status)
	}
	return after
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

// TestWhoMayBeTheSecondPerson of a change of staff is an admin; of what always needs one, somebody of the house.
func TestWhoMayBeTheSecondPerson(t *testing.T) {
	t.Parallel()
	member := func(id int64, role staff.Role, dealer int64) staff.Staff {
		return staff.Staff{ID: id, Role: role, DealerID: dealer, IsActive: true}
	}
	gone := member(2, staff.Admin, 0)
	gone.IsActive = false
	credit := approval.Approval{
		RequesterID: 1, Permission: staff.DecideDeposits,
		Guards: []core.Guard{{Action: core.GuardCredit, Subject: "payment/1", DealerID: 7}},
	}
	always := credit
	always.Guards = []core.Guard{{Action: core.GuardCredit, Subject: "payment/1", DealerID: 7, IsAlways: true}}
	for name, c := range map[string]struct {
		request approval.Approval
		who     staff.Staff
		want    fault.Code
	}{
		"staff: an admin": {approval.AboutStaff(1), member(2, staff.Admin, 0), ""}, "staff: oneself": {approval.AboutStaff(1), member(1, staff.Admin, 0), fault.OwnRequest},
		"staff: who is gone": {approval.AboutStaff(1), gone, fault.Forbidden}, "staff: an operator": {approval.AboutStaff(1), member(2, staff.Operator, 0), fault.Forbidden},
		"staff: a dealer's":          {approval.AboutStaff(1), member(2, staff.DealerStaff, 7), fault.NotFound},
		"a rule's bound: a dealer's": {credit, member(2, staff.DealerStaff, 7), ""}, "a rule's bound: the house's": {credit, member(2, staff.Operator, 0), ""},
		"always: a dealer's": {always, member(2, staff.DealerStaff, 7), fault.Forbidden}, "always: another dealer's": {always, member(2, staff.DealerStaff, 8), fault.NotFound},
		"always: the house's": {always, member(2, staff.Operator, 0), ""}, "always: who decides no deposits": {always, member(2, staff.Finance, 0), fault.Forbidden},
		"always: oneself": {always, member(1, staff.DealerStaff, 7), fault.OwnRequest},
	} {
		if err := c.request.CheckSecond(c.who); fault.CodeOf(err) != c.want {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}
