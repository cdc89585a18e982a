package owner_test

import (
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/app"
	directory "github.com/vezne/vezne/app/owner"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/e2e/apptest"
)

// forgetting is a world with one payment of a customer, which is showing.
func forgetting(t *testing.T) (*apptest.World, *directory.Forgetting, payment.Payment, directory.Order, func() []core.AuditEntry) {
	t.Helper()
	w, audit := audited(t)
	p := w.StartDeposit(t, payment.ManualDeposit, money.New(25_000, money.TRY))
	audit()
	order := directory.Order{Subject: owner.Subject{ProviderID: p.ProviderID, UserID: p.Customer.UserID}}
	return w, &directory.Forgetting{UnitOfWork: w.UnitOfWork, Subjects: w.Store, Owners: w.Store}, p, order, audit
}

// end ends the payment without anything that waits.
func end(t *testing.T, w *apptest.World, p payment.Payment) {
	t.Helper()
	p.Version, p.Status, p.FinishedAt, p.UpdatedAt = p.Version+1, payment.Expired, w.Clock.Now(), w.Clock.Now()
	if err := w.Store.Commit(t.Context(), core.Changeset{p}); err != nil {
		t.Fatal(err)
	}
}

func TestWhatHasToBeKeptIsNotForgotten(t *testing.T) {
	t.Parallel()
	w, f, p, order, audit := forgetting(t)
	refused := func(want directory.Refusal, o directory.Order) {
		t.Helper()
		if _, got, err := f.Held(t.Context(), o); err != nil || got != want {
			t.Errorf("refused for %q, %v; want %q", got, err, want)
		}
		if want == "" {
			return
		}
		if _, got, err := f.Forget(t.Context(), app.BySystem, o); err != nil || got != want {
			t.Errorf("Forget refuses for %q, %v; want %q", got, err, want)
		}
		if got := w.Reload(t, p); got.Customer != p.Customer {
			t.Errorf("%+v", got.Customer)
		}
	}
	despite := order
	despite.DespiteTheLaw = "a court has ordered it"
	refused(directory.HasOpenPayments, order)
	refused(directory.HasOpenPayments, despite)
	end(t, w, p)
	refused(directory.MustBeKept, order)
	refused("", despite)
	_, err := w.Directory.BlockCustomer(t.Context(), app.BySystem, directory.Blocking{
		CustomerKey: owner.CustomerKey{ProviderID: p.ProviderID, UserID: p.Customer.UserID}, Reason: "fraud",
	})
	if err != nil {
		t.Fatal(err)
	}
	audit()
	refused(directory.IsBlocked, despite)
	_, err = w.Directory.UnblockCustomer(t.Context(), app.BySystem, directory.Blocking{
		CustomerKey: owner.CustomerKey{ProviderID: p.ProviderID, UserID: p.Customer.UserID},
	})
	if err != nil {
		t.Fatal(err)
	}
	w.Clock.Advance(10*366*24*time.Hour - time.Hour)
	refused("", order)
}

func TestAForgottenCustomerStartsAnew(t *testing.T) {
	t.Parallel()
	w, f, p, order, audit := forgetting(t)
	end(t, w, p)
	order.DespiteTheLaw = "asked for"
	held, _, err := f.Forget(t.Context(), app.BySystem, order)
	if err != nil || held.PaymentCount != 1 {
		t.Fatalf("%+v, %v", held, err)
	}
	got := w.Reload(t, p)
	if got.Customer.UserID != owner.Pseudonym(held.KeyID) || got.Customer.Fullname != "" || got.Amount != p.Amount || got.Status != payment.Expired {
		t.Errorf("%+v", got)
	}
	entries := audit()
	if len(entries) != 1 || entries[0].Action != "forgetCustomer" || entries[0].Reason != order.DespiteTheLaw {
		t.Fatalf("%+v", entries)
	}
	for _, text := range []string{entries[0].Target, entries[0].Before, entries[0].After} {
		if strings.Contains(text, p.Customer.UserID) || strings.Contains(text, p.Customer.Username) {
			t.Errorf("the audit entry names the customer: %q", text)
		}
	}
	if _, _, err := f.Forget(t.Context(), app.BySystem, order); !fault.Is(err, fault.NotFound) {
		t.Errorf("again: %v", err)
	}
	again := w.StartDeposit(t, payment.ManualDeposit, money.New(25_000, money.TRY))
	if got := w.Reload(t, again); got.Customer != p.Customer {
		t.Errorf("%+v", got.Customer)
	}
	if held, refusal, err := f.Held(t.Context(), order); err != nil || held.PaymentCount != 1 || refusal != directory.HasOpenPayments {
		t.Errorf("%+v %q %v", held, refusal, err)
	}
}

// TestAForgettingThatWasBrokenOffIsFinished: the key is gone, and nothing was cleared after that.
func TestAForgettingThatWasBrokenOffIsFinished(t *testing.T) {
	t.Parallel()
	w, f, p, order, _ := forgetting(t)
	end(t, w, p)
	held, err := w.Store.HeldData(t.Context(), order.Subject)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Store.Commit(t.Context(), core.Changeset{held.Erasure(w.Clock.Now())}); err != nil {
		t.Fatal(err)
	}
	if _, _, err := f.Forget(t.Context(), app.BySystem, order); err != nil {
		t.Fatal(err)
	}
	if got := w.Reload(t, p); !owner.IsForgotten(got.Customer.UserID) {
		t.Errorf("%+v", got.Customer)
	}
}
