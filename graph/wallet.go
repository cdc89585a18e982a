package graph

import (
	"context"

	"github.com/vezne/vezne/app/command"
	wallets "github.com/vezne/vezne/app/wallet"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/ledger"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/wallet"
	"github.com/vezne/vezne/graph/generated"
	"github.com/vezne/vezne/graph/page"
	"github.com/vezne/vezne/graph/scalar"
)

func (q queryResolver) Wallets(ctx context.Context, filter *wallet.WalletQuery) ([]wallet.WalletBalance, error) {
	list, err := q.Config.Wallets.WalletsFor(ctx, staffOf(ctx), valueOf(filter))
	batchesOf(ctx).feeds.add(list...)
	return append([]wallet.WalletBalance{}, list...), err
}

func (q queryResolver) Wallet(ctx context.Context, id core.ID) (*wallet.WalletBalance, error) {
	w, err := q.Config.Wallets.WalletFor(ctx, staffOf(ctx), string(id))
	return &w, err
}

func (q queryResolver) BankAccounts(ctx context.Context, gatewayID core.ID) ([]gateway.BankAccount, error) {
	row, err := scalar.ReadRowID("gatewayId", gatewayID)
	if err != nil {
		return nil, err
	}
	return listed(q.Config.Wallets.BankAccounts(ctx, staffOf(ctx), row))
}

func (m mutationResolver) CreateWallet(ctx context.Context, input wallets.NewWallet) (*generated.WalletPayload, error) {
	w, err := run(ctx, m, m.Commands.CreateWallet, input)
	return &generated.WalletPayload{Wallet: w}, err
}

func (m mutationResolver) SetWalletActive(ctx context.Context, input command.SetWalletActiveInput) (*generated.WalletPayload, error) {
	w, err := run(ctx, m, m.Commands.SetWalletActive, input)
	return &generated.WalletPayload{Wallet: w}, err
}

func (walletResolver) Currency(_ context.Context, w *wallet.WalletBalance) (string, error) {
	return w.AvailableBalance.Currency().Code, nil
}

func (r walletResolver) Feed(ctx context.Context, w *wallet.WalletBalance) (*wallet.Feed, error) {
	feeds, err := batchesOf(ctx).feeds.read(*w, func(rows ...wallet.WalletBalance) (map[int64]wallet.Feed, error) {
		wallets := make([]wallet.Wallet, len(rows))
		for i, w := range rows {
			wallets[i] = w.Wallet
		}
		return r.Statements.Feeds(ctx, staffOf(ctx), wallets...)
	})
	f, ok := feeds[w.ID]
	if err != nil || !ok {
		return nil, err // null: nothing is imported
	}
	return &f, nil
}

func (feedResolver) BankBalance(_ context.Context, f *wallet.Feed) (*money.Amount, error) {
	if f.BankBalanceAt.IsZero() {
		return nil, nil //nolint:nilnil // null: the bank was not asked
	}
	return &f.BankBalance, nil
}

func (r walletResolver) Entries(
	ctx context.Context, w *wallet.WalletBalance, first *int, after *string, last *int, before *string,
) (*page.LedgerEntryConnection, error) {
	place := func(e ledger.Entry) core.ID { return e.ID }
	entries, err := page.Read(page.Of(first, after, last, before), page.ByID, place, func(p core.Paging[core.ID]) ([]ledger.Entry, error) {
		return r.Wallets.Entries(ctx, staffOf(ctx), w.Wallet, p)
	})
	if err != nil {
		return nil, err
	}
	var named []core.ID
	for _, e := range entries.Nodes {
		named = append(named, e.PaymentID)
	}
	batchesOf(ctx).link(r.Backoffice, named...)
	return entries, nil
}

func (r walletResolver) Statement(
	ctx context.Context, w *wallet.WalletBalance, from, until core.Day, page *int,
) (*wallets.Page, error) {
	number := 1
	if page != nil {
		number = *page
	}
	s, err := r.Wallets.StatementFor(ctx, staffOf(ctx), w.Wallet, from, until, number)
	return &s, err
}

func (r walletResolver) Days(
	ctx context.Context, w *wallet.WalletBalance, filter *wallet.ReconciliationQuery, first *int, after *string, last *int, before *string,
) (*page.ReconciliationConnection, error) {
	return r.daysOf(ctx, page.Of(first, after, last, before), valueOf(filter), func(q wallet.ReconciliationQuery) ([]wallet.Reconciliation, error) {
		q.WalletID = w.ID
		return r.Statements.Days(ctx, staffOf(ctx), q)
	})
}

func (r entryResolver) Transaction(ctx context.Context, e *ledger.Entry) (*payment.Payment, error) {
	return r.payment(ctx, e.PaymentID)
}

func (bankAccountResolver) Asset(_ context.Context, a *gateway.BankAccount) (string, error) {
	return a.Asset.String(), nil
}
