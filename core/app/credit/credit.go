// Package credit puts wrong credits right, and checks all of them against the money behind them.
package credit

import (
	"context"
	"log/slog"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/app"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/ports"
)

// Times and sizes of checking.
const (
	checkEvery  = time.Hour
	checkFirst  = time.Minute // after the start
	maxBreaches = 100         // of each kind, that are told
)

// Service is the use cases of credits.
type Service struct {
	Desk     *app.Desk
	Payments ports.Payments
	Credits  ports.Credits
	// Operations reads what the operation behind a credit has brought and given back.
	Operations ports.Operations
	Log        *slog.Logger
	// Checked is told what each check has shown; nil: nobody is.
	Checked func(core.CreditCheck)
}

// Correction is what a staff member says is right about a payment's credit.
type Correction struct {
	Amount   money.Amount // what it is credited with from now on; zero: nothing
	Expected money.Amount // its amount when they looked
}

// Correct puts a wrong credit right by an entry of its own (core.DecideCorrection). A second person approves it always.
func (s *Service) Correct(ctx context.Context, m app.StaffMove, c Correction) (core.Payment, error) {
	m.Permission, m.Action = core.ResolveDiscrepancies, "correctCredit"
	return s.Desk.MoveByStaff(ctx, s.Payments, m, func(p core.Payment, d core.Decision) (core.Changeset, error) {
		credits, err := s.Credits.CreditsOf(ctx, p.ID)
		if err != nil {
			return core.Changeset{}, err
		}
		correction := core.CreditCorrection{Amount: c.Amount, Expected: c.Expected, Credits: credits}
		if len(credits) > 0 && credits[0].OperationID != "" {
			if correction.Operations, err = s.Operations.OperationsOf(ctx, p.ID); err != nil {
				return core.Changeset{}, err
			}
		}
		return core.DecideCorrection(p, correction, d)
	})
}

// Run checks all credits every hour until ctx ends.
func (s *Service) Run(ctx context.Context) {
	next := time.NewTimer(checkFirst)
	defer next.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-next.C:
		}
		if _, err := s.Check(ctx); err != nil && ctx.Err() == nil {
			s.Log.Error("checking credits; they are checked again in an hour", "error", err)
		}
		next.Reset(checkEvery)
	}
}

// Check adds up all credits beside the money behind them, and logs what must never be.
func (s *Service) Check(ctx context.Context) (core.CreditCheck, error) {
	check, err := s.Credits.CheckCredits(ctx, maxBreaches)
	if err != nil {
		return check, err
	}
	for _, b := range check.Breaches {
		s.Log.Error("A CREDIT DOES NOT AGREE WITH THE MONEY BEHIND IT", "tracking_code", b.TrackingCode, "breach", string(b.Kind))
	}
	if s.Checked != nil {
		s.Checked(check)
	}
	return check, nil
}
