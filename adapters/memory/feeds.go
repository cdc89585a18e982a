package memory

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/money"
)

// dayKey names a wallet's day.
type dayKey struct {
	walletID int64
	day      core.Day
}

// ClaimFeeds implements ports.Feeds.
func (s *Store) ClaimFeeds(ctx context.Context, now, leaseUntil time.Time, limit int) ([]core.Feed, error) {
	return list(ctx, s, "memory.ClaimFeeds", func() []core.Feed {
		claimed := s.feeds.where(func(f core.Feed) bool {
			return !f.NextAt.IsZero() && !f.NextAt.After(now) && !f.LeaseUntil.After(now)
		})
		slices.SortFunc(claimed, func(a, b core.Feed) int {
			return cmp.Or(a.NextAt.Compare(b.NextAt), cmp.Compare(a.WalletID, b.WalletID))
		})
		claimed = first(claimed, limit)
		for i := range claimed {
			claimed[i].Version++
			claimed[i].LeaseUntil = leaseUntil
		}
		s.feeds.put(claimed)
		return claimed
	})
}

// Feed implements ports.Feeds.
func (s *Store) Feed(ctx context.Context, walletID int64) (core.Feed, error) {
	return read(ctx, s, "memory.Feed", func() (core.Feed, bool) { return s.feeds.get(walletID) })
}

// FeedsOf implements ports.Feeds.
func (s *Store) FeedsOf(ctx context.Context, gatewayID int64) ([]core.Feed, error) {
	return list(ctx, s, "memory.FeedsOf", func() []core.Feed {
		found := s.feeds.where(func(f core.Feed) bool { return f.GatewayID == gatewayID })
		slices.SortFunc(found, func(a, b core.Feed) int { return cmp.Compare(a.WalletID, b.WalletID) })
		return found
	})
}

// FeedsOfAll implements ports.WalletPages.
func (s *Store) FeedsOfAll(ctx context.Context, wallets []int64) ([]core.Feed, error) {
	return list(ctx, s, "memory.FeedsOfAll", func() []core.Feed {
		found := s.feeds.where(func(f core.Feed) bool { return slices.Contains(wallets, f.WalletID) })
		slices.SortFunc(found, func(a, b core.Feed) int { return cmp.Compare(a.WalletID, b.WalletID) })
		return found
	})
}

// FeedHealth implements ports.Feeds.
func (s *Store) FeedHealth(ctx context.Context) (core.FeedHealth, error) {
	return read(ctx, s, "memory.FeedHealth", func() (core.FeedHealth, bool) {
		var h core.FeedHealth
		for _, f := range s.feeds.rows {
			if f.Failures > 0 {
				h.Troubled++
			}
			if f.IsLedgerOff {
				h.LedgerOff++
			}
			if !f.NextAt.IsZero() {
				h.OldestRead = earlier(h.OldestRead, f.ReadUntil)
			}
		}
		for _, l := range s.bankLines {
			if l.IsWaiting() || l.State == core.LineUnbooked {
				h.WaitingLines++
				h.OldestWaiting = earlier(h.OldestWaiting, l.ImportedAt)
			}
		}
		h.OpenDays = len(s.reconciliations.where(func(r core.Reconciliation) bool { return r.Open() > 0 }))
		return h, true
	})
}

// earlier gives the earlier of two moments; one that is zero is none.
func earlier(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

// AddUpLedger implements ports.Feeds.
func (s *Store) AddUpLedger(ctx context.Context, walletID int64) (core.LedgerSum, error) {
	return read(ctx, s, "memory.AddUpLedger", func() (core.LedgerSum, bool) {
		_, ok := s.wallets.rows[walletID]
		var sum balance
		for _, e := range s.entries.rows {
			if e.WalletID == walletID {
				sum = sum.with(e)
			}
		}
		kept, lira := s.balances[walletID], func(minor int64) money.Amount { return money.New(minor, money.TRY) }
		return core.LedgerSum{
			Available: lira(kept.available), Reserved: lira(kept.reserved), Outside: lira(kept.outside),
			SumAvailable: lira(sum.available), SumReserved: lira(sum.reserved), SumOutside: lira(sum.outside),
		}, ok
	})
}

// Reconciliation implements ports.Reconciliations.
func (s *Store) Reconciliation(ctx context.Context, walletID int64, day core.Day) (core.Reconciliation, error) {
	return read(ctx, s, "memory.Reconciliation", func() (core.Reconciliation, bool) {
		return s.reconciliations.get(dayKey{walletID, day})
	})
}

// Reconciliations implements ports.Reconciliations.
func (s *Store) Reconciliations(ctx context.Context, q core.ReconciliationQuery) ([]core.Reconciliation, error) {
	return list(ctx, s, "memory.Reconciliations", func() []core.Reconciliation {
		found := s.reconciliations.where(func(r core.Reconciliation) bool {
			return (q.DealerID == 0 || q.DealerID == r.DealerID) && (q.WalletID == 0 || q.WalletID == r.WalletID) &&
				(!q.OnlyOpen || r.Open() > 0) && (q.Before == "" || r.Day < q.Before)
		})
		slices.SortFunc(found, func(a, b core.Reconciliation) int {
			return cmp.Or(cmp.Compare(b.Day, a.Day), cmp.Compare(a.WalletID, b.WalletID))
		})
		return first(found, q.Limit)
	})
}
