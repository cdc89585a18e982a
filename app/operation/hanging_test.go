package operation_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/vezne/vezne/app/operation"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	coreoperation "github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/e2e/apptest"
)

// hang is a gateway that does not answer: until a test says so, or the call's time is over.
func hang(ctx context.Context, answer <-chan struct{}) error {
	select {
	case <-answer:
		return nil
	case <-ctx.Done():
		return &gateway.Error{Class: gateway.Retryable, Err: ctx.Err()}
	}
}

// TestSlowStartGoesOnWhenTheCustomerPressesAgain: a browser drops the first request when its user presses again.
func TestSlowStartGoesOnWhenTheCustomerPressesAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		answer := make(chan struct{})
		r := w.rig(&rig{})
		var starts atomic.Int32
		r.start = func(ctx context.Context, o gateway.DepositOrder) (gateway.DepositStarted, error) {
			starts.Add(1)
			if err := hang(ctx, answer); err != nil {
				return gateway.DepositStarted{}, err
			}
			return r.StartDeposit(ctx, o)
		}
		p := w.StartDeposit(t, payment.CreditCard, lira(250))
		browser, gone := context.WithCancel(t.Context())
		first := make(chan error, 1)
		go func() {
			_, _, err := w.Operations.Begin(browser, operation.Begin{Token: p.Token})
			first <- err
		}()
		synctest.Wait()
		gone()
		synctest.Wait()
		_, o, err := w.Operations.Begin(t.Context(), operation.Begin{Token: p.Token})
		w.no(err)
		if o.Phase != coreoperation.Calling || o.Next.Kind() != "" || starts.Load() != 1 {
			t.Errorf("pressed again: %s, %d starts", o.Phase, starts.Load())
		}
		close(answer)
		w.no(<-first)
		v, err := w.Operations.State(t.Context(), p.Token)
		w.no(err)
		if v.Operation.ID != o.ID || v.Operation.Next.Redirect == nil {
			t.Errorf("the page does not lead on: %+v", v.Operation)
		}
	})
}

func TestCustomersWhoLeaveDoNotMakeAGatewayCountAsFailing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for range 10 {
		p := w.StartDeposit(t, payment.CreditCard, lira(250))
		browser, gone := context.WithCancel(t.Context())
		gone()
		_, _, err := w.Operations.Begin(browser, operation.Begin{Token: p.Token})
		w.no(err)
	}
	all, err := w.GatewayAdmin.Health(t.Context(), w.Operator, w.Gateway)
	h := all[w.Gateway.ID]
	if err != nil || h.FailedCount != 0 || h.IsFailing {
		t.Errorf("health %+v, %v", h, err)
	}
}

func TestStopWaitsForCallsUnderWaySoThatTheirOutcomeIsKept(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		answer := make(chan struct{})
		r := w.rig(&rig{})
		r.read = func(ctx context.Context, k gateway.DepositKey) (gateway.Observation, error) {
			if err := hang(ctx, answer); err != nil {
				return gateway.Observation{}, err
			}
			return r.ReadDeposit(ctx, k)
		}
		p, o := w.begun(payment.CreditCard, lira(250))
		w.Sandbox.PayInFull(o.Reference)
		w.Clock.Advance(6 * time.Second)
		w.no(w.Sweep.Sweep(t.Context()))
		synctest.Wait()
		stopped := make(chan error, 1)
		go func() { stopped <- w.Operations.Stop(t.Context()) }()
		synctest.Wait()
		close(answer)
		w.no(<-stopped)
		w.is(p, payment.Success)
	})
}

