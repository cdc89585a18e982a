// Package eventtest is the conformance kit of ports.Events.
package eventtest

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/ports"
)

// longestWait is how long the kit waits for an event before it says that none came, unless the whole test run has less.
const longestWait = 2 * time.Minute

// Run tests the events that open returns: two ends of one thing, as two processes have them. They may be the same.
func Run(t *testing.T, open func(t *testing.T) (here, there ports.Events)) {
	t.Helper()
	sentences := []struct {
		says string
		test func(w *wire)
	}{
		{"whoever listens is told first to look", looksFirst},
		{"news arrive as they are, at every listener", asTheyAre},
		{"news that were published after one another arrive so", inOrder},
		{"thousands of rows' news arrive, or it is said that some were missed", many},
		{"who has stopped listening is told nothing more, and the others are", stops},
		{"publishing nothing tells nobody", nothing},
		{"publishing does not wait for a listener who is slow", doesNotWait},
	}
	for _, s := range sentences {
		t.Run(s.says, func(t *testing.T) {
			t.Parallel()
			here, there := open(t)
			s.test(newWire(t, here, there))
		})
	}
}

type wire struct {
	*testing.T
	here, there ports.Events
	patience    time.Duration
}

func newWire(t *testing.T, here, there ports.Events) *wire {
	w := &wire{T: t, here: here, there: there, patience: longestWait}
	if end, ok := t.Deadline(); ok {
		w.patience = min(w.patience, time.Until(end)/4)
	}
	return w
}

// ear is one who listens.
type ear struct {
	*wire
	heard chan core.Event
	stop  func()
}

// listen begins to listen and waits until the port says that it hears.
func (w *wire) listen(at ports.Events) *ear {
	w.Helper()
	e := w.open(at)
	if first := e.next(); first != (core.Event{Kind: core.EventsLost}) {
		w.Fatalf("the first that is heard is %+v", first)
	}
	return e
}

func (w *wire) open(at ports.Events) *ear {
	ctx, cancel := context.WithCancel(context.Background())
	e := &ear{wire: w, heard: make(chan core.Event, 1<<15)}
	var listening sync.WaitGroup
	listening.Go(func() {
		at.Listen(ctx, func(events []core.Event) {
			for _, n := range events {
				select {
				case e.heard <- n:
				case <-ctx.Done():
				}
			}
		})
	})
	e.stop = sync.OnceFunc(func() { cancel(); listening.Wait() })
	w.Cleanup(e.stop)
	return e
}

func (e *ear) next() core.Event {
	e.Helper()
	select {
	case n := <-e.heard:
		return n
	case <-time.After(e.patience):
		e.Fatal("nothing is heard")
		return core.Event{}
	}
}

// until returns what is heard up to the event of an ID, which it leaves out.
func (e *ear) until(id core.ID) []core.Event {
	e.Helper()
	var before []core.Event
	for {
		n := e.next()
		if n.ID == id {
			return before
		}
		before = append(before, n)
	}
}

func payment(id string) core.Event { return core.Event{Kind: core.PaymentChanged, ID: core.ID(id)} }

func looksFirst(w *wire) {
	w.listen(w.here)
	w.listen(w.there)
	w.listen(w.there)
}

func asTheyAre(w *wire) {
	ears := []*ear{w.listen(w.here), w.listen(w.there), w.listen(w.there)}
	events := []core.Event{
		{Kind: core.PaymentChanged, ID: "P1", DealerID: 7, IsNew: true}, {Kind: core.DiscrepancyChanged, ID: "P1", DealerID: 1 << 60, ProviderID: 3},
		{Kind: core.JobChanged, ID: "J1", StaffID: 5}, {Kind: core.ApprovalChanged, ID: "A1", DealerID: 7},
		{Kind: "of a kind that is not known", ID: "1"}, payment("ğü\"'\n漢"), {Kind: core.EventsLost},
	}
	for _, n := range events {
		w.here.Publish(n)
		for i, e := range ears {
			if got := e.next(); got != n {
				w.Errorf("listener %d hears %+v, published was %+v", i, got, n)
			}
		}
	}
}

func inOrder(w *wire) {
	e := w.listen(w.there)
	for i := range 300 {
		w.here.Publish(payment(fmt.Sprint(i)), core.Event{Kind: core.DiscrepancyChanged, ID: core.ID(fmt.Sprint(i))})
	}
	w.here.Publish(payment("end"))
	heard := e.until("end")
	if len(heard) != 600 {
		w.Fatalf("%d are heard, not 600", len(heard))
	}
	for i, n := range heard {
		if n.ID != core.ID(fmt.Sprint(i/2)) {
			w.Fatalf("number %d is %+v", i, n)
		}
	}
}

func many(w *wire) {
	e := w.listen(w.there)
	const callers, rows = 4, 2_500
	var publishing sync.WaitGroup
	for caller := range callers {
		publishing.Go(func() {
			for i := range rows {
				w.here.Publish(payment(fmt.Sprintf("%d-%d", caller, i)))
			}
		})
	}
	publishing.Wait()
	w.here.Publish(payment("end"))
	known := map[core.ID]bool{}
	missed := false
	for _, n := range e.until("end") {
		known[n.ID] = true
		missed = missed || n.Kind == core.EventsLost
	}
	if len(known) < callers*rows && !missed {
		w.Errorf("%d of %d rows are heard of, and nothing was said to be missed", len(known), callers*rows)
	}
}

func stops(w *wire) {
	gone, stays := w.listen(w.here), w.listen(w.here)
	gone.stop()
	w.there.Publish(payment("after"))
	stays.until("after")
	if len(gone.heard) > 0 {
		w.Errorf("who has stopped hears %+v", <-gone.heard)
	}
}

func nothing(w *wire) {
	e := w.listen(w.there)
	w.here.Publish()
	w.here.Publish(payment("end"))
	if heard := e.until("end"); len(heard) > 0 {
		w.Errorf("heard is %+v", heard)
	}
}

func doesNotWait(w *wire) {
	held, release := make(chan struct{}), make(chan struct{})
	var listening sync.WaitGroup
	ctx, cancel := context.WithCancel(context.Background())
	listening.Go(func() {
		once := sync.OnceFunc(func() { close(held) })
		w.there.Listen(ctx, func([]core.Event) { once(); <-release })
	})
	<-held
	e := w.listen(w.there)
	for i := range 2_000 { // events that block end the test by its deadline
		w.here.Publish(payment(fmt.Sprint(i)))
	}
	w.here.Publish(payment("end"))
	e.until("end")
	close(release)
	cancel()
	listening.Wait()
}
