package owner_test

import (
	"testing"
	"time"

	"github.com/vezne/vezne/app"
	directory "github.com/vezne/vezne/app/owner"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
)

func TestCustomersAreForgottenByAge(t *testing.T) {
	t.Parallel()
	w, f, p, order, audit := forgetting(t)
	r := &directory.Retention{Forgetting: *f, Years: owner.KeepFor}
	forgets := func(when string, want bool) {
		t.Helper()
		if next, err := r.Page(t.Context(), ""); err != nil || next != "" {
			t.Fatalf("%s: %q, %v", when, next, err)
		}
		if got := owner.IsForgotten(w.Reload(t, p).Customer.UserID); got != want {
			t.Errorf("%s: forgotten is %t", when, got)
		}
	}
	w.Clock.Advance(11 * 366 * 24 * time.Hour)
	forgets("open", false)
	end(t, w, p)
	forgets("ended just now", false)
	w.Clock.Advance(10*365*24*time.Hour - time.Hour)
	forgets("a little too early", false)
	key := owner.CustomerKey{ProviderID: p.ProviderID, UserID: p.Customer.UserID}
	if _, err := w.Directory.BlockCustomer(t.Context(), app.BySystem, directory.Blocking{CustomerKey: key, Reason: "fraud"}); err != nil {
		t.Fatal(err)
	}
	w.Clock.Advance(4 * 24 * time.Hour)
	forgets("blocked", false)
	if _, err := w.Directory.UnblockCustomer(t.Context(), app.BySystem, directory.Blocking{CustomerKey: key}); err != nil {
		t.Fatal(err)
	}
	audit()
	again := w.StartDeposit(t, payment.ManualDeposit, money.New(25_000, money.TRY))
	end(t, w, again)
	forgets("came back", false)
	w.Clock.Advance(11 * 366 * 24 * time.Hour)
	forgets("eleven years later", true)
	if got := w.Reload(t, again); got.Customer.UserID != w.Reload(t, p).Customer.UserID {
		t.Errorf("the other payment has %q", got.Customer.UserID)
	}
	if entries := audit(); len(entries) != 1 || entries[0].Action != "forgetCustomer" || entries[0].Actor.Name != "retention" {
		t.Errorf("%+v", entries)
	}
	if _, _, err := f.Held(t.Context(), order); !fault.Is(err, fault.NotFound) {
		t.Error(err)
	}
}

// TestAPaymentsOwnKeyIsForgottenByAge: a customer without a user id, and who a transfer goes to, are nobody else's customers.
func TestAPaymentsOwnKeyIsForgottenByAge(t *testing.T) {
	t.Parallel()
	w, f, p, _, _ := forgetting(t)
	end(t, w, p)
	ids, err := core.NewIDs(w.Clock.Now(), w.UnitOfWork.Random)
	if err != nil {
		t.Fatal(err)
	}
	var own []payment.Payment
	for _, m := range []payment.Method{payment.EIBANTransfer, payment.ManualDeposit} {
		o := w.Reload(t, p)
		o.ID, o.Version, o.Method, o.TrackingCode, o.TokenFingerprint = ids.Next(), 1, m, string(m)+"-1", ""
		if m != payment.EIBANTransfer {
			o.Customer.UserID = ""
		}
		own = append(own, o)
		if err := w.Store.Commit(t.Context(), core.Changeset{o}); err != nil {
			t.Fatal(err)
		}
	}
	w.Clock.Advance(11 * 366 * 24 * time.Hour)
	r := &directory.Retention{Forgetting: *f, Years: owner.KeepFor}
	if _, err := r.Page(t.Context(), ""); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{w.Reload(t, p).Customer.UserID: true}
	for _, o := range own {
		got := w.Reload(t, o)
		if !owner.IsForgotten(got.Customer.UserID) || got.Customer.Fullname != "" || seen[got.Customer.UserID] || got.Amount != o.Amount {
			t.Errorf("%s: %+v", o.Method, got)
		}
		seen[got.Customer.UserID] = true
	}
}
