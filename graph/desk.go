package graph

import (
	"context"

	"github.com/vezne/vezne/app/report"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/graph/generated"
)

func (q queryResolver) WithdrawalDesk(ctx context.Context) ([]payment.DeskLoad, error) {
	staff, err := signedIn(ctx)
	if err != nil {
		return nil, err
	}
	list, err := q.Withdrawals.Loads(ctx, staff)
	return append([]payment.DeskLoad{}, list...), err
}

func (q queryResolver) DeskWithdrawals(
	ctx context.Context, filter *payment.DeskQuery, first *int, after *string,
) (*report.Page, error) {
	staff, err := signedIn(ctx)
	if err != nil {
		return nil, err
	}
	query := valueOf(filter)
	if query.After, err = readCursor(after); err != nil {
		return nil, err
	}
	rows, hasNext, err := rowsOf(first, func(limit int) ([]payment.Payment, error) {
		query.Limit = limit
		return q.Withdrawals.Queue(ctx, staff, query)
	})
	batchesOf(ctx).add(q.Backoffice, rows...)
	return &report.Page{Nodes: rows, HasNext: hasNext}, err
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
