package graph_test

import (
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/e2e/apptest"
	"github.com/vezne/vezne/graph"
)

// rarely leaves the looks at sessions to the operations themselves.
func rarely(c *graph.Config) { c.Streams.CheckEvery = time.Hour }

const blockSomebody = `mutation { blockCustomer(input: {providerId: 1, userId: "u-1", reason: "fraud"}) { customer { userId } } }`

// answers runs an operation of one answer and returns that.
func (c *wsClient) answers(id, query string, v vars) string {
	c.Helper()
	c.ask(id, query, v)
	first := c.hear()
	if first.Type == "next" {
		if end := c.hear(); end.Type != "complete" {
			c.Fatalf("an operation of one answer ends with %+v", end)
		}
	}
	return string(first.Payload)
}

// TestASocketsOperationsAreJudgedByWhatIsNow: a socket that was opened with other rights, or right after a proof, carries no
// operation out that a request of this moment could not.
func TestASocketsOperationsAreJudgedByWhatIsNow(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(*api, *testing.T)
		want   string
	}{
		"nothing has changed": {func(*api, *testing.T) {}, `"userId":"u-1"`},
		"demoted": {func(a *api, t *testing.T) {
			member := a.Operator
			member.Version, member.Role = member.Version+1, staff.Viewer
			a.save(t, member)
		}, "FORBIDDEN"},
		"deactivated": {func(a *api, t *testing.T) { a.deactivate(t, a.Operator) }, "UNAUTHENTICATED"},
		"revoked":     {func(a *api, t *testing.T) { a.revoke(t, a.tokens[staff.Operator]) }, "UNAUTHENTICATED"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := newAPI(t, rarely)
			ws := a.serve(t).signedIn(t, staff.Operator)
			c.change(a, t)
			if got := ws.answers("1", blockSomebody, nil); !strings.Contains(got, c.want) {
				t.Errorf("the answer is %s, want %s", got, c.want)
			}
		})
	}
}

// TestASocketsProofGrowsOld: who signed in with a password alone proves it anew after a while on a socket, too, and then goes on
// over the same one.
func TestASocketsProofGrowsOld(t *testing.T) {
	t.Parallel()
	a := newAPI(t, rarely)
	ws := a.serve(t).signedIn(t, staff.Admin)
	const setRule = `mutation { setApprovalRule(input: {action: REFUND, isOn: false}) { approvalRule { action } } }`
	a.Clock.Advance(staff.StepUpLife)
	if got := ws.answers("1", setRule, nil); !strings.Contains(got, "STEP_UP_NEEDED") {
		t.Fatalf("the answer is %s", got)
	}
	proof := `mutation { stepUp(input: {password: "` + apptest.Password + `"}) { session { provenUntil } } }`
	if got := ws.answers("2", proof, nil); strings.Contains(got, "errors") {
		t.Fatalf("the proof is answered by %s", got)
	}
	if got := ws.answers("3", setRule, nil); !strings.Contains(got, `"action":"REFUND"`) {
		t.Errorf("the answer after a proof is %s", got)
	}
}
