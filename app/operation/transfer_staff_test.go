package operation_test

import (
	"testing"
	"time"

	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/ledger"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/e2e/apptest"
)

func TestStaffCancelATransferThatHasNotLeft(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.bankFaults(gateway.CanTransfer, apptest.NotSent)
	for name, make := range map[string]func() payment.Payment{
		"planned":      func() payment.Payment { return w.StartTransfer(t, lira(250)) },
		"not sent yet": func() payment.Payment { p, _ := w.transfer(); return p },
	} {
		p := make()
		canceled, err := w.Operations.CancelPayout(t.Context(), apptest.By(w.DealerStaff, p, "a mistake"))
		w.no(err)
		if canceled.Status != payment.Cancelled || canceled.Reason != "a mistake" {
			t.Errorf("%s: %s because of %q", name, canceled.Status, canceled.Reason)
		}
		w.holds(10_000, 0)
		w.booked(p, ledger.EntryReserve, ledger.EntryRelease)
		w.later(time.Hour)
		if _, ok := w.Bank.FindPayout(string(w.operations(p)[0].Reference)); ok {
			t.Errorf("%s: it was canceled, and sent", name)
		}
	}
}

func TestStaffCanNotEndATransferThatMayHaveLeft(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.bankFaults(gateway.CanTransfer, apptest.Broken)
	unknown, _ := w.transfer()
	sent, _ := w.transfer()
	for _, p := range []payment.Payment{unknown, sent} {
		_, err := w.Operations.CancelPayout(t.Context(), byOf(w, p))
		w.fails(err, fault.NotAllowed)
		_, err = w.Operations.RejectPayout(t.Context(), byOf(w, p))
		w.fails(err, fault.WrongMethod)
		_, err = w.Operations.ApprovePayout(t.Context(), byOf(w, p))
		w.no(err) // approved before, by the dealer's key: nothing changes
		_, err = w.Withdrawals.Complete(t.Context(), byOf(w, p), "")
		w.fails(err, fault.WrongMethod)
		_, err = w.Operations.Refund(t.Context(), byOf(w, p), money.Amount{}, nil)
		w.fails(err, fault.NotAllowed)
		w.is(p, payment.Pending)
		w.booked(p, ledger.EntryReserve)
	}
	w.holds(9500, 500)
}

func TestACompletedTransferIsNotRefunded(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Bank.AtOnce = true
	p, _ := w.transfer()
	w.is(p, payment.Completed)
	_, err := w.Operations.Refund(t.Context(), apptest.By(w.Admin, p, "back"), money.Amount{}, nil)
	w.fails(err, fault.NotAllowed)
	_, err = w.Operations.CancelPayout(t.Context(), byOf(w, p))
	w.fails(err, fault.AlreadyFinal)
	w.booked(p, ledger.EntryReserve, ledger.EntryPost)
}
