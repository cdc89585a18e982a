package graph

import (
	"context"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/graph/page"
)

func (q queryResolver) FailedCallbacks(
	ctx context.Context, filter *payment.GivenUpQuery, first *int, after *string, last *int, before *string,
) (*page.CallbackConnection, error) {
	place := func(c payment.CallbackLog) core.ID { return c.ID }
	found, err := list(ctx, filter, page.Of(first, after, last, before), page.ByID, place, q.Backoffice.GivenUpCallbacks)
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
