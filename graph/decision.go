package graph

import (
	"context"
	"strings"

	"github.com/vezne/vezne/app"
	payments "github.com/vezne/vezne/app/payment"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/graph/generated"
)

func (m mutationResolver) ApproveDeposit(ctx context.Context, input generated.ApproveDepositInput) (*generated.TransactionPayload, error) {
	expected, err := readNamed("expectedAmount", &input.ExpectedAmount, money.New(0, money.TRY))
	if err != nil {
		return nil, err
	}
	saw, err := readAmount(input.Amount, core.MinAmount(money.TRY))
	if err != nil {
		return nil, err
	}
	return decide(ctx, input.TrackingCode, input.Reason, func(ctx context.Context, move app.StaffMove) (payment.Payment, error) {
		return m.Deposits.Approve(ctx, move, payments.Seen{Amount: saw, Expected: expected})
	})
}

func (m mutationResolver) CorrectCredit(ctx context.Context, input generated.CorrectCreditInput) (*generated.TransactionPayload, error) {
	zero := money.New(0, money.TRY)
	expected, err := readNamed("expectedAmount", &input.ExpectedAmount, zero)
	if err != nil {
		return nil, err
	}
	right, err := readAmount(&input.Amount, zero)
	if err != nil {
		return nil, err
	}
	return decide(ctx, input.TrackingCode, &input.Reason, func(ctx context.Context, move app.StaffMove) (payment.Payment, error) {
		return m.Credits.Correct(ctx, move, payments.Correction{Amount: right, Expected: expected})
	})
}

func (m mutationResolver) RejectDeposit(ctx context.Context, input generated.RejectDepositInput) (*generated.TransactionPayload, error) {
	return decide(ctx, input.TrackingCode, input.Reason, m.Deposits.Reject)
}

func (m mutationResolver) CompleteWithdrawal(ctx context.Context, input generated.CompleteWithdrawalInput) (*generated.TransactionPayload, error) {
	return decide(ctx, input.TrackingCode, nil, m.Withdrawals.Complete)
}

func (m mutationResolver) RejectWithdrawal(ctx context.Context, input generated.RejectWithdrawalInput) (*generated.TransactionPayload, error) {
	return decide(ctx, input.TrackingCode, input.Reason, m.Withdrawals.Reject)
}

func (m mutationResolver) FailWithdrawal(ctx context.Context, input generated.FailWithdrawalInput) (*generated.TransactionPayload, error) {
	return decide(ctx, input.TrackingCode, input.Reason, m.Withdrawals.Fail)
}

func (m mutationResolver) CancelWithdrawal(ctx context.Context, input generated.CancelWithdrawalInput) (*generated.TransactionPayload, error) {
	return decide(ctx, input.TrackingCode, input.Reason, m.Withdrawals.Cancel)
}

// decide runs a decision of the staff member who asks.
func decide(
	ctx context.Context, trackingCode string, reason *string,
	by func(context.Context, app.StaffMove) (payment.Payment, error),
) (*generated.TransactionPayload, error) {
	request, err := acting(ctx, reason)
	if err != nil {
		return nil, err
	}
	p, err := by(ctx, app.StaffMove{Request: request, TrackingCode: trackingCode})
	return &generated.TransactionPayload{Transaction: &p}, err
}

// acting is who asks, from where, and why if that is said.
func acting(ctx context.Context, reason *string) (app.Request, error) {
	who := callerOf(ctx)
	if _, err := signedIn(ctx); err != nil {
		return app.Request{}, err
	}
	if reason == nil {
		return who.request, nil
	}
	return who.request.Because(strings.TrimSpace(*reason)), nil
}

// readAmount reads the amount of a mutation: at least low; an absent one is zero. Vezne handles one currency.
func readAmount(text *string, low money.Amount) (money.Amount, error) {
	return readNamed("amount", text, low)
}

func readNamed(name string, text *string, low money.Amount) (money.Amount, error) {
	if text == nil {
		return money.Amount{}, nil
	}
	var form core.Form
	amount := form.Amount(name, core.Input{Kind: core.TextInput, Text: *text}, low)
	return amount, form.Err("graph.readAmount")
}
