package asynqqueue_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/ports"
)

// breakable is a bell whose backend can be taken away and given back, with whatever it then still knows.
type breakable struct {
	bell     ports.Bell
	received <-chan core.WakeUp
	stop     func()
	start    func()
}

// testOutage holds bells with a backend to it.
func testOutage(t *testing.T, open func(t *testing.T) breakable) {
	t.Helper()
	sentences := []struct {
		says string
		test func(h *hearing, b breakable)
	}{
		{"ringing goes on while the backend is gone", goesOn},
		{"rings are heard again after every outage", heardAgain},
	}
	for _, s := range sentences {
		t.Run(s.says, func(t *testing.T) {
			t.Parallel()
			b := open(t)
			s.test(newHearing(t, b.bell, b.received), b)
		})
	}
}

func goesOn(h *hearing, b breakable) {
	h.bell.Ring(deliver("before"))
	h.until("before")
	b.stop()
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
	b.start()
	h.persist("after")
}

func heardAgain(h *hearing, b breakable) {
	for outage := range 3 {
		key := fmt.Sprint("outage ", outage)
		h.persist(key + " before")
		b.stop()
		h.bell.Ring(deliver(key+" while gone"), core.WakeUp{Kind: core.DueCallbacks, Receiver: key + " ahead", At: time.Now().Add(time.Second)})
		b.start()
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
