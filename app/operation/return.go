package operation

import (
	"cmp"
	"context"
	"time"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/ports"
)

// Return takes a customer in who comes back from a gateway, and returns the token of the page to show. What the browser
// brought proves nothing by itself: the gateway is asked, or its one finishing call is made. Failing to reach it is no
// failure here: the page shows that it is being checked. Fault: NotFound.
func (s *Service) Return(ctx context.Context, token string, in gateway.Inbound) (pageToken string, err error) {
	const op = "operation.Return"
	if token == "" {
		return "", fault.New(op, fault.NotFound)
	}
	o, err := s.Operations.OperationBy(ctx, operation.Key{ReturnToken: token})
	if err != nil {
		return "", fault.E(op, "", err)
	}
	g, err := s.Gateways.Gateway(ctx, o.GatewayID)
	if err == nil {
		err = s.arrived(ctx, g, o, in)
	}
	if err != nil {
		s.Log.Warn("a customer came back and the gateway could not be asked; it is asked again", "tracking_code", o.TrackingCode, "error", err)
	}
	return o.PageToken, nil
}

// askRate bounds how often somebody who opens a return address again and again has the gateway asked.
var askRate = core.Rate{Events: 6, Per: time.Minute} //nolint:gochecknoglobals // a constant

func (s *Service) arrived(ctx context.Context, g *app.Gateway, o operation.Operation, in gateway.Inbound) error {
	finisher, ok := g.Gateway.(ports.ReturnFinisher)
	if !ok || o.IsFinished {
		return s.askAgain(ctx, g, o)
	}
	if mayCall, err := s.commitToFinish(ctx, o); err != nil || !mayCall {
		return err // whoever came first finishes it
	}
	var seen gateway.Observation
	log, err := g.Call(ctx, gateway.CanFinishReturn, func(ctx context.Context) (string, error) {
		var err error
		seen, err = finisher.FinishReturn(ctx, gateway.ReturnVisit{DepositKey: depositKey(o), Amount: o.Amount, Request: in})
		seen = app.Sanitizer{Gateway: g}.Observation(seen)
		return string(seen.State), cmp.Or(err, about(o, seen.Ref))
	})
	if err != nil {
		return s.noAnswer(ctx, g, o, log, err)
	}
	_, err = s.result(ctx, g, o, log, observed(seen))
	return err
}

// askAgain asks for a customer who is back, unless there is nothing to be learned, or it would be one question too many.
// The worker asks, too.
func (s *Service) askAgain(ctx context.Context, g *app.Gateway, o operation.Operation) error {
	isOver := o.Phase == operation.Closed || o.Phase == operation.Planned
	if isOver || g.MayTry(1) == 0 || !s.Limiter.Take(ctx, "return:"+string(o.ID), 1, askRate).OK {
		return nil
	}
	_, err := s.ask(ctx, g, o)
	return err
}

// commitToFinish claims the one finishing call.
func (s *Service) commitToFinish(ctx context.Context, o operation.Operation) (mayCall bool, err error) {
	_, err = s.take(ctx, o, app.BySystem, nil, func(c operation.Case, d payment.Decision) (core.Changeset, error) {
		change, ok := operation.DecideFinishing(c.Operation, d.At, lease)
		mayCall = ok
		return change, nil
	})
	return mayCall && err == nil, err
}

// Cancel calls a payment off for its customer. A gateway that has it is told first and its answer wins: paid is paid.
// Canceling again changes nothing.
func (s *Service) Cancel(ctx context.Context, token string) (payment.Payment, error) {
	const op = "operation.Cancel"
	p, err := s.UnitOfWork.Payments.PaymentByToken(ctx, token)
	if err != nil || p.Status.IsFinal() {
		return p, wrap(op, err)
	}
	operations, err := s.Operations.OperationsOf(ctx, p.ID)
	if err != nil {
		return p, fault.E(op, "", err)
	}
	if current, ok := operation.Current(operations); ok {
		if err := s.callOff(ctx, current); err != nil {
			return p, fault.E(op, "", err)
		}
	}
	p, err = s.UnitOfWork.Move(ctx, func(ctx context.Context) (payment.Payment, error) {
		return s.UnitOfWork.Payments.PaymentByToken(ctx, token)
	},
		app.By(core.Actor{Kind: core.ByCustomer}),
		func(p payment.Payment, d payment.Decision) (core.Changeset, error) {
			if p.Status.IsFinal() || p.Status == payment.Processing {
				return core.Changeset{}, nil // money was seen: it is not called off by a click
			}
			return payment.Decide(p, payment.Cancel, d)
		})
	return p, wrap(op, err)
}

// callOff makes a deposit unwanted and has the gateway close it, or at least asks it.
func (s *Service) callOff(ctx context.Context, o operation.Operation) error {
	_, err := s.take(ctx, o, app.BySystem, nil, func(c operation.Case, d payment.Decision) (core.Changeset, error) {
		if c.Operation.IsUnwanted || !c.Operation.IsLive() {
			return core.Changeset{}, nil
		}
		return operation.DecideUnwanted(c.Operation, d.At), nil
	})
	if err != nil {
		return err
	}
	g, err := s.Gateways.Gateway(ctx, o.GatewayID)
	if err == nil && g.Admit() { // a customer does not wait for a gateway that does not answer
		o.IsUnwanted = true
		err = s.advanceDeposit(ctx, g, o)
	}
	if err != nil {
		s.Log.Warn("a payment is called off and the gateway could not be told; it is told again", "tracking_code", o.TrackingCode, "error", err)
	}
	return nil
}
