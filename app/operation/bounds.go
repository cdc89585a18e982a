package operation

import (
	"context"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/payment"
)

// Limits are the least and the greatest amount of a payment; a zero Max is no limit.
type Limits struct{ Min, Max money.Amount }

// DepositLimits returns what a deposit or a card payment of a method may be: of less or more no gateway takes one, whatever rules and outages
// there are. Nil: no gateway takes any, or the method needs none.
func (s *Service) DepositLimits(ctx context.Context, m payment.Method) (*Limits, error) {
	low, high, ok, err := s.Gateways.DepositBounds(ctx, m.Ways())
	if err != nil || !ok {
		return nil, fault.E("operation.DepositLimits", "", err)
	}
	return &Limits{Min: low, Max: high}, nil
}

// InBounds starts a deposit or a card payment that gateways take, unless none of them ever takes its amount: its page would tell the
// customer to wait for a way that never opens. Fault: Invalid.
func (s *Service) InBounds(
	ctx context.Context, c app.Creation, start func(context.Context, app.Creation) (app.Answer, error),
) (app.Answer, error) {
	const op = "operation.InBounds"
	limits, err := s.DepositLimits(ctx, c.Method)
	if err != nil {
		return app.Answer{}, fault.E(op, "", err)
	}
	var form core.Form
	switch {
	case limits == nil:
	case c.Amount.Less(limits.Min):
		form.Fail("amount", "field.min", limits.Min.String())
	case !limits.Max.IsZero() && limits.Max.Less(c.Amount):
		form.Fail("amount", "field.range", limits.Max.String())
	}
	if err := form.Err(op); err != nil {
		return s.UnitOfWork.Refused(ctx, c, err)
	}
	return start(ctx, c)
}
