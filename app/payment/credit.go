package payment

import (
	"context"
	"log/slog"
	"slices"
	"time"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/core/wallet"
	"github.com/vezne/vezne/ports"
)

// Times and sizes of checking.
const (
	checkEvery  = time.Hour
	checkFirst  = time.Minute     // after the start
	checkAgain  = 5 * time.Minute // after a check that failed
	maxBreaches = 100             // of each kind, that are told
)

// Credits puts wrong credits right, and checks all of them against the money behind them.
type Credits struct {
	UnitOfWork *app.UnitOfWork
	Operations ports.Operations
	Statements ports.Statements
	Log        *slog.Logger
	// Checked is told what each check has shown; nil: nobody is.
	Checked func(payment.CreditCheck)
}

// Correction is what a staff member says is right about a payment's credit.
type Correction struct {
	Amount   money.Amount // what it is credited with from now on; zero: nothing
	Expected money.Amount // its amount when they looked
}

// Correct puts a wrong credit right by an entry of its own (core.DecideCorrection). A second person approves it always.
func (s *Credits) Correct(ctx context.Context, m app.StaffMove, c Correction) (payment.Payment, error) {
	m.Permission, m.Action = staff.ResolveDiscrepancies, "correctCredit"
	return s.UnitOfWork.MoveByStaff(ctx, m, func(p payment.Payment, d payment.Decision) (core.Changeset, error) {
		correction, err := s.behind(ctx, p)
		if err != nil {
			return core.Changeset{}, err
		}
		correction.Amount, correction.Expected = c.Amount, c.Expected
		return wallet.DecideCorrection(p, correction, d)
	})
}

// behind reads the payment's credits and the money behind the first, with what is known of its going away again.
func (s *Credits) behind(ctx context.Context, p payment.Payment) (c wallet.CreditCorrection, err error) {
	if c.Credits, err = s.UnitOfWork.Payments.CreditsOf(ctx, p.Key()); err != nil || len(c.Credits) == 0 {
		return c, err
	}
	if c.Discrepancies, err = s.Operations.DiscrepanciesOf(ctx, p.Key()); err != nil {
		return c, err
	}
	first := c.Credits[0]
	if first.OperationID != "" {
		c.Operations, err = s.Operations.OperationsOf(ctx, p.ID)
	}
	if first.LineID == "" || err != nil {
		return c, err
	}
	if c.Line, err = s.Statements.BankLine(ctx, first.WalletID, first.LineID); err != nil {
		return c, err
	}
	stored, err := s.Statements.Reversals(ctx, first.WalletID, []string{first.LineID})
	c.TakenBackBy = slices.DeleteFunc(stored, func(l wallet.BankLine) bool { return !l.TakesBack(c.Line) })
	return c, err
}

// Run checks all credits every hour until ctx ends, and sooner after a check that failed.
func (s *Credits) Run(ctx context.Context) {
	next := time.NewTimer(checkFirst)
	defer next.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-next.C:
		}
		pause := checkEvery
		if _, err := s.Check(ctx); err != nil && ctx.Err() == nil {
			pause = checkAgain
			s.Log.Error("checking credits; they are checked again soon", "after", pause, "error", err)
		}
		next.Reset(pause)
	}
}

// Check adds up all credits beside the money behind them, and logs what must never be.
func (s *Credits) Check(ctx context.Context) (payment.CreditCheck, error) {
	check, err := s.UnitOfWork.Payments.CheckCredits(ctx, maxBreaches)
	if err != nil {
		return check, err
	}
	for _, b := range check.Breaches {
		if b.Kind == payment.LedgerDiffers {
			s.Log.Error("A WALLET'S BALANCE DOES NOT AGREE WITH ITS LEDGER", "wallet", b.TrackingCode, "breach", string(b.Kind))
			continue
		}
		s.Log.Error("A CREDIT DOES NOT AGREE WITH THE MONEY BEHIND IT", "tracking_code", b.TrackingCode, "breach", string(b.Kind))
	}
	if s.Checked != nil {
		s.Checked(check)
	}
	return check, nil
}
