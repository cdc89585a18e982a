package graph_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/graph"
)

// TestTheSchemaIsReadOnceForAll: whoever asks with the same text again has it answered without a field resolved, over whatever the
// question comes. Only a few answers are kept.
func TestTheSchemaIsReadOnceForAll(t *testing.T) {
	t.Parallel()
	a := newAPI(t, withIntrospection, unlimited)
	fields := a.endpoint().CountFields()
	asked := func(who staff.Role, query string) (answer string, resolved int64) {
		t.Helper()
		before := fields.Load()
		got := a.as(t, who, query, nil)
		if got.Status != 200 || got.code() != "" {
			t.Fatalf("got %d %.300s", got.Status, got.Raw)
		}
		return got.Raw, fields.Load() - before
	}
	first, resolved := asked("", introspection)
	if resolved < 10_000 {
		t.Errorf("the schema has %d fields", resolved)
	}
	for _, who := range []staff.Role{"", staff.Admin, ""} {
		if again, resolved := asked(who, introspection); resolved != 0 || again != first {
			t.Errorf("once more it takes %d fields, and the answer is another: %t", resolved, again != first)
		}
	}
	c := a.serve(t).signedIn(t, staff.Viewer)
	before := fields.Load()
	c.ask("1", introspection, nil)
	if got := c.hear(); got.Type != "next" || fields.Load() != before {
		t.Errorf("over a WebSocket it takes %d fields, and is answered %s", fields.Load()-before, got.Type)
	}
	for i := range graph.MaxSchemaAnswers {
		asked("", fmt.Sprintf("# %d\n{ __schema { queryType { name } } }", i))
	}
	if _, resolved := asked("", introspection); resolved < 10_000 {
		t.Errorf("of more texts than are kept, the first takes %d fields", resolved)
	}
}

// TestWhatIsNotOfTheSchemaAloneIsAnsweredAnew, with whatever the text leaves open: who asks, which operation, and variables.
func TestWhatIsNotOfTheSchemaAloneIsAnsweredAnew(t *testing.T) {
	t.Parallel()
	a := newAPI(t, withIntrospection, unlimited)
	has := func(r *http.Request, want string) {
		t.Helper()
		if got := a.send(t, r); got.Status != 200 || !strings.Contains(got.Raw, want) {
			t.Errorf("got %d %s, want %s", got.Status, got.Raw, want)
		}
	}
	for range 2 {
		for _, member := range []staff.Staff{a.Admin, a.Viewer} {
			for _, query := range []string{
				`{ __schema { queryType { name } } me { email } }`,
				`{ ... on Query { __typename ...F } } fragment F on Query { __type(name: "Staff") { name } me { email } }`,
			} {
				has(request(t, a.tokens[member.Role], query, nil), member.Email)
			}
		}
		for name, want := range map[string]string{"A": `"queryType"`, "B": `"mutationType"`} {
			r := request(t, "", "", nil)
			r.Body = io.NopCloser(strings.NewReader(`{"operationName": "` + name +
				`", "query": "query A { __schema { queryType { name } } } query B { __schema { mutationType { name } } }"}`))
			has(r, want)
		}
		for _, name := range []string{"Staff", "Wallet"} {
			has(request(t, "", `query($n: String!) { __type(name: $n) { name } }`, vars{"n": name}), name)
		}
	}
}
