package main_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// trailEntry is what tests read of an entry of the audit log.
type trailEntry struct {
	Action, Before, After string
	Actor                 struct{ Name string }
}

// trail is what the audit log has of a payment, newest first.
func (s staff) trail(t *testing.T, p payment) []trailEntry {
	t.Helper()
	var data struct{ AuditLog struct{ Nodes []trailEntry } }
	err := s.ask(`query($target: String!) { auditLog(filter: {target: $target}) { nodes { action before after actor { name } } } }`,
		map[string]any{"target": "payment/" + p.TrackingCode}, &data)
	if err != nil {
		t.Fatal(err)
	}
	return data.AuditLog.Nodes
}

// timeline is a payment's history: what was done, with how much, and by whom.
func (s staff) timeline(t *testing.T, p payment) (list []string, approvals []request) {
	t.Helper()
	var data struct {
		Transaction struct {
			History []struct {
				Command, Amount string
				Actor           struct{ Kind, Name string }
			}
			Approvals []request
		}
	}
	err := s.ask(`query($code: String!) { transaction(trackingCode: $code) { history { command amount actor { kind name } }
		approvals { id state requesterName decidedByName } } }`, map[string]any{"code": p.TrackingCode}, &data)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range data.Transaction.History {
		list = append(list, fmt.Sprint(m.Command, " ", m.Amount, " by ", m.Actor.Kind, " ", m.Actor.Name))
	}
	return list, data.Transaction.Approvals
}

// has reports whether the trail has an entry of an action by somebody whose states say all of these.
func has(trail []trailEntry, action, by string, before, after []string) bool {
	return slices.ContainsFunc(trail, func(e trailEntry) bool {
		isMissing := func(state string) func(string) bool {
			return func(part string) bool { return !strings.Contains(state, part) }
		}
		return e.Action == action && e.Actor.Name == by && !slices.ContainsFunc(before, isMissing(e.Before)) &&
			!slices.ContainsFunc(after, isMissing(e.After))
	})
}

// TestRefundsAreNotSplitAndAreTold: under a rule for refunds above 100 nobody gives back more alone, in however many parts; who
// asked, who approved, and how much there was before and after stand with the payment, in the audit log and in its timeline.
func TestRefundsAreNotSplitAndAreTold(t *testing.T) {
	t.Parallel()
	forEach(t, func(t *testing.T, in *installation) {
		s := in.openShop()
		second, err := s.admin.second()
		if err != nil {
			t.Fatal(err)
		}
		waits := func(what string, err error) string {
			t.Helper()
			var waiting refusal
			if !errors.As(err, &waiting) || waiting.Extensions.Code != "APPROVAL_NEEDED" {
				t.Fatalf("%s by one person: %v", what, err)
			}
			return waiting.Extensions.ApprovalID
		}
		both := func(what string, err error) {
			t.Helper()
			if err := second.approve(waits(what, err)); err != nil {
				t.Fatalf("%s by two people: %v", what, err)
			}
		}
		both("the rule", s.admin.ask(`mutation { setApprovalRule(input: {action: refund, isOn: true, above: "100"}) { approvalRule { isOn } } }`,
			nil, &struct{}{}))

		paid, other := s.paidCard(t, "250.00", "50"), s.paidCard(t, "250.00", "50")
		refundAs := func(who staff, p payment, amount string) error {
			_, err := who.decide("refundTransaction", p.TrackingCode, "amount", amount, "reason", "iade")
			return err
		}
		refund := func(p payment, amount string) error { return refundAs(s.operator, p, amount) }
		if err := refund(paid, "100.00"); err != nil {
			t.Fatal(err)
		}
		s.operator.until(t, paid, func(g gatewayTransaction) bool { return g.RefundedAmount == "100.00" })
		waits("one of another payment, the same day", refund(other, "0.01"))
		waits("the payment's next, by somebody else", refundAs(s.admin, paid, "0.01"))
		both("the payment's next", refund(paid, "20.00"))
		s.operator.until(t, paid, func(g gatewayTransaction) bool { return g.RefundedAmount == "120.00" })
		waits("the one after that", refund(paid, "0.01"))

		operator, admin := in.member("operator").Email, ""
		for _, a := range second.requests(t, "approved") {
			admin = a.DecidedByName
		}
		trail := s.admin.trail(t, paid)
		for _, want := range []struct {
			action, by    string
			before, after []string
		}{
			{"refundTransaction", operator, []string{`"refunded":"0.00"`}, []string{`"refunded":"100.00"`, `"refund":"100.00"`}},
			{"refundTransaction", operator, []string{`"refunded":"100.00"`}, []string{`"refunded":"120.00"`, `"refund":"20.00"`}},
			{
				"approveRequest", admin, []string{`"state":"waiting"`, `"requestedBy":"` + operator + `"`},
				[]string{`"state":"approved"`, `"action":"refundTransaction"`, `"amount":"20.00"`, `"decidedBy":"` + admin + `"`},
			},
		} {
			if !has(trail, want.action, want.by, want.before, want.after) {
				t.Errorf("the audit log lacks %+v: %+v", want, trail)
			}
		}
		timeline, approvals := s.operator.timeline(t, paid)
		for _, want := range []string{
			"give_back 100.00 by staff " + operator, "give_back 20.00 by staff " + operator, "approve_request 20.00 by staff " + admin,
		} {
			if !slices.Contains(timeline, want) {
				t.Errorf("the timeline lacks %s: %q", want, timeline)
			}
		}
		isTold := func(a request) bool {
			return a.State == "approved" && a.RequesterName == operator && a.DecidedByName == admin
		}
		if !slices.ContainsFunc(approvals, isTold) {
			t.Errorf("the payment's approvals are %+v", approvals)
		}

		over := s.startDeposit(t, "bank", "20.27")
		over.must(t, press("begin"))
		both("what came too much", s.operator.refundOf(s.operator.discrepancy(t, over, "over")))
		s.operator.until(t, over, func(g gatewayTransaction) bool { return g.Status == "canceled" })
		if timeline, _ := s.operator.timeline(t, over); !slices.Contains(timeline, "reject 20.27 by staff "+operator) {
			t.Errorf("who gave an over-payment back is not in its timeline: %q", timeline)
		}
		s.server.stop(t)
	})
}
