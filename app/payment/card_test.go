package payment_test

import (
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

func start(t *testing.T, w *apptest.World, s payment.Request) error {
	t.Helper()
	s.Method, s.Amount = payment.CreditCard, money.New(25000, money.TRY)
	_, err := w.Cards.Start(t.Context(), app.Creation{
		Request: w.Fill(s), Render: func(payment.Payment) (app.Answer, error) { return app.Answer{Status: 200}, nil },
	})
	return err
}

// TestCardsNeedTheProvidersSwitchAndTheDealers is decisions' "Enabled": both switches, and a blocked customer after them.
func TestCardsNeedTheProvidersSwitchAndTheDealers(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	off := w.Provider
	off.IsCreditCardEnabled = false
	otherDealers := w.Site
	otherDealers.DealerID = w.OtherDealer.ID // its switch is off
	block := owner.Block{CustomerKey: owner.CustomerKey{ProviderID: w.Provider.ID, UserID: "u-1001"}, BlockedAt: apptest.Start}
	if err := w.Store.Commit(t.Context(), core.Changeset{block}); err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		start payment.Request
		want  fault.Code
	}{
		"the provider's switch is off": {payment.Request{Provider: off}, fault.CardsDisabled},
		"the dealer's switch is off":   {payment.Request{Site: otherDealers}, fault.CardsDisabled},
		"the customer is blocked":      {payment.Request{}, fault.Blocked},
		"another customer":             {payment.Request{Customer: owner.Customer{UserID: "u-2", Username: "b", Fullname: "B"}}, ""},
	} {
		if got := fault.CodeOf(start(t, w, tt.start)); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}

// TestCardAskedForAgainIsNotCalledRefused: cards were switched off after the first answer, which is given again.
func TestCardAskedForAgainIsNotCalledRefused(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	c := app.Creation{
		Request: w.Fill(payment.Request{Method: payment.CreditCard, Amount: money.New(25000, money.TRY)}),
		Render: func(p payment.Payment) (app.Answer, error) {
			return app.Answer{Status: 200, Body: []byte(p.TrackingCode)}, nil
		},
		Once: &app.Once{Key: payment.IdempotencyKey{Caller: "provider/1", Endpoint: "E7", Key: "k"}, RequestHash: "body"},
	}
	first, err := w.Cards.Start(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	c.Provider.IsCreditCardEnabled = false
	again, err := w.Cards.Start(t.Context(), c)
	if err != nil || !again.Replayed || string(again.Body) != string(first.Body) {
		t.Errorf("again: %+v, %v", again, err)
	}
	c.Once.Key.Key = "another"
	if _, err := w.Cards.Start(t.Context(), c); !fault.Is(err, fault.CardsDisabled) {
		t.Errorf("a new one: %v", err)
	}
}

func TestStatusIsTheProvidersOwnCardsOnly(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	card := w.StartDeposit(t, payment.CreditCard, money.New(25000, money.TRY))
	deposit := w.StartDeposit(t, payment.ManualDeposit, money.New(25000, money.TRY))
	asStored := card
	asStored.Token = ""
	if p, err := w.Cards.Status(t.Context(), w.Provider, card.TrackingCode); err != nil || p != asStored || p.Payer.OrderID == "" {
		t.Errorf("%+v, %v", p, err)
	}
	for _, tt := range []struct {
		provider owner.Provider
		code     string
	}{{w.OtherProvider, card.TrackingCode}, {w.Provider, deposit.TrackingCode}, {w.Provider, "CC-NOBODY"}} {
		if p, err := w.Cards.Status(t.Context(), tt.provider, tt.code); !fault.Is(err, fault.NotFound) || p.TrackingCode != "" {
			t.Errorf("%s for provider %d: %+v, %v", tt.code, tt.provider.ID, p, err)
		}
	}
}

func TestCardThatNobodyPaysTimesOutAfterFifteenMinutes(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	p := w.StartDeposit(t, payment.CreditCard, money.New(25000, money.TRY))
	w.Clock.Advance(15*time.Minute - time.Second)
	w.Work(t)
	if got := w.Reload(t, p); got.Status != payment.Pending {
		t.Fatalf("a second before its time it is %s", got.Status)
	}
	w.Clock.Advance(time.Second)
	w.Work(t)
	callbacks, err := w.Store.CallbacksOf(t.Context(), p.ID)
	if err != nil || w.Reload(t, p).Status != payment.Failed || len(callbacks) != 1 {
		t.Fatalf("%s, %+v, %v", w.Reload(t, p).Status, callbacks, err)
	}
	if told := callbacks[0].Payload; told.Status != payment.Failed || told.Card.ErrorCode != "TIMEOUT" || told.Card.ErrorMessage == "" {
		t.Errorf("told %+v", told)
	}
}
