package main_test

import (
	"errors"
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

func (s staff) approve(id string) error {
	return s.ask(`mutation($id: ID!) { approveRequest(id: $id) { approval { state } } }`, map[string]any{"id": id}, &struct{}{})
}

// waitingBy is the id of the request that a refusal says waits for a second person; empty: none does.
func waitingBy(refused error) string {
	var waits refusal
	if !errors.As(refused, &waits) || waits.Extensions.Code != "APPROVAL_NEEDED" {
		return ""
	}
	return waits.Extensions.ApprovalID
}

// agreed has a second person approve what the staff member was refused to do alone.
func (s staff) agreed(refused error) error {
	id := waitingBy(refused)
	if id == "" {
		return fmt.Errorf("nothing waits for a second person: %v", refused) //nolint:errorlint // it may be nil
	}
	second, err := s.second()
	if err != nil {
		return err
	}
	return second.approve(id)
}

// TestTwoPeopleApproveOneWithdrawal: above the demo's 10,000 TRY the operator's claim waits, and nobody else gets the withdrawal
// meanwhile. Admin and dealer's staff approve it at the same moment, many times, at all processes: one of them wins, the
// operator has it, and completes it without asking again, once, with one callback.
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
		for range 2 {
			if _, err := operator.decide("claimWithdrawal", p.TrackingCode); codeOf(err) != "APPROVAL_NEEDED" {
				t.Fatalf("claiming it alone gives %v", err)
			}
		}
		if _, err := operator.decide("completeWithdrawal", p.TrackingCode); codeOf(err) != "AWAITS_APPROVAL" {
			t.Errorf("paying it before anybody approves gives %v", err)
		}
		waiting := approvers[len(approvers)-1].requests(t, "waiting")
		if len(waiting) != 1 || waiting[0].Subject != "payment/"+p.TrackingCode {
			t.Fatalf("there wait %+v", waiting)
		}
		for _, s := range approvers {
			if _, err := s.decide("claimWithdrawal", p.TrackingCode); codeOf(err) != "AWAITS_APPROVAL" {
				t.Errorf("somebody else's claim gives %v", err)
			}
		}
		if err := operator.approve(waiting[0].ID); codeOf(err) != "OWN_REQUEST" {
			t.Errorf("approving one's own request gives %v", err)
		}
		var mu sync.Mutex
		won := 0
		inParallel(t, 32, 32, func(i int) error {
			err := approvers[i%len(approvers)].approve(waiting[0].ID)
			mu.Lock()
			defer mu.Unlock()
			switch code := codeOf(err); {
			case err == nil:
				won++
			case code != "APPROVAL_DECIDED":
				return fmt.Errorf("who lost got %w", err)
			}
			return nil
		})
		operator.must(t, "completeWithdrawal", p.TrackingCode)
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
		checkGivenUp(t, in, servers[0], operator, approvers[0])
		for _, server := range servers {
			server.stop(t)
		}
	})
}

// checkGivenUp: a request ends with what it is about, and what nobody approved is anybody's again.
func checkGivenUp(t *testing.T, in *installation, at *process, operator, admin staff) {
	t.Helper()
	ask := func() (code, id string) {
		p := in.provider(at).create(t, "start-manual-withdraw", "10000.01")
		if _, err := operator.decide("claimWithdrawal", p.TrackingCode); codeOf(err) != "APPROVAL_NEEDED" {
			t.Fatalf("claiming it alone gives %v", err)
		}
		return p.TrackingCode, operator.requests(t, "waiting")[0].ID
	}
	code, id := ask()
	operator.must(t, "rejectWithdrawal", code)
	if err := admin.approve(id); codeOf(err) != "APPROVAL_DECIDED" {
		t.Errorf("approving what is over gives %v", err)
	}
	if ended := operator.requests(t, "obsolete"); len(ended) != 1 || ended[0].ID != id {
		t.Errorf("obsolete are %+v", ended)
	}
	code, id = ask()
	err := admin.ask(`mutation($id: ID!) { refuseRequest(id: $id) { approval { state } } }`, map[string]any{"id": id}, &struct{}{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := admin.decide("claimWithdrawal", code); codeOf(err) != "APPROVAL_NEEDED" {
		t.Errorf("claiming what was given back gives %v", err)
	}
}
