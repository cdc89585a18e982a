package apptest

import (
	"slices"
	"sync"

	"github.com/vezne/vezne/core/fault"
)

// AtOnce makes so many calls at the same time, and counts those without a fault; every other must have failed with one of
// the codes.
func AtOnce(t TB, times int, call func(i int) error, others ...fault.Code) (won int) {
	t.Helper()
	errs, start := make([]error, times), make(chan struct{})
	var all sync.WaitGroup
	for i := range times {
		all.Go(func() {
			<-start
			errs[i] = call(i)
		})
	}
	close(start)
	all.Wait()
	for _, err := range errs {
		if err == nil {
			won++
		} else if !slices.Contains(others, fault.CodeOf(err)) {
			t.Fatalf("who lost got %v, want one of %v", err, others)
		}
	}
	return won
}
