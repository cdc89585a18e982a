package payment

import (
	"cmp"
	"context"
	"time"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/note"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/ports"
)

// Withdrawals are the use cases of manual and E-IBAN withdrawals: a provider starts one (E4, E6), the assigned dealer's
// staff decide.
type Withdrawals struct {
	UnitOfWork *app.UnitOfWork
	ClaimFor   time.Duration // how long a claim lasts
	Notes      ports.Notes
}

// Start creates a withdrawal (E4, E6) and returns the endpoint's answer.
func (s *Withdrawals) Start(ctx context.Context, c app.Creation) (app.Answer, error) {
	return s.UnitOfWork.Create(ctx, c)
}

// Claim returns a withdrawal to the staff member for a while, so that nobody else pays it; claiming it again lengthens that.
// takeOver is for a claim of somebody else that has lapsed, with what was found as the reason. Faults: Claimed,
// ClaimLapsed, AlreadyFinal, WrongMethod.
func (s *Withdrawals) Claim(ctx context.Context, m app.StaffMove, takeOver bool) (payment.Payment, error) {
	return s.move(ctx, m, "claimWithdrawal", func(p payment.Payment, d payment.Decision) (core.Changeset, error) {
		return payment.DecideClaim(p, m.Staff.ID, d.At.Add(s.ClaimFor), takeOver, d)
	})
}

// Release returns a claimed withdrawal back: who claimed it has not paid it. Fault: NotClaimed.
func (s *Withdrawals) Release(ctx context.Context, m app.StaffMove) (payment.Payment, error) {
	return s.move(ctx, m, "releaseWithdrawal", func(p payment.Payment, d payment.Decision) (core.Changeset, error) {
		return payment.DecideRelease(p, m.Staff.ID, d)
	})
}

// maxBankReference bounds under which name a bank has a payment.
const maxBankReference = 64

// Complete says that the money was sent, and, where that is known, under which name the bank has it: a note that the payment's
// provider sees, too. Faults: NotClaimed, Invalid.
func (s *Withdrawals) Complete(ctx context.Context, m app.StaffMove, reference string) (payment.Payment, error) {
	if reference == "" {
		return s.decide(ctx, m, payment.Complete)
	}
	var form core.Form
	reference = form.Text("bankReference", core.Input{Kind: core.TextInput, Text: reference}, maxBankReference)
	if err := form.Err("withdrawal.Complete"); err != nil {
		return payment.Payment{}, err
	}
	return s.move(ctx, m, "completeWithdrawal", func(p payment.Payment, d payment.Decision) (core.Changeset, error) {
		change, err := payment.DecideWithdrawalEnd(p, payment.Complete, m.Staff.ID, d)
		if err != nil {
			return change, err
		}
		have, err := s.Notes.NotesOf(ctx, p.ID)
		if err != nil {
			return change, err
		}
		said, _, err := note.Decide(p, len(have), note.New{
			Kind: note.BankReference, Audience: note.ForAll, Text: reference,
		}, m.Scope(), d)
		return change.Merge(said), err
	})
}

// Reject refuses the withdrawal.
func (s *Withdrawals) Reject(ctx context.Context, m app.StaffMove) (payment.Payment, error) {
	return s.decide(ctx, m, payment.Reject)
}

// Fail says that sending the money failed. Fault: NotClaimed.
func (s *Withdrawals) Fail(ctx context.Context, m app.StaffMove) (payment.Payment, error) {
	return s.decide(ctx, m, payment.Fail)
}

// Cancel calls off a withdrawal that nobody has taken.
func (s *Withdrawals) Cancel(ctx context.Context, m app.StaffMove) (payment.Payment, error) {
	return s.decide(ctx, m, payment.Cancel)
}

func (s *Withdrawals) decide(ctx context.Context, m app.StaffMove, c payment.Command) (payment.Payment, error) {
	return s.move(ctx, m, string(c)+"Withdrawal", func(p payment.Payment, d payment.Decision) (core.Changeset, error) {
		return payment.DecideWithdrawalEnd(p, c, m.Staff.ID, d)
	})
}

func (s *Withdrawals) move(ctx context.Context, m app.StaffMove, action string, decide app.Decide) (payment.Payment, error) {
	m.Permission, m.Kind, m.Action = staff.DecideWithdrawal, payment.Withdrawal, action
	return s.UnitOfWork.MoveByStaff(ctx, m, decide)
}

// Loads returns the load of each dealer's desk that the staff member may see.
func (s *Withdrawals) Loads(ctx context.Context, by staff.Staff) ([]payment.DeskLoad, error) {
	if err := by.Require(staff.ReadTransactions); err != nil {
		return nil, err
	}
	return s.UnitOfWork.Payments.DeskLoads(ctx, by.Scope(), s.UnitOfWork.Clock.Now())
}

// Queue returns the withdrawals on the desk that the staff member may see, oldest first.
func (s *Withdrawals) Queue(ctx context.Context, by staff.Staff, q payment.DeskQuery) ([]payment.Payment, error) {
	if err := by.Require(staff.ReadTransactions); err != nil {
		return nil, err
	}
	scope := by.Scope()
	if scope.DealerID != 0 && q.DealerID != 0 && q.DealerID != scope.DealerID {
		return nil, nil
	}
	q.Scope = core.Scope{DealerID: cmp.Or(scope.DealerID, q.DealerID), ProviderID: scope.ProviderID}
	q.Now, q.StaffID = s.UnitOfWork.Clock.Now(), by.ID
	return s.UnitOfWork.Payments.DeskWithdrawals(ctx, q)
}

// PayoutsToDecide returns the payouts that the staff member may see and that wait for staff, oldest first.
func (s *Withdrawals) PayoutsToDecide(ctx context.Context, by staff.Staff, q payment.PayoutQuery) ([]payment.Payment, error) {
	if err := by.Require(staff.ReadTransactions); err != nil {
		return nil, err
	}
	q.Scope = by.Scope()
	return s.UnitOfWork.Payments.PayoutsToDecide(ctx, q)
}