// TestOneHangingOperationDelaysNoOther: not of its own account, nor of another.
func TestOneHangingOperationDelaysNoOther(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		answer := make(chan struct{})
		r := w.rig(&rig{})
		var stuck gateway.Ref
		r.read = func(ctx context.Context, k gateway.DepositKey) (gateway.Observation, error) {
			if k.Ref == stuck {
				if err := hang(ctx, answer); err != nil {
					return gateway.Observation{}, err
				}
			}
			return r.ReadDeposit(ctx, k)
		}
		var payments []payment.Payment
		for i := range 60 {
			p, o := w.begun(payment.CreditCard, lira(250))
			if i == 0 {
				stuck = o.Reference
				continue
			}
			w.Sandbox.PayInFull(o.Reference)
			payments = append(payments, p)
		}
		there := w.StartDeposit(t, payment.BankDeposit, lira(250))
		_, o, err := w.Operations.Begin(t.Context(), operation.Begin{Token: there.Token, GatewayID: w.OtherGateway.ID})
		w.no(err)
		w.OtherSandbox.PayInFull(o.Reference)
		w.Clock.Advance(6 * time.Second)
		w.no(w.Sweep.Sweep(t.Context()))
		synctest.Wait()
		for _, p := range payments {
			w.is(p, payment.Success)
		}
		w.is(there, payment.Completed)
		late, o := w.begun(payment.CreditCard, lira(250)) // and what falls due while it hangs
		w.Sandbox.PayInFull(o.Reference)
		w.Clock.Advance(6 * time.Second)
		w.no(w.Sweep.Sweep(t.Context()))
		synctest.Wait()
		w.is(late, payment.Success)
		close(answer)
		w.no(w.Operations.Wait(t.Context()))
	})
}

// TestSixteenHangingOperationsAreAllThatHang: the others of the account wait, and go on as soon as there is room.
func TestSixteenHangingOperationsAreAllThatHang(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		answer := make(chan struct{})
		r := w.rig(&rig{})
		var hanging atomic.Int32
		r.read = func(ctx context.Context, k gateway.DepositKey) (gateway.Observation, error) {
			hanging.Add(1)
			if err := hang(ctx, answer); err != nil {
				return gateway.Observation{}, err
			}
			return r.ReadDeposit(ctx, k)
		}
		var payments []payment.Payment
		for range 40 {
			p, o := w.begun(payment.CreditCard, lira(250))
			w.Sandbox.PayInFull(o.Reference)
			payments = append(payments, p)
		}
		w.Clock.Advance(6 * time.Second)
		w.no(w.Sweep.Sweep(t.Context()))
		synctest.Wait()
		if n := hanging.Load(); n != 16 {
			t.Errorf("%d calls at once", n)
		}
		close(answer)
		w.no(w.Operations.Wait(t.Context())) // nobody sweeps, and nobody wakes a worker
		for _, p := range payments {
			w.is(p, payment.Success)
		}
	})
}

func TestPageDoesNotWaitForAGatewayThatDoesNotListItsOptions(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		never, isWell := make(chan struct{}), false
		var asked atomic.Int32
		w.rig(&rig{list: func(ctx context.Context) ([]gateway.Option, error) {
			asked.Add(1)
			if isWell {
				return []gateway.Option{{ID: "usdt", Title: "Tether", Asset: apptest.USDT}}, nil
			}
			return nil, hang(ctx, never)
		}})
		p := w.StartDeposit(t, payment.CryptoDeposit, lira(250))
		offers := func() int {
			v, err := w.Operations.View(t.Context(), p.Token)
			if err != nil {
				t.Error(err)
			}
			n := 0
			for _, o := range v.Offers {
				if o.Kind == gateway.Crypto {
					n++
				}
			}
			return n
		}
		began := time.Now()
		var viewers sync.WaitGroup
		for range 50 {
			viewers.Go(func() {
				if n := offers(); n != 1 {
					t.Errorf("%d offers in coins", n)
				}
			})
		}
		viewers.Wait()
		if took := time.Since(began); took > 8*time.Second || asked.Load() != 1 {
			t.Errorf("the pages took %s, and asked %d times", took, asked.Load())
		}
		offers()
		if asked.Load() != 1 {
			t.Error("it is asked again by the next page")
		}
		isWell = true
		w.Clock.Advance(11 * time.Second)
		if n := offers(); n != 2 {
			t.Errorf("%d offers in coins once it is well again", n)
		}
		isWell = false
		w.Clock.Advance(2 * time.Minute)
		if n := offers(); n != 2 {
			t.Errorf("%d offers in coins: the list that is known is better than none", n)
		}
	})
}

