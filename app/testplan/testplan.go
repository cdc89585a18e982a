// Package testplan carries out what callers ask to happen to payments of a sandbox: outcomes, clocks, and how callbacks come. Only an
// installation that takes test payments has it at all.
package testplan

import (
	"context"
	"log/slog"
	"slices"
	"time"

	"github.com/vezne/vezne/app"
	payments "github.com/vezne/vezne/app/payment"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/testplan"
	"github.com/vezne/vezne/ports"
)

// batch is how many due plans are read at once.
const batch = 100

// Service carries out plans. Fill it, then Start it.
type Service struct {
	app.Worker[app.All, []testplan.Plan]

	UnitOfWork *app.UnitOfWork
	Plans      ports.TestPlans
	Log        *slog.Logger
}

// Check refuses where real money moves: where a gateway account is of production, whether or not it is switched on, nobody's
// payment ends by a request. Fault: Invalid, of the field test.
func (s *Service) Check(ctx context.Context) error {
	const op = "testplan.Check"
	accounts, err := s.UnitOfWork.Directory.GatewayAccounts(ctx)
	if err != nil {
		return fault.E(op, "", err)
	}
	var form core.Form
	if slices.ContainsFunc(accounts, func(a owner.GatewayAccount) bool { return a.Environment == gateway.Production }) {
		form.Fail("test", "field.test_refused")
	}
	return form.Err(op)
}

// With returns the creation with a plan, which is committed with the payment. A payout with an outcome has no operation at a gateway:
// nothing is sent there.
func With(c app.Creation, plan testplan.Plan, after time.Duration) app.Creation {
	c.Also = func(change core.Changeset, made payment.Payment) core.Changeset {
		if plan.Outcome != "" {
			change = core.Without[operation.Operation](change)
		}
		return append(change, plan.Of(made, after))
	}
	return c
}

// Start allows work until Stop.
func (s *Service) Start() {
	s.Worker.Start(app.Work[app.All, []testplan.Plan]{
		Name: "test plans", UnitOfWork: s.UnitOfWork, Log: s.Log, Room: 1, Claim: s.due, Do: s.carryOut,
		Failed: func(_ context.Context, _ []testplan.Plan, err error) {
			s.Log.Error("carrying out test plans; the sweeper asks for it again", "error", err)
		},
		HandBack: func([]testplan.Plan) core.Changeset { return nil },
	})
}

// Wake has due plans carried out; it returns at once.
func (s *Service) Wake() { s.Worker.Wake(app.All{}) }

// due reads what is due. It leases nothing: of two processes that carry out one plan the slower one's commit is a lost race.
func (s *Service) due(ctx context.Context, _ app.All, _ int) (batches [][]testplan.Plan, more bool, err error) {
	plans, err := s.Plans.DueTestPlans(ctx, s.UnitOfWork.Clock.Now(), batch)
	if err != nil || len(plans) == 0 {
		return nil, false, fault.E("testplan.due", "", err)
	}
	return [][]testplan.Plan{plans}, len(plans) == batch, nil
}

// carryOut gives each plan's payment its next command. A plan that cannot be carried out ends, so that it holds up no other; only a store
// out of reach is a fault.
func (s *Service) carryOut(ctx context.Context, plans []testplan.Plan) error {
	isReal := s.Check(ctx)
	for _, plan := range plans {
		err := isReal
		if err == nil {
			err = s.UnitOfWork.Again(ctx, func() error { return s.step(ctx, plan.PaymentID) })
		}
		if err != nil && !fault.Is(err, fault.Unavailable) && ctx.Err() == nil {
			s.Log.Warn("a test plan cannot be carried out and ends", "payment", string(plan.PaymentID), "error", err)
			err = s.UnitOfWork.Commit(ctx, core.Changeset{plan.Ended()})
		}
		if err != nil && !fault.Is(err, fault.Conflict) {
			return fault.E("testplan.carryOut", "", err)
		}
	}
	return nil
}

// step carries out what is due of a plan.
func (s *Service) step(ctx context.Context, id core.ID) error {
	plan, err := s.Plans.TestPlan(ctx, id)
	if err != nil || plan.DueAt.IsZero() || plan.DueAt.After(s.UnitOfWork.Clock.Now()) {
		return err
	}
	p, err := s.UnitOfWork.Payments.PaymentByID(ctx, id)
	if err != nil {
		return err
	}
	d, err := s.UnitOfWork.Decision(ctx, p, app.BySystem)
	if err != nil {
		return err
	}
	change, err := testplan.Decide(plan, p, d)
	if err != nil {
		return err
	}
	return s.UnitOfWork.Commit(ctx, change)
}

// Advance moves the clock of an owner's payment that was created with a plan, and returns the payment as it stands then. What is due by
// it is done by the workers. Faults: NotFound (there is none, it is somebody else's, or it has no plan), Invalid.
func (s *Service) Advance(
	ctx context.Context, whose payment.ReferenceOwner, trackingCode, reference string, by time.Duration,
) (p payment.Payment, err error) {
	const op = "testplan.Advance"
	if err := s.Check(ctx); err != nil {
		return payment.Payment{}, fault.E(op, "", err)
	}
	err = s.UnitOfWork.Again(ctx, func() error {
		if p, err = payments.StatusOf(ctx, s.UnitOfWork, whose, trackingCode, reference); err != nil {
			return err
		}
		plan, err := s.Plans.TestPlan(ctx, p.ID)
		if err != nil {
			return err
		}
		callbacks, err := s.UnitOfWork.Callbacks.CallbacksOf(ctx, p.ID)
		if err != nil {
			return err
		}
		change := testplan.Advance(plan, p, callbacks, by, s.UnitOfWork.Clock.Now())
		if err := s.UnitOfWork.Commit(ctx, change); err != nil {
			return err
		}
		if changed, ok := core.First[payment.Payment](change); ok {
			p = changed
			s.UnitOfWork.Waker.Wake(core.WakeUp{Kind: core.DuePayments, At: p.ExpiresAt}) // a payment wakes by itself when it is created
		}
		return nil
	})
	return p, fault.E(op, "", err)
}
