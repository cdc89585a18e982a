package asynqqueue_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/ports"
)

// breakable is a waker whose backend can be taken away and given back, with whatever it then still knows.
type breakable struct {
	waker    ports.Waker
	received <-chan core.WakeUp
	stop     func()
	start    func()
}

// testOutage tests wakers with a backend.
func testOutage(t *testing.T, open func(t *testing.T) breakable) {
	t.Helper()
	sentences := []struct {
		says string
		test func(h *listening, b breakable)
	}{
		{"waking goes on while the backend is gone", goesOn},
		{"wake-ups arrive again after every outage", arriveAgain},
	}
	for _, s := range sentences {
		t.Run(s.says, func(t *testing.T) {
			t.Parallel()
			b := open(t)
			s.test(newListening(t, b.waker, b.received), b)
		})
	}
}

func goesOn(h *listening, b breakable) {
	h.waker.Wake(deliver("before"))
	h.until("before")
	b.stop()
	callers, keys := 4, 5_000
	if testing.Short() {
		keys /= 5
	}
	var all sync.WaitGroup
	for caller := range callers {
		all.Go(func() {
			for i := range keys { // a waker that blocks ends the test by its deadline
				h.waker.Wake(deliver(fmt.Sprint(caller, i)), core.WakeUp{Kind: core.DuePayments, At: time.Now().Add(time.Hour)})
			}
		})
	}
	all.Wait()
	b.start()
	h.persist("after")
}

func arriveAgain(h *listening, b breakable) {
	for outage := range 3 {
		key := fmt.Sprint("outage ", outage)
		h.persist(key + " before")
		b.stop()
		h.waker.Wake(deliver(key+" while gone"), core.WakeUp{Kind: core.DueCallbacks, Receiver: key + " ahead", At: time.Now().Add(time.Second)})
		b.start()
		h.persist(key + " after")
	}
}

// persist wakes until it is heard, as new events would: a single wake-up may be lost while the backend comes back.
func (h *listening) persist(key string) {
	h.Helper()
	again := time.NewTicker(50 * time.Millisecond)
	defer again.Stop()
	for late := time.After(h.patience); ; {
		select {
		case wakeUp := <-h.received:
			if wakeUp.Receiver == key {
				return
			}
		case <-again.C:
			h.waker.Wake(deliver(key))
		case <-late:
			h.Fatalf("%q was woken for %v and did not arrive", key, h.patience)
		}
	}
}
