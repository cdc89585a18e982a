package ports

import (
	"context"

	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/report"
)

// DirectoryLists reads the directory for staff.
type DirectoryLists interface {
	// Providers gives at most query.Limit providers, by id; inactive ones too, unless the query says otherwise. Its Scope
	// does not matter.
	Providers(ctx context.Context, query owner.OwnerQuery) ([]owner.Provider, error)
	// Dealers gives at most query.Limit dealers, by id; inactive ones too, unless the query says otherwise.
	Dealers(ctx context.Context, query owner.OwnerQuery) ([]owner.Dealer, error)
	// SiteTokensOf gives a dealer's site tokens by id, inactive ones too.
	SiteTokensOf(ctx context.Context, dealerID int64) ([]owner.SiteToken, error)
	// SiteToken finds a site token by id; NotFound otherwise.
	SiteToken(ctx context.Context, id int64) (owner.SiteToken, error)
	// Account finds an IBAN account by id; NotFound otherwise.
	Account(ctx context.Context, id int64) (owner.Account, error)
}

// Customers reads what is known of providers' customers.
type Customers interface {
	// CustomerHistory sums up a customer's payments with a provider; of one who has none it is the zero one. It reads
	// at most core.MaxCustomerPayments of them, the newest (greatest ID), and the oldest.
	CustomerHistory(ctx context.Context, customer owner.CustomerKey) (report.CustomerHistory, error)
	// BlockOf finds the customer on the block list; NotFound otherwise.
	BlockOf(ctx context.Context, customer owner.CustomerKey) (owner.Block, error)
	// Blocks gives at most query.Limit rows of the block list, newest first.
	Blocks(ctx context.Context, query owner.BlockQuery) ([]owner.Block, error)
}
