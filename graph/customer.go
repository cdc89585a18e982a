package graph

import (
	"context"

	"github.com/vezne/vezne/app/command"
	directory "github.com/vezne/vezne/app/owner"
	reports "github.com/vezne/vezne/app/report"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/lang"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/graph/generated"
	"github.com/vezne/vezne/graph/page"
	"github.com/vezne/vezne/graph/scalar"
)

func (q queryResolver) Customer(ctx context.Context, providerID core.ID, userID string) (*directory.Customer, error) {
	provider, err := scalar.ReadRowID("providerId", providerID)
	if err != nil {
		return nil, err
	}
	c, err := q.Directory.Customer(ctx, staffOf(ctx), owner.CustomerKey{ProviderID: provider, UserID: userID})
	return &c, err
}

type foundCustomerResolver struct{ Config }

func (r resolvers) FoundCustomer() generated.FoundCustomerResolver { return foundCustomerResolver(r) }

func (q queryResolver) Customers(ctx context.Context, filter *report.CustomerQuery) (*generated.CustomerSearch, error) {
	found, hasMore, err := q.Backoffice.Customers(ctx, staffOf(ctx), valueOf(filter))
	return &generated.CustomerSearch{Nodes: append([]reports.FoundCustomer{}, found...), HasMore: hasMore}, err
}

func (r foundCustomerResolver) Provider(ctx context.Context, c *reports.FoundCustomer) (*owner.Provider, error) {
	return r.provider(ctx, c.ProviderID)
}

func (q queryResolver) BlockedCustomers(
	ctx context.Context, filter *owner.BlockQuery, first *int, after *string, last *int, before *string,
) (*page.BlockedCustomerConnection, error) {
	return list(ctx, filter, page.Of(first, after, last, before), page.ByBlock, owner.Block.Cursor, q.Directory.Blocks)
}

func (m mutationResolver) BlockCustomer(ctx context.Context, input command.BlockCustomerInput) (*generated.CustomerPayload, error) {
	c, err := run(ctx, m, m.Commands.BlockCustomer, input)
	return &generated.CustomerPayload{Customer: c}, err
}

func (m mutationResolver) UnblockCustomer(ctx context.Context, input command.BlockCustomerInput) (*generated.CustomerPayload, error) {
	c, err := run(ctx, m, m.Commands.UnblockCustomer, input)
	return &generated.CustomerPayload{Customer: c}, err
}

func (customerResolver) Block(_ context.Context, c *directory.Customer) (*owner.Block, error) {
	if !c.IsBlocked() {
		return nil, nil //nolint:nilnil // null: not blocked
	}
	return &c.Block, nil
}

func (r customerResolver) Transactions(
	ctx context.Context, c *directory.Customer, first *int, after *string, last *int, before *string,
) (*page.TransactionConnection, error) {
	query := report.PaymentQuery{ProviderID: c.ProviderID, UserID: c.UserID}
	return queryResolver(r).Transactions(ctx, &query, first, after, last, before, nil)
}

// Fullname says in the caller's language that the customer was forgotten.
func (personResolver) Fullname(ctx context.Context, c *owner.Customer) (string, error) {
	if owner.IsForgotten(c.UserID) {
		return lang.Say(callerOf(ctx).language, "customer.forgotten"), nil
	}
	return c.Fullname, nil
}

func (totalResolver) Currency(_ context.Context, t *report.CustomerTotal) (string, error) {
	return t.Amount.Currency().Code, nil
}
