package app_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/e2e/apptest"
)

func lira(n int64) money.Amount { return money.New(n*100, money.TRY) }

func wantCode(t *testing.T, err error, want fault.Code) {
	t.Helper()
	if got := fault.CodeOf(err); got != want {
		t.Errorf("got %q (%v), want %q", got, err, want)
	}
}

// creation is a request for a deposit whose answer names its tracking code.
func creation(w *apptest.World, once *app.Once) app.Creation {
	return app.Creation{
		Request: w.Fill(payment.Request{Method: payment.ManualDeposit, Amount: lira(250)}), Once: once,
		Render: func(p payment.Payment) (app.Answer, error) {
			return app.Answer{Status: 200, Body: []byte(`{"tracking_code":"` + p.TrackingCode + `"}`)}, nil
		},
	}
}

// once is a key of the first provider for E3.
func once(w *apptest.World, key, body string) *app.Once {
	return &app.Once{
		Key:         payment.IdempotencyKey{Caller: fmt.Sprintf("provider/%d", w.Provider.ID), Endpoint: "E3", Key: key},
		RequestHash: body,
	}
}

func create(t *testing.T, w *apptest.World, c app.Creation) app.Answer {
	t.Helper()
	answer, err := w.Create(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	return answer
}

// paymentsOf counts everything that was ever created.
func paymentsOf(t *testing.T, w *apptest.World) int {
	t.Helper()
	return len(w.Payments(t))
}

func TestSameKeyAndBodyGetTheFirstAnswerAgain(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	first := create(t, w, creation(w, once(w, "k-1", "body")))
	if first.Replayed {
		t.Error("the first answer calls itself a replay")
	}
	w.Waker.Drain()
	w.Clock.Advance(24 * time.Hour)
	again := create(t, w, creation(w, once(w, "k-1", "body")))
	if !again.Replayed || again.Status != first.Status || !bytes.Equal(again.Body, first.Body) {
		t.Errorf("again: %+v, first: %+v", again, first)
	}
	if n, wakeUps := paymentsOf(t, w), w.Waker.Drain(); n != 1 || len(wakeUps) != 0 {
		t.Errorf("%d payments, wake-ups %v", n, wakeUps)
	}
}

func TestSameKeyWithAnotherBodyIsRefused(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	create(t, w, creation(w, once(w, "k-1", "body")))
	_, err := w.Create(t.Context(), creation(w, once(w, "k-1", "other body")))
	wantCode(t, err, fault.KeyReused)
	if n := paymentsOf(t, w); n != 1 {
		t.Errorf("%d payments", n)
	}
	if again := create(t, w, creation(w, once(w, "k-1", "body"))); !again.Replayed {
		t.Error("the first body no longer has its answer")
	}
}

func TestKeyIsNewAgainAfterADay(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	first := create(t, w, creation(w, once(w, "k-1", "body")))
	w.Clock.Advance(24*time.Hour + time.Microsecond)
	second := create(t, w, creation(w, once(w, "k-1", "other body")))
	if second.Replayed || bytes.Equal(first.Body, second.Body) {
		t.Errorf("a day later: %+v", second)
	}
	if again := create(t, w, creation(w, once(w, "k-1", "other body"))); !bytes.Equal(again.Body, second.Body) {
		t.Errorf("the second answer again: %s, want %s", again.Body, second.Body)
	}
}

func TestKeyBelongsToItsCallerAndEndpoint(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	mine := once(w, "k-1", "body")
	others, elsewhere := *mine, *mine
	others.Key.Caller = fmt.Sprintf("provider/%d", w.OtherProvider.ID)
	elsewhere.Key.Endpoint = "E5"
	seen := map[string]bool{}
	for _, o := range []*app.Once{mine, &others, &elsewhere, nil, nil} {
		answer := create(t, w, creation(w, o))
		if answer.Replayed || seen[string(answer.Body)] {
			t.Errorf("key %+v: %+v", o, answer)
		}
		seen[string(answer.Body)] = true
	}
}

func TestTwoHundredTwinsMakeOnePayment(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	answers := make(chan app.Answer, 200)
	var twins sync.WaitGroup
	for range 200 {
		twins.Go(func() {
			answer, err := w.Create(t.Context(), creation(w, once(w, "k-1", "body")))
			if err != nil {
				t.Error(err)
			}
			answers <- answer
		})
	}
	twins.Wait()
	close(answers)
	fresh, bodies := 0, map[string]bool{}
	for a := range answers {
		bodies[string(a.Body)] = true
		if !a.Replayed {
			fresh++
		}
	}
	if n := paymentsOf(t, w); n != 1 || fresh != 1 || len(bodies) != 1 {
		t.Errorf("%d payments, %d fresh answers, %d bodies", n, fresh, len(bodies))
	}
}

func TestBlockedCustomerIsRefusedOnEveryMethodOfThatProviderOnly(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	blocked := owner.CustomerKey{ProviderID: w.Provider.ID, UserID: "u-1001"}
	if err := w.Store.Commit(t.Context(), core.Changeset{owner.Block{CustomerKey: blocked, BlockedAt: apptest.Start}}); err != nil {
		t.Fatal(err)
	}
	for _, m := range payment.Methods() {
		if m.Kind() == payment.Transfer {
			continue // the dealer's own: no provider's customer asks for it
		}
		c := creation(w, once(w, string(m), "body"))
		c.Request = w.Fill(payment.Request{Method: m, Amount: lira(250)})
		_, err := w.Create(t.Context(), c)
		wantCode(t, err, fault.Blocked)
		c.Customer.UserID = "u-1002"
		if again := create(t, w, c); again.Replayed {
			t.Errorf("%s: the refusal was kept as an answer", m)
		}
	}
	c := creation(w, nil)
	c.Provider, c.Site = w.OtherProvider, w.OtherSite
	create(t, w, c)
}

func TestFailedCommitLeavesNothingBehindAndWakesNobody(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	w.UnitOfWork.Commits = &apptest.Commits{Committer: w.Store, Before: func(core.Changeset) error {
		return fault.New("test", fault.Unavailable)
	}}
	answer, err := w.Create(t.Context(), creation(w, once(w, "k-1", "body")))
	wantCode(t, err, fault.Unavailable)
	if wakeUps := w.Waker.Drain(); len(wakeUps) != 0 || answer.Body != nil || paymentsOf(t, w) != 0 {
		t.Errorf("wake-ups %v, answer %+v, %d payments", wakeUps, answer, paymentsOf(t, w))
	}
	w.UnitOfWork.Commits = w.Store
	if answer = create(t, w, creation(w, once(w, "k-1", "body"))); answer.Replayed {
		t.Error("a replay of what never was")
	}
}

func TestRetryAfterAnUnknownOutcomeGetsThePaymentThatWasMade(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	w.UnitOfWork.Commits = &apptest.Commits{Committer: w.Store, After: func(core.Changeset) error {
		return fault.New("test", fault.Unavailable) // committed, and the answer lost
	}}
	_, err := w.Create(t.Context(), creation(w, once(w, "k-1", "body")))
	wantCode(t, err, fault.Unavailable)
	w.UnitOfWork.Commits = w.Store
	if answer := create(t, w, creation(w, once(w, "k-1", "body"))); !answer.Replayed || paymentsOf(t, w) != 1 {
		t.Errorf("%+v, %d payments", answer, paymentsOf(t, w))
	}
}

func TestNewPaymentIsAsTheContractSays(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	lifetimes := map[payment.Kind]time.Duration{payment.Deposit: 30 * time.Minute, payment.Card: 15 * time.Minute}
	for _, m := range payment.Methods() {
		if m.Kind() == payment.Transfer {
			continue // a wallet's own
		}
		p := w.StartDeposit(t, m, lira(250))
		lifetime, expires := lifetimes[m.Kind()]
		if m == payment.BankWithdrawal {
			lifetime, expires = 24*time.Hour, true
		}
		wantExpiry := time.Time{}
		if expires {
			wantExpiry = w.Clock.Now().Add(lifetime)
		}
		isByIBAN := m.Kind() == payment.Withdrawal || m == payment.BankWithdrawal
		if p.Status != m.Kind().FirstStatus() || !p.ExpiresAt.Equal(wantExpiry) || (p.Token != "") != m.HasPage() || (p.IBAN != "") != isByIBAN {
			t.Errorf("%s: %+v", m, p)
		}
		wakeUps := w.Waker.Drain()
		if slices.Contains(wakeUps, core.WakeUp{Kind: core.DuePayments, At: wantExpiry}) != expires {
			t.Errorf("%s wake-ups %v", m, wakeUps)
		}
		if stored := w.Reload(t, p); stored != p {
			t.Errorf("%s: stored %+v, rendered %+v", m, stored, p)
		}
	}
}

func TestAnswerThatCannotBeRenderedMakesNoPayment(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	c := creation(w, nil)
	c.Render = func(payment.Payment) (app.Answer, error) { return app.Answer{}, errors.New("no template") }
	_, err := w.Create(t.Context(), c)
	wantCode(t, err, fault.Internal)
	if n := paymentsOf(t, w); n != 0 {
		t.Errorf("%d payments", n)
	}
}

// drained returns n bytes and then no more.
type drained struct{ n int }

func (d *drained) Read(p []byte) (int, error) {
	if d.n < len(p) {
		return 0, errors.New("no entropy")
	}
	d.n -= len(p)
	return len(p), nil
}

func TestNoRandomnessMakesNoPayment(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	for _, n := range []int{0, 10, 20, 39} { // of ids, tracking code, token
		w.UnitOfWork.Random = &drained{n}
		_, err := w.Create(t.Context(), creation(w, nil))
		wantCode(t, err, fault.Internal)
	}
	if n := paymentsOf(t, w); n != 0 {
		t.Errorf("%d payments", n)
	}
}

func TestDecisionIsTriedAgainAfterALostRaceAndGivesUpInTheEnd(t *testing.T) {
	t.Parallel()
	for lost, want := range map[int]fault.Code{1: "", 120: "", 1 << 30: fault.Conflict} {
		w := apptest.New(t)
		if want != "" {
			w.UnitOfWork.Patience = 20 * time.Millisecond
		}
		p := w.StartDeposit(t, payment.ManualDeposit, lira(250))
		tries := 0
		w.UnitOfWork.Commits = &apptest.Commits{Committer: w.Store, Before: func(core.Changeset) error {
			if tries++; tries <= lost {
				return fault.New("test", fault.Conflict)
			}
			return nil
		}}
		_, err := w.Deposits.Cancel(t.Context(), p)
		wantCode(t, err, want)
		if tries < min(lost, 3) || w.Reload(t, p).Status.IsFinal() != (want == "") {
			t.Errorf("%d lost races: %d tries, %s", lost, tries, w.Reload(t, p).Status)
		}
	}
}

func TestDecisionOfACallerWhoLeftIsNotTriedAgain(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	p := w.StartDeposit(t, payment.ManualDeposit, lira(250))
	ctx, leave := context.WithCancel(t.Context())
	tries := 0
	w.UnitOfWork.Commits = &apptest.Commits{Committer: w.Store, Before: func(core.Changeset) error {
		leave()
		tries++
		return fault.New("test", fault.Conflict)
	}}
	_, err := w.Deposits.Cancel(ctx, p)
	if wantCode(t, err, fault.Conflict); tries != 1 {
		t.Errorf("tried %d times", tries)
	}
}

func TestRefusalWaitsForTheFirstAnswers(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	down, cancel := context.WithCancel(t.Context())
	cancel() // a store refuses a context that is over, as a database out of reach does
	refusal := fault.New("test", fault.CardsDisabled)
	_, err := w.UnitOfWork.Refused(down, creation(w, once(w, "k-1", "body")), refusal)
	wantCode(t, err, fault.Unavailable)
	_, err = w.UnitOfWork.Refused(down, creation(w, nil), refusal)
	wantCode(t, err, fault.CardsDisabled)
	_, err = w.UnitOfWork.Refused(t.Context(), creation(w, once(w, "k-1", "body")), refusal)
	wantCode(t, err, fault.CardsDisabled)
}
