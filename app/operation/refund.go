package operation

import (
	"cmp"
	"context"
	"slices"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/ports"
)

// Refund returns a paid payment back, whole or in part: amount zero is everything that is left. Faults: NotAllowed
// (nothing was paid through a gateway, or the gateway gives nothing back), Invalid.
func (s *Service) Refund(ctx context.Context, m app.StaffMove, amount money.Amount, target map[string]string) (payment.Payment, error) {
	const op = "operation.Refund"
	m.Permission, m.Action = staff.RefundPayments, "refundTransaction"
	p, err := s.UnitOfWork.Find(ctx, m)
	if err != nil {
		return p, fault.E(op, "", err)
	}
	c, ok, err := s.creditedBy(ctx, p)
	if err != nil {
		return p, fault.E(op, "", err)
	}
	if !ok {
		return p, fault.New(op, fault.NotAllowed, string(p.Status))
	}
	plan := operation.RefundPlan{Target: target}
	if !amount.IsZero() {
		plan.Amount = gateway.Lira(amount)
	}
	return s.refund(ctx, m, c.Operation, plan)
}

// creditedBy is the case of the operation that a payment is credited with; ok is false where there is none.
func (s *Service) creditedBy(ctx context.Context, p payment.Payment) (c operation.Case, ok bool, err error) {
	operations, err := s.Operations.OperationsOf(ctx, p.ID)
	if err != nil || p.Status != payment.Success && p.Status != payment.Completed {
		return c, false, err
	}
	if i := slices.IndexFunc(operations, func(o operation.Operation) bool { return o.ID == p.Gateway.OperationID }); i >= 0 {
		return operation.CaseOf(p, operations, nil, nil, operations[i].ID), true, nil
	}
	return c, false, nil
}

// RefundTerms are what giving a payment's money back takes; ok is false where nothing of it is left to be given back, or its gateway
// gives nothing back.
func (s *Service) RefundTerms(ctx context.Context, p payment.Payment) (terms operation.RefundTerms, ok bool, err error) {
	const op = "operation.RefundTerms"
	c, ok, err := s.creditedBy(ctx, p)
	if err != nil || !ok {
		return terms, false, fault.E(op, "", err)
	}
	g, err := s.Gateways.Gateway(ctx, c.Operation.GatewayID)
	if err != nil || !g.Has(gateway.CanRefund) {
		return terms, false, fault.E(op, "", err)
	}
	traits := g.Descriptor.Deposit.Refund
	terms = operation.RefundTerms{TakesParts: traits.Partial, Needs: gateway.NeedsOf(traits.NeedsTarget, c.Operation.GatewayKind)}
	terms.Left, _ = c.Left()
	return terms, terms.Left.Amount.Sign() > 0, nil
}

func (s *Service) refund(ctx context.Context, m app.StaffMove, o operation.Operation, plan operation.RefundPlan) (payment.Payment, error) {
	const op = "operation.refund"
	g, err := s.Gateways.Gateway(ctx, o.GatewayID)
	if err != nil {
		return payment.Payment{}, fault.E(op, "", err)
	}
	if !g.Has(gateway.CanRefund) {
		return payment.Payment{}, fault.New(op, fault.NotAllowed, "the gateway gives nothing back")
	}
	fields, failed := gateway.CheckFields(
		gateway.NeedsOf(g.Descriptor.Deposit.Refund.NeedsTarget, o.GatewayKind), o.Due.Asset, plan.Target)
	isPart := plan.Amount.Amount.Sign() != 0 && plan.Amount != o.Paid
	if isPart && !g.Descriptor.Deposit.Refund.Partial {
		failed = append(failed, fault.Field{Name: "amount", Key: "field.whole", Args: []any{"amount"}})
	}
	if err := fault.Fields(op, failed); err != nil {
		return payment.Payment{}, err
	}
	plan.Target = fields
	return s.audited(ctx, m, o, func(c operation.Case, d payment.Decision) (core.Changeset, error) {
		return operation.DecideRefund(c, plan, d)
	})
}

