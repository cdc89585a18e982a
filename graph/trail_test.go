package graph_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/plugins/sandbox/bank"
)

// trail is what a payment's own audit entries say, newest first.
func (a *api) trail(t *testing.T, p payment.Payment) []string {
	t.Helper()
	var page struct {
		Nodes []struct {
			Action, Before, After string
			Actor                 struct{ Name string }
		}
	}
	a.as(t, staff.Auditor, `query($target: String!) { auditLog(filter: {target: $target}) { nodes { action before after actor { name } } } }`,
		vars{"target": "payment/" + p.TrackingCode}).into(t, "auditLog", &page)
	var list []string
	for _, n := range page.Nodes {
		list = append(list, fmt.Sprintf("%s by %s: %s -> %s", n.Action, n.Actor.Name, n.Before, n.After))
	}
	return list
}

// timeline is a payment's history as staff see it.
func (a *api) timeline(t *testing.T, p payment.Payment) []string {
	t.Helper()
	var shown struct {
		History struct {
			Nodes []struct {
				Command, From, To, Amount, Reason string
				Actor                             struct{ Kind, Name string }
			}
		}
	}
	a.as(t, staff.Viewer, `query($code: String!) { transaction(trackingCode: $code) {
		history(last: 200) { nodes { command from to amount reason actor { kind name } } } } }`, vars{"code": p.TrackingCode}).into(t, "transaction", &shown)
	var list []string
	for _, m := range shown.History.Nodes {
		list = append(list, fmt.Sprintf("%s %s %s by %s %s (%s)", m.Command, m.To, m.Amount, m.Actor.Kind, m.Actor.Name, m.Reason))
	}
	return list
}

func wantIn(t *testing.T, what string, list []string, want string) {
	t.Helper()
	for _, line := range list {
		if line == want {
			return
		}
	}
	t.Errorf("%s lacks\n%s\nbut has\n%s", what, want, strings.Join(list, "\n"))
}

// TestTheAuditSaysHowMuchWasRefunded: in all before and after, and this one's amount.
func TestTheAuditSaysHowMuchWasRefunded(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	s := paidCard(a, t)
	for _, amount := range []string{"20.00", "30.50"} {
		if got := a.as(t, staff.Finance, refundTwenty, vars{"code": s.TrackingCode, "amount": amount}); got.code() != "" {
			t.Fatal(got.Raw)
		}
	}
	list, by := a.trail(t, s.Payment), a.Finance.Email
	wantIn(t, "the audit", list, `refundTransaction by `+by+`: {"status":"success","amount":"250.00","refunded":"0.00"} -> `+
		`{"status":"success","amount":"250.00","refunded":"20.00","refund":"20.00"}`)
	wantIn(t, "the audit", list, `refundTransaction by `+by+`: {"status":"success","amount":"250.00","refunded":"20.00"} -> `+
		`{"status":"success","amount":"250.00","refunded":"50.50","refund":"30.50"}`)
	wantIn(t, "the timeline", a.timeline(t, s.Payment), "GIVE_BACK COMPLETED 30.50 by STAFF "+by+" (twice)")
}

// TestTheAuditOfAPaymentNamesWhoApproved: requester and approver are found under the payment, and in its timeline.
func TestTheAuditOfAPaymentNamesWhoApproved(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.rule(t, core.GuardRefund, 0)
	s := paidCard(a, t)
	ask := func() string {
		return waits(t, a.as(t, staff.Finance, refundTwenty, vars{"code": s.TrackingCode, "amount": "20.00"}))
	}
	refused := ask()
	if got := a.as(t, staff.Admin, `mutation($id: ID!) { refuseRequest(input: {id: $id, reason: "ask him first"}) { approval { status } } }`, vars{"id": refused}); got.code() != "" {
		t.Fatal(got.Raw)
	}
	approved := ask()
	if got := a.as(t, staff.Admin, approveIt, vars{"id": approved}); got.code() != "" {
		t.Fatal(got.Raw)
	}
	who, admin := a.Finance.Email, a.Admin.Email
	says := func(id, state string) string {
		return `{"request":"` + id + `","state":"` + state + `","action":"refundTransaction","amount":"20.00","requestedBy":"` + who + `"`
	}
	list := a.trail(t, s.Payment)
	wantIn(t, "the audit", list, "approveRequest by "+admin+": "+says(approved, "waiting")+"} -> "+says(approved, "approved")+`,"decidedBy":"`+admin+`"}`)
	wantIn(t, "the audit", list, "refuseRequest by "+admin+": "+says(refused, "waiting")+"} -> "+says(refused, "refused")+`,"decidedBy":"`+admin+`"}`)
	list = a.timeline(t, s.Payment)
	wantIn(t, "the timeline", list, "GIVE_BACK COMPLETED 20.00 by STAFF "+who+" (twice)")
	wantIn(t, "the timeline", list, "APPROVE_REQUEST COMPLETED 20.00 by STAFF "+admin+" (refundTransaction, asked for by "+who+": checked)")
	wantIn(t, "the timeline", list, "REFUSE_REQUEST COMPLETED 20.00 by STAFF "+admin+" (refundTransaction, asked for by "+who+": ask him first)")
}

// TestARefundedOverpaymentWasDecidedByWhoeverGaveItBack: the gateway only reports it.
func TestARefundedOverpaymentWasDecidedByWhoeverGaveItBack(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	s := overpaidCard(a, t)
	if got := a.as(t, staff.Finance, matrix["mutation refundDiscrepancy"].query, vars{"id": s.discrepancy}); got.code() != "" {
		t.Fatal(got.Raw)
	}
	a.work(t)
	for _, o := range a.operationsOf(t, s.Payment) {
		if o.Kind == operation.RefundOperation {
			a.happen(t, o.Reference, bank.RefundDone)
		}
	}
	p := a.Reload(t, s.Payment)
	if p.Status != payment.Failed {
		t.Fatalf("the payment is %s: %v", p.Status, a.timeline(t, p))
	}
	list := a.timeline(t, p)
	wantIn(t, "the timeline", list, "REJECT FAILED 250.00 by STAFF "+a.Finance.Email+" ()")
	wantIn(t, "the timeline", list, "GIVE_BACK PENDING 300.00 by STAFF "+a.Finance.Email+" ()")
}

// TestWhoSettledIsInTheTimeline: who accepted what, and who let a payout leave.
func TestWhoSettledIsInTheTimeline(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	s := overpaidCard(a, t)
	if got := a.as(t, staff.Finance, matrix["mutation resolveDiscrepancy"].query, vars{"id": s.discrepancy}); got.code() != "" {
		t.Fatal(got.Raw)
	}
	wantIn(t, "the timeline", a.timeline(t, s.Payment), "ACCEPT COMPLETED 250.00 by STAFF "+a.Finance.Email+" ()")
	trail := strings.Join(a.trail(t, s.Payment), "\n")
	for _, part := range []string{`"state":"open","seen":"300.00"`, `"state":"accepted","seen":"300.00"`} {
		if !strings.Contains(trail, part) {
			t.Errorf("the audit lacks %s: %s", part, trail)
		}
	}
	payout := waitingPayout(a, t)
	if got := a.as(t, staff.Operator, matrix["mutation approvePayout"].query, vars{"code": payout.TrackingCode}); got.code() != "" {
		t.Fatal(got.Raw)
	}
	wantIn(t, "the timeline", a.timeline(t, payout.Payment), "LET_GO SHOWING 1500.00 by STAFF "+a.Operator.Email+" ()")
}
