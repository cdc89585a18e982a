package memory

import (
	"cmp"
	"context"
	"slices"
	"strconv"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/money"
)

// balance is what a wallet's three accounts hold, in kuruş.
type balance struct{ available, reserved, outside int64 }

func (b balance) with(e core.LedgerEntry) balance {
	return balance{
		available: b.available + e.Available.Minor(), reserved: b.reserved + e.Reserved.Minor(),
		outside: b.outside + e.Outside.Minor(),
	}
}

func (b balance) isLegal() bool {
	return b.available >= 0 && b.reserved >= 0 && b.available+b.reserved+b.outside == 0
}

// lineKey names a line of a wallet's statement.
type lineKey struct {
	walletID int64
	lineID   string
}

func (s *Store) makeWalletTables() {
	s.wallets = newTable(row[int64, core.Wallet]{
		key:     func(w core.Wallet) int64 { return w.ID },
		version: func(w core.Wallet) int { return w.Version },
		names: func(w core.Wallet) []string {
			return []string{
				w.WalletID, named("bank/"+strconv.FormatInt(w.GatewayID, 10)+"/", w.BankAccount), named("iban/", w.IBAN),
			}
		},
	})
	s.entries = newTable(row[core.ID, core.LedgerEntry]{
		key:     func(e core.LedgerEntry) core.ID { return e.ID },
		version: once[core.LedgerEntry],
		names: func(e core.LedgerEntry) []string {
			return []string{
				named("payment/"+string(e.Kind)+"/", string(e.PaymentID)),
				named("line/"+strconv.FormatInt(e.WalletID, 10)+"/", e.LineID),
				named("adjustment/"+strconv.FormatInt(e.WalletID, 10)+"/"+strconv.Itoa(e.Number)+"/", string(e.Day)),
			}
		},
	})
	s.feeds = newTable(row[int64, core.Feed]{
		key:     func(f core.Feed) int64 { return f.WalletID },
		version: func(f core.Feed) int { return f.Version },
	})
	s.reconciliations = newTable(row[dayKey, core.Reconciliation]{
		key:     func(r core.Reconciliation) dayKey { return dayKey{r.WalletID, r.Day} },
		version: func(r core.Reconciliation) int { return r.Version },
		clone:   cloneReconciliation,
	})
}

// booked leaves out the entries about lines that the changeset imports and that were imported before.
func (s *Store) booked(c core.Changeset) []core.LedgerEntry {
	return slices.DeleteFunc(slices.Clone(c.Entries), func(e core.LedgerEntry) bool {
		key := lineKey{e.WalletID, e.LineID}
		_, isKnown := s.bankLines[key]
		return isKnown && slices.ContainsFunc(c.BankLines, func(l core.BankLine) bool {
			return l.Version == 1 && key == lineKey{l.WalletID, l.LineID}
		})
	})
}

// hasWallets tells whether every entry's wallet is there or comes with the changeset.
func (s *Store) hasWallets(c core.Changeset) bool {
	for _, e := range c.Entries {
		_, isThere := s.wallets.rows[e.WalletID]
		if !isThere && !slices.ContainsFunc(c.Wallets, func(w core.Wallet) bool { return w.ID == e.WalletID }) {
			return false
		}
	}
	return true
}

// takesEntries tells whether each entry sums to zero and all of them together leave every balance legal.
func (s *Store) takesEntries(entries []core.LedgerEntry) bool {
	after := map[int64]balance{}
	for _, e := range entries {
		if alone := (balance{}).with(e); alone.available+alone.reserved+alone.outside != 0 {
			return false
		}
		b, ok := after[e.WalletID]
		if !ok {
			b = s.balances[e.WalletID]
		}
		after[e.WalletID] = b.with(e)
	}
	for _, b := range after {
		if !b.isLegal() {
			return false
		}
	}
	return true
}

func (s *Store) putBalances(entries []core.LedgerEntry) {
	for _, e := range entries {
		s.balances[e.WalletID] = s.balances[e.WalletID].with(e)
	}
}

func (s *Store) balanceOf(w core.Wallet) core.WalletBalance {
	b := s.balances[w.ID]
	return core.WalletBalance{
		Wallet: w, Available: money.New(b.available, money.TRY), Reserved: money.New(b.reserved, money.TRY),
	}
}

// WalletsOf implements ports.Wallets.
func (s *Store) WalletsOf(ctx context.Context, dealerID int64) ([]core.WalletBalance, error) {
	return list(ctx, s, "memory.WalletsOf", func() []core.WalletBalance {
		var found []core.WalletBalance
		for _, w := range s.wallets.where(func(w core.Wallet) bool { return dealerID == 0 || w.DealerID == dealerID }) {
			found = append(found, s.balanceOf(w))
		}
		slices.SortFunc(found, func(a, b core.WalletBalance) int { return cmp.Compare(a.ID, b.ID) })
		return found
	})
}

// Wallet implements ports.Wallets.
func (s *Store) Wallet(ctx context.Context, id int64) (core.WalletBalance, error) {
	return read(ctx, s, "memory.Wallet", func() (core.WalletBalance, bool) {
		w, ok := s.wallets.rows[id]
		return s.balanceOf(w), ok
	})
}

// WalletBy implements ports.Wallets.
func (s *Store) WalletBy(ctx context.Context, walletID string) (core.WalletBalance, error) {
	return read(ctx, s, "memory.WalletBy", func() (core.WalletBalance, bool) {
		w, ok := s.wallets.find(walletID)
		return s.balanceOf(w), ok
	})
}

// Entries implements ports.Wallets.
func (s *Store) Entries(ctx context.Context, walletID int64, after core.ID, limit int) ([]core.LedgerEntry, error) {
	return list(ctx, s, "memory.Entries", func() []core.LedgerEntry {
		found := s.entries.where(func(e core.LedgerEntry) bool {
			return e.WalletID == walletID && (after == "" || e.ID < after)
		})
		slices.SortFunc(found, func(a, b core.LedgerEntry) int { return cmp.Compare(b.ID, a.ID) })
		return first(found, limit)
	})
}

// BankLines implements ports.Wallets.
func (s *Store) BankLines(ctx context.Context, q core.BankLineQuery) (lines []core.BankLine, total int, err error) {
	lines, err = list(ctx, s, "memory.BankLines", func() []core.BankLine {
		var found []core.BankLine
		for _, l := range s.bankLines {
			if l.WalletID == q.WalletID && !l.BookedAt.Before(q.From) && l.BookedAt.Before(q.Until) {
				found = append(found, l)
			}
		}
		slices.SortFunc(found, func(a, b core.BankLine) int {
			return cmp.Or(b.BookedAt.Compare(a.BookedAt), cmp.Compare(b.LineID, a.LineID))
		})
		total = len(found)
		return first(found[min(max(q.Skip, 0), total):], q.Limit)
	})
	return lines, total, err
}
