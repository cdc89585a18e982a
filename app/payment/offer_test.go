package payment_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/e2e/apptest"
	"github.com/vezne/vezne/ports"
)

func TestSameContinueTwiceIsOneOffer(t *testing.T) {
	t.Parallel()
	w, p := oneAccount(t)
	first := offer(t, w, p, lira(300))
	again := offer(t, w, p, lira(300))
	if first != again || again.Version != 2 {
		t.Errorf("pressed again: %+v, want %+v", again, first)
	}
	wantLoad(t, w, lira(300), 1)
	if moves := movesOf(t, w, p); !slices.Equal(moves, []payment.Command{payment.Offer}) {
		t.Errorf("history: %v", moves)
	}
}

func TestAnotherAmountReplacesTheOfferAndKeepsTheAccount(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	free := owner.Account{Min: lira(1), Max: lira(5000), DailyCount: 1}
	accountsOf(t, w, free, free)
	p := w.StartDeposit(t, payment.ManualDeposit, lira(250))
	first := offer(t, w, p, lira(300))
	for _, amount := range []int64{4000, 20, 300} {
		got := offer(t, w, p, lira(amount))
		if got.Account.AccountID != first.Account.AccountID || !got.Amount.Equal(lira(amount)) || !got.RequestedAmount.Equal(lira(250)) {
			t.Errorf("%d: account %d, amount %s of %s", amount, got.Account.AccountID, got.Amount, got.RequestedAmount)
		}
		wantLoad(t, w, lira(amount), 1)
	}
}

func TestOfferMovesToAnotherAccountWhenItsOwnNoLongerFits(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	accountsOf(t, w, owner.Account{Min: lira(1), Max: lira(500)}, owner.Account{Min: lira(501), Max: lira(5000)})
	p := w.StartDeposit(t, payment.ManualDeposit, lira(250))
	offer(t, w, p, lira(250))
	moved := offer(t, w, p, lira(501))
	if moved.Account.AccountID != w.Accounts[1].ID {
		t.Errorf("offered account %d", moved.Account.AccountID)
	}
	wantLoad(t, w, lira(0), 0) // the first is free again
	if l := loadsOn(t, w, moved.Account.Day)[w.Accounts[1].ID]; !l.Used.Equal(lira(501)) || l.Count != 1 {
		t.Errorf("the second holds %s in %d", l.Used, l.Count)
	}
}

func TestAmountThatNoAccountTakesLeavesTheOfferAsItWas(t *testing.T) {
	t.Parallel()
	w, p := oneAccount(t)
	offer(t, w, p, lira(250))
	for _, amount := range []int64{5001, 0, -250} {
		_, err := w.Deposits.Continue(t.Context(), p, lira(amount))
		wantCode(t, err, fault.NoAccount)
	}
	if got := w.Reload(t, p); !got.Amount.Equal(lira(250)) || got.Account.AccountID == 0 {
		t.Errorf("after refused amounts: %s at account %d", got.Amount, got.Account.AccountID)
	}
	wantLoad(t, w, lira(250), 1)
}

func TestEIBANDepositsAreOfferedEIBANAccountsOnly(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	p := offer(t, w, w.StartDeposit(t, payment.EIBANDeposit, lira(100)), lira(100))
	if p.Account.AccountID != w.Accounts[3].ID || p.Account.IBAN != w.Accounts[3].IBAN || p.Account.Holder != w.Accounts[3].Holder {
		t.Errorf("offered %+v", p.Account)
	}
}

