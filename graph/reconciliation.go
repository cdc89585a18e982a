package graph

import (
	"context"

	"github.com/vezne/vezne/app/command"
	wallets "github.com/vezne/vezne/app/wallet"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/lang"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/wallet"
	"github.com/vezne/vezne/graph/generated"
	"github.com/vezne/vezne/graph/page"
)

func (q queryResolver) Reconciliations(
	ctx context.Context, filter *generated.ReconciliationFilter, first *int, after *string, last *int, before *string,
) (*page.ReconciliationConnection, error) {
	staff := staffOf(ctx)
	narrowed := valueOf(filter)
	query := wallet.ReconciliationQuery{IsOpen: narrowed.IsOpen}
	return q.daysOf(ctx, page.Of(first, after, last, before), query, func(query wallet.ReconciliationQuery) ([]wallet.Reconciliation, error) {
		if narrowed.WalletID != nil {
			return q.Statements.DaysOf(ctx, staff, *narrowed.WalletID, query)
		}
		return q.Statements.Days(ctx, staff, query)
	})
}

// daysOf reads a page of reconciled days, and keeps in mind which transactions they name.
func (c Config) daysOf(
	ctx context.Context, args page.Args, query wallet.ReconciliationQuery,
	read func(wallet.ReconciliationQuery) ([]wallet.Reconciliation, error),
) (*page.ReconciliationConnection, error) {
	place := wallet.Reconciliation.Cursor
	days, err := page.Read(args, page.ByDay, place, func(p core.Paging[wallet.DayCursor]) ([]wallet.Reconciliation, error) {
		query.Paging = p
		return read(query)
	})
	if err != nil {
		return nil, err
	}
	var named []core.ID
	for _, r := range days.Nodes {
		for _, d := range r.Differences {
			named = append(named, d.PaymentID)
		}
	}
	batchesOf(ctx).link(c.Backoffice, named...)
	return days, nil
}

type adjustmentPreviewResolver struct{}

func (resolvers) AdjustmentPreview() generated.AdjustmentPreviewResolver {
	return adjustmentPreviewResolver{}
}

func (q queryResolver) AdjustmentPreview(ctx context.Context, walletID string, day core.Day) (*wallet.AdjustmentPreview, error) {
	p, err := q.Statements.PreviewAdjustment(ctx, staffOf(ctx), walletID, day)
	return &p, err
}

func (adjustmentPreviewResolver) Obstacle(ctx context.Context, p *wallet.AdjustmentPreview) (*string, error) {
	if p.Obstacle == "" {
		return nil, nil //nolint:nilnil // null: nothing is in the way
	}
	return new(lang.Say(callerOf(ctx).language, string(p.Obstacle))), nil
}

func (m mutationResolver) ReconcileDay(ctx context.Context, input generated.ReconcileDayInput) (*generated.ReconciliationPayload, error) {
	r, err := m.Statements.Reconcile(ctx, acting(ctx), input.WalletID, input.Day)
	return &generated.ReconciliationPayload{Reconciliation: &r}, err
}

func (m mutationResolver) ExplainDifference(ctx context.Context, input generated.ExplainDifferenceInput) (*generated.ReconciliationPayload, error) {
	by := acting(ctx)
	r, err := m.Statements.Explain(
		ctx, by.Because(input.Reason), input.WalletID, input.Day, input.Kind, valueOf(input.LineID), valueOf(input.EntryID))
	return &generated.ReconciliationPayload{Reconciliation: &r}, err
}

func (m mutationResolver) AdjustDifference(ctx context.Context, input command.AdjustDifferenceInput) (*wallets.Adjusted, error) {
	return run(ctx, m, m.Commands.AdjustDifference, input)
}

func (r dayResolver) Wallet(ctx context.Context, day *wallet.Reconciliation) (*wallet.WalletBalance, error) {
	return r.wallet(ctx, day.WalletID)
}

func (dayResolver) Status(_ context.Context, day *wallet.Reconciliation) (generated.ReconciliationStatus, error) {
	switch {
	case len(day.Differences) == 0:
		return generated.ReconciliationStatusAgreed, nil
	case day.OpenCount() > 0:
		return generated.ReconciliationStatusOpen, nil
	default:
		return generated.ReconciliationStatusExplained, nil
	}
}

func (dayResolver) BankClosing(_ context.Context, day *wallet.Reconciliation) (*money.Amount, error) {
	if !day.HasBank {
		return nil, nil //nolint:nilnil // null: the bank does not say
	}
	return &day.BankClosing, nil
}

func (r differenceResolver) Transaction(ctx context.Context, d *wallet.Difference) (*payment.Payment, error) {
	return r.payment(ctx, d.PaymentID)
}
