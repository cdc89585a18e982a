package operation_test

import (
	"testing"
	"time"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/e2e/apptest"
	"github.com/vezne/vezne/plugins/sandbox/bank"
)

func adminOf(w *world) app.Request { return app.Request{Staff: w.Admin, Addr: "192.0.2.7"} }

func TestPollingAloneEndsEveryPayment(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, o := w.begun(payment.CreditCard, lira(250))
	w.Sandbox.PayInFull(o.Reference)
	w.later(6 * time.Second)
	w.is(p, payment.Success)
}

func TestCardTimesOutAndMoneyThatComesLaterIsToldToStaff(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.faults(w.Sandbox.SimulatedGateway, gateway.CanCancelDeposit, apptest.Broken, apptest.Broken, apptest.Broken) // it can't be closed there
	p, o := w.begun(payment.CreditCard, lira(250))
	w.later(15 * time.Minute)
	p = w.is(p, payment.Failed)
	if p.Failure.Code != "TIMEOUT" {
		t.Errorf("failure %+v", p.Failure)
	}
	w.Sandbox.PayInFull(o.Reference)
	w.later(2 * time.Minute)
	w.is(p, payment.Failed)
	d := w.discrepancy(p, discrepancy.LateMoney)
	_, err := w.Operations.Resolve(t.Context(), apptest.By(w.Operator, p, "the customer called"), d.ID, operation.AcceptMoney, money.Amount{})
	w.no(err)
	p = w.is(p, payment.Success)
	if cbs := w.callbacks(p); len(cbs) != 2 || cbs[1].Payload.Status != payment.Success {
		t.Errorf("callbacks %+v", cbs)
	}
	_, err = w.Operations.Resolve(t.Context(), apptest.By(w.Operator, p, "again"), d.ID, operation.AcceptMoney, money.Amount{})
	w.fails(err, fault.AlreadyFinal)
}

func TestUnreachableGatewayDoesNotKeepAPaymentFromExpiring(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, _ := w.begun(payment.CreditCard, lira(250))
	w.Sandbox.Fault = func(gateway.Capability, gateway.Ref) apptest.Fault { return apptest.Broken }
	w.later(15 * time.Minute)
	w.is(p, payment.Pending) // not by guess
	for range 20 {
		w.later(20 * time.Second)
	}
	w.is(p, payment.Failed)
}

func TestCustomersCancelIsTheGatewaysToGrant(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, o := w.begun(payment.CreditCard, lira(250))
	w.Sandbox.PayInFull(o.Reference)
	p, err := w.Operations.Cancel(t.Context(), p.Token)
	w.no(err)
	w.is(p, payment.Success) // paid is paid
	p, _ = w.begun(payment.CreditCard, lira(250))
	for range 2 {
		p, err = w.Operations.Cancel(t.Context(), p.Token)
		w.no(err)
	}
	w.is(p, payment.Cancelled)
	if n := len(w.callbacks(p)); n != 1 {
		t.Errorf("%d callbacks", n)
	}
}

func TestShortMoneyIsHeldForStaffAndRefunded(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, o := w.begun(payment.WalletDeposit, lira(250))
	w.Sandbox.PayAmount(o.Reference, gateway.Lira(lira(100)))
	w.later(6 * time.Second)
	w.is(p, payment.Processing)
	w.later(time.Hour)
	w.is(p, payment.Processing) // money is there: no clock ends it
	d := w.discrepancy(p, discrepancy.ShortMoney)
	_, err := w.Operations.RefundDiscrepancy(t.Context(), apptest.By(w.Operator, p, "too little"), d.ID, nil)
	w.no(err)
	w.Work(t)
	w.later(time.Second)
	if d = w.discrepancy(p, discrepancy.ShortMoney); d.Status != discrepancy.Refunded {
		t.Errorf("the discrepancy is %s", d.Status)
	}
	w.is(p, payment.Canceled)
}

