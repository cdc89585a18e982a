package bunstore_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/vezne/vezne/adapters/bunstore"
	"github.com/vezne/vezne/core/fault"
)

// heldReads is a finder whose reads wait for the test, which answers them.
type heldReads struct {
	bunstore.Finder
	begun chan []string
	there chan []string // nil: the read fails
	all   sync.WaitGroup
	mu    sync.Mutex
	found map[string]error // by what was looked for; another one's payment is an error, too
}

func newHeldReads() *heldReads {
	h := &heldReads{begun: make(chan []string, 100), there: make(chan []string), found: map[string]error{}}
	h.Finder = bunstore.NewFinder(func(ids []string) ([]string, error) {
		h.begun <- ids
		there := <-h.there
		if there == nil {
			return nil, fault.New("test", fault.Unavailable)
		}
		return there, nil
	})
	return h
}

// look looks for payments, and returns when all who look wait.
func (h *heldReads) look(ctx context.Context, ids ...string) {
	for _, id := range ids {
		h.all.Go(func() {
			got, err := h.Find(ctx, id)
			if err == nil && got != id {
				err = fmt.Errorf("who looks for %s got %s", id, got)
			}
			h.mu.Lock()
			defer h.mu.Unlock()
			h.found[id] = errors.Join(h.found[id], err)
		})
		synctest.Wait()
	}
}

// TestPaymentsThatAreLookedForMeanwhileAreReadTogether: each caller gets their own, or hears that there is none; one message is
// sent for those who came while the one before was under way, and none is sent earlier than who it is for has asked.
func TestPaymentsThatAreLookedForMeanwhileAreReadTogether(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := newHeldReads()
		h.look(t.Context(), "a", "b", "c", "none", "b")
		for _, read := range []struct{ want, there []string }{
			{[]string{"a"}, []string{"a"}},
			{[]string{"b", "c", "none", "b"}, []string{"c", "b"}},
		} {
			if ids := <-h.begun; !slices.Equal(ids, read.want) {
				t.Errorf("read together: %v, want %v", ids, read.want)
			}
			h.there <- read.there
		}
		h.all.Wait()
		if none := h.found["none"]; !fault.Is(none, fault.NotFound) {
			t.Errorf("of what is not there: %v", none)
		}
		for _, id := range []string{"a", "b", "c"} {
			if err := h.found[id]; err != nil {
				t.Errorf("%s: %v", id, err)
			}
		}
	})
}

func TestAReadThatFailsFailsForAllWhoShareIt(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := newHeldReads()
		h.look(t.Context(), "a", "b", "c")
		h.there <- []string{"a"}
		h.there <- nil
		h.look(t.Context(), "d")
		h.there <- []string{"d"}
		h.all.Wait()
		if h.found["a"] != nil || !fault.Is(h.found["b"], fault.Unavailable) || !fault.Is(h.found["c"], fault.Unavailable) || h.found["d"] != nil {
			t.Errorf("%v", h.found)
		}
	})
}

func TestWhoHangsUpWaitsForNoReadOfOthers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := newHeldReads()
		h.look(t.Context(), "a")
		ctx, cancel := context.WithCancel(t.Context())
		h.look(ctx, "b")
		cancel()
		synctest.Wait()
		if err := h.found["b"]; !errors.Is(err, context.Canceled) {
			t.Errorf("who has hung up: %v", err)
		}
		h.there <- []string{"a"}
		h.all.Wait()
		if synctest.Wait(); len(h.begun) != 1 {
			t.Error("what nobody waits for is read")
		}
	})
}
