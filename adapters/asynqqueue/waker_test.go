// Package wakertest is the conformance kit of ports.Waker, together with the worker who receives the wake-ups.
package asynqqueue_test

import (
	"fmt"
	"maps"
	"math"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/ports"
)

// longestWait is how long the kit waits for a wake-up before it says that none came, unless the whole test run has less.
const longestWait = 5 * time.Minute

// testWaker tests the wakers that open returns. Received carries what a worker is woken with; it should have no buffer, so that
// the worker starts when the kit takes a wake-up.
func testWaker(t *testing.T, open func(t *testing.T) (waker ports.Waker, received <-chan core.WakeUp)) {
	t.Helper()
	sentences := []struct {
		says string
		test func(h *listening)
	}{
		{"a wake-up arrives with its kind and its key as they are", asItIs},
		{"a worker starts after the last wake-up of a key", afterTheLast},
		{"many wake-ups of one key become few", becomeFew},
		{"thousands of keys arrive", manyKeys},
		{"a wake-up for the future does not arrive before its time", notBefore},
		{"many wake-ups for one second of the future become few", fewInTheFuture},
		{"waking nobody wakes nobody", nothing},
	}
	for _, s := range sentences {
		t.Run(s.says, func(t *testing.T) {
			t.Parallel()
			waker, received := open(t)
			s.test(newListening(t, waker, received))
		})
	}
}

// listening is a waker and the one who listens.
type listening struct {
	*testing.T
	waker    ports.Waker
	received <-chan core.WakeUp
	patience time.Duration
}

func newListening(t *testing.T, waker ports.Waker, received <-chan core.WakeUp) *listening {
	h := &listening{T: t, waker: waker, received: received, patience: longestWait}
	if end, ok := t.Deadline(); ok {
		h.patience = min(h.patience, time.Until(end)/4)
	}
	return h
}

// next waits for a wake-up.
func (h *listening) next() core.WakeUp {
	h.Helper()
	select {
	case wakeUp := <-h.received:
		return wakeUp
	case <-time.After(h.patience):
		h.Fatal("no wake-up arrived")
		return core.WakeUp{}
	}
}

// until counts the wake-ups that arrive before that of a key.
func (h *listening) until(key string) (before int) {
	h.Helper()
	for h.next().Receiver != key {
		before++
	}
	return before
}

func deliver(key string) core.WakeUp { return core.WakeUp{Kind: core.DueCallbacks, Receiver: key} }

func asItIs(h *listening) {
	missing := map[core.WakeUp]bool{
		{Kind: core.DuePayments}: true, {Kind: core.DueOperations, GatewayID: 7}: true,
		{Kind: core.DueOperations, GatewayID: math.MaxInt64}: true, {Kind: core.DueNotifications}: true,
		{Kind: core.DueStatements}: true, {Kind: core.DueJobs}: true,
	}
	for _, key := range []string{
		"provider/7/deposit", "", " ", "ğüşıöç 漢字", "line\nbreak\ttab\x00nul", `{"a":[1]}`, "a:b:*?", strings.Repeat("long", 250),
	} {
		missing[deliver(key)] = true
	}
	sent := maps.Clone(missing)
	for wakeUp := range sent {
		wakeUp.At = time.Now().Add(-time.Hour)
		h.waker.Wake(wakeUp)
	}
	for len(missing) > 0 {
		wakeUp := h.next()
		wakeUp.At = time.Time{} // a waker may carry it, and need not
		if !sent[wakeUp] {
			h.Fatalf("%.40q of kind %q arrived and was not sent", wakeUp.Receiver, wakeUp.Kind)
		}
		delete(missing, wakeUp)
	}
}

