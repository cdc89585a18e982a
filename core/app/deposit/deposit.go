// Package deposit holds the use cases of manual and E-IBAN deposits: a provider starts one (E3, E5), the customer is
// offered an account and says that it is paid, staff decide, or its time ends.
package deposit

import (
	"context"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/app"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/ports"
)

// Service is the use cases of deposits.
type Service struct {
	Desk     *app.Desk
	Payments ports.Payments
	Accounts ports.Accounts
	Answers  ports.Idempotency
	// Operations reads what gateways have of a deposit that is credited by hand.
	Operations ports.Operations
	// MostTimes is how many times the requested amount one person may credit by hand.
	MostTimes int
	ExpiresIn time.Duration  // from creation
	Zone      *time.Location // whose days the accounts' daily limits count

	Turns *app.Turns // of dealers' accounts, shared with whoever else offers them
}

// Start creates a deposit (E3, E5) and gives the endpoint's answer.
func (s *Service) Start(ctx context.Context, c app.Creation) (app.Answer, error) {
	c.ExpiresIn = s.ExpiresIn
	return s.Desk.Create(ctx, s.Answers, c)
}

// View is what the payment page shows.
type View struct {
	Payment core.Payment
	Now     time.Time
	// Low and High bound what the dealer's accounts take now; HasRange is false when none takes anything.
	Low, High money.Amount
	HasRange  bool
}

// View finds the deposit of a payment_url's token.
func (s *Service) View(ctx context.Context, token string) (View, error) {
	const op = "deposit.View"
	p, err := s.Payments.PaymentByToken(ctx, token)
	if err != nil {
		return View{}, fault.E(op, "", err)
	}
	v := View{Payment: p, Now: s.Desk.Clock.Now()}
	if p.Status != core.Showing {
		return v, nil
	}
	loads, err := s.loads(ctx, p, core.DayOf(v.Now, s.Zone))
	if err != nil {
		return View{}, fault.E(op, "", err)
	}
	v.Low, v.High, v.HasRange = core.OfferRange(loads)
	return v, nil
}

// State finds the deposit of a token without what only the amount form needs: for the page's polling.
func (s *Service) State(ctx context.Context, token string) (View, error) {
	p, err := s.Payments.PaymentByToken(ctx, token)
	return View{Payment: p, Now: s.Desk.Clock.Now()}, err
}

// Continue settles the amount that the customer wants to pay and offers an account for it. Faults: NoAccount, Expired,
// AlreadyFinal, NotAllowed.
func (s *Service) Continue(ctx context.Context, token string, amount money.Amount) (core.Payment, error) {
	const op = "deposit.Continue"
	first, err := s.Payments.PaymentByToken(ctx, token)
	if err != nil {
		return core.Payment{}, fault.E(op, "", err)
	}
	done, err := s.Turns.Take(ctx, first.DealerID)
	if err != nil {
		return core.Payment{}, fault.E(op, fault.Unavailable, err)
	}
	defer done()
	p, err := s.Desk.Move(ctx, s.byToken(token), customer(first), "",
		func(p core.Payment, d core.Decision) (core.Changeset, error) {
			day := core.DayOf(d.At, s.Zone)
			loads, err := s.loads(ctx, p, day)
			if err != nil {
				return core.Changeset{}, err
			}
			return core.DecideOffer(p, amount, loads, day, d)
		})
	if err != nil {
		return p, fault.E(op, "", err)
	}
	return p, nil
}

// ClaimPaid records that the customer says it is paid. Saying it again changes nothing.
func (s *Service) ClaimPaid(ctx context.Context, token string) (core.Payment, error) {
	return s.byCustomer(ctx, token, core.ClaimPaid, core.Processing)
}

// Cancel calls the deposit off for the customer. Canceling again changes nothing.
func (s *Service) Cancel(ctx context.Context, token string) (core.Payment, error) {
	return s.byCustomer(ctx, token, core.Cancel, core.Canceled)
}

func (s *Service) byCustomer(ctx context.Context, token string, c core.Command, wanted core.Status) (core.Payment, error) {
	p, err := s.Desk.Move(ctx, s.byToken(token), core.Actor{Kind: core.ByCustomer}, "",
		func(p core.Payment, d core.Decision) (core.Changeset, error) {
			if p.Status == wanted {
				return core.Changeset{}, nil
			}
			d.By = customer(p)
			return core.Decide(p, c, d)
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

// Approve credits a deposit by hand (core.DecideApproval). Faults: Changed, those of core.DecideApproval.
func (s *Service) Approve(ctx context.Context, m app.StaffMove, seen Seen) (core.Payment, error) {
	m.Permission, m.Kind, m.Action = core.DecideDeposits, core.Deposit, "approveDeposit"
	return s.Desk.MoveByStaff(ctx, s.Payments, m, func(p core.Payment, d core.Decision) (core.Changeset, error) {
		h, err := s.bounds(ctx, p)
		if err != nil {
			return core.Changeset{}, err
		}
		h.Amount, h.Expected = seen.Amount, seen.Expected
		return core.DecideApproval(p, h, d)
	})
}

// bounds is what bounds one person's word about a deposit.
func (s *Service) bounds(ctx context.Context, p core.Payment) (core.HandCredit, error) {
	h := core.HandCredit{MostTimes: s.MostTimes}
	dealer, err := s.Desk.Directory.Dealer(ctx, p.DealerID)
	if err != nil {
		return h, err
	}
	h.DealerCap = dealer.HandCreditMax
	if p.Account.AccountID != 0 {
		loads, err := s.loads(ctx, p, p.Account.Day)
		if err != nil {
			return h, err
		}
		h.AccountMax = core.HandMax(loads, p.Account)
	}
	if p.AtGate.GatewayID != 0 {
		h.Operations, err = s.Operations.OperationsOf(ctx, p.ID)
	}
	return h, err
}

// Reject refuses a deposit with a reason: it becomes canceled (decisions: States).
func (s *Service) Reject(ctx context.Context, m app.StaffMove) (core.Payment, error) {
	m.Permission, m.Kind, m.Action = core.DecideDeposits, core.Deposit, "rejectDeposit"
	return s.Desk.MoveByStaff(ctx, s.Payments, m, func(p core.Payment, d core.Decision) (core.Changeset, error) {
		return core.Decide(p, core.Reject, d)
	})
}

func (s *Service) byToken(token string) app.Load {
	return func(ctx context.Context) (core.Payment, error) { return s.Payments.PaymentByToken(ctx, token) }
}

func (s *Service) loads(ctx context.Context, p core.Payment, day core.Day) ([]core.AccountLoad, error) {
	return s.Accounts.AccountLoads(ctx, p.DealerID, p.Method.Accounts(), day)
}

func customer(p core.Payment) core.Actor {
	return core.Actor{Kind: core.ByCustomer, ID: p.Customer.UserID, Name: p.Customer.Username}
}
