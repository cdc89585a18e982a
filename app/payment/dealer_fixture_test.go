package payment_test

import (
	"testing"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/e2e/apptest"
)

func dealerLira(n int64) money.Amount { return money.New(n*100, money.TRY) }

func wantDealerCode(t *testing.T, err error, want fault.Code) {
	t.Helper()
	if got := fault.CodeOf(err); got != want {
		t.Errorf("got %q (%v), want %q", got, err, want)
	}
}

// world has a dealer with these accounts instead of its own.
func world(t *testing.T, accounts ...owner.Account) *apptest.World {
	t.Helper()
	w := apptest.New(t)
	for _, a := range w.Accounts {
		a.Version, a.IsActive = a.Version+1, false
		commit(t, w, core.Changeset{a})
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
	return w
}

func commit(t *testing.T, w *apptest.World, change core.Changeset) {
	t.Helper()
	if err := w.Store.Commit(t.Context(), change); err != nil {
		t.Fatal(err)
	}
}

// request is the dealer's for a payment, and where the payment that it makes will be.
func request(w *apptest.World, method payment.Method, amount money.Amount) (app.Creation, *payment.Payment) {
	made := new(payment.Payment)
	return app.Creation{
		Request: payment.Request{
			Method: method, Dealer: w.Dealer, Amount: amount, IBAN: "TR330006100519786457841326",
			Customer: owner.Customer{UserID: "u-1001", Username: "ayse.yilmaz", Fullname: "Ayşe Yılmaz"},
		},
		Render: func(p payment.Payment) (app.Answer, error) {
			*made = p
			return app.Answer{Status: 200, Body: []byte(p.TrackingCode)}, nil
		},
	}, made
}

// offer is D2.
func offerOfDealer(t *testing.T, w *apptest.World, amount money.Amount) payment.Payment {
	t.Helper()
	c, made := request(w, payment.ManualDeposit, amount)
	if _, err := w.Dealers.Offer(t.Context(), c, w.Dealer.Actor("")); err != nil {
		t.Fatal(err)
	}
	return *made
}

// once makes a request safe to repeat.
func once(c app.Creation, key string) app.Creation {
	c.Once = &app.Once{Key: payment.IdempotencyKey{Caller: "dealer/1", Endpoint: "D", Key: key}, RequestHash: "body"}
	return c
}

// loads returns what today holds of the dealer's active manual accounts, in the order of the World's.
func loads(t *testing.T, w *apptest.World) []owner.DailyUsage {
	t.Helper()
	all, err := w.Store.AccountLoads(t.Context(), w.Dealer.ID, owner.ManualAccount, core.DayOf(w.Clock.Now(), w.Zone))
	if err != nil {
		t.Fatal(err)
	}
	var active []owner.DailyUsage
	for _, l := range all {
		if l.IsActive {
			active = append(active, l)
		}
	}
	return active
}