// TestPaymentsEndInTimeHoweverManyWaitForAGatewayThatDoesNotAnswer: while it is only probed, one question at a time would
// never end them all.
func TestPaymentsEndInTimeHoweverManyWaitForAGatewayThatDoesNotAnswer(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var payments []payment.Payment
	for range 150 {
		p, _ := w.begun(payment.CreditCard, lira(250))
		payments = append(payments, p)
	}
	payout := w.StartWithdrawal(t, payment.BankWithdrawal, lira(5000))
	var asked atomic.Int32
	w.Sandbox.Fault = func(gateway.Capability, gateway.Ref) apptest.Fault {
		asked.Add(1)
		return apptest.Broken
	}
	w.forMinutes(14)
	w.is(payments[0], payment.Pending)
	if n := asked.Load(); n > 100 {
		t.Errorf("a gateway that does not answer was asked %d times in 14 minutes", n)
	}
	_, err := w.Operations.ApprovePayout(t.Context(), byOf(w, payout))
	w.no(err)
	w.forMinutes(3)
	for _, p := range payments {
		w.is(p, payment.Failed)
	}
	w.Sandbox.Fault = nil
	w.forMinutes(2)
	w.is(payout, payment.Processing) // it was not forgotten
	if sent := w.Sandbox.Orders(w.operations(payout)[0].Reference); len(sent) != 1 {
		t.Errorf("sent to the gateway %d times", len(sent))
	}
}

// TestOneCustomerAtATimeTriesAGatewayThatFails: the others are sent to one that works.
func TestOneCustomerAtATimeTriesAGatewayThatFails(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		answer := make(chan struct{})
		r := w.rig(&rig{})
		var starts atomic.Int32
		isFirst := true
		r.start = func(ctx context.Context, _ gateway.DepositOrder) (gateway.DepositStarted, error) {
			starts.Add(1)
			if !isFirst {
				_ = hang(ctx, answer)
			}
			return gateway.DepositStarted{}, &gateway.Error{Class: gateway.Retryable, Effect: gateway.EffectNone}
		}
		for range 5 {
			w.begun(payment.CreditCard, lira(250))
		}
		isFirst = false
		starts.Store(0)
		w.Clock.Advance(3 * time.Second) // a probe is due
		var customers sync.WaitGroup
		for i := range 20 {
			customers.Go(func() {
				p := w.Start(t, payment.Request{Method: payment.CreditCard, Amount: lira(250), Customer: owner.Customer{
					UserID: fmt.Sprint("u-", i), Username: "u", Fullname: "Ayşe Yılmaz",
				}})
				_, o, err := w.Operations.Begin(t.Context(), operation.Begin{Token: p.Token})
				if err != nil || o.GatewayID != w.OtherGateway.ID {
					t.Errorf("sent to %d: %v", o.GatewayID, err)
				}
			})
		}
		synctest.Wait()
		if n := starts.Load(); n != 1 {
			t.Errorf("%d customers wait for a gateway that fails", n)
		}
		close(answer)
		customers.Wait()
	})
}

func TestCustomerIsNotKeptWaitingByOneGatewayAfterTheOther(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.rig(&rig{})
	r.start = func(context.Context, gateway.DepositOrder) (gateway.DepositStarted, error) {
		w.Clock.Advance(20 * time.Second)
		return gateway.DepositStarted{}, &gateway.Error{Class: gateway.Retryable, Effect: gateway.EffectNone}
	}
	p := w.StartDeposit(t, payment.CreditCard, lira(250))
	_, _, err := w.Operations.Begin(t.Context(), operation.Begin{Token: p.Token})
	w.fails(err, fault.NoGateway)
	r.start = nil
	_, o, err := w.Operations.Begin(t.Context(), operation.Begin{Token: p.Token})
	if err != nil || o.Number != 2 {
		t.Errorf("pressed again: %+v, %v", o, err)
	}
}
