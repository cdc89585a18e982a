package command

import (
	"context"
	"strings"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/app/once"
	payments "github.com/vezne/vezne/app/payment"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/staff"
)

// Decision is asked about the payment with a tracking code.
type Decision struct {
	TrackingCode string
	// ExpectedVersion is the payment's version as the staff member sees it; nil: whatever it is.
	ExpectedVersion *int `json:",omitempty"`
	Said
}

// ApproveDepositInput credits a deposit by hand.
type ApproveDepositInput struct {
	Decision
	ExpectedAmount money.Amount  // as the staff member sees it
	Amount         *money.Amount // that arrived; nil: the expected one
}

// CorrectCreditInput puts a wrong credit right.
type CorrectCreditInput struct {
	Decision
	Amount         money.Amount // what it is to count for
	ExpectedAmount money.Amount // as the staff member sees it
}

// ClaimWithdrawalInput claims a withdrawal to be paid.
type ClaimWithdrawalInput struct {
	Decision
	TakeOver bool // a claim of somebody else that has lapsed
}

// CompleteWithdrawalInput says that a withdrawal was paid.
type CompleteWithdrawalInput struct {
	Decision
	BankReference *string `json:",omitempty"` // under which the bank has it; nil: it is not said
}

// AddNoteInput writes something about a payment.
type AddNoteInput struct {
	TrackingCode string
	Text         string
	Audience     *payment.NoteAudience // nil: the payment's dealer, of a provider's staff all
	Said
}

// PaymentCode is the tracking code of what is written about.
func (in AddNoteInput) PaymentCode() string { return in.TrackingCode }

type paymentCommands struct {
	AddNote            Command[AddNoteInput, payment.Payment]
	ApproveDeposit     Command[ApproveDepositInput, payment.Payment]
	CorrectCredit      Command[CorrectCreditInput, payment.Payment]
	RejectDeposit      Command[Decision, payment.Payment]
	ClaimWithdrawal    Command[ClaimWithdrawalInput, payment.Payment]
	ReleaseWithdrawal  Command[Decision, payment.Payment]
	CompleteWithdrawal Command[CompleteWithdrawalInput, payment.Payment]
	RejectWithdrawal   Command[Decision, payment.Payment]
	FailWithdrawal     Command[Decision, payment.Payment]
	CancelWithdrawal   Command[Decision, payment.Payment]
}

func newPayment(s Services) paymentCommands {
	return paymentCommands{
		ApproveDeposit: onPayment(s, "approveDeposit", staff.DecideDeposits,
			func(ctx context.Context, move app.StaffMove, in ApproveDepositInput) (payment.Payment, error) {
				arrived, err := atLeast(in.Amount, core.MinAmount(money.TRY))
				if err != nil {
					return payment.Payment{}, err
				}
				return s.Deposits.Approve(ctx, move, payments.Seen{Amount: arrived, Expected: in.ExpectedAmount})
			}),
		CorrectCredit: onPayment(s, "correctCredit", staff.ResolveDiscrepancies,
			func(ctx context.Context, move app.StaffMove, in CorrectCreditInput) (payment.Payment, error) {
				return s.Credits.Correct(ctx, move, payments.Correction{Amount: in.Amount, Expected: in.ExpectedAmount})
			}),
		RejectDeposit: decided(s, "rejectDeposit", staff.DecideDeposits, s.Deposits.Reject),
		ClaimWithdrawal: onPayment(s, "claimWithdrawal", staff.DecideWithdrawal,
			func(ctx context.Context, move app.StaffMove, in ClaimWithdrawalInput) (payment.Payment, error) {
				return s.Withdrawals.Claim(ctx, move, in.TakeOver)
			}),
		ReleaseWithdrawal: decided(s, "releaseWithdrawal", staff.DecideWithdrawal, s.Withdrawals.Release),
		CompleteWithdrawal: onPayment(s, "completeWithdrawal", staff.DecideWithdrawal,
			func(ctx context.Context, move app.StaffMove, in CompleteWithdrawalInput) (payment.Payment, error) {
				reference := ""
				if in.BankReference != nil {
					reference = strings.TrimSpace(*in.BankReference)
				}
				return s.Withdrawals.Complete(ctx, move, reference)
			}),
		AddNote: onPayment(s, "addNote", staff.WriteNotes,
			func(ctx context.Context, move app.StaffMove, in AddNoteInput) (payment.Payment, error) {
				n := payment.NewNote{Kind: payment.TextNote, Text: in.Text}
				if in.Audience != nil {
					n.Audience = *in.Audience
				}
				p, _, err := s.Notes.Add(ctx, move, n)
				return p, err
			}),
		RejectWithdrawal: decided(s, "rejectWithdrawal", staff.DecideWithdrawal, s.Withdrawals.Reject),
		FailWithdrawal:   decided(s, "failWithdrawal", staff.DecideWithdrawal, s.Withdrawals.Fail),
		CancelWithdrawal: decided(s, "cancelWithdrawal", staff.DecideWithdrawal, s.Withdrawals.Cancel),
	}
}

// PaymentCode is the tracking code of what is decided about.
func (d Decision) PaymentCode() string { return d.TrackingCode }

func (d Decision) expected() *int { return d.ExpectedVersion }

// onPayment returns a command about one payment.
func onPayment[I interface{ PaymentCode() string }](
	s Services, name string, permission staff.Permission,
	do func(context.Context, app.StaffMove, I) (payment.Payment, error),
) Command[I, payment.Payment] {
	return Command[I, payment.Payment]{
		Name: name, Permission: permission,
		Do: func(ctx context.Context, by app.Request, in I) (payment.Payment, error) {
			return do(ctx, app.StaffMove{Request: by, TrackingCode: in.PaymentCode()}, in)
		},
		Again: func(ctx context.Context, by app.Request, in I, _ once.Answer) (payment.Payment, error) {
			return s.Backoffice.Transaction(ctx, by.Staff, in.PaymentCode())
		},
	}
}

// decided is a decision that takes nothing but the payment and a reason.
func decided(
	s Services, name string, permission staff.Permission, do func(context.Context, app.StaffMove) (payment.Payment, error),
) Command[Decision, payment.Payment] {
	return onPayment(s, name, permission, func(ctx context.Context, move app.StaffMove, _ Decision) (payment.Payment, error) {
		return do(ctx, move)
	})
}

// atLeast reads an amount that may be absent, which is zero. Fault: Invalid.
func atLeast(amount *money.Amount, low money.Amount) (money.Amount, error) {
	if amount == nil {
		return money.Amount{}, nil
	}
	var form core.Form
	if amount.Less(low) {
		form.Fail("amount", "field.min", low.String())
	}
	return *amount, form.Err("command.atLeast")
}
