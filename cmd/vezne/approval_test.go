package main_test

import (
	"fmt"
	"sync"
	"testing"
)

// request is what tests read of one that waits for a second person.
type request struct{ ID, State, Subject, RequesterName, DecidedByName string }

func (s staff) requests(t testing.TB, state string) []request {
	t.Helper()
	var data struct{ Approvals struct{ Nodes []request } }
	err := s.ask(`query($state: [ApprovalState!]) { approvals(state: $state) {
		nodes { id state subject requesterName decidedByName } } }`, map[string]any{"state": []string{state}}, &data)
	if err != nil {
		t.Fatal(err)
	}
	return data.Approvals.Nodes
}

// TestTwoPeopleApproveOneWithdrawal: above the demo's 10,000 TRY the operator's completion waits. Admin and dealer's staff
// approve it at the same moment, many times, at all processes: one of them wins, and the withdrawal is completed once,
// with one callback.
func TestTwoPeopleApproveOneWithdrawal(t *testing.T) {
	t.Parallel()
	forEach(t, func(t *testing.T, in *installation) {
		servers := in.serveAll("VEZNE_RATE_LIMIT=off")
		operator := in.signIn(servers[0], "operator")
		var approvers []staff
		for _, p := range servers {
			approvers = append(approvers, in.signIn(p, "admin"), in.signIn(p, "dealer"))
		}
		p := in.provider(servers[0]).create(t, "start-manual-withdraw", "10000.01")
		operator.must(t, "claimWithdrawal", p.TrackingCode)
		for range 2 {
			if _, err := operator.decide("completeWithdrawal", p.TrackingCode); codeOf(err) != "APPROVAL_NEEDED" {
				t.Fatalf("completing it alone gives %v", err)
			}
		}
		waiting := approvers[len(approvers)-1].requests(t, "waiting")
		if len(waiting) != 1 || waiting[0].Subject != "payment/"+p.TrackingCode {
			t.Fatalf("there wait %+v", waiting)
		}
		approve := func(s staff) error {
			return s.ask(`mutation($id: ID!) { approveRequest(id: $id) { approval { state } } }`, map[string]any{"id": waiting[0].ID}, &struct{}{})
		}
		if err := approve(operator); codeOf(err) != "OWN_REQUEST" {
			t.Errorf("approving one's own request gives %v", err)
		}
		var mu sync.Mutex
		won := 0
		inParallel(t, 32, 32, func(i int) error {
			err := approve(approvers[i%len(approvers)])
			mu.Lock()
			defer mu.Unlock()
			switch code := codeOf(err); {
			case err == nil:
				won++
			case code != "APPROVAL_DECIDED" && code != "ALREADY_FINAL":
				return fmt.Errorf("who lost got %w", err)
			}
			return nil
		})
		done := operator.transaction(t, p.TrackingCode)
		completed := 0
		for _, move := range done.History {
			if move.To == "completed" {
				completed++
			}
		}
		if won != 1 || completed != 1 || done.Status != "completed" || len(done.Callbacks) != 1 {
			t.Errorf("%d approvals won, and it was completed %d times: %+v", won, completed, done)
		}
		if ended := operator.requests(t, "approved"); len(ended) != 1 || ended[0].DecidedByName == "" ||
			ended[0].DecidedByName == ended[0].RequesterName {
			t.Errorf("approved are %+v", ended)
		}
		for _, server := range servers {
			server.stop(t)
		}
	})
}
