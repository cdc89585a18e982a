// Package withdrawal holds the use cases of manual and E-IBAN withdrawals: a provider starts one (E4, E6), the
// assigned dealer's staff decide.
package withdrawal

import (
	"context"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/app"
	"github.com/vezne/vezne/ports"
)

// Service is the use cases of withdrawals.
type Service struct {
	Desk     *app.Desk
	Payments ports.Payments
	Answers  ports.Idempotency
}

// Start creates a withdrawal (E4, E6) and gives the endpoint's answer.
func (s *Service) Start(ctx context.Context, c app.Creation) (app.Answer, error) {
	return s.Desk.Create(ctx, s.Answers, c)
}

// Complete says that the money was sent.
func (s *Service) Complete(ctx context.Context, m app.StaffMove) (core.Payment, error) {
	return s.decide(ctx, m, core.Complete)
}

// Reject refuses the withdrawal.
func (s *Service) Reject(ctx context.Context, m app.StaffMove) (core.Payment, error) {
	return s.decide(ctx, m, core.Reject)
}

// Fail says that sending the money failed.
func (s *Service) Fail(ctx context.Context, m app.StaffMove) (core.Payment, error) {
	return s.decide(ctx, m, core.Fail)
}

// Cancel calls off a withdrawal that nobody has taken.
func (s *Service) Cancel(ctx context.Context, m app.StaffMove) (core.Payment, error) {
	return s.decide(ctx, m, core.Cancel)
}

func (s *Service) decide(ctx context.Context, m app.StaffMove, c core.Command) (core.Payment, error) {
	m.Permission, m.Kind, m.Action = core.DecideWithdrawal, core.Withdrawal, string(c)+"Withdrawal"
	return s.Desk.MoveByStaff(ctx, s.Payments, m, func(p core.Payment, d core.Decision) (core.Changeset, error) {
		return core.Decide(p, c, d)
	})
}
