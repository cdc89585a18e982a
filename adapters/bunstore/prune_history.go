package bunstore

import (
	"context"

	"github.com/uptrace/bun"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/payment"
)

// historyUse asks what needs the histories of payments from ?0 on and before ?1, of which moves before the ID ?2 are old. The index of
// payments is read of each table, but where few rows are open and have an index of their own.
const historyUse = `SELECT
	EXISTS (SELECT 1 FROM payments WHERE status IN (?3) AND id >= ?0 AND id < ?1) AS has_open_payments,
	EXISTS (SELECT 1 FROM callbacks WHERE state = 'waiting' AND payment_id >= ?0 AND payment_id < ?1) AS has_waiting_callbacks,
	EXISTS (SELECT 1 FROM operations WHERE phase <> 'closed' AND payment_id >= ?0 AND payment_id < ?1) AS has_open_operations,
	EXISTS (SELECT 1 FROM discrepancies WHERE state IN (?4) AND payment_id >= ?0 AND payment_id < ?1) AS has_open_discrepancies,
	EXISTS (SELECT 1 FROM disputes WHERE state NOT IN (?5) AND payment_id <> '' AND payment_id >= ?0 AND payment_id < ?1) AS has_open_disputes,
	EXISTS (SELECT 1 FROM approvals AS a JOIN payments AS p ON p.tracking_code <> '' AND p.tracking_code = substr(a.subject, 9) -- payment/…
		WHERE a.state = 'waiting' AND p.id >= ?0 AND p.id < ?1) AS has_waiting_approvals,
	EXISTS (SELECT 1 FROM moves WHERE id >= ?2 AND payment_id >= ?0 AND payment_id < ?1) AS has_recent_moves`

func (s *Store) historyUse(ctx context.Context, from, until, recent core.ID) (use payment.HistoryUse, err error) {
	var over []gateway.DisputeState
	for _, state := range gateway.DisputeStates() {
		if state.IsOver() {
			over = append(over, state)
		}
	}
	err = s.reads.NewRaw(historyUse, from, until, recent, bun.List(payment.OpenStatuses()),
		bun.List([]discrepancy.Status{discrepancy.Open, discrepancy.Refunding}), bun.List(over)).Scan(ctx, &use)
	return use, err
}

// pruneHistories deletes at most so many rows of the histories before an ID that lie in no month's partition: month by month, the oldest
// first, of months that are all older than another ID and that nobody needs.
func (s *Store) pruneHistories(ctx context.Context, until, before core.ID, limit int) (pruned int, err error) {
	for from := core.ID(""); pruned < limit; {
		var oldest core.ID
		const find = "SELECT COALESCE(min(payment_id), '') FROM moves WHERE payment_id >= ? AND payment_id < ?"
		if err := s.reads.NewRaw(find, from, until).Scan(ctx, &oldest); err != nil {
			return pruned, err
		}
		at, isTime := oldest.Time()
		end := core.FirstID(monthOf(at).AddDate(0, 1, 0))
		if !isTime || end > before {
			return pruned, nil
		}
		use, err := s.historyUse(ctx, core.FirstID(monthOf(at)), end, before)
		if err != nil {
			return pruned, err
		}
		if use.IsNone() {
			result, err := s.background.NewRaw(`DELETE FROM moves WHERE (payment_id, at, id) IN (
				SELECT payment_id, at, id FROM moves WHERE payment_id >= ? AND payment_id < ? AND id < ? ORDER BY payment_id, at, id LIMIT ?)`,
				oldest, end, before, limit-pruned).Exec(ctx)
			if err != nil {
				return pruned, err
			}
			n, err := result.RowsAffected()
			if err != nil {
				return pruned, err
			}
			pruned += int(n)
		}
		from = end
	}
	return pruned, nil
}
