package graph

import (
	"context"

	"github.com/vezne/vezne/app/command"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/wallet"
	"github.com/vezne/vezne/graph/generated"
)

func (q queryResolver) Discrepancies(
	ctx context.Context, filter *discrepancy.Query, first *int, after *string,
) (*generated.DiscrepancyConnection, error) {
	staff, err := signedIn(ctx)
	if err != nil {
		return nil, err
	}
	query := valueOf(filter)
	if query.After, err = readCursor(after); err != nil {
		return nil, err
	}
	rows, hasNext, err := rowsOf(first, func(limit int) ([]discrepancy.Discrepancy, error) {
		query.Limit = limit
		return q.Gateways.Discrepancies(ctx, staff, query)
	})
	page := &generated.DiscrepancyConnection{Nodes: rows}
	page.Edges, page.PageInfo = edgesOf(rows, hasNext, func(d *discrepancy.Discrepancy) core.ID { return d.ID },
		func(cursor string, d *discrepancy.Discrepancy) generated.DiscrepancyEdge {
			return generated.DiscrepancyEdge{Cursor: cursor, Node: d}
		})
	return page, err
}

func (m mutationResolver) ResolveDiscrepancy(ctx context.Context, input command.ResolveDiscrepancyInput) (*generated.DiscrepancyPayload, error) {
	d, err := run(ctx, m, m.Commands.ResolveDiscrepancy, input)
	return &generated.DiscrepancyPayload{Discrepancy: d}, err
}

func (m mutationResolver) RefundDiscrepancy(ctx context.Context, input command.RefundDiscrepancyInput) (*generated.DiscrepancyPayload, error) {
	d, err := run(ctx, m, m.Commands.RefundDiscrepancy, input)
	return &generated.DiscrepancyPayload{Discrepancy: d}, err
}

func (r discrepancyResolver) Gateway(ctx context.Context, d *discrepancy.Discrepancy) (*owner.GatewayAccount, error) {
	return r.of(ctx, d.GatewayID)
}

func (r discrepancyResolver) Wallet(ctx context.Context, d *discrepancy.Discrepancy) (*wallet.WalletBalance, error) {
	if d.WalletID == 0 {
		return nil, nil
	}
	return r.wallet(ctx, d.WalletID)
}
