package graph

import (
	"context"

	"github.com/vezne/vezne/app/command"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/lang"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/wallet"
	"github.com/vezne/vezne/graph/generated"
	"github.com/vezne/vezne/graph/page"
)

func (q queryResolver) Discrepancies(
	ctx context.Context, filter *discrepancy.Query, first *int, after *string, last *int, before *string,
) (*page.DiscrepancyConnection, error) {
	place := func(d discrepancy.Discrepancy) core.ID { return d.ID }
	found, err := list(ctx, filter, page.Of(first, after, last, before), page.ByID, place, q.Gateways.Discrepancies)
	if err != nil {
		return nil, err
	}
	var named []core.ID
	for _, d := range found.Nodes {
		named = append(named, d.PaymentID)
	}
	batchesOf(ctx).link(q.Backoffice, named...)
	return found, nil
}

func (q queryResolver) Discrepancy(ctx context.Context, id core.ID) (*discrepancy.Discrepancy, error) {
	if err := core.CheckID(id); err != nil {
		return nil, err
	}
	d, err := q.Gateways.Discrepancy(ctx, staffOf(ctx), id)
	return &d, err
}

func (r discrepancyResolver) Transaction(ctx context.Context, d *discrepancy.Discrepancy) (*payment.Payment, error) {
	return r.payment(ctx, d.PaymentID)
}

func (m mutationResolver) ResolveDiscrepancy(ctx context.Context, input command.ResolveDiscrepancyInput) (*generated.DiscrepancyPayload, error) {
	d, err := run(ctx, m, m.Commands.ResolveDiscrepancy, input)
	return &generated.DiscrepancyPayload{Discrepancy: d}, err
}

func (m mutationResolver) RefundDiscrepancy(ctx context.Context, input command.RefundDiscrepancyInput) (*generated.DiscrepancyPayload, error) {
	d, err := run(ctx, m, m.Commands.RefundDiscrepancy, input)
	return &generated.DiscrepancyPayload{Discrepancy: d}, err
}

func (discrepancyResolver) Detail(ctx context.Context, d *discrepancy.Discrepancy, language *string) (string, error) {
	tag, err := languageOf(ctx, lang.Tag(valueOf(language)))
	return lang.Detail(tag, d.Detail), err
}

// Reason is the staff member's own words, or why later news settled it.
func (discrepancyResolver) Reason(ctx context.Context, d *discrepancy.Discrepancy, language *string) (*string, error) {
	reason := d.Reason
	if d.ResolvedBy.Kind != core.ByStaff {
		tag, err := languageOf(ctx, lang.Tag(valueOf(language)))
		if err != nil {
			return nil, err
		}
		reason = lang.Detail(tag, reason)
	}
	if reason == "" {
		return nil, nil
	}
	return &reason, nil
}

func (r discrepancyResolver) Gateway(ctx context.Context, d *discrepancy.Discrepancy) (*owner.GatewayAccount, error) {
	return r.gateway(ctx, d.GatewayID)
}

func (r discrepancyResolver) Wallet(ctx context.Context, d *discrepancy.Discrepancy) (*wallet.WalletBalance, error) {
	return r.wallet(ctx, d.WalletID)
}
