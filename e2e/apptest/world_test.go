package apptest_test

import (
	"net/netip"
	"testing"

	"github.com/vezne/vezne/app/staff"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/e2e/apptest"
)

func TestDepositFromStartToCallback(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	p := w.StartDeposit(t, payment.ManualDeposit, money.New(25000, money.TRY))
	if _, err := w.Deposits.Continue(t.Context(), p, money.New(30000, money.TRY)); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Deposits.ClaimPaid(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	done, err := w.Approve(t.Context(), apptest.By(w.Operator, p, ""), money.Amount{})
	if err != nil || done.Status != payment.Completed {
		t.Fatalf("approve: %v %v", done.Status, err)
	}
	for _, wakeUp := range w.Waker.Drain() {
		if wakeUp.Kind == core.DueCallbacks {
			w.Callbacks.Wake(wakeUp.Receiver)
		}
	}
	if err := w.Callbacks.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	if sent := w.Sender.Sent(); len(sent) != 1 {
		t.Fatalf("want one callback, got %d", len(sent))
	}
	callbacks, err := w.Store.CallbacksOf(t.Context(), p.ID)
	if err != nil || len(callbacks) != 1 || callbacks[0].Status != payment.Delivered {
		t.Fatalf("want one delivered callback, got %+v %v", callbacks, err)
	}
}

func TestTheSeededPasswordSignsIn(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	if _, err := w.Staff.Login(t.Context(), w.Operator.Email, apptest.Password, staff.Origin{Addr: netip.MustParseAddr("192.0.2.7")}); err != nil {
		t.Fatal(err)
	}
}
