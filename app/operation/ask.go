package operation

import (
	"cmp"
	"context"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/ports"
)

// advance does what is due of one operation that is leased to us.
func (s *Service) advance(ctx context.Context, g *app.Gateway, o operation.Operation) error {
	switch o.Kind {
	case operation.PayoutOperation:
		return s.advancePayout(ctx, g, o)
	case operation.RefundOperation:
		return s.advanceRefund(ctx, g, o)
	default:
		return s.advanceDeposit(ctx, g, o)
	}
}

// advanceDeposit asks what became of a deposit. One that nobody wants any more, or whose time is over, is canceled
// first; what the gateway then answers decides.
func (s *Service) advanceDeposit(ctx context.Context, g *app.Gateway, o operation.Operation) error {
	isOver := o.IsOverdue(s.UnitOfWork.Clock.Now())
	if (isOver || o.IsUnwanted) && o.IsLive() && !o.IsCanceled {
		if err := s.cancelAt(ctx, g, o); err != nil {
			return err
		}
	}
	if ctx.Err() != nil {
		return ctx.Err() // stopped between two calls
	}
	isAnswered, err := s.ask(ctx, g, o)
	if err != nil || !isOver || !isAnswered {
		return err
	}
	_, err = s.take(ctx, o, app.BySystem, nil, operation.DecideDeadline)
	return err
}

// cancelAt asks the gateway to close a deposit. A gateway that can't is only asked.
func (s *Service) cancelAt(ctx context.Context, g *app.Gateway, o operation.Operation) error {
	canceler, ok := g.Gateway.(ports.DepositCanceler)
	if !ok || o.Phase != operation.Open {
		return nil
	}
	var seen gateway.Observation
	log, err := g.Call(ctx, gateway.CanCancelDeposit, func(ctx context.Context) (string, error) {
		var err error
		seen, err = canceler.CancelDeposit(ctx, gateway.CancelOrder{DepositKey: depositKey(o), Key: o.Key + "-cancel", Why: "the payment has ended"})
		seen = app.Sanitizer{Gateway: g}.Observation(seen)
		return string(seen.State), cmp.Or(err, about(o, seen.Ref))
	})
	if err != nil {
		s.troubled(ctx, g, err)
	}
	_, kept := s.result(ctx, g, o, log, func(c operation.Case, d payment.Decision) (core.Changeset, error) {
		if err != nil || seen.IsCue() {
			return core.Changeset{}, nil // asking tells
		}
		change, err := operation.DecideObserved(c, seen, d)
		return core.Edit(change, func(saved *operation.Operation) {
			saved.IsCanceled = saved.IsCanceled || saved.ID == o.ID
		}), err
	})
	return kept
}

func depositKey(o operation.Operation) gateway.DepositKey {
	return gateway.DepositKey{Ref: o.Reference, External: o.External, Due: o.Due}
}

// ask reads a deposit and takes the answer in. That the gateway does not know it is an answer, too.
func (s *Service) ask(ctx context.Context, g *app.Gateway, o operation.Operation) (isAnswered bool, err error) {
	reader, ok := g.Gateway.(ports.DepositReader)
	if !ok {
		return false, fault.New("operation.ask", fault.GatewayUnusable)
	}
	var seen gateway.Observation
	log, err := g.Call(ctx, gateway.CanReadDeposit, func(ctx context.Context) (string, error) {
		var err error
		seen, err = reader.ReadDeposit(ctx, depositKey(o))
		seen = app.Sanitizer{Gateway: g}.Observation(seen)
		return string(seen.State), cmp.Or(err, about(o, seen.Ref))
	})
	if err != nil {
		return gateway.IsClass(err, gateway.NotFound), s.noAnswer(ctx, g, o, log, err)
	}
	seen.Trust = gateway.Answered
	_, err = s.result(ctx, g, o, log, observed(seen))
	return true, err
}

func (s *Service) noAnswer(ctx context.Context, g *app.Gateway, o operation.Operation, log operation.GatewayCall, failure error) error {
	s.troubled(ctx, g, failure)
	asked := operation.Asked{Err: gateway.ErrorOf(failure), Keys: g.Descriptor.Deposit.Keys}
	_, err := s.result(ctx, g, o, log, func(c operation.Case, d payment.Decision) (core.Changeset, error) {
		return operation.DecideNoAnswer(c, asked, d)
	})
	return err
}

// report takes a report in that came without a question.
func (s *Service) report(ctx context.Context, g *app.Gateway, o operation.Operation, seen gateway.Observation) error {
	kept, cancel := keep(ctx)
	defer cancel()
	_, err := s.take(kept, o, app.By(g.Account.Actor()), nil, observed(seen))
	return err
}

// about holds an answer to the operation that was asked about: one about another must never be believed.
func about(o operation.Operation, got gateway.Ref) error {
	if got == "" || got == o.Reference {
		return nil
	}
	return &gateway.Error{Class: gateway.Retryable, RawCode: "the answer is about another reference"}
}
