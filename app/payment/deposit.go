package payment

import (
	"context"
	"time"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/ports"
)

// Deposits are the use cases of manual and E-IBAN deposits: a provider starts one (E3, E5), the customer is offered an
// account and says that it is paid, staff decide, or its time ends.
type Deposits struct {
	UnitOfWork *app.UnitOfWork
	Owners     ports.Owners
	// Operations reads what gateways have of a deposit that is credited by hand.
	Operations ports.Operations
	// MostTimes is how many times the requested amount one person may credit by hand.
	MostTimes int
	ExpiresIn time.Duration  // from creation
	Zone      *time.Location // whose days the accounts' daily limits count

	DealerLocks *app.KeyedLock // of dealers' accounts, shared with whoever else offers them
}

// Start creates a deposit (E3, E5) and returns the endpoint's answer.
func (s *Deposits) Start(ctx context.Context, c app.Creation) (app.Answer, error) {
	c.ExpiresIn = s.ExpiresIn
	return s.UnitOfWork.Create(ctx, c)
}

// View is what the payment page shows.
type View struct {
	Payment payment.Payment
	Now     time.Time
	// Low and High bound what the dealer's accounts take now; HasRange is false when none takes anything.
	Low, High money.Amount
	HasRange  bool
}

// View finds the deposit of a payment_url's token.
func (s *Deposits) View(ctx context.Context, token string) (View, error) {
	const op = "deposit.View"
	p, err := s.UnitOfWork.Payments.PaymentByToken(ctx, token)
	if err != nil {
		return View{}, fault.E(op, "", err)
	}
	v := View{Payment: p, Now: s.UnitOfWork.Clock.Now()}
	if p.Status != payment.Showing {
		return v, nil
	}
	loads, err := s.loads(ctx, p, core.DayOf(v.Now, s.Zone))
	if err != nil {
		return View{}, fault.E(op, "", err)
	}
	v.Low, v.High, v.HasRange = owner.OfferRange(loads)
	return v, nil
}

// State finds the deposit of a token without what only the amount form needs: for the page's polling.
func (s *Deposits) State(ctx context.Context, token string) (View, error) {
	p, err := s.UnitOfWork.Payments.PaymentByToken(ctx, token)
	return View{Payment: p, Now: s.UnitOfWork.Clock.Now()}, err
}

// Continue settles the amount that the customer wants to pay and offers an account for it; seen is the deposit as its page had it. Faults:
// NoAccount, Expired, AlreadyFinal, NotAllowed.
func (s *Deposits) Continue(ctx context.Context, seen payment.Payment, amount money.Amount) (payment.Payment, error) {
	const op = "deposit.Continue"
	done, err := s.DealerLocks.Lock(ctx, seen.DealerID)
	if err != nil {
		return payment.Payment{}, fault.E(op, fault.Unavailable, err)
	}
	defer done()
	p, err := s.UnitOfWork.MoveSeen(ctx, seen, s.byToken(seen.Token), app.By(customer),
		func(p payment.Payment, d payment.Decision) (core.Changeset, error) {
			day := core.DayOf(d.At, s.Zone)
			loads, err := s.loads(ctx, p, day)
			if err != nil {
				return core.Changeset{}, err
			}
			return payment.DecideOffer(p, amount, loads, day, d)
		})
	if err != nil {
		return p, fault.E(op, "", err)
	}
	return p, nil
}

// ClaimPaid records that the customer says it is paid. Saying it again changes nothing.
func (s *Deposits) ClaimPaid(ctx context.Context, seen payment.Payment) (payment.Payment, error) {
	return s.byCustomer(ctx, seen, payment.ClaimPaid, payment.Processing)
}

// Cancel calls the deposit off for the customer. Canceling again changes nothing.
func (s *Deposits) Cancel(ctx context.Context, seen payment.Payment) (payment.Payment, error) {
	return s.byCustomer(ctx, seen, payment.Cancel, payment.Canceled)
}

func (s *Deposits) byCustomer(ctx context.Context, seen payment.Payment, c payment.Command, wanted payment.Status) (payment.Payment, error) {
	p, err := s.UnitOfWork.MoveSeen(ctx, seen, s.byToken(seen.Token), app.By(customer),
		func(p payment.Payment, d payment.Decision) (core.Changeset, error) {
			if p.Status == wanted {
				return core.Changeset{}, nil
			}
			d.By = customer
			return payment.Decide(p, c, d)
		})
	if err != nil {
		return p, fault.E("deposit."+string(c), "", err)
	}
	return p, nil
}

// Seen is what a staff member saw who credits a deposit by hand.
type Seen struct {
	Amount   money.Amount // that arrived; zero: the expected one
	Expected money.Amount // the deposit's amount when they looked
}

// Approve credits a deposit by hand. Faults: those of payment.DecideHandCredit.
func (s *Deposits) Approve(ctx context.Context, m app.StaffMove, seen Seen) (payment.Payment, error) {
	m.Permission, m.Kind, m.Action = staff.DecideDeposits, payment.Deposit, "approveDeposit"
	return s.UnitOfWork.MoveByStaff(ctx, m, func(p payment.Payment, d payment.Decision) (core.Changeset, error) {
		h, operations, err := s.bounds(ctx, p)
		if err != nil {
			return core.Changeset{}, err
		}
		h.Amount, h.Expected = seen.Amount, seen.Expected
		return operation.DecideApproval(p, h, operations, d)
	})
}

// bounds returns what bounds one person's word about a deposit, and the deposit's operations at gateways.
func (s *Deposits) bounds(ctx context.Context, p payment.Payment) (h payment.HandCredit, operations []operation.Operation, err error) {
	h.MostTimes = s.MostTimes
	dealer, err := s.UnitOfWork.Directory.Dealer(ctx, p.DealerID)
	if err != nil {
		return h, nil, err
	}
	h.DealerCap = dealer.HandCreditMax
	if p.Account.AccountID != 0 {
		loads, err := s.loads(ctx, p, p.Account.Day)
		if err != nil {
			return h, nil, err
		}
		h.AccountMax, h.DayVersion = owner.HandMax(loads, p.Account)
	}
	if p.Gateway.GatewayID != 0 {
		operations, err = s.Operations.OperationsOf(ctx, p.ID)
	}
	return h, operations, err
}

// Reject refuses a deposit with a reason: it becomes canceled (decisions: States).
func (s *Deposits) Reject(ctx context.Context, m app.StaffMove) (payment.Payment, error) {
	m.Permission, m.Kind, m.Action = staff.DecideDeposits, payment.Deposit, "rejectDeposit"
	return s.UnitOfWork.MoveByStaff(ctx, m, func(p payment.Payment, d payment.Decision) (core.Changeset, error) {
		return payment.Decide(p, payment.Reject, d)
	})
}

func (s *Deposits) byToken(token string) app.Load {
	return func(ctx context.Context) (payment.Payment, error) {
		return s.UnitOfWork.Payments.PaymentByToken(ctx, token)
	}
}

func (s *Deposits) loads(ctx context.Context, p payment.Payment, day core.Day) ([]owner.DailyUsage, error) {
	return s.Owners.AccountLoads(ctx, p.DealerID, p.Method.Accounts(), day)
}

// customer is who acts on the payment page. The payment says who that is: histories only grow, and a customer may be forgotten.
var customer = core.Actor{Kind: core.ByCustomer}
