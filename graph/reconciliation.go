package graph

import (
	"context"
	"encoding/base64"

	"github.com/vezne/vezne/app/command"
	wallets "github.com/vezne/vezne/app/wallet"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/wallet"
	"github.com/vezne/vezne/graph/generated"
)

func (q queryResolver) Reconciliations(
	ctx context.Context, filter *generated.ReconciliationFilter, first *int, after *string,
) (*generated.ReconciliationConnection, error) {
	staff, err := signedIn(ctx)
	if err != nil {
		return nil, err
	}
	narrowed := valueOf(filter)
	query := wallet.ReconciliationQuery{IsOpen: narrowed.IsOpen}
	if narrowed.WalletID != nil {
		return q.daysOf(ctx, first, after, query, func(query wallet.ReconciliationQuery) ([]wallet.Reconciliation, error) {
			return q.Statements.DaysOf(ctx, staff, *narrowed.WalletID, query)
		})
	}
	if after != nil { // a day is a place in one wallet's list
		var form core.Form
		form.Fail("walletId", "field.required")
		return nil, form.Err("graph.Reconciliations")
	}
	return q.daysOf(ctx, first, nil, query, func(query wallet.ReconciliationQuery) ([]wallet.Reconciliation, error) {
		return q.Statements.Days(ctx, staff, query)
	})
}

// daysOf reads a page of reconciled days, and keeps in mind which transactions they name.
func (c Config) daysOf(
	ctx context.Context, first *int, after *string, query wallet.ReconciliationQuery,
	read func(wallet.ReconciliationQuery) ([]wallet.Reconciliation, error),
) (*generated.ReconciliationConnection, error) {
	before, err := readDayCursor(after)
	if err != nil {
		return nil, err
	}
	query.Before = before
	rows, hasNext, err := rowsOf(first, func(limit int) ([]wallet.Reconciliation, error) {
		query.Limit = limit
		return read(query)
	})
	var named []core.ID
	for _, r := range rows {
		for _, d := range r.Differences {
			named = append(named, d.PaymentID)
		}
	}
	batchesOf(ctx).link(c.Backoffice, named...)
	page := &generated.ReconciliationConnection{Nodes: rows}
	page.Edges, page.PageInfo = edgesOf(rows, hasNext, func(r *wallet.Reconciliation) core.ID { return core.ID(r.Day) },
		func(cursor string, r *wallet.Reconciliation) generated.ReconciliationEdge {
			return generated.ReconciliationEdge{Cursor: cursor, Node: r}
		})
	return page, err
}

func readDayCursor(text *string) (core.Day, error) {
	if text == nil {
		return "", nil
	}
	day, err := base64.RawURLEncoding.DecodeString(*text)
	if err != nil || !core.Day(day).IsDay() {
		return "", badCursor()
	}
	return core.Day(day), nil
}

func (m mutationResolver) ReconcileDay(ctx context.Context, input generated.ReconcileDayInput) (*generated.ReconciliationPayload, error) {
	by, err := acting(ctx)
	if err != nil {
		return nil, err
	}
	r, err := m.Statements.Reconcile(ctx, by, input.WalletID, input.Day)
	return &generated.ReconciliationPayload{Reconciliation: &r}, err
}

func (m mutationResolver) ExplainDifference(ctx context.Context, input generated.ExplainDifferenceInput) (*generated.ReconciliationPayload, error) {
	by, err := acting(ctx)
	if err != nil {
		return nil, err
	}
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
