package wakertest

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/ports"
)

// Breakable is a waker whose backend can be taken away and given back, with whatever it then still knows.
type Breakable struct {
	Waker    ports.Waker
	Received <-chan core.WakeUp
	Stop     func()
	Start    func()
}

// RunOutage tests wakers with a backend.
func RunOutage(t *testing.T, open func(t *testing.T) Breakable) {
	t.Helper()
	sentences := []struct {
		says string
		test func(h *listening, b Breakable)
	}{
		{"waking goes on while the backend is gone", goesOn},
		{"wake-ups arrive again after every outage", arriveAgain},
	}
	for _, s := range sentences {
		t.Run(s.says, func(t *testing.T) {
			t.Parallel()
			b := open(t)
			s.test(newListening(t, b.Waker, b.Received), b)
		})
	}
}

func goesOn(h *listening, b Breakable) {
	h.waker.Wake(deliver("before"))
	h.until("before")
	b.Stop()
	const callers, keys = 4, 5_000
	var all sync.WaitGroup
	for caller := range callers {
		all.Go(func() {
			for i := range keys { // a waker that blocks ends the test by its deadline
				h.waker.Wake(deliver(fmt.Sprint(caller, i)), core.WakeUp{Kind: core.DuePayments, At: time.Now().Add(time.Hour)})
			}
		})
	}
	all.Wait()
	b.Start()
	h.persist("after")
}

func arriveAgain(h *listening, b Breakable) {
	for outage := range 3 {
		key := fmt.Sprint("outage ", outage)
		h.persist(key + " before")
		b.Stop()
		h.waker.Wake(deliver(key+" while gone"), core.WakeUp{Kind: core.DueCallbacks, Receiver: key + " ahead", At: time.Now().Add(time.Second)})
		b.Start()
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
