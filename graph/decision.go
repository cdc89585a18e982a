package graph

import (
	"context"

	"github.com/vezne/vezne/app/command"
	"github.com/vezne/vezne/graph/generated"
)

func (m mutationResolver) ApproveDeposit(ctx context.Context, input command.ApproveDepositInput) (*generated.TransactionPayload, error) {
	return decide(ctx, m, m.Commands.ApproveDeposit, input)
}

func (m mutationResolver) CorrectCredit(ctx context.Context, input command.CorrectCreditInput) (*generated.TransactionPayload, error) {
	return decide(ctx, m, m.Commands.CorrectCredit, input)
}

func (m mutationResolver) RejectDeposit(ctx context.Context, input command.Decision) (*generated.TransactionPayload, error) {
	return decide(ctx, m, m.Commands.RejectDeposit, input)
}

func (m mutationResolver) ClaimWithdrawal(ctx context.Context, input command.ClaimWithdrawalInput) (*generated.TransactionPayload, error) {
	return decide(ctx, m, m.Commands.ClaimWithdrawal, input)
}

func (m mutationResolver) ReleaseWithdrawal(ctx context.Context, input command.Decision) (*generated.TransactionPayload, error) {
	return decide(ctx, m, m.Commands.ReleaseWithdrawal, input)
}

func (m mutationResolver) CompleteWithdrawal(ctx context.Context, input command.CompleteWithdrawalInput) (*generated.TransactionPayload, error) {
	return decide(ctx, m, m.Commands.CompleteWithdrawal, input)
}

func (m mutationResolver) RejectWithdrawal(ctx context.Context, input command.Decision) (*generated.TransactionPayload, error) {
	return decide(ctx, m, m.Commands.RejectWithdrawal, input)
}

func (m mutationResolver) FailWithdrawal(ctx context.Context, input command.Decision) (*generated.TransactionPayload, error) {
	return decide(ctx, m, m.Commands.FailWithdrawal, input)
}

func (m mutationResolver) CancelWithdrawal(ctx context.Context, input command.Decision) (*generated.TransactionPayload, error) {
	return decide(ctx, m, m.Commands.CancelWithdrawal, input)
}
