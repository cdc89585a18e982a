package dispute_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/vezne/vezne/app/operation"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/dispute"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/e2e/apptest"
	"github.com/vezne/vezne/plugins/sandbox/bank"
	"github.com/vezne/vezne/ports"
)

// world is a World whose first gateway tells disputes, and a card payment of 250.00 that was paid there.
type world struct {
	*apptest.World
	t    *testing.T
	paid payment.Payment
	ref  gateway.Ref
	told int // notifications so far
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{World: apptest.New(t), t: t}
	w.Sandbox.As = w.Sandbox.Disputing()
	w.later(time.Second) // its disputes are listed from now on
	w.paid, w.ref = w.pays(25_000)
	return w
}

// pays has a customer pay by card.
func (w *world) pays(minor int64) (payment.Payment, gateway.Ref) {
	w.t.Helper()
	p := w.StartDeposit(w.t, payment.CreditCard, money.New(minor, money.TRY))
	_, o, err := w.Operations.Begin(w.t.Context(), operation.Begin{Token: p.Token})
	w.no(err)
	w.Sandbox.PayInFull(o.Reference)
	w.later(10 * time.Second)
	if p = w.Reload(w.t, p); p.Status != payment.Success {
		w.t.Fatalf("the payment is %s", p.Status)
	}
	return p, o.Reference
}

