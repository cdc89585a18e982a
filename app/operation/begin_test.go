package operation_test

import (
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/vezne/vezne/app/operation"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	coreoperation "github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/e2e/apptest"
	"github.com/vezne/vezne/plugins/sandbox/bank"
)

func TestCardIsPaidAtTheFirstGatewayOfItsRoute(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, o := w.begun(payment.CreditCard, lira(250))
	if o.GatewayID != w.Gateway.ID || o.Next.Redirect == nil || !strings.Contains(o.Why, "priority 1") || p.Gateway.OperationID != o.ID {
		t.Fatalf("begun: %+v", o)
	}
	if string(o.Reference) != p.Payer.OrderID {
		t.Errorf("the gateway knows it as %s, the provider as %s", o.Reference, p.Payer.OrderID)
	}
	w.Sandbox.PayInFull(o.Reference)
	w.comeBack(o)
	p = w.is(p, payment.Success)
	if cbs := w.callbacks(p); len(cbs) != 1 || cbs[0].Payload.Card.OrderID != p.Payer.OrderID || cbs[0].Payload.Card.ErrorCode != "" {
		t.Errorf("callbacks %+v", cbs)
	}
}

func TestPressingAgainGivesTheSameNextStep(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, o := w.begun(payment.CreditCard, lira(250))
	var presses sync.WaitGroup
	for range 20 {
		presses.Go(func() {
			_, again, err := w.Operations.Begin(t.Context(), operation.Begin{Token: p.Token})
			if err != nil || again.ID != o.ID || again.Next.Redirect.URL != o.Next.Redirect.URL {
				t.Errorf("pressed again: %+v, %v", again, err)
			}
		})
	}
	presses.Wait()
	if n := len(w.operations(p)); n != 1 {
		t.Errorf("%d operations", n)
	}
}

func TestConcurrentFirstPressesStartOneDeposit(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.StartDeposit(t, payment.CreditCard, lira(250))
	var presses sync.WaitGroup
	for range 20 {
		presses.Go(func() {
			if _, _, err := w.Operations.Begin(t.Context(), operation.Begin{Token: p.Token}); err != nil && !fault.Is(err, fault.Conflict) {
				t.Error(err)
			}
		})
	}
	presses.Wait()
	live := 0
	for _, o := range w.operations(p) {
		if o.IsLive() && !o.IsUnwanted {
			live++
		}
	}
	if live != 1 {
		t.Errorf("%d live operations", live)
	}
}

func TestGatewayThatIsKnownNotToHaveActedIsFollowedByTheNext(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.faults(w.Sandbox.SimulatedGateway, gateway.CanStartDeposit, apptest.NotSent)
	p, o := w.begun(payment.CreditCard, lira(250))
	all := w.operations(p)
	slices.SortFunc(all, func(a, b coreoperation.Operation) int { return a.Number - b.Number }) // made at the same moment
	if o.GatewayID != w.OtherGateway.ID || len(all) != 2 || all[0].Phase != coreoperation.Closed || all[0].Reference == all[1].Reference || all[0].Key == all[1].Key {
		t.Fatalf("operations %+v", all)
	}
	w.OtherSandbox.PayInFull(o.Reference)
	w.comeBack(o)
	w.is(p, payment.Success)
}

func TestUnknownStartIsAskedAboutAndNeverStartedElsewhere(t *testing.T) {
	t.Parallel()
	for name, f := range map[string]apptest.Fault{"it acted": apptest.Lost, "it did not": apptest.Broken} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.faults(w.Sandbox.SimulatedGateway, gateway.CanStartDeposit, f)
			p, o := w.begun(payment.CreditCard, lira(250))
			if all := w.operations(p); len(all) != 1 || all[0].Phase != coreoperation.Calling {
				t.Fatalf("operations %+v", all)
			}
			w.Sandbox.PayInFull(o.Reference) // the customer had the page open already
			for range 5 {
				w.later(40 * time.Second)
			}
			if f == apptest.Lost {
				w.is(p, payment.Success)
				return
			}
			if o = w.operations(p)[0]; o.Phase != coreoperation.Closed {
				t.Errorf("what never was is still %s", o.Phase)
			}
			if p, o, err := w.Operations.Begin(t.Context(), operation.Begin{Token: p.Token}); err != nil || p.Status != payment.Pending || o.Number != 2 {
				t.Errorf("begun again: %s, %+v, %v", p.Status, o, err)
			}
		})
	}
}

