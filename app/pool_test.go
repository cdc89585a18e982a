package app_test

import (
	"context"
	"slices"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/vezne/vezne/app"
)

// TestThePoolLooksAgainWhenAClaimTookAllThatItAskedFor: the last worker ends while the pool asks for as many as there was
// room for until then. Nobody is left who would look again, and more is due.
func TestThePoolLooksAgainWhenAClaimTookAllThatItAskedFor(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var (
			due    = []int{0, 1, 2, 3}
			claims int
			second = make(chan struct{})
			ends   = []chan struct{}{make(chan struct{}), make(chan struct{})}
			mu     sync.Mutex
			worked []int
			pool   app.Pool[int]
		)
		pool.Allow(len(ends), func(_ context.Context, room int) (claimed []int, err error) {
			if claims++; claims == 2 {
				<-second
			}
			room = min(room, len(due))
			claimed, due = due[:room], due[room:]
			return claimed, nil
		}, func(_ context.Context, n int) {
			if n < len(ends) {
				<-ends[n]
			}
			mu.Lock()
			defer mu.Unlock()
			worked = append(worked, n)
		})
		pool.Wake()
		for _, end := range ends { // the first has the pool look again; the second ends while it does
			close(end)
			synctest.Wait()
		}
		close(second)
		if err := pool.Wait(t.Context()); err != nil {
			t.Fatal(err)
		}
		if slices.Sort(worked); !slices.Equal(worked, []int{0, 1, 2, 3}) {
			t.Errorf("worked on %v of four", worked)
		}
	})
}
