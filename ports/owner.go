package ports

import (
	"context"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/routing"
)

// Directory is what nearly every request looks up: who calls, and where a payment may go. What it returns may be some seconds
// old. A key finds whom it was issued to, also by the key from before a rotation, whether or not that is still taken. What
// does not exist is a NotFound fault.
type Directory interface {
	ProviderByAPIKey(ctx context.Context, apiKey string) (owner.Provider, error)
	// SiteByCredential finds a site by sign.Fingerprint of its credential key.
	SiteByCredential(ctx context.Context, fingerprint string) (owner.Site, error)
	DealerByAPIKey(ctx context.Context, apiKey string) (owner.Dealer, error)
	// SiteTokenByToken finds a dealer's site token.
	SiteTokenByToken(ctx context.Context, token string) (owner.SiteToken, error)
	Provider(ctx context.Context, id int64) (owner.Provider, error)
	// Site finds a site by id.
	Site(ctx context.Context, id int64) (owner.Site, error)
	// Dealer finds a dealer by id.
	Dealer(ctx context.Context, id int64) (owner.Dealer, error)
	// ProvidersByID and DealersByID return those that there are, by id.
	ProvidersByID(ctx context.Context, ids []int64) ([]owner.Provider, error)
	DealersByID(ctx context.Context, ids []int64) ([]owner.Dealer, error)
	// GatewayAccounts returns all, by id.
	GatewayAccounts(ctx context.Context) ([]owner.GatewayAccount, error)
	// RouteRules returns all, by id.
	RouteRules(ctx context.Context) ([]routing.Rule, error)
}

// Owners reads providers, dealers and what is theirs: sites, site tokens, bank accounts, customers on the block list.
type Owners interface {
	// Sites returns a provider's sites by id; none is not a fault.
	Sites(ctx context.Context, providerID int64) ([]owner.Site, error)
	// Providers returns the query's page of providers, by id; inactive ones too, unless the query says otherwise.
	Providers(ctx context.Context, query owner.OwnerQuery) ([]owner.Provider, error)
	// Dealers returns the query's page of dealers, by id; inactive ones too, unless the query says otherwise.
	Dealers(ctx context.Context, query owner.OwnerQuery) ([]owner.Dealer, error)
	// SiteTokensOf returns a dealer's site tokens by id, inactive ones too.
	SiteTokensOf(ctx context.Context, dealerID int64) ([]owner.SiteToken, error)
	// SiteToken finds a site token by id; NotFound otherwise.
	SiteToken(ctx context.Context, id int64) (owner.SiteToken, error)
	// Account finds an IBAN account by id; NotFound otherwise.
	Account(ctx context.Context, id int64) (owner.Account, error)
	// AccountLoads returns the dealer's accounts of a kind with their load on a day, by id; inactive ones too.
	AccountLoads(ctx context.Context, dealerID int64, kind owner.AccountKind, day core.Day) ([]owner.DailyUsage, error)
	// IBANUses returns what each of some normalized IBANs is held for; one that is free is left out.
	IBANUses(ctx context.Context, ibans []string) (map[string]owner.IBANUse, error)
	// BlockOf finds the customer on the block list; NotFound otherwise.
	BlockOf(ctx context.Context, customer owner.CustomerKey) (owner.Block, error)
	// Blocks returns the query's page of the block list, newest first.
	Blocks(ctx context.Context, query owner.BlockQuery) ([]owner.Block, error)
}