// CancelRefund calls off a refund that has not left. Faults: NotFound, NotAllowed (it has left, or may have), AlreadyFinal.
func (s *Service) CancelRefund(ctx context.Context, m app.StaffMove, id core.ID) (payment.Payment, error) {
	const op = "operation.CancelRefund"
	m.Permission, m.Action = staff.RefundPayments, "cancelRefund"
	if err := m.Require(m.Permission); err != nil {
		return payment.Payment{}, fault.E(op, "", err)
	}
	o, err := s.Operations.OperationBy(ctx, operation.Key{ID: id})
	if err != nil {
		return payment.Payment{}, fault.E(op, "", err)
	}
	m.TrackingCode = o.TrackingCode
	if _, err := s.UnitOfWork.Find(ctx, m); err != nil {
		return payment.Payment{}, fault.E(op, "", err)
	}
	return s.audited(ctx, m, o, operation.DecideCancelRefund)
}

// advanceRefund makes a refund that is here, and asks about any other.
func (s *Service) advanceRefund(ctx context.Context, g *app.Gateway, o operation.Operation) error {
	refunder, ok := g.Gateway.(ports.Refunder)
	if !ok {
		return s.unable(ctx, o, fault.New("operation.advanceRefund", fault.GatewayUnusable))
	}
	of, err := s.Operations.OperationBy(ctx, operation.Key{ID: o.Of})
	if err != nil {
		return err
	}
	switch {
	case o.MaySend() && !g.IsWell(ctx):
		return s.stuck(ctx, o, "its gateway does not work")
	case o.MaySend():
		return s.makeRefund(ctx, g, refunder, o, of)
	}
	var report gateway.RefundReport
	log, err := g.Call(ctx, gateway.CanRefund, func(ctx context.Context) (string, error) {
		var err error
		report, err = refunder.ReadRefund(ctx, gateway.RefundKey{
			DepositKey: depositKey(of), RefundRef: o.Reference, Refund: o.External, Amount: o.Amount,
		})
		report = app.Sanitizer{Gateway: g}.Refund(report)
		return "read: " + string(report.State), cmp.Or(err, about(o, report.RefundRef))
	})
	if err != nil {
		return s.refundNotKnown(ctx, g, o, log, err)
	}
	return s.refundReported(ctx, g, o, log, report)
}

func (s *Service) makeRefund(ctx context.Context, g *app.Gateway, refunder ports.Refunder, o, of operation.Operation) error {
	mayCall, _, err := s.commitToSend(ctx, o)
	if err != nil || !mayCall {
		return err
	}
	order := gateway.RefundOrder{
		DepositKey: depositKey(of), RefundRef: o.Reference, Key: o.Key, Amount: o.Amount, IsWhole: o.Amount == of.Paid,
		Target: o.Fields, Why: o.Why,
	}
	var report gateway.RefundReport
	log, err := g.Call(ctx, gateway.CanRefund, func(ctx context.Context) (string, error) {
		err := order.Check()
		if err != nil {
			return "", err
		}
		report, err = refunder.Refund(ctx, order)
		report = app.Sanitizer{Gateway: g}.Refund(report)
		return string(report.State), cmp.Or(err, about(o, report.RefundRef))
	})
	switch {
	case err == nil:
		return s.refundReported(ctx, g, o, log, report)
	case gateway.HasNoEffect(err):
		s.troubled(ctx, g, err)
		e := gateway.ErrorOf(err)
		_, err = s.result(ctx, g, o, log, func(c operation.Case, d payment.Decision) (core.Changeset, error) {
			return operation.DecideNotSent(c, e, d)
		})
		return err
	default:
		return s.refundNotKnown(ctx, g, o, log, err)
	}
}

func (s *Service) refundReported(ctx context.Context, g *app.Gateway, o operation.Operation, log operation.GatewayCall, r gateway.RefundReport) error {
	r.Trust = gateway.Answered
	_, err := s.result(ctx, g, o, log, func(c operation.Case, d payment.Decision) (core.Changeset, error) {
		return operation.DecideRefundReported(c, r, d)
	})
	return err
}

func (s *Service) refundNotKnown(ctx context.Context, g *app.Gateway, o operation.Operation, log operation.GatewayCall, failure error) error {
	s.troubled(ctx, g, failure)
	asked := operation.Asked{Err: gateway.ErrorOf(failure), Keys: g.Descriptor.Deposit.RefundKeys()}
	_, err := s.result(ctx, g, o, log, func(c operation.Case, d payment.Decision) (core.Changeset, error) {
		return operation.DecideRefundNoAnswer(c, asked, d), nil
	})
	return err
}
