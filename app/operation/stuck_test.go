package operation_test

import (
	"cmp"
	"slices"
	"testing"
	"time"

	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/ledger"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/e2e/apptest"
)

// never has calls of a kind to the first gateway fail, without any effect, until it is mended.
func (w *world) never(call gateway.Capability) (mend func()) {
	w.Sandbox.Fault = func(c gateway.Capability, _ gateway.Ref) apptest.Fault {
		if c == call {
			return apptest.NotSent
		}
		return apptest.NoFault
	}
	return func() { w.Sandbox.Fault = nil }
}

// refundOf is the latest refund of a payment.
func (w *world) refundOf(p payment.Payment) operation.Operation {
	w.t.Helper()
	all := slices.DeleteFunc(w.operations(p), func(o operation.Operation) bool { return o.Kind != operation.RefundOperation })
	if len(all) == 0 {
		w.t.Fatal("there is no refund")
	}
	return slices.MaxFunc(all, func(a, b operation.Operation) int { return cmp.Compare(a.Number, b.Number) })
}

func (w *world) isSent(p payment.Payment) bool {
	_, ok := w.Sandbox.FindPayout(string(w.operations(p)[0].Reference))
	return ok
}

func TestPayoutThatWasTriedInVainIsToldAndCanBeFailed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	mend := w.never(gateway.CanPayOut)
	p := w.StartWithdrawal(t, payment.WalletWithdrawal, lira(500))
	w.Work(t)
	w.is(p, payment.Processing)
	for _, stop := range []func() (payment.Payment, error){
		func() (payment.Payment, error) { return w.Operations.RejectPayout(t.Context(), byOf(w, p)) },
		func() (payment.Payment, error) { return w.Operations.CancelPayout(t.Context(), byOf(w, p)) },
	} {
		_, err := stop()
		w.fails(err, fault.NotAllowed)
	}
	for range 4 {
		w.later(30 * time.Minute)
	}
	w.discrepancy(p, discrepancy.StuckOperation)
	_, err := w.Operations.FailPayout(t.Context(), apptest.By(w.Viewer, p, "no"))
	w.fails(err, fault.Forbidden)
	_, err = w.Operations.FailPayout(t.Context(), apptest.By(w.Operator, p, "out of funds"))
	w.no(err)
	mend()
	w.later(2 * time.Hour)
	if p = w.is(p, payment.Failed); w.isSent(p) || len(w.callbacks(p)) != 1 || p.Reason != "out of funds" {
		t.Errorf("it left: %v, %d callbacks, %q", w.isSent(p), len(w.callbacks(p)), p.Reason)
	}
	if d := w.discrepancy(p, discrepancy.StuckOperation); d.Status != discrepancy.Settled {
		t.Errorf("the discrepancy is %s", d.Status)
	}
	_, err = w.Operations.FailPayout(t.Context(), byOf(w, p))
	w.fails(err, fault.AlreadyFinal)
}

func TestPayoutThatLeftCannotBeFailed(t *testing.T) {
	t.Parallel()
	for name, f := range map[string]apptest.Fault{"it is known": apptest.NoFault, "it is not": apptest.Lost} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.faults(w.Sandbox.SimulatedGateway, gateway.CanPayOut, f)
			p := w.StartWithdrawal(t, payment.WalletWithdrawal, lira(500))
			w.Work(t)
			_, err := w.Operations.FailPayout(t.Context(), byOf(w, p))
			w.fails(err, fault.NotAllowed)
			w.is(p, payment.Processing)
		})
	}
}

// TestPayoutOfAnAccountThatIsOffDoesNotLeaveWeeksLater: staff are told, and after a day it leaves by their word only.
func TestPayoutOfAnAccountThatIsOffDoesNotLeaveWeeksLater(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, other := w.StartWithdrawal(t, payment.WalletWithdrawal, lira(500)), w.StartWithdrawal(t, payment.CryptoWithdrawal, lira(500))
	w.switchOff(w.Gateway)
	for range 3 {
		w.later(40 * time.Minute)
	}
	w.discrepancy(p, discrepancy.StuckOperation)
	for range 14 {
		w.later(24 * time.Hour)
	}
	yes := true
	w.change(w.Gateway, owner.GatewayPatch{IsEnabled: &yes})
	w.forMinutes(10)
	w.is(p, payment.Showing)
	if w.isSent(p) || w.isSent(other) {
		t.Fatal("it left two weeks later")
	}
	_, err := w.Operations.RejectPayout(t.Context(), byOf(w, other))
	w.no(err)
	_, err = w.Operations.ApprovePayout(t.Context(), byOf(w, p))
	w.no(err)
	w.forMinutes(1)
	w.is(p, payment.Processing)
	w.is(other, payment.Rejected)
	if !w.isSent(p) || w.isSent(other) {
		t.Errorf("approved and sent: %v; rejected and sent: %v", w.isSent(p), w.isSent(other))
	}
}