func TestRefusedKeysKeepTheAccountFromNewPaymentsUntilATestSucceeds(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	isRefused := true
	w.Sandbox.Fault = func(gateway.Capability, gateway.Ref) apptest.Fault {
		if isRefused {
			return apptest.Misset
		}
		return apptest.NoFault
	}
	_, o := w.begun(payment.CreditCard, lira(250))
	if o.GatewayID != w.OtherGateway.ID {
		t.Fatal("the customer was sent to a gateway that does not work")
	}
	if _, o = w.begun(payment.CreditCard, lira(250)); o.GatewayID != w.OtherGateway.ID {
		t.Error("it is tried again although its keys are refused")
	}
	report, err := w.GatewayAdmin.Test(t.Context(), adminOf(w), w.Gateway.ID)
	if err != nil || report.IsOK() {
		t.Fatalf("test: %+v, %v", report, err)
	}
	isRefused = false
	if report, err = w.GatewayAdmin.Test(t.Context(), adminOf(w), w.Gateway.ID); err != nil || !report.IsOK() {
		t.Fatalf("test: %+v, %v", report, err)
	}
	if _, o = w.begun(payment.CreditCard, lira(250)); o.GatewayID != w.Gateway.ID {
		t.Error("a successful test does not end its trouble")
	}
}

func TestRefusedCardFailsWithItsReason(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.faults(w.Sandbox.SimulatedGateway, gateway.CanStartDeposit, apptest.Refusing)
	p := w.StartDeposit(t, payment.CreditCard, lira(250))
	_, _, err := w.Operations.Begin(t.Context(), operation.Begin{Token: p.Token})
	w.no(err)
	p = w.is(p, payment.Failed)
	if p.Failure.Code != "INSUFFICIENT_FUNDS" || p.Failure.Message == "" {
		t.Errorf("failure %+v", p.Failure)
	}
}

func TestNobodyTakesWhatIsBeyondEveryLimit(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.StartDeposit(t, payment.CreditCard, lira(100_001))
	_, _, err := w.Operations.Begin(t.Context(), operation.Begin{Token: p.Token})
	w.fails(err, fault.NoGateway)
	w.later(16 * time.Minute)
	if p = w.is(p, payment.Failed); p.Failure.Code != "" && p.Failure.Code != "TIMEOUT" {
		t.Errorf("failure %+v", p.Failure)
	}
	if cbs := w.callbacks(p); len(cbs) != 1 || cbs[0].Payload.Card.ErrorCode != "TIMEOUT" {
		t.Errorf("callbacks %+v", cbs)
	}
}

func TestAnotherChoiceCallsTheFirstOneOff(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, first := w.begun(payment.BankDeposit, lira(250))
	_, second, err := w.Operations.Begin(t.Context(), operation.Begin{Token: p.Token, Kind: gateway.Wallet, GatewayID: w.OtherGateway.ID})
	w.no(err)
	if second.GatewayKind != gateway.Wallet || second.Number != 2 {
		t.Fatalf("second: %+v", second)
	}
	w.later(time.Second)
	if at, _ := w.Sandbox.FindDeposit(string(first.Reference)); at.Status != bank.Canceled {
		t.Errorf("the first is %s at its gateway", at.Status)
	}
	w.is(p, payment.Showing)
	w.OtherSandbox.PayInFull(second.Reference)
	w.comeBack(second)
	w.is(p, payment.Completed)
}

