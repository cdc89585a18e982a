package payment_test

import (
	"context"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/e2e/apptest"
	"github.com/vezne/vezne/ports"
)

var unavailable = fault.New("test", fault.Unavailable)

// hasOutcome tells the commits of attempts from all others.
func hasOutcome(c core.Changeset) bool { return core.Has[payment.Attempt](c) }

// loseOutcomes fails the next n commits of attempts, before or after they are made.
func loseOutcomes(w *apptest.World, n int64, isAfter bool) {
	var left atomic.Int64
	left.Store(n)
	fail := func(c core.Changeset) error {
		if hasOutcome(c) && left.Add(-1) >= 0 {
			return unavailable
		}
		return nil
	}
	if isAfter {
		w.UnitOfWork.Commits = &apptest.Commits{Committer: w.Store, After: fail}
	} else {
		w.UnitOfWork.Commits = &apptest.Commits{Committer: w.Store, Before: fail}
	}
}

func TestCrashBetweenSendingAndKeepingSendsAgainAfterTheLease(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	p := ended(t, w, w.Site)
	loseOutcomes(w, 1, false)
	w.Work(t)
	receiver := callbackFor(t, w, p).Receiver
	for _, wait := range []time.Duration{0, lease} { // as long as the lease lasts nobody touches it
		w.Clock.Set(apptest.Start.Add(wait))
		wake(t, w.Callbacks, receiver)
		if cb := callbackFor(t, w, p); len(w.Sender.Sent()) != 1 || cb.Status != payment.Waiting || cb.AttemptCount != 0 {
			t.Fatalf("%s after the crash: sent %d times, %+v", wait, len(w.Sender.Sent()), cb)
		}
	}
	w.Clock.Advance(time.Microsecond)
	if err := w.Sweep.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := w.Callbacks.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	cb := callbackFor(t, w, p)
	if sent := w.Sender.Sent(); len(sent) != 2 || cb.Status != payment.Delivered || cb.AttemptCount != 1 {
		t.Errorf("sent %d times, %+v", len(sent), cb)
	}
	if !strings.Contains(w.Logs.String(), string(cb.ID)) {
		t.Error("the lost outcome is not logged")
	}
}

func TestOutcomeKeptWithoutAnAnswerIsNotSentAgain(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	p := ended(t, w, w.Site)
	loseOutcomes(w, 1, true)
	w.Work(t)
	w.Clock.Advance(time.Hour)
	wake(t, w.Callbacks, callbackFor(t, w, p).Receiver)
	if cb := callbackFor(t, w, p); cb.Status != payment.Delivered || len(w.Sender.Sent()) != 1 || len(attemptsOf(t, w, cb)) != 1 {
		t.Errorf("sent %d times, %+v", len(w.Sender.Sent()), cb)
	}
}

func TestGroupThatCannotBeKeptIsKeptOneByOne(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	groups := 0
	w.UnitOfWork.Commits = &apptest.Commits{Committer: w.Store, Before: func(c core.Changeset) error {
		for range 100 {
			runtime.Gosched() // while one is being kept, the next outcomes come together
		}
		if len(core.RowsOf[payment.Attempt](c)) > 1 {
			groups++
			return unavailable
		}
		return nil
	}}
	for groups == 0 {
		payments := endedMany(t, w, w.Site, 16)
		w.Work(t)
		wantStates(t, w, payments, map[payment.CallbackStatus]int{payment.Delivered: 16})
	}
	for code, times := range sentTimes(t, w.Sender.Sent()) {
		if times != 1 {
			t.Errorf("%s was sent %d times", code, times)
		}
	}
}

// slowly has the World's sender hold its attempts until release; started tells of each.
func slowly(w *apptest.World, status int) (started <-chan apptest.Sent, release func()) {
	begun, open := make(chan apptest.Sent, 1000), make(chan struct{})
	w.Sender.AnswerWith(func(_ context.Context, s apptest.Sent) payment.DeliveryResult {
		begun <- s
		<-open
		return payment.DeliveryResult{HTTPStatus: status}
	})
	return begun, func() { close(open) }
}