func TestOfferOfANewDayMovesItsHoldToThatDay(t *testing.T) {
	t.Parallel()
	w, _ := oneAccount(t)
	w.Clock.Set(time.Date(2026, 3, 2, 20, 45, 0, 0, time.UTC)) // 23:45 in Istanbul
	p := w.StartDeposit(t, payment.ManualDeposit, lira(250))
	before := offer(t, w, p, lira(300))
	w.Clock.Advance(15 * time.Minute) // midnight there, still the same day in UTC
	after := offer(t, w, p, lira(300))
	if before.Account.Day != "2026-03-02" || after.Account.Day != "2026-03-03" {
		t.Errorf("days %s and %s", before.Account.Day, after.Account.Day)
	}
	wantLoadOn(t, w, "2026-03-02", lira(0), 0)
	wantLoadOn(t, w, "2026-03-03", lira(300), 1)
	if _, err := w.Deposits.Cancel(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	wantLoadOn(t, w, "2026-03-02", lira(0), 0)
	wantLoadOn(t, w, "2026-03-03", lira(0), 0)
}

func TestEndOnTheNextDayGivesBackTheDayOfTheOffer(t *testing.T) {
	t.Parallel()
	w, _ := oneAccount(t)
	w.Clock.Set(time.Date(2026, 3, 2, 20, 59, 0, 0, time.UTC))
	p := offer(t, w, w.StartDeposit(t, payment.ManualDeposit, lira(250)), lira(250))
	w.Clock.Advance(2 * time.Minute)
	if _, err := w.Deposits.Cancel(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	wantLoadOn(t, w, "2026-03-02", lira(0), 0)
	wantLoadOn(t, w, "2026-03-03", lira(0), 0)
}

// ticking is a clock that moves on by a second whenever it is asked.
type ticking struct{ now time.Time }

func (c *ticking) Now() time.Time { c.now = c.now.Add(time.Second); return c.now }

// asked notes the day whose loads were read.
type asked struct {
	ports.Owners
	day core.Day
}

func (a *asked) AccountLoads(ctx context.Context, dealer int64, kind owner.AccountKind, day core.Day) ([]owner.DailyUsage, error) {
	a.day = day
	return a.Owners.AccountLoads(ctx, dealer, kind, day)
}

func TestOfferIsDecidedOnTheLoadsOfTheDayItCountsAgainst(t *testing.T) {
	t.Parallel()
	midnight := time.Date(2026, 3, 2, 21, 0, 0, 0, time.UTC)
	for before := range 5 { // midnight strikes between any two looks at the clock
		w, _ := oneAccount(t)
		w.Clock.Set(midnight.Add(-time.Minute))
		p := w.StartDeposit(t, payment.ManualDeposit, lira(250))
		accounts := &asked{Owners: w.Store}
		w.Deposits.Owners, w.UnitOfWork.Clock = accounts, &ticking{midnight.Add(-time.Duration(before) * time.Second)}
		if got := offer(t, w, p, lira(250)); got.Account.Day != accounts.day {
			t.Errorf("%d s before midnight: decided on the loads of %s, counted against %s", before, accounts.day, got.Account.Day)
		}
	}
}

func TestContinueEndsWithTheDepositsTime(t *testing.T) {
	t.Parallel()
	w, p := oneAccount(t)
	w.Clock.Set(p.ExpiresAt.Add(-time.Microsecond))
	offer(t, w, p, lira(250))
	for _, after := range []time.Duration{0, time.Microsecond, time.Hour} {
		w.Clock.Set(p.ExpiresAt.Add(after))
		_, err := w.Deposits.Continue(t.Context(), p, lira(300))
		wantCode(t, err, fault.Expired)
	}
	w.Work(t) // the wake-up of its expiry
	got := w.Reload(t, p)
	if got.Status != payment.Expired || !got.Amount.Equal(lira(250)) {
		t.Errorf("after its time: %s of %s", got.Status, got.Amount)
	}
	wantLoad(t, w, lira(0), 0)
	_, err := w.Deposits.Continue(t.Context(), p, lira(300))
	wantCode(t, err, fault.AlreadyFinal)
}

func TestViewShowsTheRangeOnlyWhileAnAmountIsToBeChosen(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	p := w.StartDeposit(t, payment.ManualDeposit, lira(250))
	v, err := w.Deposits.View(t.Context(), p.Token)
	if err != nil || !v.HasRange || !v.Low.Equal(lira(1)) || !v.High.Equal(lira(100_000)) || !v.Now.Equal(w.Clock.Now()) {
		t.Errorf("while showing: %+v %v", v, err)
	}
	offer(t, w, p, lira(250))
	if _, err = w.Deposits.ClaimPaid(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	if v, err = w.Deposits.View(t.Context(), p.Token); err != nil || v.HasRange || v.Payment.Status != payment.Processing {
		t.Errorf("when paid: %+v %v", v, err)
	}
	accountsOf(t, w)
	q := w.StartDeposit(t, payment.ManualDeposit, lira(250))
	if v, err = w.Deposits.View(t.Context(), q.Token); err != nil || v.HasRange {
		t.Errorf("without accounts: %+v %v", v, err)
	}
	if v, err = w.Deposits.State(t.Context(), q.Token); err != nil || v.Payment.ID != q.ID {
		t.Errorf("state: %+v %v", v, err)
	}
}

func TestUnknownTokensAreNotFound(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	withdrawal := w.StartWithdrawal(t, payment.ManualWithdrawal, lira(100)) // has no token: the empty one finds nothing
	for _, token := range []string{"", "TOKEN", withdrawal.TrackingCode} {
		_, err := w.Deposits.View(t.Context(), token)
		wantCode(t, err, fault.NotFound)
		_, err = w.Deposits.State(t.Context(), token)
		wantCode(t, err, fault.NotFound)
	}
}
