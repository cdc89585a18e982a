package backoffice_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/vezne/vezne/e2e/harness"
)

// TestTwoPeopleApproveOneWithdrawal: above the demo's 10,000 TRY the operator's claim waits, and nobody else gets the withdrawal
// meanwhile. Admin and dealer's staff approve it at the same moment, many times, at all processes: one of them wins, the
// operator has it, and completes it without asking again, once, with one callback.
func TestTwoPeopleApproveOneWithdrawal(t *testing.T) {
	t.Parallel()
	harness.ForEach(t, func(t *testing.T, in *harness.Installation) {
		servers := in.ServeAll("VEZNE_RATE_LIMIT=off")
		operator := in.SignIn(servers[0], "operator")
		var approvers []harness.Staff
		for _, p := range servers {
			approvers = append(approvers, in.SignIn(p, "admin"), in.SignIn(p, "dealer"))
		}
		p := in.Provider(servers[0]).Create(t, "start-manual-withdraw", "10000.01")
		for range 2 {
			if _, err := operator.Decide("claimWithdrawal", p.TrackingCode); harness.CodeOf(err) != "APPROVAL_NEEDED" {
				t.Fatalf("claiming it alone gives %v", err)
			}
		}
		if _, err := operator.Decide("completeWithdrawal", p.TrackingCode); harness.CodeOf(err) != "AWAITS_APPROVAL" {
			t.Errorf("paying it before anybody approves gives %v", err)
		}
		waiting := approvers[len(approvers)-1].Requests(t, "WAITING")
		if len(waiting) != 1 || waiting[0].Subject != "payment/"+p.TrackingCode {
			t.Fatalf("there wait %+v", waiting)
		}
		for _, s := range approvers {
			if _, err := s.Decide("claimWithdrawal", p.TrackingCode); harness.CodeOf(err) != "AWAITS_APPROVAL" {
				t.Errorf("somebody else's claim gives %v", err)
			}
		}
		if err := operator.Approve(waiting[0].ID); harness.CodeOf(err) != "OWN_REQUEST" {
			t.Errorf("approving one's own request gives %v", err)
		}
		var mu sync.Mutex
		won := 0
		harness.InParallel(t, 32, 32, func(i int) error {
			err := approvers[i%len(approvers)].Approve(waiting[0].ID)
			mu.Lock()
			defer mu.Unlock()
			switch code := harness.CodeOf(err); {
			case err == nil:
				won++
			case code != "APPROVAL_DECIDED":
				return fmt.Errorf("who lost got %w", err)
			}
			return nil
		})
		operator.Must(t, "completeWithdrawal", p.TrackingCode)
		done := operator.Transaction(t, p.TrackingCode)
		completed := 0
		for _, move := range done.History {
			if move.To == "COMPLETED" {
				completed++
			}
		}
		if won != 1 || completed != 1 || done.Status != "COMPLETED" || len(done.Callbacks) != 1 {
			t.Errorf("%d approvals won, and it was completed %d times: %+v", won, completed, done)
		}
		if ended := operator.Requests(t, "APPROVED"); len(ended) != 1 || ended[0].DecidedBy.Name == "" ||
			ended[0].DecidedBy.Name == ended[0].RequestedBy.Name {
			t.Errorf("approved are %+v", ended)
		}
		checkGivenUp(t, in, servers[0], operator, approvers[0])
		for _, server := range servers {
			server.Stop(t)
		}
	})
}

// checkGivenUp: a request ends with what it is about, and what nobody approved is anybody's again.
func checkGivenUp(t *testing.T, in *harness.Installation, at *harness.Process, operator, admin harness.Staff) {
	t.Helper()
	ask := func() (code, id string) {
		p := in.Provider(at).Create(t, "start-manual-withdraw", "10000.01")
		if _, err := operator.Decide("claimWithdrawal", p.TrackingCode); harness.CodeOf(err) != "APPROVAL_NEEDED" {
			t.Fatalf("claiming it alone gives %v", err)
		}
		return p.TrackingCode, operator.Requests(t, "WAITING")[0].ID
	}
	code, id := ask()
	operator.Must(t, "rejectWithdrawal", code)
	if err := admin.Approve(id); harness.CodeOf(err) != "APPROVAL_DECIDED" {
		t.Errorf("approving what is over gives %v", err)
	}
	if ended := operator.Requests(t, "OBSOLETE"); len(ended) != 1 || ended[0].ID != id {
		t.Errorf("obsolete are %+v", ended)
	}
	code, id = ask()
	err := admin.Ask(`mutation($id: ID!) { refuseRequest(input: {id: $id}) { approval { status } } }`, map[string]any{"id": id}, &struct{}{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := admin.Decide("claimWithdrawal", code); harness.CodeOf(err) != "APPROVAL_NEEDED" {
		t.Errorf("claiming what was given back gives %v", err)
	}
}
