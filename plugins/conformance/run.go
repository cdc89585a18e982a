package conformance

import "testing"

// Run holds the subject to every promise.
func Run(t *testing.T, s Subject) {
	t.Helper()
	if s.Plugin == nil || s.NewFake == nil {
		t.Fatal("a Subject needs a Plugin and a NewFake")
	}
}
