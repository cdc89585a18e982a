package operation

import (
	"context"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
)

// InBounds starts a deposit or a card payment that gateways take, unless none of them ever takes its amount, whatever rules and
// outages there are: its page would tell the customer to wait for a way that never opens. Fault: Invalid.
func (s *Service) InBounds(
	ctx context.Context, c app.Creation, start func(context.Context, app.Creation) (app.Answer, error),
) (app.Answer, error) {
	const op = "operation.InBounds"
	low, high, ok, err := s.Gateways.DepositBounds(ctx, c.Method.Ways())
	if err != nil {
		return app.Answer{}, fault.E(op, "", err)
	}
	var form core.Form
	switch {
	case !ok:
	case c.Amount.Less(low):
		form.Fail("amount", "field.min", low.String())
	case !high.IsZero() && high.Less(c.Amount):
		form.Fail("amount", "field.range", high.String())
	}
	if err := form.Err(op); err != nil {
		return s.UnitOfWork.Refused(ctx, c, err)
	}
	return start(ctx, c)
}
