package gateways_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/vezne/vezne/e2e/harness"
)

// trailEntry is what tests read of an entry of the audit log.
type trailEntry struct {
	Action, Before, After string
	Actor                 struct{ Name string }
}

// trail is what the audit log has of a payment, newest first.
func trail(t *testing.T, s harness.Staff, p harness.Payment) []trailEntry {
	t.Helper()
	var data struct{ AuditLog struct{ Nodes []trailEntry } }
	err := s.Ask(`query($target: String!) { auditLog(filter: {target: $target}) { nodes { action before after actor { name } } } }`,
		map[string]any{"target": "payment/" + p.TrackingCode}, &data)
	if err != nil {
		t.Fatal(err)
	}
	return data.AuditLog.Nodes
}

// timeline is a payment's history: what was done, with how much, and by whom.
func timelineOf(t *testing.T, s harness.Staff, p harness.Payment) (list []string, approvals []harness.Request) {
	t.Helper()
	var data struct {
		Transaction struct {
			History harness.Nodes[struct {
				Command, Amount string
				Actor           struct{ Kind, Name string }
			}]
			Approvals []harness.Request
		}
	}
	err := s.Ask(`query($code: String!) { transaction(trackingCode: $code) { history { nodes { command amount actor { kind name } } }
		approvals { id status requestedBy { name } decidedBy { name } } } }`, map[string]any{"code": p.TrackingCode}, &data)
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
	harness.ForEach(t, func(t *testing.T, in *harness.Installation) {
		s := in.OpenShop()
		second, err := s.Admin.Second()
		if err != nil {
			t.Fatal(err)
		}
		waits := func(what string, err error) string {
			t.Helper()
			var waiting harness.Refusal
			if !errors.As(err, &waiting) || waiting.Extensions.Code != "APPROVAL_NEEDED" {
				t.Fatalf("%s by one person: %v", what, err)
			}
			return waiting.Extensions.ApprovalID
		}
		both := func(what string, err error) {
			t.Helper()
			if err := second.Approve(waits(what, err)); err != nil {
				t.Fatalf("%s by two people: %v", what, err)
			}
		}
		both("the rule", s.Admin.Ask(`mutation { setApprovalRule(input: {action: REFUND, isOn: true, above: "100"}) { approvalRule { isOn } } }`,
			nil, &struct{}{}))

		paid, other := paidCard(t, s, "250.00", "50"), paidCard(t, s, "250.00", "50")
		refundAs := func(who harness.Staff, p harness.Payment, amount string) error {
			_, err := who.Decide("refundTransaction", p.TrackingCode, "amount", amount, "reason", "iade")
			return err
		}
		refund := func(p harness.Payment, amount string) error { return refundAs(s.Operator, p, amount) }
		if err := refund(paid, "100.00"); err != nil {
			t.Fatal(err)
		}
		s.Operator.Until(t, paid, func(g harness.GatewayTransaction) bool { return g.RefundedAmount == "100.00" })
		waits("one of another payment, the same day", refund(other, "0.01"))
		waits("the payment's next, by somebody else", refundAs(s.Admin, paid, "0.01"))
		both("the payment's next", refund(paid, "20.00"))
		s.Operator.Until(t, paid, func(g harness.GatewayTransaction) bool { return g.RefundedAmount == "120.00" })
		waits("the one after that", refund(paid, "0.01"))

		operator, admin := in.Member("operator").Email, ""
		for _, a := range second.Requests(t, "APPROVED") {
			admin = a.DecidedBy.Name
		}
		trail := trail(t, s.Admin, paid)
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
		timeline, approvals := timelineOf(t, s.Operator, paid)
		for _, want := range []string{
			"GIVE_BACK 100.00 by STAFF " + operator, "GIVE_BACK 20.00 by STAFF " + operator, "APPROVE_REQUEST 20.00 by STAFF " + admin,
		} {
			if !slices.Contains(timeline, want) {
				t.Errorf("the timeline lacks %s: %q", want, timeline)
			}
		}
		isTold := func(a harness.Request) bool {
			return a.Status == "APPROVED" && a.RequestedBy.Name == operator && a.DecidedBy.Name == admin
		}
		if !slices.ContainsFunc(approvals, isTold) {
			t.Errorf("the payment's approvals are %+v", approvals)
		}

		over := s.StartDeposit(t, "bank", "20.27")
		over.Must(t, harness.Press("begin"))
		both("what came too much", s.Operator.RefundOf(s.Operator.Discrepancy(t, over, "OVER")))
		s.Operator.Until(t, over, func(g harness.GatewayTransaction) bool { return g.Status == "CANCELED" })
		if timeline, _ := timelineOf(t, s.Operator, over); !slices.Contains(timeline, "REJECT 20.27 by STAFF "+operator) {
			t.Errorf("who gave an over-payment back is not in its timeline: %q", timeline)
		}
		s.Server.Stop(t)
	})
}
