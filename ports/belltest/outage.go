package belltest

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/ports"
)

// Breakable is a bell whose backend can be taken away and given back, with whatever it then still knows.
type Breakable struct {
	Bell     ports.Bell
	Received <-chan core.WakeUp
	Stop     func()
	Start    func()
}

// RunOutage tests bells with a backend.
func RunOutage(t *testing.T, open func(t *testing.T) Breakable) {
	t.Helper()
	sentences := []struct {
		says string
		test func(h *hearing, b Breakable)
	}{
		{"ringing goes on while the backend is gone", goesOn},
		{"rings are heard again after every outage", heardAgain},
	}
	for _, s := range sentences {
		t.Run(s.says, func(t *testing.T) {
			t.Parallel()
			b := open(t)
			s.test(newHearing(t, b.Bell, b.Received), b)
		})
	}
}

func goesOn(h *hearing, b Breakable) {
	h.bell.Ring(deliver("before"))
	h.until("before")
	b.Stop()
	const callers, keys = 4, 5_000
	var all sync.WaitGroup
	for caller := range callers {
		all.Go(func() {
			for i := range keys { // a bell that blocks ends the test by its deadline
				h.bell.Ring(deliver(fmt.Sprint(caller, i)), core.WakeUp{Kind: core.DuePayments, At: time.Now().Add(time.Hour)})
			}
		})
	}
	all.Wait()
	b.Start()
	h.persist("after")
}

func heardAgain(h *hearing, b Breakable) {
	for outage := range 3 {
		key := fmt.Sprint("outage ", outage)
		h.persist(key + " before")
		b.Stop()
		h.bell.Ring(deliver(key+" while gone"), core.WakeUp{Kind: core.DueCallbacks, Receiver: key + " ahead", At: time.Now().Add(time.Second)})
		b.Start()
		h.persist(key + " after")
	}
}

// persist rings until it is heard, as new events would: a single ring may be lost while the backend comes back.
func (h *hearing) persist(key string) {
	h.Helper()
	again := time.NewTicker(50 * time.Millisecond)
	defer again.Stop()
	for late := time.After(h.patience); ; {
		select {
		case ring := <-h.received:
			if ring.Receiver == key {
				return
			}
		case <-again.C:
			h.bell.Ring(deliver(key))
		case <-late:
			h.Fatalf("%q was rung for %v and not heard", key, h.patience)
		}
	}
}
