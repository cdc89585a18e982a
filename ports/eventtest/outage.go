package eventtest

import (
	"fmt"
	"testing"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/ports"
)

// Breakable is events with a backend that can be taken away and given back.
type Breakable struct {
	Here, There ports.Events
	Stop, Start func()
}

// RunOutage tests events with a backend.
func RunOutage(t *testing.T, open func(t *testing.T) Breakable) {
	t.Helper()
	t.Run("after every outage a listener is told to look again, and hears", func(t *testing.T) {
		t.Parallel()
		b := open(t)
		w := newWire(t, b.Here, b.There)
		e := w.listen(w.there)
		for outage := range 2 {
			before := fmt.Sprint(outage, " before")
			w.here.Publish(payment(before))
			e.until(core.ID(before))
			b.Stop()
			w.here.Publish(payment(fmt.Sprint(outage, " meanwhile"))) // one that blocks ends the test by its deadline
			b.Start()
			e.untilMissed()
			e.persist(fmt.Sprint(outage, " after"))
		}
	})
}

func (e *ear) untilMissed() {
	e.Helper()
	for e.next().Kind != core.EventsLost {
	}
}

// persist publishes until it is heard: a single cue may be lost while the backend comes back.
func (e *ear) persist(id string) {
	e.Helper()
	again := time.NewTicker(50 * time.Millisecond)
	defer again.Stop()
	for late := time.After(e.patience); ; {
		select {
		case n := <-e.heard:
			if n.ID == core.ID(id) {
				return
			}
		case <-again.C:
			e.here.Publish(payment(id))
		case <-late:
			e.Fatalf("%q was published for %v and not heard", id, e.patience)
		}
	}
}
