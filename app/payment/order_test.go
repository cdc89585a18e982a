package payment_test

import (
	"context"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/e2e/apptest"
)

// decided takes a card payment of the first provider on by a command, as a gateway or staff do.
func decided(t apptest.TB, w *apptest.World, p payment.Payment, c payment.Command) payment.Payment {
	t.Helper()
	p, err := w.UnitOfWork.Move(t.Context(), func(ctx context.Context) (payment.Payment, error) { return w.Store.PaymentByID(ctx, p.ID) },
		app.BySystem, func(p payment.Payment, d payment.Decision) (core.Changeset, error) {
			if c == payment.Accept {
				return apptest.Accepted(p, d)
			}
			return payment.Decide(p, c, d)
		})
	if err != nil {
		t.Fatalf("%s: %v", c, err)
	}
	return p
}

// failed is a card payment that failed: money that comes for it later, staff may accept.
func failed(t apptest.TB, w *apptest.World) payment.Payment {
	t.Helper()
	return decided(t, w, w.Start(t, payment.Request{Method: payment.CreditCard, Amount: money.New(25000, money.TRY)}), payment.Fail)
}

func toldOf(t apptest.TB, w *apptest.World, p payment.Payment) []payment.Callback {
	t.Helper()
	all, err := w.Store.CallbacksOf(t.Context(), p.ID)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// numbers are the sequence numbers in the order in which they were sent, as the header has them.
func numbers(t apptest.TB, sent []apptest.Sent) []int {
	t.Helper()
	var list []int
	for _, s := range sent {
		at := slices.IndexFunc(s.Message.Headers, func(h payment.CallbackHeader) bool { return h.Name == payment.SequenceHeader })
		n, err := strconv.Atoi(s.Message.Headers[at].Value)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, n)
	}
	return list
}

// TestTheStaleCallbackIsNeverTheLastWord: the receiver is down and failed waits; staff accept late money. Success goes out
// at once, hours before the next attempt of failed would have been due, and failed never again.
func TestTheStaleCallbackIsNeverTheLastWord(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	w.Sender.AnswerWith(answers(503))
	p := failed(t, w)
	for range 5 {
		w.Work(t)
		w.Clock.Advance(time.Hour)
	}
	down := len(w.Sender.Sent())
	w.Sender.AnswerWith(answers(200))
	decided(t, w, p, payment.Accept)
	w.Work(t)
	for range 50 {
		w.Clock.Advance(time.Hour)
		w.Work(t)
	}
	seen := numbers(t, w.Sender.Sent())
	if down < 2 || len(seen) != down+1 || seen[down-1] != 1 || seen[down] != 2 {
		t.Errorf("sent %v, of which %d while the receiver was down", seen, down)
	}
	all := toldOf(t, w, p)
	if all[0].Status != payment.Superseded || all[0].AttemptCount != down || all[1].Status != payment.Delivered || len(attemptsOf(t, w, all[0])) != down {
		t.Errorf("%+v", all)
	}
}

// TestWhatIsBeingSentIsNotOvertaken: another process sends the next callback only when the attempt that is under way is
// over for certain; its outcome, which comes late, changes nothing.
func TestWhatIsBeingSentIsNotOvertaken(t *testing.T) {
	t.Parallel()
	for _, status := range []int{200, 500} {
		w := apptest.New(t)
		other, sender := another(t, w)
		started, release := slowly(w, status)
		p := failed(t, w)
		receiver := toldOf(t, w, p)[0].Receiver
		w.Callbacks.Wake(receiver)
		<-started
		decided(t, w, p, payment.Accept)
		for _, wait := range []time.Duration{0, lease - time.Microsecond} {
			w.Clock.Set(apptest.Start.Add(wait))
			if wake(t, other, receiver); len(sender.Sent()) != 0 {
				t.Fatalf("%s after the first was begun, the second was sent", wait)
			}
		}
		w.Clock.Set(apptest.Start.Add(lease))
		wake(t, other, receiver)
		release()
		if err := w.Callbacks.Wait(t.Context()); err != nil {
			t.Fatal(err)
		}
		w.Clock.Advance(48 * time.Hour)
		wake(t, w.Callbacks, receiver)
		all := toldOf(t, w, p)
		if got := numbers(t, sender.Sent()); !slices.Equal(got, []int{2}) || len(w.Sender.Sent()) != 1 {
			t.Errorf("sent %v and %v", numbers(t, w.Sender.Sent()), got)
		}
		if all[0].Status != payment.Superseded || all[1].Status != payment.Delivered || len(attemptsOf(t, w, all[0])) != 1 {
			t.Errorf("%+v", all)
		}
	}
}

// TestAnAttemptThatCannotEndInItsLeaseIsNotBegun: finding the target took so long that the next callback might be sent by
// somebody else meanwhile.
func TestAnAttemptThatCannotEndInItsLeaseIsNotBegun(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	p := ended(t, w, w.Site)
	receiver := callbackFor(t, w, p).Receiver
	w.UnitOfWork.Directory = slow{lost{w.Store}, w}
	wake(t, w.Callbacks, receiver)
	w.Work(t)
	cb := callbackFor(t, w, p)
	if len(w.Sender.Sent()) != 1 || cb.Status != payment.Delivered || cb.AttemptCount != 1 || cb.Version != 5 { // claimed, handed back, claimed, delivered
		t.Errorf("sent %d times, %+v", len(w.Sender.Sent()), cb)
	}
}

// slow is a directory that takes six seconds for the first answer.
type slow struct {
	lost
	world *apptest.World
}

func (s slow) Provider(ctx context.Context, id int64) (owner.Provider, error) {
	if s.world.Clock.Now().Equal(apptest.Start) {
		s.world.Clock.Advance(6 * time.Second)
	}
	return s.Directory.Provider(ctx, id)
}

// TestOneCallbackHasOneContent: whatever becomes of the payment, each attempt of a callback says what the first one said.
func TestOneCallbackHasOneContent(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	w.Sender.AnswerWith(answers(503))
	p := failed(t, w)
	for _, c := range []payment.Command{payment.Accept, payment.Refund} {
		w.Work(t)
		w.Clock.Advance(time.Minute)
		w.Work(t)
		p = decided(t, w, p, c)
	}
	w.Sender.AnswerWith(answers(200))
	for range 50 {
		w.Clock.Advance(time.Hour)
		w.Work(t)
	}
	statuses := map[int]string{1: "failed", 2: "success"}
	for i, n := range numbers(t, w.Sender.Sent()) {
		if b := payload(t, w.Sender.Sent()[i]); b.Status != statuses[n] || b.Amount != "250.00" {
			t.Errorf("number %d says %+v", n, b)
		}
	}
	for _, cb := range toldOf(t, w, p) { // a refund has no callback, and a success that is none any more is not sent
		if cb.Status != payment.Superseded || len(attemptsOf(t, w, cb)) == 0 {
			t.Errorf("%+v", cb)
		}
	}
}
