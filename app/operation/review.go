package operation

import (
	"cmp"
	"context"
	"strings"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/ports"
)

// ApproveHeld has the gateway take the money of a deposit that it holds. Faults: NotAllowed (it holds none, or is told in its own panel
// only), GatewayFailed.
func (s *Service) ApproveHeld(ctx context.Context, m app.StaffMove) (payment.Payment, error) {
	m.Action = "approveHeldDeposit"
	return s.review(ctx, m, operation.ApproveHeld)
}

// DeclineHeld has the gateway let the money of a deposit go that it holds. Faults: as of ApproveHeld.
func (s *Service) DeclineHeld(ctx context.Context, m app.StaffMove) (payment.Payment, error) {
	m.Action = "declineHeldDeposit"
	return s.review(ctx, m, operation.DeclineHeld)
}

// review tells the gateway what staff have decided. That they did is audited, whatever came of it, and what came of it is what the gateway
// answers: one that was not heard is asked what it has made of the money.
func (s *Service) review(ctx context.Context, m app.StaffMove, r operation.Review) (payment.Payment, error) {
	op := "operation." + m.Action
	m.Permission = staff.ResolveDiscrepancies
	p, err := s.UnitOfWork.Find(ctx, m)
	if err != nil {
		return payment.Payment{}, fault.E(op, "", err)
	}
	o, g, ok, err := s.heldOf(ctx, p)
	if err != nil {
		return payment.Payment{}, fault.E(op, "", err)
	}
	if !ok {
		return payment.Payment{}, fault.New(op, fault.NotAllowed, string(p.Status))
	}
	intent := func(c operation.Case, d payment.Decision) (core.Changeset, error) {
		return operation.DecideReview(c, r, d)
	}
	if _, err := s.audited(ctx, m, o, intent); err != nil { // before anything leaves
		return payment.Payment{}, fault.E(op, "", err)
	}
	reviewer, _ := g.Gateway.(ports.DepositReviewer)
	order := gateway.ReviewOrder{
		DepositKey: depositKey(o), Key: gateway.Key(strings.ToLower(string(o.ID)) + "-" + string(r)), Approves: r == operation.ApproveHeld, Why: m.Reason,
	}
	var seen gateway.Observation
	log, failure := g.Call(ctx, gateway.CanReviewDeposit, func(ctx context.Context) (string, error) {
		var err error
		seen, err = reviewer.ReviewDeposit(ctx, order)
		seen = app.Sanitizer{Gateway: g}.Observation(seen)
		return string(r) + ": " + string(seen.State), cmp.Or(err, about(o, seen.Ref))
	})
	seen.Trust = gateway.Answered
	_, err = s.resultFor(ctx, m.Request, g, o, log, func(c operation.Case, d payment.Decision) (core.Changeset, error) {
		var change core.Changeset
		var err error
		switch {
		case failure == nil:
			change, err = operation.DecideObserved(c, seen, d)
		case !gateway.HasNoEffect(failure):
			change = operation.DecideAsk(c.Operation, d.At)
		}
		said := entryOf(m, c, change, d)
		said.Reason = log.Outcome
		return append(change, said), err
	})
	switch {
	case err != nil:
		return payment.Payment{}, fault.E(op, "", err)
	case failure != nil:
		s.troubled(ctx, g, failure)
		return payment.Payment{}, failed(op, failure)
	}
	return s.UnitOfWork.Payments.PaymentByID(ctx, o.PaymentID)
}

// heldOf is the operation of a payment whose money its gateway holds and can be told about; ok is false where there is none.
func (s *Service) heldOf(ctx context.Context, p payment.Payment) (o operation.Operation, g *app.Gateway, ok bool, err error) {
	operations, err := s.Operations.OperationsOf(ctx, p.ID)
	if err != nil {
		return o, nil, false, err
	}
	if o, ok = operation.Held(operations); !ok {
		return o, nil, false, nil
	}
	g, err = s.Gateways.Gateway(ctx, o.GatewayID)
	if err != nil {
		return o, nil, false, err
	}
	return o, g, g.Has(gateway.CanReviewDeposit), nil
}

// CanReview reports whether a payment's gateway holds its money and can be told what to do with it.
func (s *Service) CanReview(ctx context.Context, p payment.Payment) (bool, error) {
	_, _, ok, err := s.heldOf(ctx, p)
	return ok, fault.E("operation.CanReview", "", err)
}
