package operation

import (
	"cmp"
	"context"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/ports"
)

// advancePayout sends a payout that is here, and asks about any other. Through an account that was switched off no money
// leaves any more: a payout that is still here waits for the account, or for staff who call it off.
func (s *Service) advancePayout(ctx context.Context, g *app.Gateway, o operation.Operation) error {
	r, ok := payoutRouteOf(g, o.GatewayKind)
	switch {
	case !ok:
		return s.unable(ctx, o, fault.New("operation.advancePayout", fault.GatewayUnusable))
	case o.MaySend() && !g.Account.Takes():
		return s.stuck(ctx, o, "its gateway account takes nothing")
	case o.MaySend() && !g.IsWell(ctx):
		return s.stuck(ctx, o, "its gateway does not work")
	case o.MaySend():
		return s.send(ctx, g, r, o)
	}
	var report gateway.PayoutReport
	log, err := g.Call(ctx, r.can, func(ctx context.Context) (string, error) {
		var err error
		report, err = r.read(ctx, payoutKey(o))
		report = app.Sanitizer{Gateway: g}.Payout(report)
		return "read: " + string(report.State), cmp.Or(err, about(o, report.Ref))
	})
	if err != nil {
		s.troubled(ctx, g, err)
		return s.payoutNotKnown(ctx, g, r, o, log, err)
	}
	report.Trust = gateway.Answered
	_, err = s.result(ctx, g, o, log, reported(report))
	return err
}

func payoutKey(o operation.Operation) gateway.PayoutKey {
	return gateway.PayoutKey{Ref: o.Reference, Key: o.Key, External: o.External}
}

func reported(r gateway.PayoutReport) decide {
	return func(c operation.Case, d payment.Decision) (core.Changeset, error) {
		return operation.DecidePayoutReported(c, r, d)
	}
}

// send commits to sending and sends, once. Whatever is not known to have had no effect is settled by asking.
func (s *Service) send(ctx context.Context, g *app.Gateway, r payoutRoute, o operation.Operation) error {
	mayCall, c, err := s.commitToSend(ctx, o)
	if err != nil || !mayCall {
		return err
	}
	var report gateway.PayoutReport
	log, err := g.Call(ctx, r.can, func(ctx context.Context) (string, error) {
		var err error
		report, err = r.send(ctx, o, c.Payment)
		report = app.Sanitizer{Gateway: g}.Payout(report)
		return string(report.State), cmp.Or(err, about(o, report.Ref))
	})
	switch {
	case err == nil:
		report.Trust = gateway.Answered
		_, err = s.result(ctx, g, o, log, reported(report))
	case gateway.HasNoEffect(err):
		s.troubled(ctx, g, err)
		e := gateway.ErrorOf(err)
		_, err = s.result(ctx, g, o, log, func(c operation.Case, d payment.Decision) (core.Changeset, error) {
			return operation.DecideNotSent(c, e, d)
		})
	default:
		err = s.payoutNotKnown(ctx, g, r, o, log, err)
	}
	return err
}

// payoutNotKnown keeps that the gateway did not say what became of a payout.
func (s *Service) payoutNotKnown(
	ctx context.Context, g *app.Gateway, r payoutRoute, o operation.Operation, log operation.GatewayCall, failure error,
) error {
	asked := operation.Asked{Err: gateway.ErrorOf(failure), Keys: r.keys}
	_, err := s.result(ctx, g, o, log, func(c operation.Case, d payment.Decision) (core.Changeset, error) {
		return operation.DecidePayoutNoAnswer(c, asked, d), nil
	})
	return err
}

// commitToSend is the moment from which the outcome is unknown. It reports whether the call may be made: only by whoever
// committed, and not for a payment that was called off meanwhile. While the installation is frozen it waits for its lease to end.
func (s *Service) commitToSend(ctx context.Context, o operation.Operation) (mayCall bool, c operation.Case, err error) {
	c, err = s.take(ctx, o, app.BySystem, nil, func(c operation.Case, d payment.Decision) (core.Changeset, error) {
		change, ok, err := operation.DecideSend(c, d, 2*lease)
		mayCall = ok
		return change, err
	})
	if fault.Is(err, fault.Frozen) {
		return false, c, nil
	}
	return mayCall && err == nil, c, err
}

// ApprovePayout lets a payout leave that waits for staff.
func (s *Service) ApprovePayout(ctx context.Context, m app.StaffMove) (payment.Payment, error) {
	return s.byStaff(ctx, m, "approvePayout", operation.DecideApprovePayout)
}

// stuck looks at a payout or refund that can't be tried now: it goes on waiting for its lease's end, or staff are told.
func (s *Service) stuck(ctx context.Context, o operation.Operation, why string) error {
	if !o.IsStuck(s.UnitOfWork.Clock.Now()) {
		return nil
	}
	_, err := s.take(ctx, o, app.BySystem, nil, func(c operation.Case, d payment.Decision) (core.Changeset, error) {
		return operation.DecideStuck(c, why, d)
	})
	return err
}

// RejectPayout refuses a payout that was never sent.
func (s *Service) RejectPayout(ctx context.Context, m app.StaffMove) (payment.Payment, error) {
	return s.byStaff(ctx, m, "rejectPayout", payoutMove(payment.Reject))
}

// FailPayout fails a payout that was tried and has not left.
func (s *Service) FailPayout(ctx context.Context, m app.StaffMove) (payment.Payment, error) {
	return s.byStaff(ctx, m, "failPayout", payoutMove(payment.Fail))
}

