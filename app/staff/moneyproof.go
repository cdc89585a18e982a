package staff

import (
	"context"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/ports"
)

// MoneyProof is a Committer that wants a fresh proof from staff who move more than an amount. It judges what is committed,
// so that it does not matter what was asked for.
type MoneyProof struct {
	Next  ports.Committer
	Above money.Amount
}

var _ ports.Committer = (*MoneyProof)(nil)

// Commit implements ports.Committer. Fault beyond its own: StepUpRequired.
func (m *MoneyProof) Commit(ctx context.Context, change core.Changeset) error {
	if prove, ok := ctx.Value(proofKey{}).(func(context.Context) error); ok && operation.NeedsProof(change, m.Above) {
		if err := prove(ctx); err != nil {
			return fault.E("access.MoneyProof.Commit", "", err)
		}
	}
	return m.Next.Commit(ctx, change)
}

type proofKey struct{}

// Moving says that what is committed within is what the visitor asked for, who must prove themself to move much money.
func (s *StaffDesk) Moving(ctx context.Context, v Visit) context.Context {
	return context.WithValue(ctx, proofKey{}, func(ctx context.Context) error { return s.CheckFactor(ctx, v) })
}

// CheckFactor is a StepUpRequired fault for a member with a second factor, unless the session has lately proven with one whose
// it is. A member without any is not asked.
func (s *StaffDesk) CheckFactor(ctx context.Context, v Visit) error {
	const op = "access.CheckFactor"
	if v.Session.HasFactor && v.Session.IsProven(s.Desk.Clock.Now()) {
		return nil
	}
	factors, passkeys, err := s.factorsOf(ctx, v.Staff.ID)
	if err == nil && len(factors.Kinds(len(passkeys))) > 0 {
		err = fault.New(op, fault.StepUpRequired)
	}
	return fault.E(op, "", err)
}
