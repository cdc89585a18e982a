package operation_test

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/e2e/apptest"
	"github.com/vezne/vezne/plugins/sandbox/bank"
)

// paidOut is a payout that is done, and closed.
func (w *world) paidOut() (payment.Payment, operation.Operation) {
	w.t.Helper()
	p := w.StartWithdrawal(w.t, payment.WalletWithdrawal, lira(500))
	w.Work(w.t)
	w.Sandbox.Happen(w.operations(p)[0].Reference, bank.Done)
	w.later(time.Minute)
	p = w.is(p, payment.Completed)
	o := w.operations(p)[0]
	if o.Phase != operation.Closed || !o.NextAt.IsZero() {
		w.t.Fatalf("done, and %s", o.Phase)
	}
	return p, o
}

// tellsReturned has the money of a payout come back, of which its gateway writes.
func (w *world) tellsReturned(o operation.Operation, id string) {
	w.t.Helper()
	w.Sandbox.Happen(o.Reference, bank.Returned)
	_, err := w.Operations.Notify(w.t.Context(), w.Gateway.HookToken, w.Sandbox.Inform(id, o.Reference, gateway.Signed))
	w.no(err)
	w.Work(w.t)
}

func TestNewsOfAClosedPayoutSurvivesAQuestionThatTimesOut(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, o := w.paidOut()
	w.faults(w.Sandbox.SimulatedGateway, apptest.ReadingPayout, apptest.Lost, apptest.Broken)
	w.tellsReturned(o, "n-1")
	if all, err := w.Store.DiscrepanciesOf(t.Context(), p.Key()); err != nil || len(all) != 0 {
		t.Fatalf("nobody has answered, and there is %+v (%v)", all, err)
	}
	w.forMinutes(2)
	w.discrepancy(p, discrepancy.ReturnedPayout)
	if o = w.operations(p)[0]; o.IsCued() || !o.NextAt.IsZero() {
		t.Errorf("answered, and asked on: %+v", o)
	}
}

func TestNewsThatNobodyAnswersIsToldToStaff(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, o := w.paidOut()
	w.Sandbox.Fault = func(call gateway.Capability, _ gateway.Ref) apptest.Fault {
		if call == apptest.ReadingPayout {
			return apptest.Broken
		}
		return apptest.NoFault
	}
	w.tellsReturned(o, "n-1")
	for range 36 {
		w.later(time.Hour)
	}
	d := w.discrepancy(p, discrepancy.UnconfirmedNews)
	_, err := w.Operations.Resolve(t.Context(), byOf(w, p), d.ID, operation.WriteOff, money.Amount{})
	w.no(err)
	w.is(p, payment.Completed)
	for range 30 {
		w.later(time.Hour)
	}
	if o = w.operations(p)[0]; o.IsCued() || !o.NextAt.IsZero() {
		t.Errorf("staff have settled it, and it is asked on: %+v", o)
	}
}

func TestNewsOfAnAccountThatCannotBeOpenedIsToldToStaff(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, o := w.paidOut()
	w.Sandbox.Happen(o.Reference, bank.Returned)
	_, err := w.Operations.Notify(t.Context(), w.Gateway.HookToken, w.Sandbox.Inform("n-1", o.Reference, gateway.Signed))
	w.no(err)
	w.takePluginAway()
	w.Work(t)
	for range 36 {
		w.later(time.Hour)
	}
	w.discrepancy(p, discrepancy.UnconfirmedNews)
}

func TestNewsThatComesWhileItIsAskedIsAskedAbout(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.rig(&rig{})
	p := w.StartWithdrawal(t, payment.WalletWithdrawal, lira(500))
	w.Work(t)
	o := w.operations(p)[0]
	var first, once sync.Once
	cued := make(chan struct{})
	w.UnitOfWork.Commits = &apptest.Commits{Committer: w.Store, After: func(change core.Changeset) error {
		if slices.ContainsFunc(core.RowsOf[operation.Operation](change), operation.Operation.IsCued) {
			once.Do(func() { close(cued) })
		}
		return nil
	}}
	r.payout = func(k gateway.PayoutKey) (gateway.PayoutReport, error) {
		before, err := w.Sandbox.ReadPayout(context.Background(), k)
		first.Do(func() { // it ends, and writes so, before its answer has arrived
			w.Sandbox.Happen(o.Reference, bank.Done)
			in := w.Sandbox.Inform("n-1", o.Reference, gateway.Signed)
			if _, err := w.Operations.Notify(context.Background(), w.Gateway.HookToken, in); err != nil {
				t.Error(err)
			}
			w.Operations.WakeNotifications()
			<-cued
		})
		return before, err
	}
	w.later(5 * time.Second)
	w.Work(t)
	w.is(p, payment.Completed)
}

func TestARefundOrderOfNothingNeverReachesAGateway(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, o := w.begun(payment.CreditCard, lira(250))
	w.Sandbox.PayInFull(o.Reference)
	w.comeBack(o)
	_, err := w.Operations.Refund(t.Context(), byOf(w, p), money.Amount{}, nil)
	w.no(err)
	planned := w.refundOf(p)
	planned.Version++
	planned.Amount = gateway.Lira(lira(0)) // as an earlier version may have left it
	w.no(w.UnitOfWork.Commit(t.Context(), core.Changeset{planned}))
	w.later(time.Minute)
	if at, ok := w.Sandbox.FindRefund(string(planned.Reference)); ok {
		t.Errorf("the gateway was asked to give back %s", at.Amount)
	}
	if got := w.refundOf(p); got.Status != string(gateway.RefundFailed) || got.Phase != operation.Closed {
		t.Errorf("it is %s %s", got.Phase, got.Status)
	}
	w.is(p, payment.Success)
}
