package payment_test

import (
	"context"
	"testing"

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

// accountsOf returns the World's dealer these accounts instead of its own.
func accountsOf(t *testing.T, w *apptest.World, accounts ...owner.Account) {
	t.Helper()
	for _, a := range w.Accounts {
		a.Version, a.IsActive = a.Version+1, false
		if err := w.Store.Commit(t.Context(), core.Changeset{a}); err != nil {
			t.Fatal(err)
		}
	}
	w.Accounts = nil
	for _, a := range accounts {
		a.DealerID, a.Kind, a.BankName, a.Holder = w.Dealer.ID, owner.ManualAccount, "Banka", "Hesap Sahibi"
		a.IBAN = "TR330006100519786457841326"
		made, err := w.Directory.CreateAccount(t.Context(), app.BySystem, a)
		if err != nil {
			t.Fatal(err)
		}
		w.Accounts = append(w.Accounts, made)
	}
}

// loadsOn returns what a day holds of the dealer's active manual accounts, by account.
func loadsOn(t *testing.T, w *apptest.World, day core.Day) map[int64]owner.DailyUsage {
	t.Helper()
	loads, err := w.Store.AccountLoads(t.Context(), w.Dealer.ID, owner.ManualAccount, day)
	if err != nil {
		t.Fatal(err)
	}
	active := map[int64]owner.DailyUsage{}
	for _, l := range loads {
		if l.IsActive {
			active[l.ID] = l
		}
	}
	return active
}

// wantLoad holds the only account's load on today to a sum and a count.
func wantLoad(t *testing.T, w *apptest.World, used money.Amount, count int) {
	t.Helper()
	wantLoadOn(t, w, core.DayOf(w.Clock.Now(), w.Zone), used, count)
}

func wantLoadOn(t *testing.T, w *apptest.World, day core.Day, used money.Amount, count int) {
	t.Helper()
	if l := loadsOn(t, w, day)[w.Accounts[0].ID]; !l.Used.Equal(used) || l.Count != count {
		t.Errorf("%s holds %s in %d, want %s in %d", day, l.Used, l.Count, used, count)
	}
}

// oneAccount is a World whose dealer has a single account of 1 to 5000, 10,000 a day, and a deposit of 250.
func oneAccount(t *testing.T) (*apptest.World, payment.Payment) {
	t.Helper()
	w := apptest.New(t)
	accountsOf(t, w, owner.Account{Min: lira(1), Max: lira(5000), DailyLimit: lira(10_000)})
	return w, w.StartDeposit(t, payment.ManualDeposit, lira(250))
}

// offer presses Continue.
func offer(t *testing.T, w *apptest.World, p payment.Payment, amount money.Amount) payment.Payment {
	t.Helper()
	p, err := w.Deposits.Continue(t.Context(), p, amount)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// movesOf is a payment's history as commands.
func movesOf(t *testing.T, w *apptest.World, p payment.Payment) []payment.Command {
	t.Helper()
	moves, err := w.Store.MovesOf(context.Background(), []core.ID{p.ID}, core.Paging[payment.TransitionID]{Limit: core.MaxPage})
	if err != nil {
		t.Fatal(err)
	}
	var commands []payment.Command
	for _, m := range moves {
		commands = append(commands, m.Command)
	}
	return commands
}