func (w *world) no(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// later lets time pass, with the sweeper coming by at its end.
func (w *world) later(d time.Duration) {
	w.t.Helper()
	w.Clock.Advance(d)
	w.no(w.Sweep.Sweep(w.t.Context()))
	w.no(errors.Join(w.Operations.Wait(w.t.Context()), w.Disputes.Wait(w.t.Context()), w.Statements.Wait(w.t.Context())))
	w.Work(w.t)
}

// tells has the gateway notify of a dispute.
func (w *world) tells(id string, trust gateway.Trust) {
	w.t.Helper()
	w.told++
	in := w.Sandbox.InformOfDispute(fmt.Sprint("n-", w.told), id, trust)
	_, err := w.Operations.Notify(w.t.Context(), w.Gateway.HookToken, in)
	w.no(err)
	w.Work(w.t)
}

// kept are the payment's disputes.
func (w *world) kept() []dispute.Dispute {
	w.t.Helper()
	all, err := w.Store.DisputesOf(w.t.Context(), w.paid.Key())
	w.no(err)
	return all
}

// is checks what the payment is credited with, and where its only dispute stands.
func (w *world) is(minor int64, state gateway.DisputeState) dispute.Dispute {
	w.t.Helper()
	all, p := w.kept(), w.Reload(w.t, w.paid)
	if len(all) != 1 || all[0].State != state || p.Amount.Minor() != minor {
		w.t.Fatalf("%s is credited, with the disputes %+v; want %d and %s", p.Amount, all, minor, state)
	}
	check, err := w.Store.CheckCredits(w.t.Context(), 10)
	w.no(err)
	if len(check.Breaches) != 0 {
		w.t.Fatalf("credits do not add up: %+v", check.Breaches)
	}
	return all[0]
}

// TestADisputeThatTheGatewayTells is asked about at once, takes the money, is told to the receiver, and gives back what is reinstated.
func TestADisputeThatTheGatewayTells(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id := w.Sandbox.Dispute(w.ref, 10_000, bank.NeedsResponse)
	w.tells(id, gateway.Signed)
	d := w.is(15_000, gateway.DisputeNeedsResponse)
	if d.ExternalID != id || d.Reason != gateway.DisputeFraud || d.EvidenceDue.IsZero() || d.Fee.Amount.Sign() <= 0 {
		t.Errorf("kept as %+v", d)
	}
	w.tells(id, gateway.Signed) // the same again
	w.Sandbox.MoveTo(id, bank.Won)
	w.tells(id, gateway.Hint) // whoever tells it: the gateway is asked
	w.is(25_000, gateway.DisputeWon)
	credits, err := w.Store.CreditsOf(t.Context(), w.paid.Key())
	w.no(err)
	if len(credits) != 3 || credits[1].DisputeID != d.ID || credits[2].DisputeID != d.ID || credits[2].Amount.Minor() != 10_000 {
		t.Errorf("credits are %+v", credits)
	}
	callbacks, err := w.Store.CallbacksOf(t.Context(), w.paid.ID)
	w.no(err)
	if len(callbacks) != 3 || callbacks[2].Payload.Dispute.State != gateway.DisputeWon || callbacks[2].Payload.Amount.Minor() != 25_000 {
		t.Errorf("told are %+v", callbacks)
	}
}

// TestADisputeThatNobodyTells is found by listing, and what changes later by asking.
func TestADisputeThatNobodyTells(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id := w.Sandbox.Dispute(w.ref, 0, bank.NeedsResponse)
	w.later(time.Hour + time.Minute)
	w.is(0, gateway.DisputeNeedsResponse)
	w.Sandbox.MoveTo(id, bank.Lost)
	w.later(6*time.Hour + time.Minute)
	w.is(0, gateway.DisputeLost)
}

// TestAGatewayThatDoesNotAnswer costs time and nothing else.
func TestAGatewayThatDoesNotAnswer(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id := w.Sandbox.Dispute(w.ref, 0, bank.NeedsResponse)
	faults := []apptest.Fault{apptest.Broken, apptest.Misset, apptest.NotSent}
	w.Sandbox.Fault = func(c gateway.Capability, _ gateway.Ref) apptest.Fault {
		if c != gateway.CanReadDispute || len(faults) == 0 {
			return apptest.NoFault
		}
		f := faults[0]
		faults = faults[1:]
		return f
	}
	w.tells(id, gateway.Signed)
	for range 4 {
		w.later(20 * time.Minute)
	}
	w.is(0, gateway.DisputeNeedsResponse)
}

// TestACrashBetweenAnswerAndCommit has the gateway asked again, and nothing taken twice.
func TestACrashBetweenAnswerAndCommit(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id := w.Sandbox.Dispute(w.ref, 0, bank.NeedsResponse)
	crashes := 2
	w.UnitOfWork.Commits = &apptest.Commits{Committer: w.Store, Before: func(c core.Changeset) error {
		if crashes > 1 && core.Has[payment.Credit](c) {
			crashes--
			return fault.New("crash", fault.Unavailable)
		}
		return nil
	}, After: func(c core.Changeset) error {
		if crashes == 1 && core.Has[payment.Credit](c) {
			crashes--
			return fault.New("crash", fault.Unavailable) // the change is made
		}
		return nil
	}}
	w.tells(id, gateway.Signed)
	for range 3 {
		w.later(time.Minute)
	}
	d := w.is(0, gateway.DisputeNeedsResponse)
	if d.Taken.Minor() != 25_000 || crashes != 0 {
		t.Errorf("taken %s after %d crashes", d.Taken, 2-crashes)
	}
}

// liar is a gateway whose answers about disputes a test makes up.
type liar struct {
	apptest.DisputingGateway
	says func(gateway.DisputeReport) gateway.DisputeReport
}

func (l liar) ReadDispute(ctx context.Context, id string) (gateway.DisputeReport, error) {
	r, err := l.DisputingGateway.ReadDispute(ctx, id)
	return l.says(r), err
}

// TestADishonestGateway gets no money that is not this payment's, and no answer about another dispute is taken.
func TestADishonestGateway(t *testing.T) {
	t.Parallel()
	for name, lie := range map[string]struct {
		says  func(w *world, r gateway.DisputeReport) gateway.DisputeReport
		isNot bool // the answer is not taken
	}{
		"about another dispute": {func(_ *world, r gateway.DisputeReport) gateway.DisputeReport { r.ID = "dp_other"; return r }, true},
		"of another account's payment": {func(_ *world, r gateway.DisputeReport) gateway.DisputeReport {
			r.Ref, r.External = "", gateway.ExternalRef{ID: "ext-of-nobody"}
			return r
		}, true},
		"a thousand times too much": {func(_ *world, r gateway.DisputeReport) gateway.DisputeReport {
			r.Withdrawn.Amount = r.Withdrawn.Amount.Mul(money.MustDecimal("1000"))
			return r
		}, false},
		"reinstated without a withdrawal": {func(_ *world, r gateway.DisputeReport) gateway.DisputeReport {
			r.State, r.Withdrawn, r.Reinstated = gateway.DisputeWon, nil, r.Withdrawn
			return r
		}, false},
		"a negative amount": {func(_ *world, r gateway.DisputeReport) gateway.DisputeReport {
			r.Withdrawn.Amount = money.MustDecimal("-5")
			return r
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.Sandbox.As = liar{w.Sandbox.Disputing(), func(r gateway.DisputeReport) gateway.DisputeReport { return lie.says(w, r) }}
			w.Gateway.Version++ // opened anew
			w.no(w.Store.Commit(t.Context(), core.Changeset{w.Gateway}))
			id := w.Sandbox.Dispute(w.ref, 0, bank.NeedsResponse)
			w.tells(id, gateway.Signed)
			p := w.Reload(t, w.paid)
			if p.Amount.Minor() < 0 || p.Amount.Minor() > 25_000 || lie.isNot && (p.Amount.Minor() != 25_000 || len(w.kept()) != 0) {
				t.Errorf("%s is credited, with the disputes %+v", p.Amount, w.kept())
			}
			check, err := w.Store.CheckCredits(t.Context(), 10)
			if err != nil || len(check.Breaches) != 0 {
				t.Errorf("credits do not add up: %+v, %v", check.Breaches, err)
			}
		})
	}
}

// TestNamesOfDisputesThatAreNone are asked about a few times, and no more.
func TestNamesOfDisputesThatAreNone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.tells("dp_of_nobody", gateway.Hint)
	asked := 0
	w.Sandbox.Fault = func(c gateway.Capability, _ gateway.Ref) apptest.Fault {
		if c == gateway.CanReadDispute {
			asked++
		}
		return apptest.NoFault
	}
	for range 30 {
		w.later(7 * time.Hour)
	}
	d, err := w.Store.DisputeNamed(t.Context(), w.Gateway.ID, "dp_of_nobody")
	if err != nil || !d.NextAt.IsZero() || d.PaymentID != "" {
		t.Errorf("kept as %+v, %v", d, err)
	}
	if listed := 30 + 2; asked > listed+8 {
		t.Errorf("asked %d times", asked)
	}
}

