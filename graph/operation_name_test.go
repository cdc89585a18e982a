package graph_test

import (
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/graph"
)

// TestOperationsAreNamedByWhatTheyAskFor: whatever a client calls them, and however much it asks for.
func TestOperationsAreNamedByWhatTheyAskFor(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var named string
	a := newAPI(t, func(c *graph.Config) {
		c.Operation = func(_ *http.Request, name string) {
			mu.Lock()
			defer mu.Unlock()
			named = name
		}
	})
	long := strings.Repeat("x", 128)
	for query, want := range map[string]string{
		`{ me { id } }`:                                                    "query me",
		`query Dashboard { me { id } }`:                                    "query me (Dashboard)",
		`query ` + long + ` { me { id } }`:                                 "query me (" + long + ")",
		`query x` + long + ` { me { id } }`:                                "", // it is refused
		`{ nothing: me { id } dealers { nodes { id } } again: me { id } }`: "query me,dealers",
		`{ me { id } dealers { nodes { id } } providers { nodes { id } } installation { version } }`:   "query me,dealers,providers,…",
		`query Q { ...F ... on Query { dealers { nodes { id } } } } fragment F on Query { me { id } }`: "query me,dealers (Q)",
		`mutation me { logout { id } }`: "",
		`{ you }`:                       "",
	} {
		named = ""
		a.as(t, staff.Admin, query, nil)
		if named != want {
			t.Errorf("%.60s is called %q, want %q", query, named, want)
		}
	}
}
