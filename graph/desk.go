package graph

import (
	"context"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/graph/generated"
	"github.com/vezne/vezne/graph/page"
)

func (q queryResolver) WithdrawalDesk(ctx context.Context) ([]payment.DeskLoad, error) {
	return listed(q.Withdrawals.Loads(ctx, staffOf(ctx)))
}

func (q queryResolver) OpenWork(ctx context.Context) ([]report.OpenWork, error) {
	return listed(q.Backoffice.OpenWork(ctx, staffOf(ctx)))
}

func (q queryResolver) DeskWithdrawals(
	ctx context.Context, filter *payment.DeskQuery, first *int, after *string, last *int, before *string,
) (*page.TransactionConnection, error) {
	place := func(p payment.Payment) core.ID { return p.ID }
	desk, err := list(ctx, filter, page.Of(first, after, last, before), page.ByID, place, q.Withdrawals.Queue)
	if err != nil {
		return nil, err
	}
	batchesOf(ctx).add(q.Backoffice, desk.Nodes...)
	return desk, nil
}

func (q queryResolver) PayoutsToDecide(
	ctx context.Context, first *int, after *string, last *int, before *string,
) (*page.TransactionConnection, error) {
	place := func(p payment.Payment) core.ID { return p.ID }
	payouts, err := list(ctx, &payment.PayoutQuery{}, page.Of(first, after, last, before), page.ByID, place, q.Withdrawals.PayoutsToDecide)
	if err != nil {
		return nil, err
	}
	batchesOf(ctx).add(q.Backoffice, payouts.Nodes...)
	return payouts, nil
}

func (t transactionResolver) Claim(ctx context.Context, p *payment.Payment) (*generated.WithdrawalClaim, error) {
	staff, err := signedIn(ctx)
	if err != nil || p.Claim.StaffID == 0 || !staff.SeesInside() {
		return nil, err
	}
	return &generated.WithdrawalClaim{
		StaffName: p.Claim.Name, Until: p.Claim.Until, IsOwn: p.Claim.StaffID == staff.ID,
		IsHeld: !p.Status.IsFinal() && p.Claim.IsHeld(t.Clock.Now()), AwaitsApproval: !p.Status.IsFinal() && p.Claim.IsAwaiting(),
	}, nil
}
