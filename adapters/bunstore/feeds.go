package bunstore

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/uptrace/bun"

	"github.com/vezne/vezne/core/wallet"
)

// claimFeeds leases due rows as claim does.
const claimFeeds = `WITH due AS MATERIALIZED (
	SELECT wallet_id FROM feeds
	WHERE next_at <= ?1 AND (lease_until IS NULL OR lease_until <= ?1)
	ORDER BY next_at, wallet_id LIMIT ?2 ?3
) UPDATE feeds SET version = version + 1, lease_until = ?0 WHERE wallet_id IN (SELECT wallet_id FROM due) RETURNING *`

// ClaimFeeds implements ports.Feeds.
func (s *Store) ClaimFeeds(ctx context.Context, now, leaseUntil time.Time, limit int) ([]wallet.Feed, error) {
	o := opener[feedRow, wallet.Feed]{table: "feeds", turn: feedRow.feed, name: func(r feedRow) string { return number(r.WalletID) }}
	return claimed(ctx, s, "bunstore.ClaimFeeds", limit, o, func(limit int) (rows []feedRow, err error) {
		lock := bun.Safe(s.dialect.lockClaimed())
		err = s.writes.NewRaw(claimFeeds, stamp(leaseUntil), stamp(now), limit, lock).Scan(ctx, &rows)
		slices.SortFunc(rows, func(a, b feedRow) int { // RETURNING promises no order
			return cmp.Or(time.Time(a.NextAt).Compare(time.Time(b.NextAt)), cmp.Compare(a.WalletID, b.WalletID))
		})
		return rows, err
	})
}

// Feed implements ports.Feeds.
func (s *Store) Feed(ctx context.Context, walletID int64) (wallet.Feed, error) {
	return one(ctx, s, "bunstore.Feed", feedRow.feed, func(q *bun.SelectQuery) *bun.SelectQuery {
		return q.Where("wallet_id = ?", walletID)
	})
}

// FeedsOf implements ports.Feeds.
func (s *Store) FeedsOf(ctx context.Context, gatewayID int64) ([]wallet.Feed, error) {
	return many(ctx, s, "bunstore.FeedsOf", feedRow.feed, func(q *bun.SelectQuery) *bun.SelectQuery {
		return q.Where("gateway_id = ?", gatewayID).OrderExpr("wallet_id")
	})
}

// maxHealthCount is where FeedHealth stops counting.
const maxHealthCount = 1000

// feedHealth reads all feeds, which are few; of lines and days it reads only what waits. The words of the indexes are
// repeated as they are there.
const feedHealth = `SELECT troubled, ledger_off, oldest_read,
	(SELECT count(*) FROM (
		SELECT 1 FROM bank_lines ?1 WHERE state IN ('unmatched', 'doubtful', 'unbooked') LIMIT ?0
	) AS waiting) AS waiting_lines,
	(SELECT min(imported_at) FROM bank_lines ?1 WHERE state IN ('unmatched', 'doubtful', 'unbooked')) AS oldest_waiting,
	(SELECT count(*) FROM (SELECT 1 FROM reconciliations WHERE open_count > 0 LIMIT ?0) AS days) AS open_days
FROM (SELECT count(CASE WHEN failures > 0 THEN 1 END) AS troubled, count(CASE WHEN is_ledger_off THEN 1 END) AS ledger_off,
	min(CASE WHEN next_at IS NOT NULL THEN read_until END) AS oldest_read FROM feeds) AS f`

// FeedHealth implements ports.Feeds.
func (s *Store) FeedHealth(ctx context.Context) (wallet.FeedHealth, error) {
	var row struct {
		Troubled      int   `bun:"troubled"`
		LedgerOff     int   `bun:"ledger_off"`
		OldestRead    stamp `bun:"oldest_read"`
		WaitingLines  int   `bun:"waiting_lines"`
		OldestWaiting stamp `bun:"oldest_waiting"`
		OpenDays      int   `bun:"open_days"`
	}
	err := s.reads.NewRaw(feedHealth, maxHealthCount, bun.Safe(s.dialect.byIndex("bank_lines_waiting"))).Scan(ctx, &row)
	return wallet.FeedHealth{
		Troubled: row.Troubled, LedgerOff: row.LedgerOff, OldestRead: time.Time(row.OldestRead),
		WaitingLines: row.WaitingLines, OpenDays: row.OpenDays, OldestWaiting: time.Time(row.OldestWaiting),
	}, fail("bunstore.FeedHealth", err)
}

// addUpLedger is one statement, so that the sums and the balances are of one moment.
const addUpLedger = `SELECT b.available_minor, b.reserved_minor, b.outside_minor,
	CAST(COALESCE(s.available_minor, 0) AS bigint) AS sum_available, CAST(COALESCE(s.reserved_minor, 0) AS bigint) AS sum_reserved,
	CAST(COALESCE(s.outside_minor, 0) AS bigint) AS sum_outside
FROM wallet_balances AS b CROSS JOIN (
	SELECT sum(available_minor) AS available_minor, sum(reserved_minor) AS reserved_minor, sum(outside_minor) AS outside_minor
	FROM ledger_entries WHERE wallet_id = ?0
) AS s WHERE b.wallet_id = ?0`

// AddUpLedger implements ports.Feeds.
func (s *Store) AddUpLedger(ctx context.Context, walletID int64) (wallet.LedgerSum, error) {
	var row struct {
		Available    int64 `bun:"available_minor"`
		Reserved     int64 `bun:"reserved_minor"`
		Outside      int64 `bun:"outside_minor"`
		SumAvailable int64 `bun:"sum_available"`
		SumReserved  int64 `bun:"sum_reserved"`
		SumOutside   int64 `bun:"sum_outside"`
	}
	if err := s.reads.NewRaw(addUpLedger, walletID).Scan(ctx, &row); err != nil {
		return wallet.LedgerSum{}, fail("bunstore.AddUpLedger", err)
	}
	return wallet.LedgerSum{
		Available: kurus(row.Available), Reserved: kurus(row.Reserved), Outside: kurus(row.Outside),
		SumAvailable: kurus(row.SumAvailable), SumReserved: kurus(row.SumReserved), SumOutside: kurus(row.SumOutside),
	}, nil
}