// refundedMeanwhile has a refund planned once what a decision about a dispute looks at was read.
type refundedMeanwhile struct {
	ports.Disputes
	refunds func()
}

func (m *refundedMeanwhile) DisputesOf(ctx context.Context, payments ...payment.Key) ([]dispute.Dispute, error) {
	all, err := m.Disputes.DisputesOf(ctx, payments...)
	if m.refunds != nil {
		refund := m.refunds
		m.refunds = nil
		refund()
	}
	return all, err
}

// TestWhatARefundIsPlannedOfMeanwhileNoDisputeTakes: the same money is not given back and taken as well, without a word to staff.
func TestWhatARefundIsPlannedOfMeanwhileNoDisputeTakes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id := w.Sandbox.Dispute(w.ref, 0, bank.NeedsResponse)
	m := &refundedMeanwhile{w.Store, func() {
		_, err := w.Operations.Refund(t.Context(), apptest.By(w.Operator, w.paid, "not ordered"), money.Amount{}, nil)
		w.no(err)
	}}
	w.Disputes.Disputes = m
	w.tells(id, gateway.Signed)
	if m.refunds != nil {
		t.Fatal("nothing was refunded")
	}
	d := w.is(25_000, gateway.DisputeNeedsResponse)
	if d.Taken.Minor() != 0 || d.Uncovered.Minor() != 25_000 {
		t.Errorf("the dispute took %s, and staff are told of %s", d.Taken, d.Uncovered)
	}
}
