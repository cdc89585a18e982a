package graph_test

import (
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/staff"
)

const (
	deskLoads = `{ withdrawalDesk { dealerId waitingCount claimedCount lapsedCount amount oldestAt oldestFreeAt } }`
	deskQueue = `query($dealer: ID, $free: Boolean, $first: Int, $after: String) {
		deskWithdrawals(filter: {dealerId: $dealer, isFree: $free}, first: $first, after: $after) {
			edges { cursor node { trackingCode } } nodes { trackingCode status amount iban claim { staffName until isHeld isOwn } }
			pageInfo { hasNextPage endCursor } } }`
	claimWithdrawal = `mutation($code: String!, $takeOver: Boolean, $reason: String) {
		claimWithdrawal(input: {trackingCode: $code, takeOver: $takeOver, reason: $reason}) { transaction {
			status reason claim { staffName until isHeld isOwn } } } }`
	releaseWithdrawal = `mutation($code: String!, $reason: String) {
		releaseWithdrawal(input: {trackingCode: $code, reason: $reason}) { transaction { status reason claim { staffName } } } }`
	complete = `mutation($code: String!) { completeWithdrawal(input: {trackingCode: $code}) { transaction { status claim { staffName isHeld isOwn } } } }`
)

func TestGoldenDesk(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	var codes []string
	for range 3 {
		a.Clock.Advance(time.Minute)
		codes = append(codes, a.StartWithdrawal(t, payment.ManualWithdrawal, lira(25000)).TrackingCode)
	}
	a.Clock.Advance(time.Minute)
	a.Start(t, payment.Request{Method: payment.EIBANWithdrawal, Amount: lira(5050), Provider: a.OtherProvider, Site: a.OtherSite})
	a.as(t, staff.Operator, claimWithdrawal, vars{"code": codes[0]})
	a.Clock.Advance(a.Withdrawals.ClaimFor)
	checkScrubbed(t, "withdrawal-claimed", a.as(t, staff.DealerStaff, claimWithdrawal, vars{"code": codes[1]}).Raw)
	checkScrubbed(t, "desk", a.as(t, staff.Viewer, deskLoads, nil).Raw)
	checkScrubbed(t, "desk-of-dealer", a.as(t, staff.DealerStaff, deskLoads, nil).Raw)
	checkScrubbed(t, "desk-withdrawals", a.as(t, staff.Operator, deskQueue, vars{"first": 3}).Raw)
	v := vars{"code": codes[1], "reason": "the bank is down"}
	checkScrubbed(t, "withdrawal-released", a.as(t, staff.DealerStaff, releaseWithdrawal, v).Raw)
}

func TestTwoStaffRaceForOneWithdrawal(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	p := a.StartWithdrawal(t, payment.ManualWithdrawal, lira(25000))
	v := vars{"code": p.TrackingCode}
	roles := []staff.Role{staff.Operator, staff.DealerStaff}
	codes := make([]string, len(roles))
	var member sync.WaitGroup
	for i, role := range roles {
		member.Go(func() { codes[i] = a.as(t, role, claimWithdrawal, v).code() })
	}
	member.Wait()
	holder := slices.Index(codes, "")
	loser := 1 - holder
	if holder < 0 || codes[loser] != "CLAIMED" {
		t.Fatalf("the claims were answered %q", codes)
	}
	for _, mutation := range []string{"completeWithdrawal", "failWithdrawal", "rejectWithdrawal", "cancelWithdrawal", "releaseWithdrawal"} {
		answer := a.as(t, roles[loser], `mutation($code: String!) { `+mutation+`(input: {trackingCode: $code}) { transaction { status } } }`, v)
		if answer.code() != "NOT_CLAIMED" {
			t.Errorf("%s by who does not have it: %s", mutation, answer.Raw)
		}
	}
	a.Clock.Advance(a.Withdrawals.ClaimFor)
	for _, c := range []struct {
		vars vars
		want string
	}{
		{vars{}, "CLAIM_LAPSED"}, {vars{"takeOver": false, "reason": "looked"}, "CLAIM_LAPSED"}, {vars{"takeOver": nil}, "CLAIM_LAPSED"},
		{vars{"takeOver": true}, "INVALID"}, {vars{"takeOver": true, "reason": " "}, "INVALID"},
		{vars{"takeOver": true, "reason": "not on the statement"}, ""},
	} {
		c.vars["code"] = p.TrackingCode
		if answer := a.as(t, roles[loser], claimWithdrawal, c.vars); answer.code() != c.want {
			t.Errorf("%v: got %s, want %q", c.vars, answer.Raw, c.want)
		}
	}
	if answer := a.as(t, roles[holder], complete, v); answer.code() != "NOT_CLAIMED" {
		t.Errorf("completed by who lost it: %s", answer.Raw)
	}
	answer := a.as(t, roles[loser], complete, v)
	name := map[staff.Role]string{staff.Operator: a.Operator.Email, staff.DealerStaff: a.DealerStaff.Email}[roles[loser]]
	want := `{"data":{"completeWithdrawal":{"transaction":{"status":"COMPLETED","claim":{"staffName":"` + name +
		`","isHeld":false,"isOwn":true}}}}}`
	if answer.Raw != want {
		t.Errorf("got %s, want %s", answer.Raw, want)
	}
	if answer := a.as(t, roles[loser], claimWithdrawal, v); answer.code() != "ALREADY_FINAL" {
		t.Errorf("claimed after its end: %s", answer.Raw)
	}
}

func TestDeskPagesCoverTheQueueOldestFirst(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	var want []string
	for range 5 {
		a.Clock.Advance(time.Second)
		want = append(want, a.StartWithdrawal(t, payment.EIBANWithdrawal, lira(25000)).TrackingCode)
	}
	a.StartDeposit(t, payment.ManualDeposit, lira(25000))
	a.as(t, staff.Operator, claimWithdrawal, vars{"code": want[1]})
	for name, c := range map[string]struct {
		vars vars
		want []string
	}{
		"all":            {vars{"first": 2}, want},
		"free":           {vars{"first": 2, "free": true}, append(want[:1:1], want[2:]...)},
		"of the dealer":  {vars{"dealer": a.Dealer.ID}, want},
		"of another one": {vars{"dealer": a.OtherDealer.ID}, nil},
	} {
		var got []string
		for {
			var page connection
			a.as(t, staff.Viewer, deskQueue, c.vars).into(t, "deskWithdrawals", &page)
			for _, n := range page.Nodes {
				got = append(got, n.TrackingCode)
			}
			if !page.PageInfo.HasNextPage {
				break
			}
			c.vars["after"] = page.PageInfo.EndCursor
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: got %v, want %v", name, got, c.want)
		}
	}
	for name, v := range map[string]vars{"first": {"first": 0}, "after": {"after": "x"}, "dealerId": {"dealer": 0}} {
		answer := a.as(t, staff.Viewer, deskQueue, v)
		if field, _ := answer.field(); answer.code() != "INVALID" || field != name {
			t.Errorf("a bad %s: got %s", name, answer.Raw)
		}
	}
}
