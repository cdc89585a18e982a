package payment_test

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/e2e/apptest"
	"github.com/vezne/vezne/ports"
)

func TestHangingReceiverDelaysNobodyElse(t *testing.T) {
	t.Parallel()
	const healthy, each = 20, 30
	w := apptest.New(t)
	hungSite := w.AddSite(t, "hung", owner.CallbackURLs{Deposit: "https://hung.test"})
	hung := endedMany(t, w, hungSite, 40)
	var others []payment.Payment
	for i := range healthy {
		site := w.AddSite(t, fmt.Sprint("healthy", i), owner.CallbackURLs{Deposit: fmt.Sprintf("https://healthy%d.test", i)})
		others = append(others, endedMany(t, w, site, each)...)
	}
	release := make(chan struct{})
	var atOnce atomic.Int64
	began := make(chan int64, 40) // how many hung as each began
	w.Sender.AnswerWith(func(_ context.Context, s apptest.Sent) payment.DeliveryResult {
		if s.URL == "https://hung.test" {
			began <- atOnce.Add(1)
			defer atOnce.Add(-1)
			<-release
		}
		return payment.DeliveryResult{HTTPStatus: 200}
	})
	finished := make(chan struct{}, healthy*each+40)
	w.UnitOfWork.Commits = &apptest.Commits{Committer: w.Store, After: func(c core.Changeset) error {
		for range core.RowsOf[payment.Attempt](c) {
			finished <- struct{}{}
		}
		return nil
	}}
	w.Callbacks.Wake(callbackFor(t, w, hung[0]).Receiver)
	for _, wakeUp := range w.Waker.Drain() {
		if wakeUp.Kind == core.DueCallbacks {
			w.Callbacks.Wake(wakeUp.Receiver)
		}
	}
	for range healthy * each { // while the other one hangs
		<-finished
	}
	wantStates(t, w, others, map[payment.CallbackStatus]int{payment.Delivered: healthy * each})
	wantStates(t, w, hung, map[payment.CallbackStatus]int{payment.Waiting: 40})
	close(release)
	if err := w.Callbacks.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	wantStates(t, w, hung, map[payment.CallbackStatus]int{payment.Delivered: 40})
	close(began)
	for n := range began {
		if n > 16 {
			t.Errorf("%d were sent to one receiver at once", n)
		}
	}
}

func TestReceiverThatKeepsFailingIsProbedAtGrowingIntervals(t *testing.T) {
	t.Parallel()
	const n = 100
	w := apptest.New(t)
	w.Sender.AnswerWith(answers(503))
	payments := endedMany(t, w, w.Site, n)
	receiver := callbackFor(t, w, payments[0]).Receiver
	w.Work(t)
	tried := len(w.Sender.Sent())
	if tried < 20 || tried > 36 { // the twentieth failure opens the breaker while up to sixteen are under way
		t.Fatalf("%d were tried before the receiver counted as failing", tried)
	}
	for _, wait := range []time.Duration{2, 4, 8, 16, 30, 30, 30} {
		w.Clock.Advance(wait*time.Second - time.Microsecond)
		wake(t, w.Callbacks, receiver)
		if got := len(w.Sender.Sent()); got != tried {
			t.Fatalf("%d probes within %d s", got-tried, wait)
		}
		w.Clock.Advance(time.Microsecond)
		wake(t, w.Callbacks, receiver)
		wake(t, w.Callbacks, receiver)
		if tried++; len(w.Sender.Sent()) != tried {
			t.Fatalf("%d probes after %d s, want one", len(w.Sender.Sent())-tried+1, wait)
		}
	}
	untouched := 0
	for _, p := range payments {
		if cb := callbackFor(t, w, p); cb.AttemptCount == 0 && cb.LeaseUntil.IsZero() {
			untouched++
		}
	}
	if untouched != n-tried {
		t.Errorf("%d wait with no attempt used up, want %d", untouched, n-tried)
	}
	w.Sender.AnswerWith(answers(200))
	w.Clock.Advance(time.Minute)
	wake(t, w.Callbacks, receiver)
	w.Clock.Advance(time.Hour)
	w.Work(t)
	wantStates(t, w, payments, map[payment.CallbackStatus]int{payment.Delivered: n})
}

func TestRecoveredReceiverGetsAllThatIsDueWithItsFirstGoodProbe(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	w.Sender.AnswerWith(answers(0))
	payments := endedMany(t, w, w.Site, 200)
	w.Work(t)
	tried := len(w.Sender.Sent())
	w.Sender.AnswerWith(answers(200))
	w.Clock.Advance(2 * time.Second)
	wake(t, w.Callbacks, callbackFor(t, w, payments[0]).Receiver)
	wantStates(t, w, payments, map[payment.CallbackStatus]int{payment.Delivered: 200 - tried, payment.Waiting: tried})
}

func TestAFewFailuresAmongSuccessesDoNotCountAsFailing(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	var n atomic.Int64
	w.Sender.AnswerWith(func(context.Context, apptest.Sent) payment.DeliveryResult {
		if n.Add(1)%3 == 0 {
			return payment.DeliveryResult{HTTPStatus: 200}
		}
		return payment.DeliveryResult{HTTPStatus: 500}
	})
	payments := endedMany(t, w, w.Site, 300)
	w.Work(t)
	if sent := len(w.Sender.Sent()); sent != 300 {
		t.Errorf("%d of 300 were tried", sent)
	}
	wantStates(t, w, payments, map[payment.CallbackStatus]int{payment.Delivered: 100, payment.Waiting: 200})
}

