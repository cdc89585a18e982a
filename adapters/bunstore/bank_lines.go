package bunstore

import (
	"context"

	"github.com/uptrace/bun"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/wallet"
)

// BankLine implements ports.StatementLines.
func (s *Store) BankLine(ctx context.Context, walletID int64, lineID string) (wallet.BankLine, error) {
	return one(ctx, s, "bunstore.BankLine", bankLineRow.line, func(q *bun.SelectQuery) *bun.SelectQuery {
		return q.Where("wallet_id = ? AND line_id = ?", walletID, lineID)
	})
}

// maxLineParts is of how many parts a list of lines is put together.
const maxLineParts = 100

// LinesIn implements ports.StatementLines. The list is put together from parts that are each the end of one index: the
// lines of a wallet in a state, or of all wallets.
func (s *Store) LinesIn(ctx context.Context, query wallet.LineQuery) ([]wallet.BankLine, error) {
	const op = "bunstore.LinesIn"
	wallets, isAll, err := s.walletsFor(ctx, query)
	if err != nil {
		return nil, fail(op, err)
	}
	if len(wallets) == 0 && !isAll {
		return nil, nil
	}
	states := query.States
	if len(states) == 0 {
		states = wallet.LineStates()
	}
	list := stateList[bankLineRow, wallet.BankLine, wallet.LineState]{
		op: op, turn: bankLineRow.line, limit: query.Limit, asked: states,
		where: func(q *bun.SelectQuery) *bun.SelectQuery { return whereSet(q, "id < ?", query.After) },
	}
	switch {
	case len(wallets)*len(states) > maxLineParts: // as many as a large bank's: read by state alone
		list.where = func(q *bun.SelectQuery) *bun.SelectQuery {
			return whereSet(q, "id < ?", query.After).Where(s.dialect.unindexed("wallet_id")+" IN (?)", bun.List(wallets))
		}
	case !isAll:
		for _, id := range wallets {
			list.among = append(list.among, func(q *bun.SelectQuery) *bun.SelectQuery { return q.Where("wallet_id = ?", id) })
		}
	}
	return listByState(ctx, s, list)
}

// walletsFor gives the wallets whose lines are asked for. isAll: those of all of them are.
func (s *Store) walletsFor(ctx context.Context, query wallet.LineQuery) (ids []int64, isAll bool, err error) {
	switch {
	case query.DealerID != 0:
		q := s.reads.NewSelect().Model((*walletRow)(nil)).Column("id").Where("dealer_id = ?", query.DealerID)
		err = whereSet(q, s.dialect.unindexed("id")+" = ?", query.WalletID).OrderExpr("id").Scan(ctx, &ids)
		return ids, false, err
	case query.WalletID != 0:
		return []int64{query.WalletID}, false, nil
	default:
		return nil, true, nil
	}
}

// LinesOf implements ports.StatementLines.
func (s *Store) LinesOf(ctx context.Context, paymentID core.ID) ([]wallet.BankLine, error) {
	return many(ctx, s, "bunstore.LinesOf", bankLineRow.line, func(q *bun.SelectQuery) *bun.SelectQuery {
		return q.Where("payment_id = ? AND payment_id <> ''", paymentID).OrderExpr("id")
	})
}

// Reversals implements ports.StatementLines.
func (s *Store) Reversals(ctx context.Context, walletID int64, lineIDs []string) ([]wallet.BankLine, error) {
	if len(lineIDs) == 0 {
		return nil, nil
	}
	return many(ctx, s, "bunstore.Reversals", bankLineRow.line, func(q *bun.SelectQuery) *bun.SelectQuery {
		return q.Where("wallet_id = ? AND reverses IN (?) AND reverses <> ''", walletID, bun.List(lineIDs)).OrderExpr("id")
	})
}