// CancelPayout calls off a payout that was never sent.
func (s *Service) CancelPayout(ctx context.Context, m app.StaffMove) (payment.Payment, error) {
	return s.byStaff(ctx, m, "cancelPayout", payoutMove(payment.Cancel))
}

func payoutMove(command payment.Command) decide {
	return func(c operation.Case, d payment.Decision) (core.Changeset, error) {
		return operation.DecideCallOff(c, command, d)
	}
}

// ConfirmPayout returns the gateway the second factor that it asks for. That somebody did is audited, whatever came of it.
func (s *Service) ConfirmPayout(ctx context.Context, m app.StaffMove, code string) (payment.Payment, error) {
	const op = "operation.ConfirmPayout"
	m.Permission, m.Action = staff.DecideWithdrawal, "confirmPayout"
	c, err := s.payoutOf(ctx, m)
	if err != nil {
		return payment.Payment{}, fault.E(op, "", err)
	}
	o := c.Operation
	g, err := s.Gateways.Gateway(ctx, o.GatewayID)
	if err != nil {
		return payment.Payment{}, fault.E(op, "", err)
	}
	approver, ok := g.Gateway.(ports.PayoutApprover)
	if !ok || gateway.PayoutState(o.Status) != gateway.PayoutNeedsApproval {
		return payment.Payment{}, fault.New(op, fault.NotAllowed, string(c.Payment.Status))
	}
	if _, err := s.audited(ctx, m, o, operation.DecideConfirm); err != nil { // the intent, before anything leaves
		return payment.Payment{}, fault.E(op, "", err)
	}
	var report gateway.PayoutReport
	log, failure := g.Call(ctx, gateway.CanApprovePayout, func(ctx context.Context) (string, error) {
		var err error
		report, err = approver.ApprovePayout(ctx, payoutKey(o), code)
		report = app.Sanitizer{Gateway: g}.Payout(report)
		return string(report.State), cmp.Or(err, about(o, report.Ref))
	})
	report.Trust = gateway.Answered
	_, err = s.resultFor(ctx, m.Request, g, o, log, func(c operation.Case, d payment.Decision) (core.Changeset, error) {
		change, err := core.Changeset{}, error(nil)
		if failure == nil {
			change, err = operation.DecidePayoutReported(c, report, d)
		}
		said := entryOf(m, c, change, d)
		said.Reason = log.Outcome
		return append(change, said), err
	})
	switch {
	case err != nil:
		return payment.Payment{}, err
	case failure != nil:
		s.troubled(ctx, g, failure)
		return payment.Payment{}, failed(op, failure)
	}
	return s.UnitOfWork.Payments.PaymentByID(ctx, o.PaymentID)
}

// failed is a gateway's refusal as staff see it.
func failed(op string, err error) error {
	e := gateway.ErrorOf(err)
	text := e.RawText
	if text == "" {
		text = string(e.Class)
	}
	return &fault.Error{Op: op, Code: fault.GatewayFailed, Args: []any{text}, Err: err}
}

func (s *Service) payoutOf(ctx context.Context, m app.StaffMove) (operation.Case, error) {
	p, err := s.UnitOfWork.Find(ctx, m)
	if err != nil {
		return operation.Case{}, err
	}
	operations, err := s.Operations.OperationsOf(ctx, p.ID)
	if err != nil {
		return operation.Case{}, err
	}
	for _, o := range operations {
		if o.Kind == operation.PayoutOperation {
			return operation.CaseOf(p, operations, nil, nil, o.ID), nil
		}
	}
	return operation.Case{}, fault.New("operation.payoutOf", fault.WrongMethod, string(p.Method))
}

// byStaff decides about a payout for a staff member and keeps an audit row in the same commit.
func (s *Service) byStaff(ctx context.Context, m app.StaffMove, action string, decide decide) (payment.Payment, error) {
	m.Permission, m.Action = staff.DecideWithdrawal, action
	c, err := s.payoutOf(ctx, m)
	if err != nil {
		return payment.Payment{}, fault.E("operation."+action, "", err)
	}
	return s.audited(ctx, m, c.Operation, decide)
}

// audited takes a staff member's decision about an operation, with its audit row.
func (s *Service) audited(ctx context.Context, m app.StaffMove, o operation.Operation, decide decide) (payment.Payment, error) {
	op := "operation." + m.Action
	var err error
	if m.Request, err = m.Checked(); err != nil {
		return payment.Payment{}, fault.E(op, "", err)
	}
	_, err = s.take(ctx, o, m.Request, nil, func(c operation.Case, d payment.Decision) (core.Changeset, error) {
		change, err := decide(c, d)
		if err != nil || isNothing(change) {
			return change, err
		}
		change = append(change, entryOf(m, c, change, d))
		return change, nil
	})
	if err != nil {
		return payment.Payment{}, fault.E(op, "", err)
	}
	return s.UnitOfWork.Payments.PaymentByID(ctx, o.PaymentID)
}

// entryOf is the audit row of a decision at a gateway, with the money that it is about.
func entryOf(m app.StaffMove, c operation.Case, change core.Changeset, d payment.Decision) core.AuditEntry {
	e := m.Entry(c.Payment, change, d)
	e.Before, e.After = c.AuditStates(change)
	return e
}

func isNothing(c core.Changeset) bool {
	return !core.Has[payment.Payment](c) && !core.Has[operation.Operation](c) && !core.Has[discrepancy.Discrepancy](c)
}
