package testplan

import (
	"context"
	"slices"
	"time"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/testplan"
	"github.com/vezne/vezne/ports"
)

var _ ports.CallbackSender = (*Sender)(nil)

// Sender sends the callbacks of payments that have a plan as it says, and all others as they are.
type Sender struct {
	ports.CallbackSender

	UnitOfWork *app.UnitOfWork
	Plans      ports.TestPlans
	Timeout    time.Duration // of all that is sent at one attempt
	Zone       *time.Location
}

// Send implements ports.CallbackSender. What came of the callback itself is the outcome, whatever else was sent.
func (s *Sender) Send(ctx context.Context, url string, m payment.CallbackMessage) payment.DeliveryResult {
	ctx, cancel := context.WithTimeout(ctx, s.Timeout)
	defer cancel()
	c, plan, err := s.planOf(ctx, m)
	if err != nil && !fault.Is(err, fault.NotFound) {
		return payment.DeliveryResult{Error: "reading the test plan: " + string(fault.CodeOf(err))}
	}
	if plan.Delivery == testplan.WrongSignature {
		s.CallbackSender.Send(ctx, url, testplan.Forged(m))
	}
	result := s.CallbackSender.Send(ctx, url, m)
	switch {
	case plan.Delivery == testplan.Twice:
		s.CallbackSender.Send(ctx, url, m)
	case plan.Delivery == testplan.Reordered && c.Sequence > 1:
		s.sendBefore(ctx, url, c)
	case plan.Delivery == testplan.Retried && c.AttemptCount == 0:
		return payment.DeliveryResult{Duration: result.Duration, Error: "test: the answer does not count"}
	}
	return result
}

// planOf finds the callback of a message and its payment's plan. Fault: NotFound.
func (s *Sender) planOf(ctx context.Context, m payment.CallbackMessage) (payment.Callback, testplan.Plan, error) {
	i := slices.IndexFunc(m.Headers, func(h payment.CallbackHeader) bool { return h.Name == "X-Callback-Id" })
	if i < 0 {
		return payment.Callback{}, testplan.Plan{}, fault.New("testplan.planOf", fault.NotFound)
	}
	c, err := s.UnitOfWork.Callbacks.Callback(ctx, core.ID(m.Headers[i].Value))
	if err != nil {
		return c, testplan.Plan{}, err
	}
	plan, err := s.Plans.TestPlan(ctx, c.PaymentID)
	return c, plan, err
}

// sendBefore sends the callback that came before another of its payment. Where that fails, or there is none, nothing is sent.
func (s *Sender) sendBefore(ctx context.Context, url string, later payment.Callback) {
	callbacks, err := s.UnitOfWork.Callbacks.CallbacksOf(ctx, later.PaymentID)
	if err != nil {
		return
	}
	for _, c := range callbacks {
		if c.Sequence != later.Sequence-1 {
			continue
		}
		signer, _, err := s.UnitOfWork.Target(ctx, c.ProviderID, c.SiteID, c.DealerID, c.Kind)
		if err != nil {
			return
		}
		if m, err := c.Message(signer, s.UnitOfWork.Clock.Now(), s.Zone); err == nil {
			s.CallbackSender.Send(ctx, url, m)
		}
	}
}
