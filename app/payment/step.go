package payment

import (
	"context"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/payment"
)

// Step delivers a receiver's due callbacks before it returns, at most one batch of them, one after another, and reports
// whether there may be more. It is for who decides alone what happens next, such as a simulation. A receiver that keeps
// failing is not spared.
func (s *Callbacks) Step(receiver string) (more bool, err error) {
	now := s.Desk.Clock.Now()
	ctx := context.WithoutCancel(s.ctx)
	rows, err := s.Desk.Callbacks.ClaimCallbacks(ctx, receiver, now, now.Add(s.Timeout+leaseMargin), perReceiver)
	if err != nil {
		return false, fault.E("callback.Step", "", err)
	}
	for _, cb := range rows {
		s.send([]payment.Callback{cb}, &app.Breaker{Failures: failuresToOpen}, now.Add(leaseMargin/2))
	}
	return len(rows) == perReceiver, nil
}