func TestWritingOffNeedsAReasonAndARightAndTheDealersOwnStaff(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, o := w.begun(payment.WalletDeposit, lira(250))
	w.Sandbox.PayAmount(o.Reference, gateway.Lira(lira(300)))
	w.later(6 * time.Second)
	d := w.discrepancy(p, discrepancy.OverMoney)
	by := apptest.By(w.Operator, p, "")
	_, err := w.Operations.Resolve(t.Context(), by, d.ID, operation.WriteOff, money.Amount{})
	w.fails(err, fault.Invalid)
	for _, s := range []staff.Staff{w.Viewer, w.DealerStaff} {
		_, err = w.Operations.Resolve(t.Context(), apptest.By(s, p, "no"), d.ID, operation.WriteOff, money.Amount{})
		w.fails(err, fault.Forbidden)
	}
	_, err = w.Operations.Resolve(t.Context(), apptest.By(w.Operator, p, "kept as a tip"), d.ID, operation.AcceptMoney, lira(300))
	w.no(err)
	if p = w.is(p, payment.Completed); p.Amount != lira(300) {
		t.Errorf("completed with %s", p.Amount)
	}
}

func TestRefundsInPartsUntilNothingIsLeft(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, o := w.begun(payment.CreditCard, lira(250))
	w.Sandbox.PayInFull(o.Reference)
	w.comeBack(o)
	refund := func(amount money.Amount) error {
		_, err := w.Operations.Refund(t.Context(), apptest.By(w.Operator, p, "returned goods"), amount, nil)
		w.Work(t)
		w.later(time.Second)
		return err
	}
	w.no(refund(lira(100)))
	if p = w.is(p, payment.Success); p.Gateway.Refunded != lira(100) {
		t.Errorf("refunded %s", p.Gateway.Refunded)
	}
	w.fails(refund(lira(151)), fault.Invalid)
	w.faults(w.Sandbox.SimulatedGateway, gateway.CanRefund, apptest.Lost, apptest.NoFault)
	w.no(refund(money.Amount{})) // all that is left; the answer is lost
	w.later(time.Minute)
	if p = w.is(p, payment.Refunded); p.Gateway.Refunded != lira(250) || len(w.callbacks(p)) != 1 {
		t.Errorf("refunded %s, %d callbacks", p.Gateway.Refunded, len(w.callbacks(p)))
	}
	ref := w.operations(p)[2].Reference
	if at, _ := w.Sandbox.FindRefund(string(ref)); len(w.Sandbox.Orders(ref)) != 1 || at.Amount.Value != lira(150).Decimal() {
		t.Errorf("at the gateway: %+v", at)
	}
	_, err := w.Operations.Refund(t.Context(), apptest.By(w.Operator, p, "again"), money.Amount{}, nil)
	w.fails(err, fault.NotAllowed)
}

func TestSmallPayoutLeavesByItselfAndALargeOneWhenApproved(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	small, large := w.StartWithdrawal(t, payment.BankWithdrawal, lira(999)), w.StartWithdrawal(t, payment.BankWithdrawal, lira(1000))
	w.Work(t)
	w.is(small, payment.Processing)
	w.is(large, payment.Showing)
	_, err := w.Operations.ApprovePayout(t.Context(), apptest.By(w.DealerStaff, large, ""))
	w.no(err)
	w.Work(t)
	w.is(large, payment.Processing)
	for _, p := range []payment.Payment{small, large} {
		o := w.operations(p)[0]
		w.Sandbox.Happen(o.Reference, bank.Done)
		w.later(time.Minute)
		w.is(p, payment.Completed)
		if cbs := w.callbacks(p); len(cbs) != 1 || cbs[0].Payload.IBAN != p.IBAN {
			t.Errorf("callbacks %+v", cbs)
		}
	}
}

func TestPayoutThatWasCalledOffNeverLeaves(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.StartWithdrawal(t, payment.WalletWithdrawal, lira(1000))
	_, err := w.Operations.RejectPayout(t.Context(), apptest.By(w.Operator, p, "looks odd"))
	w.no(err)
	_, err = w.Operations.ApprovePayout(t.Context(), apptest.By(w.Operator, p, ""))
	w.fails(err, fault.AlreadyFinal)
	w.later(time.Hour)
	w.is(p, payment.Rejected)
	if _, ok := w.Sandbox.FindPayout(string(w.operations(p)[0].Reference)); ok {
		t.Error("it left all the same")
	}
	expired := w.StartWithdrawal(t, payment.BankWithdrawal, lira(1000))
	w.later(25 * time.Hour)
	w.is(expired, payment.Canceled)
}

