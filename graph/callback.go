package graph

import (
	"context"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/graph/page"
)

func (q queryResolver) Callbacks(
	ctx context.Context, filter *report.CallbackQuery, first *int, after *string, last *int, before *string,
) (*page.CallbackConnection, error) {
	place := func(c payment.CallbackLog) core.ID { return c.ID }
	query := valueOf(filter)
	found, err := page.Search(page.Of(first, after, last, before), page.ByID, place,
		func(p core.Paging[core.ID]) ([]payment.CallbackLog, *core.ID, error) {
			query.Paging = p
			found, err := q.Backoffice.Deliveries(ctx, staffOf(ctx), query)
			return found.Logs, found.Stop, err
		})
	if err != nil {
		return nil, err
	}
	var named []core.ID
	for _, c := range found.Nodes {
		named = append(named, c.PaymentID)
	}
	batchesOf(ctx).link(q.Backoffice, named...)
	return found, nil
}

func (r callbackResolver) Body(_ context.Context, c *payment.CallbackLog) (*string, error) {
	body, err := c.Document(r.Statistics.Zone)
	return orNull(body), err
}

func (r callbackResolver) Transaction(ctx context.Context, c *payment.CallbackLog) (*payment.Payment, error) {
	return r.payment(ctx, c.PaymentID)
}
