package harness

import (
	"errors"
	"fmt"
	"testing"
)

// Request is what tests read of one that waits for a second person.
type Request struct {
	ID, Status, Subject    string
	RequestedBy, DecidedBy struct{ Name string }
}

// Requests reads the requests for a second person that have a status.
func (s Staff) Requests(t testing.TB, status string) []Request {
	t.Helper()
	var data struct{ Approvals struct{ Nodes []Request } }
	err := s.Ask(`query($status: ApprovalStatus!) { approvals(filter: {status: [$status]}) {
		nodes { id status subject requestedBy { name } decidedBy { name } } } }`, map[string]any{"status": status}, &data)
	if err != nil {
		t.Fatal(err)
	}
	return data.Approvals.Nodes
}

// Approve decides for what another member has asked for.
func (s Staff) Approve(id string) error {
	return s.Ask(`mutation($id: ID!) { approveRequest(input: {id: $id}) { approval { status } } }`, map[string]any{"id": id}, &struct{}{})
}

// WaitingBy is the id of the request that a refusal says waits for a second person; empty: none does.
func WaitingBy(refused error) string {
	var waits Refusal
	if !errors.As(refused, &waits) || waits.Extensions.Code != "APPROVAL_NEEDED" {
		return ""
	}
	return waits.Extensions.ApprovalID
}

// Agreed has a second person approve what the staff member was refused to do alone.
func (s Staff) Agreed(refused error) error {
	id := WaitingBy(refused)
	if id == "" {
		return fmt.Errorf("nothing waits for a second person: %v", refused) //nolint:errorlint // it may be nil
	}
	second, err := s.Second()
	if err != nil {
		return err
	}
	return second.Approve(id)
}
