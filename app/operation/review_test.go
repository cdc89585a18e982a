package operation_test

import (
	"context"
	"testing"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/e2e/apptest"
	"github.com/vezne/vezne/plugins/sandbox/bank"
)

// heldThere is a card payment whose money its gateway holds.
func (w *world) heldThere() (payment.Payment, operation.Operation) {
	p, o := w.begun(payment.CreditCard, lira(250))
	w.Sandbox.Happen(o.Reference, bank.Review)
	w.comeBack(o)
	w.discrepancy(p, discrepancy.UnderReview)
	return p, o
}

// TestHeldMoneyIsApprovedOrDeclinedFromTheBackOffice: what counts is what the gateway answers, and the discrepancy is settled by it.
func TestHeldMoneyIsApprovedOrDeclinedFromTheBackOffice(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for want, decide := range map[payment.Status]func(context.Context, app.StaffMove) (payment.Payment, error){
		payment.Success: w.Operations.ApproveHeld, payment.Failed: w.Operations.DeclineHeld,
	} {
		p, _ := w.heldThere()
		if can, err := w.Operations.CanReview(t.Context(), p); err != nil || !can {
			t.Fatalf("it can't be decided: %v", err)
		}
		_, err := decide(t.Context(), byOf(w, p))
		w.no(err)
		w.is(p, want)
		list, err := w.Store.DiscrepanciesOf(t.Context(), p.Key())
		w.no(err)
		if len(list) != 1 || list[0].Status != discrepancy.Settled {
			t.Errorf("%s: %+v", want, list)
		}
		_, err = decide(t.Context(), byOf(w, p)) // once more, in another window
		if !fault.Is(err, fault.NotAllowed) {
			t.Errorf("decided twice: %v", err)
		}
	}
}

// TestHeldMoneyIsNoMoneyUntilTheGatewaySaysSo: an answer that is lost, refused, about another order or not what was asked for credits nothing.
func TestHeldMoneyIsNoMoneyUntilTheGatewaySaysSo(t *testing.T) {
	t.Parallel()
	for name, f := range map[string]apptest.Fault{"refused": apptest.Broken, "lost": apptest.Lost} {
		w := newWorld(t)
		p, _ := w.heldThere()
		w.faults(w.Sandbox.SimulatedGateway, gateway.CanReviewDeposit, f)
		_, err := w.Operations.ApproveHeld(t.Context(), byOf(w, p))
		if !fault.Is(err, fault.GatewayFailed) {
			t.Errorf("%s: %v", name, err)
		}
		w.is(p, payment.Pending)
		if name == "lost" { // the gateway has acted: it is asked, and tells
			w.Work(t)
			w.is(p, payment.Success)
			continue
		}
		_, err = w.Operations.DeclineHeld(t.Context(), byOf(w, p)) // somebody thinks better of it
		w.no(err)
		w.is(p, payment.Failed)
	}
}

func TestWhatIsNotHeldIsNotDecidedAtTheGateway(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, o := w.begun(payment.CreditCard, lira(250))
	if _, err := w.Operations.ApproveHeld(t.Context(), byOf(w, p)); !fault.Is(err, fault.NotAllowed) {
		t.Errorf("waiting: %v", err)
	}
	w.Sandbox.PayInFull(o.Reference)
	w.comeBack(o)
	if _, err := w.Operations.DeclineHeld(t.Context(), byOf(w, p)); !fault.Is(err, fault.NotAllowed) {
		t.Errorf("paid: %v", err)
	}
	w.is(p, payment.Success)
	p, o = w.heldThere()
	w.Sandbox.Happen(o.Reference, bank.Failed) // the gateway was quicker, and nobody knows yet
	_, err := w.Operations.ApproveHeld(t.Context(), byOf(w, p))
	w.no(err)
	w.is(p, payment.Failed)
}