func TestPayoutOfAnAccountThatCannotBeOpenedIsToldAndCanBeStopped(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	mend := w.never(gateway.CanPayOut)
	p := w.StartWithdrawal(t, payment.WalletWithdrawal, lira(500))
	w.Work(t)
	w.is(p, payment.Processing)
	mend()
	w.takePluginAway()
	for range 3 {
		w.later(40 * time.Minute)
	}
	w.discrepancy(p, discrepancy.StuckOperation)
	_, err := w.Operations.FailPayout(t.Context(), byOf(w, p))
	w.no(err)
	w.is(p, payment.Failed)
	if o := w.operations(p)[0]; o.Phase != operation.Closed || !o.NextAt.IsZero() {
		t.Errorf("its operation is %s, worked on at %s", o.Phase, o.NextAt)
	}
}

// TestTransferThatDoesNotLeaveGivesBackWhatItReserved, when staff fail it, or after a day.
func TestTransferThatDoesNotLeaveGivesBackWhatItReserved(t *testing.T) {
	t.Parallel()
	for name, ends := range map[string]func(w *world, p payment.Payment){
		"failed by staff": func(w *world, p payment.Payment) {
			_, err := w.Operations.FailPayout(w.t.Context(), byOf(w, p))
			w.no(err)
		},
		"after a day": func(w *world, p payment.Payment) {
			for range 50 {
				w.later(time.Hour)
			}
			if d := w.discrepancy(p, discrepancy.StuckOperation); d.Status != discrepancy.Settled {
				w.t.Errorf("the discrepancy is %s", d.Status)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.Bank.Fault = func(c gateway.Capability, _ gateway.Ref) apptest.Fault {
				if c == gateway.CanTransfer {
					return apptest.NotSent
				}
				return apptest.NoFault
			}
			before := w.Held(t, w.Wallet)
			p, _ := w.transfer()
			w.is(p, payment.Pending)
			if now := w.Held(t, w.Wallet); now.Reserved != lira(250) {
				t.Fatalf("%s is reserved", now.Reserved)
			}
			ends(w, p)
			w.is(p, payment.Failed)
			if now := w.Held(t, w.Wallet); now.AvailableBalance != before.AvailableBalance || now.Reserved != before.Reserved {
				t.Errorf("the wallet has %s and %s, before %s and %s", now.AvailableBalance, now.Reserved, before.AvailableBalance, before.Reserved)
			}
			w.booked(p, ledger.EntryReserve, ledger.EntryRelease)
		})
	}
}

func TestRefundThatHasNotLeftIsCalledOff(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, o := w.begun(payment.WalletDeposit, lira(250))
	w.Sandbox.PayAmount(o.Reference, gateway.Lira(lira(100)))
	w.later(6 * time.Second)
	d := w.discrepancy(p, discrepancy.ShortMoney)
	mend := w.never(gateway.CanRefund)
	_, err := w.Operations.RefundDiscrepancy(t.Context(), byOf(w, p), d.ID, nil)
	w.no(err)
	w.Work(t)
	refund := w.refundOf(p)
	_, err = w.Operations.CancelRefund(t.Context(), byOf(w, p), o.ID)
	w.fails(err, fault.WrongMethod)
	_, err = w.Operations.CancelRefund(t.Context(), byOf(w, p), "none")
	w.fails(err, fault.NotFound)
	_, err = w.Operations.CancelRefund(t.Context(), apptest.By(w.DealerStaff, p, "no"), refund.ID)
	w.fails(err, fault.Forbidden)
	_, err = w.Operations.CancelRefund(t.Context(), apptest.By(w.Operator, p, "wrong address"), refund.ID)
	w.no(err)
	mend()
	w.forMinutes(5)
	if _, ok := w.Sandbox.FindRefund(string(refund.Reference)); ok {
		t.Error("it was made all the same")
	}
	if d = w.discrepancy(p, discrepancy.ShortMoney); d.Status != discrepancy.Open {
		t.Errorf("the discrepancy is %s", d.Status)
	}
	_, err = w.Operations.RefundDiscrepancy(t.Context(), byOf(w, p), d.ID, nil)
	w.no(err)
	w.forMinutes(1)
	if d = w.discrepancy(p, discrepancy.ShortMoney); d.Status != discrepancy.Refunded {
		t.Errorf("made anew, and the discrepancy is %s", d.Status)
	}
	_, err = w.Operations.CancelRefund(t.Context(), byOf(w, p), w.refundOf(p).ID)
	w.fails(err, fault.AlreadyFinal)
}

func TestRefundThatDoesNotLeaveForADayHasFailedAndIsTold(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, o := w.begun(payment.CreditCard, lira(250))
	w.Sandbox.PayInFull(o.Reference)
	w.comeBack(o)
	mend := w.never(gateway.CanRefund)
	_, err := w.Operations.Refund(t.Context(), byOf(w, p), money.Amount{}, nil)
	w.no(err)
	for range 30 {
		w.later(time.Hour)
	}
	if got := w.refundOf(p); got.Status != string(gateway.RefundFailed) || got.Phase != operation.Closed {
		t.Errorf("it is %s %s", got.Phase, got.Status)
	}
	w.discrepancy(p, discrepancy.StuckOperation)
	mend()
	_, err = w.Operations.Refund(t.Context(), byOf(w, p), money.Amount{}, nil)
	w.no(err)
	w.forMinutes(1)
	w.is(p, payment.Refunded)
}