// afterTheLast plays the database: a number per key that goes up before each wake-up. Whoever is woken reads it, and must
// in the end have read the last.
func afterTheLast(h *listening) {
	const keys, callers, rounds, bursts = 20, 4, 25, 40
	var truth, seen [keys]atomic.Int64
	woken := make(chan struct{}, 1)
	go func() {
		for {
			select {
			case wakeUp := <-h.received:
				var key int
				_, _ = fmt.Sscan(wakeUp.Receiver, &key)
				seen[key].Store(truth[key].Load())
				select {
				case woken <- struct{}{}:
				default:
				}
			case <-h.Context().Done():
				return
			}
		}
	}()
	for range rounds {
		var all sync.WaitGroup
		for range callers {
			all.Go(func() {
				for i := range bursts * keys {
					truth[i%keys].Add(1)
					h.waker.Wake(deliver(fmt.Sprint(i % keys)))
				}
			})
		}
		all.Wait()
		for key := range keys {
			for late := time.After(h.patience); seen[key].Load() != truth[key].Load(); {
				select {
				case <-woken:
				case <-late:
					h.Fatalf("key %d was woken %d times, and no worker started after wake-up %d", key, truth[key].Load(), seen[key].Load())
				}
			}
		}
	}
}

func becomeFew(h *listening) {
	const wakeUps = 20_000
	for range wakeUps {
		h.waker.Wake(deliver("same"))
	}
	h.waker.Wake(deliver("end"))
	// Wake-ups may overtake each other, and a few may follow; that would only make the count smaller.
	if n := h.until("end"); n > wakeUps/20 {
		h.Fatalf("%d wake-ups became %d", wakeUps, n)
	}
}

func manyKeys(h *listening) {
	keys := 5000
	if testing.Short() {
		keys /= 5
	}
	wakeUps := make([]core.WakeUp, keys)
	missing := map[string]bool{}
	for i := range wakeUps {
		wakeUps[i] = deliver(fmt.Sprintf("site/%d/deposit", i))
		missing[wakeUps[i].Receiver] = true
	}
	h.waker.Wake(wakeUps...)
	for len(missing) > 0 {
		delete(missing, h.next().Receiver)
	}
}

func notBefore(h *listening) {
	begun := time.Now()
	due := map[string]time.Time{"now": begun, "past": begun.Add(-time.Hour)}
	for i, ahead := range []time.Duration{300, 999, 1000, 1001, 1500, 2700} {
		due[fmt.Sprint("future ", i)] = begun.Add(ahead * time.Millisecond)
	}
	for key, at := range due {
		h.waker.Wake(core.WakeUp{Kind: core.DueCallbacks, Receiver: key, At: at})
	}
	h.waker.Wake(core.WakeUp{Kind: core.DueCallbacks, Receiver: "tomorrow", At: begun.Add(24 * time.Hour)})
	for len(due) > 0 {
		wakeUp := h.next()
		if at, ok := due[wakeUp.Receiver]; wakeUp.Receiver == "tomorrow" || ok && time.Now().Before(at) {
			h.Fatalf("%q arrived %v before its time", wakeUp.Receiver, time.Until(at))
		}
		delete(due, wakeUp.Receiver)
	}
}

func fewInTheFuture(h *listening) {
	const wakeUps = 2000
	first := time.Now().Add(3 * time.Second).Truncate(time.Second)
	for i := range wakeUps {
		h.waker.Wake(core.WakeUp{Kind: core.DuePayments, At: first.Add(time.Duration(i) * time.Second / wakeUps)})
	}
	last, heard := first.Add(time.Second-time.Second/wakeUps), 0
	for time.Now().Before(last) || heard == 0 {
		h.next()
		heard++
	}
	if heard > wakeUps/20 {
		h.Fatalf("%d wake-ups became %d", wakeUps, heard)
	}
}

func nothing(h *listening) {
	h.waker.Wake()
	h.waker.Wake([]core.WakeUp{}...)
	h.waker.Wake(core.WakeUp{Kind: core.DueCallbacks, Receiver: "something", At: time.Now().Add(time.Second)})
	if wakeUp := h.next(); wakeUp.Receiver != "something" {
		h.Fatalf("nothing was sent, and %+v arrived", wakeUp)
	}
}
