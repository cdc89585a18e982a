package operation_test

import (
	"testing"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/coretest"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/payment"
)

// observedBesideOthers is an answer about a deposit whose payment can be made another way, too.
func observedBesideOthers(seen gateway.Observation) coretest.Decide {
	return func(c operation.Case, d payment.Decision) (core.Changeset, error) {
		c.HasOtherWay = true
		return operation.DecideObserved(c, seen, d)
	}
}

func refusedFor(code gateway.ReasonCode) gateway.Observation {
	seen := coretest.Answered(gateway.Failed)
	seen.Reason = &gateway.Reason{Code: code}
	return seen
}

func ends() map[string]gateway.Observation {
	return map[string]gateway.Observation{
		"refused": refusedFor(gateway.InsufficientFunds), "canceled": coretest.Answered(gateway.Canceled), "expired": coretest.Answered(gateway.Expired),
	}
}

// TestAfterATryElsewhereThereIsAnother: whoever came back from a gateway without paying pays another way, and whichever of the two
// brings money, and in whatever order, the payment is credited once and nothing is lost.
func TestAfterATryElsewhereThereIsAnother(t *testing.T) {
	t.Parallel()
	paid := coretest.Answered(gateway.Paid, coretest.AtGateway(25000))
	for _, m := range []payment.Method{payment.CreditCard, payment.WalletDeposit} {
		for name, end := range ends() {
			for order, isFirstQuicker := range map[string]bool{"the second pays first": false, "the first pays after all": true} {
				b, first := coretest.Opened(t, m)
				b.Take(t, first, observedBesideOthers(end))
				if p := b.Payment; p.Status != m.Kind().FirstStatus() || p.Gateway.OperationID != "" || len(b.Callbacks) != 0 || p.Failure.Code != "" {
					t.Fatalf("%s %s: %+v", m, name, p)
				}
				if o := b.Operation(first); o.Phase != operation.Late || o.NextAt.IsZero() {
					t.Fatalf("%s %s: what may still come is not watched: %+v", m, name, o)
				}
				second := b.Begin(t, coretest.DepositPlan(m))
				b.TakeStart(t, second)
				one, other := second, first
				if isFirstQuicker {
					one, other = first, second
				}
				b.Take(t, one, observedBesideOthers(paid))
				b.Take(t, other, observedBesideOthers(paid))
				if p := b.Payment; !p.Status.IsApproved() || p.Gateway.OperationID != one || len(b.Credits) != 1 || len(b.Callbacks) != 1 {
					t.Errorf("%s %s, %s: %+v with %d credits", m, name, order, p, len(b.Credits))
				}
				if d := b.Discrepancies; len(d) != 1 || d[0].Kind != discrepancy.SurplusMoney || d[0].OperationID != other {
					t.Errorf("%s %s, %s: %+v", m, name, order, d)
				}
				if isFirstQuicker && !b.Operation(second).IsUnwanted {
					t.Errorf("%s %s: the other one may still be paid", m, name)
				}
			}
		}
	}
}

// TestWhenNoOtherTryIsLeft: the payment ends as its gateway says.
func TestWhenNoOtherTryIsLeft(t *testing.T) {
	t.Parallel()
	seen := func(earlier ...gateway.Observation) func(coretest.T, payment.Method) (*coretest.Store, core.ID) {
		return func(t coretest.T, m payment.Method) (*coretest.Store, core.ID) {
			return coretest.After(m, earlier...)(t)
		}
	}
	for name, c := range map[string]struct {
		make   func(coretest.T, payment.Method) (*coretest.Store, core.ID)
		decide func(gateway.Observation) coretest.Decide
		end    gateway.Observation
	}{
		"there is no other way":        {make: seen(), decide: coretest.Observed},
		"it was refused for fraud":     {make: seen(), end: refusedFor(gateway.FraudSuspected)},
		"the card is stolen":           {make: seen(), end: refusedFor(gateway.LostOrStolen)},
		"money was held":               {make: seen(coretest.Answered(gateway.Review, coretest.AtGateway(25000)))},
		"the card had been authorized": {make: seen(coretest.Answered(gateway.Authorized))},
		"the customer called it off": {make: func(t coretest.T, m payment.Method) (*coretest.Store, core.ID) {
			b, id := coretest.Opened(t, m)
			b.Apply(t, operation.DecideUnwanted(b.Operation(id), b.Now))
			return b, id
		}},
		"the time is over": {make: func(t coretest.T, m payment.Method) (*coretest.Store, core.ID) {
			b, id := coretest.Opened(t, m)
			b.Now = b.Payment.ExpiresAt.Add(-30 * time.Second)
			return b, id
		}},
		"it is paid by hand": {make: func(t coretest.T, m payment.Method) (*coretest.Store, core.ID) {
			b, id := coretest.Begun(t, m)
			b.Take(t, id, func(c operation.Case, d payment.Decision) (core.Changeset, error) {
				return operation.DecideStarted(c, gateway.DepositStarted{Next: gateway.NextStep{Pay: &gateway.Instructions{Kind: gateway.Bank}}}, d), nil
			})
			return b, id
		}},
		"it was refused often": {make: func(t coretest.T, m payment.Method) (*coretest.Store, core.ID) {
			b, id := coretest.Opened(t, m)
			for range 4 {
				b.Take(t, id, observedBesideOthers(refusedFor(gateway.Declined)))
				id = b.Begin(t, coretest.DepositPlan(m))
				b.TakeStart(t, id)
			}
			return b, id
		}},
	} {
		for _, m := range []payment.Method{payment.CreditCard, payment.WalletDeposit} {
			b, id := c.make(t, m)
			if c.decide == nil {
				c.decide = observedBesideOthers
			}
			if c.end.State == "" {
				c.end = refusedFor(gateway.Declined)
			}
			b.Take(t, id, c.decide(c.end))
			if p := b.Payment; !p.Status.IsFinal() || p.Status.IsApproved() || len(b.Callbacks) != 1 {
				t.Errorf("%s, %s: it is %s", name, m, p.Status)
			}
		}
	}
}

// TestACueEndsNoTry: nothing but the gateway's own answer makes room for another one.
func TestACueEndsNoTry(t *testing.T) {
	t.Parallel()
	for _, trust := range []gateway.Trust{gateway.Hint, gateway.SharedSecret, gateway.Signed} {
		for name, end := range ends() {
			b, id := coretest.Opened(t, payment.CreditCard)
			end.Trust = trust
			b.Take(t, id, observedBesideOthers(end))
			if b.Payment.Gateway.OperationID != id || !b.Operation(id).IsCued() {
				t.Errorf("%s, %s: %+v", trust, name, b.Payment.Gateway)
			}
		}
	}
}

// TestWhereMoneyWasSeenThereIsNoOtherTry: a deposit of which the gateway saw money ends by what became of that.
func TestWhereMoneyWasSeenThereIsNoOtherTry(t *testing.T) {
	t.Parallel()
	b, id := coretest.After(payment.WalletDeposit, coretest.Answered(gateway.Processing))(t)
	b.Take(t, id, observedBesideOthers(refusedFor(gateway.Declined)))
	if p := b.Payment; p.Status != payment.Canceled || len(b.Callbacks) != 1 {
		t.Errorf("it is %s", p.Status)
	}
}
