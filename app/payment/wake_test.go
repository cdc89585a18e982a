package payment_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/app/apptest"
	payments "github.com/vezne/vezne/app/payment"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/ports"
)

// arrivals commits prepared callbacks and wakes their receiver, so many at each moment as a script says.
type arrivals struct {
	ports.Callbacks
	world *apptest.World
	ready []core.Changeset // each ends a payment

	mu     sync.Mutex
	script []int
	next   int
}

// prepare makes n deposits and decides their cancellation without committing it.
func prepare(t apptest.TB, w *apptest.World, n int) ([]payment.Payment, []core.Changeset) {
	t.Helper()
	payments, ready := make([]payment.Payment, n), make([]core.Changeset, n)
	for i := range payments {
		p := w.Start(t, payment.Start{Method: payment.ManualDeposit, Amount: money.New(25000, money.TRY)})
		d, err := w.Desk.Decision(t.Context(), p, app.BySystem)
		if err != nil {
			t.Fatal(err)
		}
		if ready[i], err = payment.Decide(p, payment.Cancel, d); err != nil {
			t.Fatal(err)
		}
		payments[i] = p
	}
	return payments, ready
}

// moment is any point within the delivery's work.
func (a *arrivals) moment() {
	a.mu.Lock()
	n := 0
	if len(a.script) > 0 {
		n, a.script = a.script[0], a.script[1:]
	}
	batch := a.ready[a.next:min(a.next+n, len(a.ready))]
	a.next += len(batch)
	a.mu.Unlock()
	for _, change := range batch {
		if err := a.world.Store.Commit(context.Background(), change); err != nil {
			panic(err)
		}
		a.world.Callbacks.Wake(core.RowsOf[payment.Callback](change)[0].Receiver)
	}
}

func (a *arrivals) ClaimCallbacks(ctx context.Context, receiver string, now, until time.Time, limit int) ([]payment.Callback, error) {
	a.moment()
	rows, err := a.Callbacks.ClaimCallbacks(ctx, receiver, now, until, limit)
	a.moment() // seen by nobody who looked before
	return rows, err
}

func TestWakeWhileWorkingIsNeverLost(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := apptest.New(t)
		payments, ready := prepare(t, w, 60)
		a := &arrivals{Callbacks: w.Store, world: w, ready: ready}
		a.script = rapid.SliceOfN(rapid.SampledFrom([]int{0, 0, 0, 1, 2, 20}), 1, 60).Draw(t, "arrivals")
		a.script[0] = 1
		w.Desk.Callbacks = a
		w.Desk.Commits = &apptest.Commits{Committer: w.Store,
			Before: func(core.Changeset) error { a.moment(); return nil },
			After:  func(core.Changeset) error { a.moment(); return nil },
		}
		w.Courier.AnswerWith(func(context.Context, apptest.Sent) payment.Answered {
			a.moment()
			return payment.Answered{HTTPStatus: 200}
		})
		a.moment()
		if err := w.Callbacks.Wait(t.Context()); err != nil {
			t.Fatal(err)
		}
		wantStates(t, w, payments[:a.next], map[payment.CallbackState]int{payment.Delivered: a.next}) // no sweep, no ring
	})
}

func TestWakesFromManySidesAtOnceAreNeverLost(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	_, ready := prepare(t, w, 240)
	var sides sync.WaitGroup
	for side := range 8 {
		sides.Go(func() {
			for _, change := range ready[side*30 : side*30+30] {
				if err := w.Store.Commit(t.Context(), change); err != nil {
					t.Error(err)
				}
				w.Callbacks.Wake(core.RowsOf[payment.Callback](change)[0].Receiver)
			}
		})
	}
	sides.Wait()
	if err := w.Callbacks.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	wantNoneWaiting(t, w)
	if n := len(w.Courier.Sent()); n != 240 {
		t.Errorf("sent %d times", n)
	}
}

// watched counts claims that begin after the service has stopped.
type watched struct {
	ports.Callbacks
	isStopped atomic.Bool
	late      atomic.Int64
}

func (c *watched) ClaimCallbacks(ctx context.Context, receiver string, now, until time.Time, limit int) ([]payment.Callback, error) {
	if c.isStopped.Load() {
		c.late.Add(1)
	}
	return c.Callbacks.ClaimCallbacks(ctx, receiver, now, until, limit)
}

func TestNothingBeginsAfterStop(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	for range 500 {
		box := &watched{Callbacks: w.Store}
		desk := *w.Desk
		desk.Callbacks = box
		s := &payments.Callbacks{Desk: &desk, Courier: w.Courier, Timeout: time.Second, Log: w.Callbacks.Log}
		s.Start()
		var ringing sync.WaitGroup
		for range 4 {
			ringing.Go(func() { s.Wake("provider/1/deposit") })
		}
		if err := s.Stop(t.Context()); err != nil {
			t.Fatal(err)
		}
		box.isStopped.Store(true)
		ringing.Wait()
		if err := s.Wait(t.Context()); err != nil || box.late.Load() != 0 {
			t.Fatalf("%d claims after the stop, %v", box.late.Load(), err)
		}
	}
}

func TestWakeOfAServiceThatWasNeverStartedDoesNothing(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	ended(t, w, w.Site)
	s := &payments.Callbacks{
		Desk: w.Desk, Courier: w.Courier, Log: w.Callbacks.Log}
	wake(t, s, "provider/1/deposit")
	if n := len(w.Courier.Sent()); n != 0 {
		t.Errorf("sent %d", n)
	}
}

func TestMoreReceiversThanAreRememberedAreAllServed(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	p := ended(t, w, w.Site)
	receiver := callbackFor(t, w, p).Receiver
	w.Desk.Callbacks = nothingFor{w.Store, receiver}
	for i := range 10_050 {
		w.Callbacks.Wake(string(rune('a'+i%26)) + string(rune(0x4e00+i)))
	}
	wake(t, w.Callbacks, receiver)
	wantStates(t, w, []payment.Payment{p}, map[payment.CallbackState]int{payment.Delivered: 1})
}

// nothingFor has nothing due for anybody but one, and does not ask the store about it.
type nothingFor struct {
	ports.Callbacks
	but string
}

func (n nothingFor) ClaimCallbacks(ctx context.Context, receiver string, now, until time.Time, limit int) ([]payment.Callback, error) {
	if receiver != n.but {
		return nil, nil
	}
	return n.Callbacks.ClaimCallbacks(ctx, receiver, now, until, limit)
}
