package payment_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/e2e/apptest"
	"github.com/vezne/vezne/ports"
)

// How many callbacks are held of a receiver of which nothing is known, and of one that is sent 16 at once and answers quickly.
const (
	room      = 16
	quickRoom = 4 * 16
)

// holding has the World's worker hold what is committed; before and after see each commit.
func holding(w *apptest.World, before, after func(core.Changeset) error) {
	w.UnitOfWork.Commits = w.Callbacks.Commits(&apptest.Commits{Committer: w.Store, Before: before, After: after})
}

// claims counts how often callbacks are looked for in the store.
type claims struct {
	ports.Callbacks
	count atomic.Int64
}

func (c *claims) ClaimCallbacks(ctx context.Context, receiver string, now, until time.Time, limit int) ([]payment.Callback, error) {
	c.count.Add(1)
	return c.Callbacks.ClaimCallbacks(ctx, receiver, now, until, limit)
}

func counted(w *apptest.World) *claims {
	c := &claims{Callbacks: w.Store}
	w.UnitOfWork.Callbacks = c
	return c
}

// wakeOwn is wake for what the World itself has committed.
func wakeOwn(t apptest.TB, w *apptest.World, receiver string) {
	t.Helper()
	w.Callbacks.WakeOwn(receiver)
	if err := w.Callbacks.Wait(t.Context()); err != nil {
		t.Fatalf("wait: %v", err)
	}
}

func leased(t apptest.TB, w *apptest.World, payments []payment.Payment) (n int) {
	t.Helper()
	for _, p := range payments {
		if !callbackFor(t, w, p).LeaseUntil.IsZero() {
			n++
		}
	}
	return n
}

// TestWhatAProcessCommitsItSendsWithoutReadingIt: as it stands in the store, once, and what does not fit comes from there.
func TestWhatAProcessCommitsItSendsWithoutReadingIt(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	w.Callbacks.MaxBatch = 16
	looked := counted(w)
	written := map[core.ID]payment.Callback{}
	holding(w, func(c core.Changeset) error {
		for _, cb := range core.RowsOf[payment.Callback](c) {
			written[cb.ID] = cb
		}
		return nil
	}, nil)
	first := ended(t, w, w.Site)
	cb := callbackFor(t, w, first)
	if written[cb.ID] != cb || !cb.LeaseUntil.Equal(w.Clock.Now().Add(lease)) {
		t.Errorf("held %+v, stored %+v", written[cb.ID], cb)
	}
	wakeOwn(t, w, cb.Receiver)
	wakeOwn(t, w, cb.Receiver) // there is nothing any more
	wantStates(t, w, []payment.Payment{first}, map[payment.CallbackStatus]int{payment.Delivered: 1})
	wantSigned(t, w.Provider, w.Sender.Sent()[0], w.Clock.Now())
	if n := looked.count.Load(); n != 0 {
		t.Errorf("looked for in the store %d times", n)
	}
	more := endedMany(t, w, w.Site, quickRoom+10)
	if n := leased(t, w, more); n != quickRoom {
		t.Errorf("%d are held, want %d", n, quickRoom)
	}
	wakeOwn(t, w, cb.Receiver)
	wantStates(t, w, more, map[payment.CallbackStatus]int{payment.Delivered: quickRoom + 10})
	for code, times := range sentTimes(t, w.Sender.Sent()) {
		if times != 1 {
			t.Errorf("%s was sent %d times", code, times)
		}
	}
}

// TestWhatIsLostWithItsProcessIsSentWhenItsLeaseEnds: and a process that comes back late sends nothing of it.
func TestWhatIsLostWithItsProcessIsSentWhenItsLeaseEnds(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	holding(w, nil, nil)
	payments := endedMany(t, w, w.Site, 3)
	receiver := callbackFor(t, w, payments[0]).Receiver
	other, sender := another(t, w)
	w.Clock.Advance(lease)
	if wake(t, other, receiver); len(sender.Sent()) != 0 {
		t.Fatal("another process has what is held")
	}
	w.Clock.Advance(time.Microsecond)
	wake(t, other, receiver)
	wake(t, w.Callbacks, receiver)
	wantStates(t, w, payments, map[payment.CallbackStatus]int{payment.Delivered: 3})
	if here, there := len(w.Sender.Sent()), len(sender.Sent()); here != 0 || there != 3 {
		t.Errorf("sent %d times by who had lost them, and %d times by the other", here, there)
	}
}

// TestAStopHandsBackWhatIsHeld: also what is being committed meanwhile.
func TestAStopHandsBackWhatIsHeld(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	var payments []payment.Payment
	stopped := 0 // leased after the stop
	isLast := false
	holding(w, nil, func(c core.Changeset) error {
		if !isLast || !core.Has[payment.Payment](c) {
			return nil
		}
		err := w.Callbacks.Stop(t.Context())
		stopped = leased(t, w, payments)
		return err
	})
	payments = append(payments, ended(t, w, w.Site))
	last := w.Start(t, payment.Request{Method: payment.ManualDeposit, Site: w.Site, Amount: payments[0].Amount})
	isLast = true
	if _, err := w.Deposits.Cancel(t.Context(), last); err != nil {
		t.Fatal(err)
	}
	payments = append(payments, last)
	if n := leased(t, w, payments); n != 0 || stopped != 0 {
		t.Errorf("%d are not handed back, %d of them by the stop itself", n, stopped)
	}
	after := ended(t, w, w.Site)
	if cb := callbackFor(t, w, after); cb.Version != 1 || !cb.LeaseUntil.IsZero() {
		t.Errorf("after the stop %+v was leased", cb)
	}
	payments = append(payments, after)
	other, _ := another(t, w)
	wake(t, other, callbackFor(t, w, last).Receiver)
	wantStates(t, w, payments, map[payment.CallbackStatus]int{payment.Delivered: 3})
}

