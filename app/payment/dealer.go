package payment

import (
	"context"
	"time"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/ports"
)

// DealerPayments are the use cases of the dealer API that are a dealer's own: offering an account for a customer's deposit
// (D2), taking a withdrawal to be paid by its staff (D3), starting a card payment (D8).
type DealerPayments struct {
	UnitOfWork    *app.UnitOfWork
	Owners        ports.Owners
	DealerLocks   *app.KeyedLock
	ExpiryDeposit time.Duration
	ExpiryCard    time.Duration
	Zone          *time.Location // whose days the accounts' daily limits count
}

// Offer creates a manual deposit and shows the account to pay to (D2). Faults: MethodDisabled, NoAccount.
func (s *DealerPayments) Offer(ctx context.Context, c app.Creation, by core.Actor) (app.Answer, error) {
	const op = "dealer.Offer"
	if !c.Dealer.IsManualIBANEnabled {
		return s.UnitOfWork.Refused(ctx, c, fault.New(op, fault.MethodDisabled))
	}
	done, err := s.DealerLocks.Lock(ctx, c.Dealer.ID)
	if err != nil {
		return app.Answer{}, fault.E(op, fault.Unavailable, err)
	}
	defer done()
	c.ExpiresIn = s.ExpiryDeposit
	c.Decide = func(request payment.Request, b payment.CreateParams) (core.Changeset, error) {
		day := core.DayOf(b.At, s.Zone)
		loads, err := s.Owners.AccountLoads(ctx, c.Dealer.ID, owner.ManualAccount, day)
		if err != nil {
			return core.Changeset{}, err
		}
		return payment.DecideDealerOffer(request, b, loads, day, payment.Decision{By: by, At: b.At, IDs: b.IDs, Schedule: s.UnitOfWork.Schedule})
	}
	var answer app.Answer
	err = s.UnitOfWork.Again(ctx, func() (err error) {
		answer, err = s.UnitOfWork.Create(ctx, c)
		return err
	})
	if fault.Is(err, fault.NoAccount) {
		return s.UnitOfWork.Refused(ctx, c, err)
	}
	return answer, err
}

// Withdraw creates a withdrawal that the dealer's staff pay (D3). Fault: MethodDisabled.
func (s *DealerPayments) Withdraw(ctx context.Context, c app.Creation) (app.Answer, error) {
	if !c.Dealer.IsManualIBANEnabled {
		return s.UnitOfWork.Refused(ctx, c, fault.New("dealer.Withdraw", fault.MethodDisabled))
	}
	return s.UnitOfWork.Create(ctx, c)
}

// StartCard creates a card payment (D8). Fault: CardsDisabled.
func (s *DealerPayments) StartCard(ctx context.Context, c app.Creation) (app.Answer, error) {
	if !c.Dealer.IsCreditCardEnabled {
		return s.UnitOfWork.Refused(ctx, c, fault.New("dealer.StartCard", fault.CardsDisabled))
	}
	c.ExpiresIn = s.ExpiryCard
	return s.UnitOfWork.Create(ctx, c)
}