func TestFailingReceiverDoesNotOpenTheBreakerOfAnother(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	dead := w.AddSite(t, "dead", owner.CallbackURLs{Deposit: "https://dead.test"})
	w.Sender.AnswerWith(func(_ context.Context, s apptest.Sent) payment.DeliveryResult {
		if strings.Contains(s.URL, "dead") {
			return payment.DeliveryResult{Error: "connection refused"}
		}
		return payment.DeliveryResult{HTTPStatus: 200}
	})
	endedMany(t, w, dead, 100)
	payments := endedMany(t, w, w.Site, 100)
	w.Work(t)
	wantStates(t, w, payments, map[payment.CallbackStatus]int{payment.Delivered: 100})
}

func TestSlowReceiverHandsBackWhatItsLeaseDoesNotCover(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	payments := endedMany(t, w, w.Site, 100)
	var n atomic.Int64
	w.Sender.AnswerWith(func(context.Context, apptest.Sent) payment.DeliveryResult {
		if n.Add(1) == 17 { // in the second batch, of 32
			w.Clock.Advance(6 * time.Second)
		}
		return payment.DeliveryResult{HTTPStatus: 200}
	})
	var handedBack atomic.Int64
	w.UnitOfWork.Commits = &apptest.Commits{Committer: w.Store, Before: func(c core.Changeset) error {
		for _, cb := range core.RowsOf[payment.Callback](c) {
			if cb.Status == payment.Waiting && cb.LeaseUntil.IsZero() && cb.AttemptCount == 0 {
				handedBack.Add(1)
			}
		}
		return nil
	}}
	w.Work(t)
	wantStates(t, w, payments, map[payment.CallbackStatus]int{payment.Delivered: 100})
	if handedBack.Load() == 0 {
		t.Error("nothing was handed back")
	}
	for code, times := range sentTimes(t, w.Sender.Sent()) {
		if times != 1 {
			t.Errorf("%s was sent %d times", code, times)
		}
	}
}

// stoppedMeanwhile stops the service while it leases, and tells who was stopped nothing of what it leased.
type stoppedMeanwhile struct {
	ports.Callbacks
	stop func()
}

func (s stoppedMeanwhile) ClaimCallbacks(
	ctx context.Context, receiver string, now, until time.Time, limit int,
) ([]payment.Callback, error) {
	rows, err := s.Callbacks.ClaimCallbacks(ctx, receiver, now, until, limit)
	s.stop()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return rows, err
}

// TestAStopWhileLeasingHandsBackWhatIsNotSent: else nobody would send it until the lease ends.
func TestAStopWhileLeasingHandsBackWhatIsNotSent(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	payments := endedMany(t, w, w.Site, 8)
	receiver := callbackFor(t, w, payments[0]).Receiver
	impatient, cancel := context.WithCancel(t.Context())
	cancel()
	w.UnitOfWork.Callbacks = stoppedMeanwhile{w.Store, func() { _ = w.Callbacks.Stop(impatient) }}
	wake(t, w.Callbacks, receiver)
	wantStates(t, w, payments, map[payment.CallbackStatus]int{payment.Waiting: 8})
	other, _ := another(t, w)
	wake(t, other, receiver)
	wantStates(t, w, payments, map[payment.CallbackStatus]int{payment.Delivered: 8})
}

func TestStopFinishesWhatIsBeingSentAndHandsBackTheRest(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	payments := endedMany(t, w, w.Site, 100)
	receiver := callbackFor(t, w, payments[0]).Receiver
	var n atomic.Int64
	started, release := make(chan struct{}, 100), make(chan struct{})
	w.Sender.AnswerWith(func(context.Context, apptest.Sent) payment.DeliveryResult {
		if n.Add(1) > 16 { // the first batch is quick, so that the second leases twice as many
			started <- struct{}{}
			<-release
		}
		return payment.DeliveryResult{HTTPStatus: 200}
	})
	w.Callbacks.Wake(receiver)
	for range 16 {
		<-started
	}
	impatient, cancel := context.WithCancel(t.Context())
	cancel()
	if err := w.Callbacks.Stop(impatient); err == nil {
		t.Error("stopped while callbacks were being sent")
	}
	close(release)
	if err := w.Callbacks.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	wantStates(t, w, payments, map[payment.CallbackStatus]int{payment.Delivered: 32, payment.Waiting: 68})
	for _, p := range payments {
		if cb := callbackFor(t, w, p); cb.Status == payment.Waiting && (!cb.LeaseUntil.IsZero() || cb.AttemptCount != 0) {
			t.Errorf("not handed back: %+v", cb)
		}
	}
	wake(t, w.Callbacks, receiver) // stopped for good
	other, sender := another(t, w)
	wake(t, other, receiver)
	wantStates(t, w, payments, map[payment.CallbackStatus]int{payment.Delivered: 100})
	for code, times := range sentTimes(t, append(w.Sender.Sent(), sender.Sent()...)) {
		if times != 1 {
			t.Errorf("%s was sent %d times", code, times)
		}
	}
}
