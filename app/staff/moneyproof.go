package staff

import (
	"context"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/decision"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/ports"
)

// MoneyProof wants a fresh proof from staff who move more than an amount. It judges what is committed, so that it does not
// matter what was asked for.
type MoneyProof struct {
	Next  app.StaffCommitter
	Staff ports.Staff
	Clock ports.Clock
	Above money.Amount
}

var _ app.StaffCommitter = (*MoneyProof)(nil)

// CommitFor implements app.StaffCommitter. Fault beyond those of Next: StepUpRequired.
func (m *MoneyProof) CommitFor(ctx context.Context, by app.Request, change core.Changeset) error {
	if decision.NeedsProof(change, m.Above) {
		if err := checkProven(ctx, m.Staff, m.Clock, by); err != nil {
			return fault.E("access.MoneyProof.CommitFor", "", err)
		}
	}
	return m.Next.CommitFor(ctx, by, change)
}

// CheckProven is a StepUpRequired fault unless the session has lately proven whose it is: with a second factor where the member
// has one, else with the password. A session of before a factor was set up proves nothing more.
func (s *Service) CheckProven(ctx context.Context, by app.Request) error {
	return checkProven(ctx, s.Store, s.UnitOfWork.Clock, by)
}

func checkProven(ctx context.Context, members ports.Staff, clock ports.Clock, by app.Request) error {
	const op = "access.checkProven"
	if !by.Session.IsProven(clock.Now()) {
		return fault.New(op, fault.StepUpRequired)
	}
	if by.Session.HasSecondFactor {
		return nil
	}
	factors, passkeys, err := factorsOf(ctx, members, by.Staff.ID)
	if err == nil && len(factors.Kinds(len(passkeys))) > 0 {
		err = fault.New(op, fault.StepUpRequired)
	}
	return fault.E(op, "", err)
}

func factorsOf(ctx context.Context, members ports.Staff, staffID int64) (staff.Factors, []staff.Passkey, error) {
	factors, err := members.FactorsOf(ctx, staffID)
	if err != nil {
		return staff.Factors{}, nil, err
	}
	passkeys, err := members.PasskeysOf(ctx, staffID)
	return factors, passkeys, err
}