// TestACommitThatFailsTakesNoRoom: whether it changed nothing, or nobody knows.
func TestACommitThatFailsTakesNoRoom(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	broken := errors.New("the connection broke")
	var fails func(core.Changeset) error
	holding(w, func(c core.Changeset) error {
		if fails != nil {
			return fails(c)
		}
		return nil
	}, nil)
	fails = func(c core.Changeset) error {
		if core.Has[payment.Callback](c) {
			return broken
		}
		return nil
	}
	for range room + 1 {
		p := w.Start(t, payment.Request{Method: payment.ManualDeposit, Site: w.Site, Amount: money.New(25000, money.TRY)})
		if _, err := w.Deposits.Cancel(t.Context(), p); !errors.Is(err, broken) {
			t.Fatal(err)
		}
	}
	fails = nil
	if p := ended(t, w, w.Site); leased(t, w, []payment.Payment{p}) != 1 {
		t.Error("there is no room left")
	}
}

// TestWhatIsHeldKeepsNothingOfTheStoreWaiting: although more is committed for as long as anything is sent.
func TestWhatIsHeldKeepsNothingOfTheStoreWaiting(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	w.Callbacks.MaxBatch = 1
	old := ended(t, w, w.Site) // committed by another
	holding(w, nil, nil)
	next := make(chan payment.Payment, 100)
	for range cap(next) {
		next <- w.Start(t, payment.Request{Method: payment.ManualDeposit, Site: w.Site, Amount: old.Amount})
	}
	receiver := callbackFor(t, w, old).Receiver
	w.Sender.AnswerWith(func(ctx context.Context, _ apptest.Sent) payment.DeliveryResult {
		for range 2 {
			select {
			case p := <-next:
				if _, err := w.Deposits.Cancel(ctx, p); err != nil {
					t.Error(err)
				}
			default:
			}
		}
		return payment.DeliveryResult{HTTPStatus: 200}
	})
	if _, err := w.Deposits.Cancel(t.Context(), <-next); err != nil {
		t.Fatal(err)
	}
	wake(t, w.Callbacks, receiver)
	for i, s := range w.Sender.Sent() {
		if payload(t, s).TrackingCode == old.TrackingCode {
			if i > 10 {
				t.Errorf("%d others were sent before", i)
			}
			return
		}
	}
	t.Error("it was not sent")
}

// TestOfAReceiverThatKeepsFailingNothingIsHeld: what was is handed back, and loses no attempt.
func TestOfAReceiverThatKeepsFailingNothingIsHeld(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	holding(w, nil, nil)
	w.Sender.AnswerWith(answers(503))
	payments := endedMany(t, w, w.Site, quickRoom)
	receiver := callbackFor(t, w, payments[0]).Receiver
	wakeOwn(t, w, receiver)
	tried := len(w.Sender.Sent())
	if tried < 20 || tried > 36 {
		t.Fatalf("%d were tried before the receiver counted as failing", tried)
	}
	for _, wakes := range []int{0, 1} {
		payments = append(payments, ended(t, w, w.Site))
		for range wakes {
			wakeOwn(t, w, receiver)
		}
		if n := leased(t, w, payments); n != 0 {
			t.Errorf("%d are leased after %d more wake-ups", n, wakes)
		}
	}
	w.Sender.AnswerWith(answers(200))
	w.Clock.Advance(time.Hour)
	wake(t, w.Callbacks, receiver)
	wantStates(t, w, payments, map[payment.CallbackStatus]int{payment.Delivered: len(payments)})
}

// TestOfASlowReceiverLittleIsHeld: what cannot be begun in time would have been leased for nothing.
func TestOfASlowReceiverLittleIsHeld(t *testing.T) {
	t.Parallel()
	for takes, want := range map[time.Duration]int{999 * time.Millisecond: quickRoom, time.Second: room, 5 * time.Second: 0} {
		w := apptest.New(t)
		w.Callbacks.MaxBatch = 16
		holding(w, nil, nil)
		w.Sender.AnswerWith(func(context.Context, apptest.Sent) payment.DeliveryResult {
			w.Clock.Advance(takes)
			return payment.DeliveryResult{HTTPStatus: 200}
		})
		first := ended(t, w, w.Site)
		wakeOwn(t, w, callbackFor(t, w, first).Receiver)
		if n := leased(t, w, endedMany(t, w, w.Site, quickRoom+1)); n != want {
			t.Errorf("of one that takes %s %d are held, want %d", takes, n, want)
		}
	}
}

// TestOnlyWhatIsDueAtOnceIsHeld: not what waits for its time, nor what is no payment's first.
func TestOnlyWhatIsDueAtOnceIsHeld(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	holding(w, nil, nil)
	p := failed(t, w)
	wakeOwn(t, w, toldOf(t, w, p)[0].Receiver)
	decided(t, w, p, payment.Accept)
	if all := toldOf(t, w, p); len(all) != 2 || all[0].Status != payment.Delivered || !all[1].LeaseUntil.IsZero() {
		t.Errorf("of two callbacks of a payment %+v", all)
	}
	w.UnitOfWork.Schedule = payment.RetrySchedule{time.Minute}
	if later := ended(t, w, w.Site); leased(t, w, []payment.Payment{later}) != 0 {
		t.Error("what waits for its time is held")
	}
}
