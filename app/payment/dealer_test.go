package payment_test

import (
	"bytes"
	"context"
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

func TestAnOfferIsADepositThatShowsItsAccount(t *testing.T) {
	t.Parallel()
	w := world(t, owner.Account{Min: dealerLira(1), Max: dealerLira(5000), DailyLimit: dealerLira(10_000)})
	made := offerOfDealer(t, w, dealerLira(250))
	p := w.Reload(t, made)
	if p.Status != payment.Showing || p.ProviderID != 0 || p.DealerID != w.Dealer.ID || p.Method != payment.ManualDeposit ||
		!p.ExpiresAt.Equal(apptest.Start.Add(30*time.Minute)) || p.Account.AccountID != w.Accounts[0].ID || !p.Account.Held.Equal(dealerLira(250)) {
		t.Errorf("%+v", p)
	}
	moves, err := w.Store.MovesOf(t.Context(), []core.ID{p.ID}, core.Paging[payment.TransitionID]{Limit: core.MaxPage})
	if err != nil || len(moves) != 1 || moves[0].Command != payment.Offer || moves[0].Actor.Kind != w.Dealer.Actor("").Kind {
		t.Errorf("history: %+v, %v", moves, err)
	}
	if l := loads(t, w)[0]; !l.Used.Equal(dealerLira(250)) || l.Count != 1 || !l.LastOfferedAt.Equal(apptest.Start) {
		t.Errorf("the account's day: %+v", l)
	}
}

// TestAnOfferFollowsADepositsStates: it expires and gives its room back, staff complete it, and nobody is called back.
func TestAnOfferFollowsADepositsStates(t *testing.T) {
	t.Parallel()
	w := world(t, owner.Account{Min: dealerLira(1), Max: dealerLira(5000), DailyCount: 2})
	over, paid := offerOfDealer(t, w, dealerLira(250)), offerOfDealer(t, w, dealerLira(300))
	approved, err := w.Approve(t.Context(), app.StaffMove{Request: app.Request{Staff: w.DealerStaff}, TrackingCode: paid.TrackingCode}, money.Amount{})
	if err != nil || approved.Status != payment.Completed {
		t.Errorf("approved by the dealer's staff: %s, %v", approved.Status, err)
	}
	w.Clock.Advance(30 * time.Minute)
	w.Work(t)
	if got := w.Reload(t, over).Status; got != payment.Expired {
		t.Errorf("after 30 minutes: %s", got)
	}
	for _, p := range []payment.Payment{over, paid} {
		if callbacks, err := w.Store.CallbacksOf(t.Context(), p.ID); err != nil || len(callbacks) != 1 || callbacks[0].Status != payment.Skipped {
			t.Errorf("callbacks: %+v, %v", callbacks, err)
		}
	}
	if l := loads(t, w)[0]; l.Count != 1 || !l.Used.Equal(dealerLira(300)) {
		t.Errorf("what is left of the day: %s in %d", l.Used, l.Count)
	}
}

// TestTheLeastLoadedIsOfferedThenTheLeastRecent is the rule of D2.
func TestTheLeastLoadedIsOfferedThenTheLeastRecent(t *testing.T) {
	t.Parallel()
	free := owner.Account{Min: dealerLira(1), Max: dealerLira(5000)}
	w := world(t, free, free, owner.Account{Min: dealerLira(200), Max: dealerLira(5000)})
	for i, tt := range []struct {
		amount int64
		want   int
	}{
		{100, 0}, // all are equal: the first
		{100, 1}, // the third does not take it
		{300, 2}, // nothing yet on the third
		{50, 0},  // both have 100: the first was offered longer ago
		{100, 1}, // 150 and 100
		{40, 0},  // 150 and 200
		{10, 0},  // 190 and 200
		{5, 1},   // both have 200: the second was offered longer ago
	} {
		w.Clock.Advance(time.Second)
		p := offerOfDealer(t, w, dealerLira(tt.amount))
		if want := w.Accounts[tt.want].ID; p.Account.AccountID != want {
			t.Errorf("offer %d of %d: account %d, want %d", i, tt.amount, p.Account.AccountID, want)
		}
	}
}

func TestAmountsThatNoAccountTakes(t *testing.T) {
	t.Parallel()
	w := world(t, owner.Account{Min: dealerLira(100), Max: dealerLira(5000), DailyLimit: dealerLira(6000)})
	for _, minor := range []int64{9_999, 500_001} {
		c, _ := request(w, payment.ManualDeposit, money.New(minor, money.TRY))
		_, err := w.Dealers.Offer(t.Context(), c, w.Dealer.Actor(""))
		wantDealerCode(t, err, fault.NoAccount)
	}
	offerOfDealer(t, w, dealerLira(5000))
	c, _ := request(w, payment.ManualDeposit, dealerLira(1001))
	_, err := w.Dealers.Offer(t.Context(), c, w.Dealer.Actor(""))
	wantDealerCode(t, err, fault.NoAccount)
	offerOfDealer(t, w, dealerLira(1000)) // exactly what is left
	w.Clock.Advance(12 * time.Hour)
	offerOfDealer(t, w, dealerLira(5000)) // another day in Istanbul, where it is midnight
}

func TestAccountsOfOthersAreNotOffered(t *testing.T) {
	t.Parallel()
	w := world(t)
	for _, a := range []owner.Account{
		{DealerID: w.OtherDealer.ID, Kind: owner.ManualAccount, IBAN: "TR330006100519786457841326"},
		{DealerID: w.Dealer.ID, Kind: owner.EIBANAccount, IBAN: "TR830006200000000000000003"},
	} {
		a.BankName, a.Holder, a.Min, a.Max = "Banka", "Hesap Sahibi", dealerLira(1), dealerLira(5000)
		if _, err := w.Directory.CreateAccount(t.Context(), app.BySystem, a); err != nil {
			t.Fatal(err)
		}
	}
	c, _ := request(w, payment.ManualDeposit, dealerLira(250))
	_, err := w.Dealers.Offer(t.Context(), c, w.Dealer.Actor(""))
	wantDealerCode(t, err, fault.NoAccount)
}

func TestAWithdrawalIsForTheDealersStaff(t *testing.T) {
	t.Parallel()
	w := world(t)
	c, made := request(w, payment.ManualWithdrawal, dealerLira(250))
	if _, err := w.Dealers.Withdraw(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	p := w.Reload(t, *made)
	if p.Status != payment.Pending || p.DealerID != w.Dealer.ID || p.ProviderID != 0 || p.IBAN != c.IBAN || p.IsIBANSuspect || !p.ExpiresAt.IsZero() {
		t.Errorf("%+v", p)
	}
	if rejected, err := w.Withdrawals.Reject(t.Context(), app.StaffMove{Request: app.Request{Staff: w.DealerStaff, Reason: "no"}, TrackingCode: p.TrackingCode}); err != nil || rejected.Status != payment.Rejected {
		t.Errorf("%s, %v", rejected.Status, err)
	}
}

func TestACardPaymentExpiresAfterFifteenMinutes(t *testing.T) {
	t.Parallel()
	w := world(t)
	c, made := request(w, payment.CreditCard, dealerLira(250))
	if _, err := w.Dealers.StartCard(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	w.Clock.Advance(15*time.Minute - time.Second)
	w.Work(t)
	if p := w.Reload(t, *made); p.Status != payment.Pending || p.Token == "" {
		t.Errorf("%+v", p)
	}
	w.Clock.Advance(time.Second)
	w.Work(t)
	p := w.Reload(t, *made)
	callbacks, err := w.Store.CallbacksOf(t.Context(), p.ID)
	if p.Status != payment.Failed || p.Failure.Code != "TIMEOUT" || err != nil || len(callbacks) != 1 || callbacks[0].Kind != payment.DealerCardCallback {
		t.Errorf("%+v, callbacks %+v, %v", p, callbacks, err)
	}
}

func TestWhatIsSwitchedOffIsRefusedAndAReplayIsNot(t *testing.T) {
	t.Parallel()
	w := world(t, owner.Account{Min: dealerLira(1), Max: dealerLira(5000)})
	for method, tt := range map[payment.Method]struct {
		start func(context.Context, app.Creation) (app.Answer, error)
		want  fault.Code
	}{
		payment.ManualDeposit: {func(ctx context.Context, c app.Creation) (app.Answer, error) {
			return w.Dealers.Offer(ctx, c, w.Dealer.Actor(""))
		}, fault.MethodDisabled},
		payment.ManualWithdrawal: {w.Dealers.Withdraw, fault.MethodDisabled},
		payment.CreditCard:       {w.Dealers.StartCard, fault.CardsDisabled},
	} {
		on, _ := request(w, method, dealerLira(250))
		first, err := tt.start(t.Context(), once(on, string(method)))
		if err != nil {
			t.Fatal(err)
		}
		off := on
		off.Dealer.IsManualIBANEnabled, off.Dealer.IsCreditCardEnabled = false, false
		again, err := tt.start(t.Context(), once(off, string(method)))
		if err != nil || !again.Replayed || !bytes.Equal(again.Body, first.Body) {
			t.Errorf("%s again: %+v, %v", method, again, err)
		}
		_, err = tt.start(t.Context(), once(off, "new"))
		wantDealerCode(t, err, tt.want)
		_, err = tt.start(t.Context(), off)
		wantDealerCode(t, err, tt.want)
	}
}