func TestCryptoIsQuotedAndTheQuoteIsWhatCounts(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Sandbox.As = w.Sandbox.Quoting()
	p := w.StartDeposit(t, payment.CryptoDeposit, lira(250))
	_, _, err := w.Operations.Begin(t.Context(), operation.Begin{Token: p.Token, GatewayID: w.Gateway.ID})
	w.fails(err, fault.Invalid) // which coin?
	_, o, err := w.Operations.Begin(t.Context(), operation.Begin{Token: p.Token, GatewayID: w.Gateway.ID, Option: "USDT-TRC20"})
	w.no(err)
	if o.Due.String() != "6.25 USDT (TRC20)" || o.Next.Pay == nil || o.Next.Pay.Exact != o.Due.Amount {
		t.Fatalf("due %s, next %+v", o.Due, o.Next.Pay)
	}
	w.Sandbox.PayInFull(o.Reference)
	w.later(10 * time.Second)
	if p = w.is(p, payment.Completed); p.Amount != lira(250) {
		t.Errorf("completed with %s", p.Amount)
	}
}

func TestPageOffersEveryWayItsOwnFirst(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.StartDeposit(t, payment.WalletDeposit, lira(250))
	v, err := w.Operations.View(t.Context(), p.Token)
	w.no(err)
	var kinds []gateway.Kind
	for _, o := range v.Offers {
		if len(kinds) == 0 || kinds[len(kinds)-1] != o.Kind {
			kinds = append(kinds, o.Kind)
		}
	}
	if len(v.Offers) != 6 || len(kinds) != 3 || kinds[0] != gateway.Wallet || v.Offers[0].GatewayID != w.Gateway.ID {
		t.Errorf("offers %+v", v.Offers)
	}
	card := w.StartDeposit(t, payment.CreditCard, lira(250))
	if v, err = w.Operations.View(t.Context(), card.Token); err != nil || len(v.Offers) != 2 || v.Offers[0].Kind != gateway.Card {
		t.Errorf("a card's offers %+v, %v", v.Offers, err)
	}
}

// TestARefusedCardIsTriedAtAnotherGateway: the customer comes back to the page and presses again, which leads to a gateway where the card
// was not tried yet. Whatever the two then say, the payment is credited once.
func TestARefusedCardIsTriedAtAnotherGateway(t *testing.T) {
	t.Parallel()
	for what, event := range map[string]string{"refused": bank.Failed, "canceled": bank.Canceled} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			p, first := w.begun(payment.CreditCard, lira(250))
			w.Sandbox.Happen(first.Reference, event)
			w.comeBack(first)
			if p = w.is(p, payment.Pending); p.Gateway.OperationID != "" || len(w.callbacks(p)) != 0 {
				t.Fatalf("it is over: %+v", p)
			}
			v, err := w.Operations.View(t.Context(), p.Token)
			if err != nil || v.Operation.ID != first.ID || len(v.Offers) != 2 {
				t.Fatalf("the page has %+v (%v)", v, err)
			}
			_, second, err := w.Operations.Begin(t.Context(), operation.Begin{Token: p.Token})
			if err != nil || second.GatewayID != w.OtherGateway.ID {
				t.Fatalf("the second try is at %d (%v)", second.GatewayID, err)
			}
			w.OtherSandbox.PayInFull(second.Reference)
			w.comeBack(second)
			w.comeBack(first)
			p = w.is(p, payment.Success)
			w.later(time.Hour)
			if credits, err := w.Store.CreditsOf(t.Context(), p.Key()); err != nil || len(credits) != 1 || credits[0].OperationID != second.ID || len(w.callbacks(p)) != 1 {
				t.Errorf("credits %+v (%v)", credits, err)
			}
		})
	}
}

// TestARefusedCardHasNoOtherGateway: it ends at once where no other takes it, also when the other one has just been switched off.
func TestARefusedCardHasNoOtherGateway(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, o := w.begun(payment.CreditCard, lira(250))
	off := w.OtherGateway
	off.Version++
	off.IsEnabled = false
	w.no(w.UnitOfWork.Commit(t.Context(), core.Changeset{off}))
	w.Sandbox.Happen(o.Reference, bank.Failed)
	w.comeBack(o)
	if p = w.is(p, payment.Failed); len(w.callbacks(p)) != 1 {
		t.Errorf("%d callbacks", len(w.callbacks(p)))
	}
}
