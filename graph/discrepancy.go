package graph

import (
	"context"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/wallet"
	"github.com/vezne/vezne/graph/generated"
)

func (q queryResolver) Discrepancies(
	ctx context.Context, filter *discrepancy.DiscrepancyQuery, first *int, after *string,
) (*generated.DiscrepancyConnection, error) {
	staff, err := signedIn(ctx)
	if err != nil {
		return nil, err
	}
	var query discrepancy.DiscrepancyQuery
	if filter != nil {
		query = *filter
	}
	var form core.Form
	checkWords(&form, "state", query.States, discrepancy.DiscrepancyStates())
	checkWords(&form, "kind", query.Kinds, discrepancy.DiscrepancyKinds())
	if err := form.Err("graph.Discrepancies"); err != nil {
		return nil, err
	}
	if query.After, err = readCursor(after); err != nil {
		return nil, err
	}
	query.Limit = limitOf(first)
	rows, hasNext, err := q.Gateways.Discrepancies(ctx, staff, query)
	page := &generated.DiscrepancyConnection{Nodes: rows}
	page.Edges, page.PageInfo = edgesOf(rows, hasNext, func(d *discrepancy.Discrepancy) core.ID { return d.ID },
		func(cursor string, d *discrepancy.Discrepancy) generated.DiscrepancyEdge {
			return generated.DiscrepancyEdge{Cursor: cursor, Node: d}
		})
	return page, err
}

func (m mutationResolver) ResolveDiscrepancy(ctx context.Context, input generated.ResolveDiscrepancyInput) (*generated.DiscrepancyPayload, error) {
	var form core.Form
	checkWords(&form, "resolution", []operation.Resolution{input.Resolution}, resolutions())
	if err := form.Err("graph.ResolveDiscrepancy"); err != nil {
		return nil, err
	}
	counts, err := readAmount(input.Amount, money.New(1, money.TRY))
	if err != nil {
		return nil, err
	}
	request, err := acting(ctx, input.Reason)
	if err != nil {
		return nil, err
	}
	if err := checkID(input.ID); err != nil {
		return nil, err
	}
	d, err := m.Operations.Resolve(ctx, app.StaffMove{Request: request}, input.ID, input.Resolution, counts)
	return &generated.DiscrepancyPayload{Discrepancy: &d}, err
}

func (m mutationResolver) RefundDiscrepancy(ctx context.Context, input generated.RefundDiscrepancyInput) (*generated.DiscrepancyPayload, error) {
	payee, err := textsByName("target", input.Target)
	if err != nil {
		return nil, err
	}
	request, err := acting(ctx, input.Reason)
	if err != nil {
		return nil, err
	}
	if err := checkID(input.ID); err != nil {
		return nil, err
	}
	d, err := m.Operations.RefundDiscrepancy(ctx, app.StaffMove{Request: request}, input.ID, payee)
	return &generated.DiscrepancyPayload{Discrepancy: &d}, err
}

// checkID keeps what names nothing from the store. Fault: NotFound.
func checkID(id core.ID) error {
	if !core.IsID(string(id)) {
		return fault.New("graph.checkID", fault.NotFound)
	}
	return nil
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