func TestLateResultOfALostLeaseChangesNothingButIsLogged(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		late, other int
		state       payment.CallbackStatus
	}{
		"failed late, delivered by the other": {500, 200, payment.Delivered},
		"delivered late, failed by the other": {200, 500, payment.Waiting},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := apptest.New(t)
			other, sender := another(t, w)
			sender.AnswerWith(answers(tt.other))
			started, release := slowly(w, tt.late)
			p := ended(t, w, w.Site)
			receiver := callbackFor(t, w, p).Receiver
			w.Callbacks.Wake(receiver)
			<-started
			wake(t, other, receiver)
			if n := len(sender.Sent()); n != 0 {
				t.Fatalf("two workers have the same callback: sent %d times", n)
			}
			w.Clock.Advance(lease + time.Microsecond)
			wake(t, other, receiver)
			kept := callbackFor(t, w, p)
			release()
			if err := w.Callbacks.Wait(t.Context()); err != nil {
				t.Fatal(err)
			}
			cb := callbackFor(t, w, p)
			if cb != kept || cb.Status != tt.state || cb.AttemptCount != 1 {
				t.Errorf("the late result made %+v of %+v", cb, kept)
			}
			statuses := map[int]bool{}
			for _, a := range attemptsOf(t, w, cb) {
				statuses[a.HTTPStatus] = true
			}
			if len(statuses) != 2 {
				t.Errorf("attempts logged: %v", statuses)
			}
		})
	}
}

func TestOneLostLeaseCostsTheOthersNothing(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	other, _ := another(t, w)
	payments := endedMany(t, w, w.Site, 16)
	receiver := callbackFor(t, w, payments[0]).Receiver
	started, release := slowly(w, 200)
	w.Callbacks.Wake(receiver)
	for range 16 {
		<-started
	}
	stolen := callbackFor(t, w, payments[7])
	stolen.Version++
	stolen.LeaseUntil = w.Clock.Now().Add(time.Hour)
	if err := w.Store.Commit(t.Context(), core.Changeset{stolen}); err != nil {
		t.Fatal(err)
	}
	release()
	if err := w.Callbacks.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	wantStates(t, w, payments, map[payment.CallbackStatus]int{payment.Delivered: 15, payment.Waiting: 1})
	w.Clock.Advance(time.Hour + time.Microsecond)
	wake(t, other, receiver)
	wantStates(t, w, payments, map[payment.CallbackStatus]int{payment.Delivered: 16})
}

// outbox is the store's, until it is told to fail.
type outbox struct {
	ports.Callbacks
	isDown atomic.Bool
}

func (o *outbox) ClaimCallbacks(ctx context.Context, receiver string, now, until time.Time, limit int) ([]payment.Callback, error) {
	if o.isDown.Load() {
		return nil, unavailable
	}
	return o.Callbacks.ClaimCallbacks(ctx, receiver, now, until, limit)
}

func TestOutboxOutOfReachIsLoggedAndFoundByTheSweeperLater(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	box := &outbox{Callbacks: w.Store}
	w.UnitOfWork.Callbacks = box
	p := ended(t, w, w.Site)
	box.isDown.Store(true)
	w.Work(t)
	if !strings.Contains(w.Logs.String(), "UNAVAILABLE") {
		t.Error("nothing is logged")
	}
	box.isDown.Store(false)
	if err := w.Sweep.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := w.Callbacks.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	wantStates(t, w, []payment.Payment{p}, map[payment.CallbackStatus]int{payment.Delivered: 1})
}

// lost is a directory without providers.
type lost struct{ ports.Directory }

func (lost) Provider(context.Context, int64) (owner.Provider, error) {
	return owner.Provider{}, unavailable
}

func TestDirectoryOutOfReachCostsNoAttempt(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	payments := endedMany(t, w, w.Site, 20)
	w.UnitOfWork.Directory = lost{w.Store}
	w.Work(t)
	w.UnitOfWork.Directory = w.Store
	w.Clock.Advance(lease + time.Microsecond)
	wake(t, w.Callbacks, callbackFor(t, w, payments[0]).Receiver)
	wantStates(t, w, payments, map[payment.CallbackStatus]int{payment.Delivered: 20})
	for _, p := range payments {
		if cb := callbackFor(t, w, p); cb.AttemptCount != 1 {
			t.Errorf("%d attempts", cb.AttemptCount)
		}
	}
	if n := len(w.Sender.Sent()); n != 20 {
		t.Errorf("sent %d times", n)
	}
}

func TestNothingOfALostOutcomeReachesTheLogButItsID(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	ended(t, w, w.Site)
	loseOutcomes(w, 1, false)
	w.Work(t)
	for _, secret := range []string{w.Provider.SecretKey.Reveal(), w.Provider.WebhookSecret.Reveal(), w.Provider.APIKey} {
		if strings.Contains(w.Logs.String(), secret) {
			t.Errorf("the log holds a key: %s", w.Logs)
		}
	}
	if w.Logs.String() == "" {
		t.Error("nothing is logged")
	}
}