func TestUnknownPayoutIsNeverSentAgain(t *testing.T) {
	t.Parallel()
	for name, f := range map[string]apptest.Fault{"it was sent": apptest.Lost, "it was not": apptest.Broken} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.faults(w.Sandbox.SimulatedGateway, gateway.CanPayOut, f)
			p := w.StartWithdrawal(t, payment.BankWithdrawal, lira(500))
			w.Work(t)
			for range 40 {
				w.later(45 * time.Minute)
			}
			sent := w.Sandbox.Orders(w.operations(p)[0].Reference)
			w.is(p, payment.Processing)
			if f == apptest.Lost {
				if len(sent) != 1 {
					t.Errorf("sent %d times", len(sent))
				}
				return
			}
			if len(sent) > 0 {
				t.Fatal("it was sent again by itself")
			}
			d := w.discrepancy(p, discrepancy.MissingPayout)
			_, err := w.Operations.Resolve(t.Context(), apptest.By(w.Operator, p, "not in the gateway's panel"), d.ID, operation.WriteOff, money.Amount{})
			w.no(err)
			w.is(p, payment.Failed)
		})
	}
}

func TestPayoutWaitsWhereItIsKnownNotToHaveLeftAndFailsWhereItIsRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.faults(w.Sandbox.SimulatedGateway, gateway.CanPayOut, apptest.NotSent, apptest.NotSent)
	p := w.StartWithdrawal(t, payment.BankWithdrawal, lira(500))
	for range 4 {
		w.later(2 * time.Minute)
	}
	if sent := w.Sandbox.Orders(w.operations(p)[0].Reference); len(sent) != 1 {
		t.Errorf("sent %d times", len(sent))
	}
	w.faults(w.Sandbox.SimulatedGateway, gateway.CanPayOut, apptest.Refusing)
	p = w.StartWithdrawal(t, payment.BankWithdrawal, lira(500))
	w.Work(t)
	if p = w.is(p, payment.Failed); p.Reason == "" {
		t.Error("no reason is kept")
	}
}

func TestPayoutThatWantsACode(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.StartWithdrawal(t, payment.BankWithdrawal, lira(500))
	w.Work(t)
	o := w.operations(p)[0]
	w.Sandbox.Happen(o.Reference, bank.NeedsApproval)
	w.later(10 * time.Second)
	w.discrepancy(p, discrepancy.CodeWanted)
	by := apptest.By(w.Operator, p, "")
	by.Permission = staff.DecideWithdrawal
	_, err := w.Operations.ConfirmPayout(t.Context(), by, "000000")
	w.fails(err, fault.GatewayFailed)
	_, err = w.Operations.ConfirmPayout(t.Context(), by, "123456")
	w.no(err)
	if d := w.discrepancy(p, discrepancy.CodeWanted); d.Status != discrepancy.Settled {
		t.Errorf("the discrepancy is %s", d.Status)
	}
	w.Sandbox.Happen(o.Reference, bank.Done)
	w.later(time.Minute)
	w.is(p, payment.Completed)
}

// TestRefundThatTheGatewayDoesNotKnowIsToldToStaffSoon: it may have been lost before it arrived, and is never made again
// by itself.
func TestRefundThatTheGatewayDoesNotKnowIsToldToStaffSoon(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, o := w.begun(payment.CreditCard, lira(250))
	w.Sandbox.PayInFull(o.Reference)
	w.comeBack(o)
	w.faults(w.Sandbox.SimulatedGateway, gateway.CanRefund, apptest.Broken)
	_, err := w.Operations.Refund(t.Context(), apptest.By(w.Operator, p, "returned goods"), money.Amount{}, nil)
	w.no(err)
	w.Work(t)
	for range 4 {
		w.later(2 * time.Minute)
	}
	w.discrepancy(p, discrepancy.UnknownOutcome)
	w.is(p, payment.Success)
	if _, ok := w.Sandbox.FindRefund(string(w.operations(p)[1].Reference)); ok {
		t.Error("it was made again")
	}
}
