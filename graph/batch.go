package graph

import (
	"context"
	"sync"

	"github.com/99designs/gqlgen/graphql"

	directory "github.com/vezne/vezne/app/owner"
	"github.com/vezne/vezne/app/report"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/wallet"
)

// batches are the pages of transactions that a request has read so far. What belongs to a transaction is read for its
// whole page at once, however many rows the executor works on at a time.
type batches struct {
	mu        sync.Mutex
	byPayment map[moment]*report.Batch
	links     map[core.ID]*report.Links // transactions that rows of other lists name
	wallets   func() ([]wallet.WalletBalance, error)

	feeds      loader[walletMoment, wallet.WalletBalance, map[int64]wallet.Feed]
	health     loader[accountMoment, owner.GatewayAccount, map[int64]directory.Health]
	candidates loader[lineMoment, wallet.BankLine, map[core.ID][]wallet.MatchCandidate]
}

// moment is a payment as it was read: after a mutation what belongs to it is read anew.
type moment struct {
	id      core.ID
	version int
}

func momentOf(p payment.Payment) moment { return moment{p.ID, p.Version} }

type batchesKey struct{}

// inBatches returns each response its own batches: of a subscription each event is one.
func inBatches(ctx context.Context, next graphql.ResponseHandler) *graphql.Response {
	return next(context.WithValue(ctx, batchesKey{}, newBatches()))
}

func batchesOf(ctx context.Context) *batches {
	if b, ok := ctx.Value(batchesKey{}).(*batches); ok {
		return b
	}
	return newBatches()
}

func newBatches() *batches {
	b := &batches{byPayment: map[moment]*report.Batch{}, links: map[core.ID]*report.Links{}}
	b.feeds.key = func(w wallet.WalletBalance) walletMoment { return walletMoment{w.ID, w.Version} }
	b.health.key = func(a owner.GatewayAccount) accountMoment { return accountMoment{a.ID, a.Version} }
	b.candidates.key = func(l wallet.BankLine) lineMoment { return lineMoment{l.ID, l.Version} }
	return b
}

// add makes a batch of the payments.
func (b *batches) add(service *report.Backoffice, payments ...payment.Payment) *report.Batch {
	b.mu.Lock()
	defer b.mu.Unlock()
	batch := service.Batch(payments...)
	for _, p := range payments {
		b.byPayment[momentOf(p)] = batch
	}
	return batch
}

func (b *batches) of(p payment.Payment) *report.Batch {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.byPayment[momentOf(p)]
}

// batch is that of a transaction's page, or of itself where it was not read in one.
func (t transactionResolver) batch(ctx context.Context, p *payment.Payment) *report.Batch {
	all := batchesOf(ctx)
	if found := all.of(*p); found != nil {
		return found
	}
	return all.add(t.Backoffice, *p)
}

// link says that the rows of a list name these transactions.
func (b *batches) link(service *report.Backoffice, ids ...core.ID) *report.Links {
	b.mu.Lock()
	defer b.mu.Unlock()
	links := service.Links(ids...)
	for _, id := range ids {
		b.links[id] = links
	}
	return links
}

func (b *batches) linksOf(id core.ID) *report.Links {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.links[id]
}

// keep takes over the batch of transactions that were linked, unless they are in one.
func (b *batches) keep(p payment.Payment, batch *report.Batch) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.byPayment[momentOf(p)] == nil {
		b.byPayment[momentOf(p)] = batch
	}
}

// payment finds the transaction that a bank line, a ledger entry or a difference is about; null: none.
func (c Config) payment(ctx context.Context, id core.ID) (*payment.Payment, error) {
	staff, err := signedIn(ctx)
	if err != nil || id == "" {
		return nil, err
	}
	all := batchesOf(ctx)
	links := all.linksOf(id)
	if links == nil {
		links = all.link(c.Backoffice, id)
	}
	p, batch, err := links.Payment(ctx, staff, id)
	if err != nil {
		return nil, err
	}
	all.keep(p, batch)
	return &p, nil
}

// wallet finds the wallet that a transaction, a bank line or a day is of, among all that the staff member may see: they
// are read once for a request; null: there is none.
func (c Config) wallet(ctx context.Context, id int64) (*wallet.WalletBalance, error) {
	if id == 0 {
		return nil, nil //nolint:nilnil // null
	}
	all := batchesOf(ctx)
	list, err := all.walletsBy(func() ([]wallet.WalletBalance, error) {
		list, err := c.Wallets.WalletsFor(ctx, staffOf(ctx), wallet.WalletQuery{})
		all.feeds.add(list...)
		return list, err
	})
	if err != nil {
		return nil, err
	}
	for i := range list {
		if list[i].ID == id {
			return &list[i], nil
		}
	}
	return nil, fault.New("graph.wallet", fault.NotFound)
}

func (b *batches) walletsBy(read func() ([]wallet.WalletBalance, error)) ([]wallet.WalletBalance, error) {
	b.mu.Lock()
	if b.wallets == nil {
		b.wallets = sync.OnceValues(read)
	}
	get := b.wallets
	b.mu.Unlock()
	return get()
}
