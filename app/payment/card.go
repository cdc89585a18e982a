package payment

import (
	"context"
	"time"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
)

// Cards are the use cases of card payments that need no gateway: a provider starts one (E7) and asks for its status (E8).
// Paying, expiry and refunds are operations at gateways.
type Cards struct {
	UnitOfWork *app.UnitOfWork
	ExpiresIn  time.Duration // from creation (E7: 15 minutes)
}

// Start creates a card payment (E7). Faults: CardsDisabled (for the provider, or its site's dealer), Blocked.
func (s *Cards) Start(ctx context.Context, c app.Creation) (app.Answer, error) {
	const op = "card.Start"
	dealer, err := s.UnitOfWork.Directory.Dealer(ctx, c.Site.DealerID)
	if err != nil {
		return app.Answer{}, fault.E(op, "", err)
	}
	if !c.Provider.IsCreditCardEnabled || !dealer.IsCreditCardEnabled {
		return s.UnitOfWork.Refused(ctx, c, fault.New(op, fault.CardsDisabled))
	}
	c.ExpiresIn = s.ExpiresIn
	return s.UnitOfWork.Create(ctx, c)
}

// Status finds a provider's card payment (E8). Fault: NotFound.
func (s *Cards) Status(ctx context.Context, provider owner.Provider, trackingCode string) (payment.Payment, error) {
	const op = "card.Status"
	p, err := s.UnitOfWork.Payments.PaymentByTrackingCode(ctx, trackingCode)
	if err != nil {
		return payment.Payment{}, fault.E(op, "", err)
	}
	if p.ProviderID != provider.ID || p.Method != payment.CreditCard {
		return payment.Payment{}, fault.New(op, fault.NotFound)
	}
	return p, nil
}
