// Package storetest is the conformance kit of Store: whatever passes Run may stand behind the use cases.
//
// The kit writes rows that refer to rows which are not there (a payment of an unknown provider, say): whether a
// reference makes sense is decided in core, not by a store. Times come to the microsecond, durations to the
// millisecond; texts are any UTF-8 without NUL.
package storetest

import (
	"slices"
	"testing"
)

// testCase is one behavior: what holds, and its test in a world of its own.
type testCase struct {
	name string
	test func(w *world)
}

// group is the test cases about one thing.
type group struct {
	name  string
	cases []testCase
}

// Run tests the stores that open gives. It calls open once for each test case, many at a time, and each time expects a
// store that is empty and that nobody else uses; open closes it with t.Cleanup. Who passes calls on to a store that is
// tested by itself, and changes some on the way, names the groups that are about those.
func Run(t *testing.T, open func(t *testing.T) Store, only ...string) {
	t.Helper()
	for _, name := range only {
		if !slices.ContainsFunc(groups, func(g group) bool { return g.name == name }) {
			t.Errorf("there is no group %q", name)
		}
	}
	for _, group := range groups {
		if len(only) > 0 && !slices.Contains(only, group.name) {
			continue
		}
		t.Run(group.name, func(t *testing.T) {
			t.Parallel()
			for _, c := range group.cases {
				t.Run(c.name, func(t *testing.T) {
					t.Parallel()
					c.test(newWorld(t, open(t)))
				})
			}
		})
	}
}
