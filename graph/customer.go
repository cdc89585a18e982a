package graph

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"time"

	"github.com/vezne/vezne/app/command"
	directory "github.com/vezne/vezne/app/owner"
	reports "github.com/vezne/vezne/app/report"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/graph/generated"
	"github.com/vezne/vezne/graph/scalar"
)

func (q queryResolver) Customer(ctx context.Context, providerID core.ID, userID string) (*directory.Customer, error) {
	staff, err := signedIn(ctx)
	if err != nil {
		return nil, err
	}
	provider, err := scalar.ReadRowID("providerId", providerID)
	if err != nil {
		return nil, err
	}
	c, err := q.Directory.Customer(ctx, staff, owner.CustomerKey{ProviderID: provider, UserID: userID})
	return &c, err
}

func (q queryResolver) BlockedCustomers(
	ctx context.Context, filter *owner.BlockQuery, first *int, after *string,
) (*generated.BlockedCustomerConnection, error) {
	staff, err := signedIn(ctx)
	if err != nil {
		return nil, err
	}
	query := valueOf(filter)
	if query.After, err = readBlockCursor(after); err != nil {
		return nil, err
	}
	rows, hasNext, err := rowsOf(first, func(limit int) ([]owner.Block, error) {
		query.Limit = limit
		return q.Directory.Blocks(ctx, staff, query)
	})
	page := &generated.BlockedCustomerConnection{Nodes: rows}
	page.Edges, page.PageInfo = edgesOf(rows, hasNext, blockCursor, func(cursor string, b *owner.Block) generated.BlockedCustomerEdge {
		return generated.BlockedCustomerEdge{Cursor: cursor, Node: b}
	})
	return page, err
}

// blockPlace is the place of a row in the block list, as a cursor has it.
type blockPlace struct {
	At       time.Time `json:"t"`
	Provider int64     `json:"p"`
	User     string    `json:"u"`
}

func blockCursor(b *owner.Block) core.ID {
	text, err := json.Marshal(blockPlace{b.BlockedAt, b.ProviderID, b.UserID})
	if err != nil {
		return "" // cannot happen: the year has four digits
	}
	return core.ID(text)
}

func readBlockCursor(text *string) (owner.BlockCursor, error) {
	if text == nil {
		return owner.BlockCursor{}, nil
	}
	var place blockPlace
	plain, err := base64.RawURLEncoding.DecodeString(*text)
	if err == nil {
		err = json.Unmarshal(plain, &place)
	}
	if err != nil || place.At.IsZero() || place.Provider < 1 || !core.IsCleanText(place.User) {
		return owner.BlockCursor{}, badCursor()
	}
	key := owner.CustomerKey{ProviderID: place.Provider, UserID: place.User}
	return owner.BlockCursor{CustomerKey: key, CreatedAt: place.At}, nil
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
	ctx context.Context, c *directory.Customer, first *int, after *string,
) (*reports.Page, error) {
	query := report.PaymentQuery{ProviderID: c.ProviderID, UserID: c.UserID}
	return queryResolver(r).Transactions(ctx, &query, first, after, nil)
}

func (totalResolver) Currency(_ context.Context, t *report.CustomerTotal) (string, error) {
	return t.Amount.Currency().Code, nil
}
