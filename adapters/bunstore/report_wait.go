package bunstore

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
)

// firstSaid is read apart from the payments, which it names: a history lies in the partition of its payment's month, and no others are
// planned.
const firstSaid = `SELECT payment_id, min(at) AS said_at FROM moves WHERE payment_id IN (?) AND command IN (?) GROUP BY payment_id`

// LastWaits implements ports.Reports. The last deposits of a site and those of a dealer's own are read from the end of an index.
func (s *Store) LastWaits(ctx context.Context, q report.WaitQuery) ([]time.Duration, error) {
	const op = "bunstore.LastWaits"
	last := s.reads.NewSelect().Table("payments").Column("id", "method", "finished_at").Where("status = ?", payment.Completed)
	if q.SiteID != 0 {
		last = last.Where("site_id = ?", q.SiteID)
	} else {
		last = last.Where("dealer_id = ? AND provider_id = 0", q.DealerID)
	}
	var ended []struct {
		ID         core.ID
		Method     payment.Method
		FinishedAt timestamp
	}
	if err := last.OrderExpr("id DESC").Limit(int64(q.Limit)).Scan(ctx, &ended); err != nil {
		return nil, fail(op, err)
	}
	endedAt := map[core.ID]time.Time{}
	var ids []core.ID
	for _, p := range ended {
		if at := time.Time(p.FinishedAt); p.Method == q.Method && !at.Before(q.Since) {
			endedAt[p.ID], ids = at, append(ids, p.ID)
		}
	}
	if len(ids) == 0 {
		return nil, nil
	}
	var said []struct {
		PaymentID core.ID
		SaidAt    timestamp
	}
	err := s.reads.NewRaw(firstSaid, bun.List(ids), bun.List([]payment.Command{payment.ClaimPaid, payment.SeeMoney})).Scan(ctx, &said)
	var waits []time.Duration
	for _, r := range said {
		waits = append(waits, endedAt[r.PaymentID].Sub(time.Time(r.SaidAt)))
	}
	return waits, fail(op, err)
}
