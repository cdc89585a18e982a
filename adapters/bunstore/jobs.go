package bunstore

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/uptrace/bun"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
)

// claimJobs leases due rows as claim does.
const claimJobs = `WITH due AS MATERIALIZED (
	SELECT id FROM jobs
	WHERE next_at <= ?1 AND (lease_until IS NULL OR lease_until <= ?1)
	ORDER BY next_at, id LIMIT ?2 ?3
) UPDATE jobs SET version = version + 1, lease_until = ?0 WHERE id IN (SELECT id FROM due) RETURNING *`

// ClaimJobs implements ports.Jobs.
func (s *Store) ClaimJobs(ctx context.Context, now, leaseUntil time.Time, limit int) ([]report.Job, error) {
	o := opener[jobRow, report.Job]{table: "jobs", turn: jobRow.job, name: func(r jobRow) string { return string(r.ID) }}
	return claimed(ctx, s, "bunstore.ClaimJobs", limit, o, func(limit int) (rows []jobRow, err error) {
		lock := bun.Safe(s.dialect.lockClaimed())
		err = s.writes.NewRaw(claimJobs, stamp(leaseUntil), stamp(now), limit, lock).Scan(ctx, &rows)
		slices.SortFunc(rows, func(a, b jobRow) int { // RETURNING promises no order
			return cmp.Or(time.Time(a.NextAt).Compare(time.Time(b.NextAt)), cmp.Compare(a.ID, b.ID))
		})
		return rows, err
	})
}

// Job implements ports.Jobs.
func (s *Store) Job(ctx context.Context, id core.ID) (report.Job, error) {
	return one(ctx, s, "bunstore.Job", jobRow.job, func(q *bun.SelectQuery) *bun.SelectQuery { return q.Where("id = ?", id) })
}

// ListJobs implements ports.Jobs. Jobs are few: one maker's are read by an index, the rest is compared row by row.
func (s *Store) ListJobs(ctx context.Context, query report.JobQuery) ([]report.Job, error) {
	limit := min(query.Limit, core.MaxPage+1)
	if limit < 1 {
		return nil, nil
	}
	return many(ctx, s, "bunstore.ListJobs", jobRow.job, func(q *bun.SelectQuery) *bun.SelectQuery {
		if query.StaffID != 0 {
			q = q.Where("staff_id = ?", query.StaffID)
		}
		if len(query.Kinds) > 0 {
			q = q.Where("kind IN (?)", bun.List(query.Kinds))
		}
		if len(query.States) > 0 {
			q = q.Where("state IN (?)", bun.List(query.States))
		}
		if query.After != "" {
			q = q.Where("id < ?", query.After)
		}
		return q.OrderExpr("id DESC").Limit(int64(limit))
	})
}

// JobChunk implements ports.Jobs.
func (s *Store) JobChunk(ctx context.Context, jobID core.ID, number int) (report.JobChunk, error) {
	return one(ctx, s, "bunstore.JobChunk", jobChunkRow.chunk, func(q *bun.SelectQuery) *bun.SelectQuery {
		return q.Where("job_id = ?", jobID).Where("number = ?", number)
	})
}

// forgetFiles finds the chunks by their jobs: there are only those of the last day's exports.
const forgetFiles = `DELETE FROM job_chunks WHERE (job_id, number) IN (
	SELECT c.job_id, c.number FROM job_chunks AS c JOIN jobs AS j ON j.id = c.job_id WHERE j.finished_at < ? LIMIT ?
)`

// ForgetFiles implements ports.Jobs.
func (s *Store) ForgetFiles(ctx context.Context, before time.Time, limit int) (int, error) {
	const op = "bunstore.ForgetFiles"
	result, err := s.writes.NewRaw(forgetFiles, stamp(before), limit).Exec(ctx)
	if err != nil {
		return 0, fail(op, err)
	}
	n, err := result.RowsAffected()
	return int(n), fail(op, err)
}

// Callback implements ports.Outbox.
func (s *Store) Callback(ctx context.Context, id core.ID) (payment.Callback, error) {
	return one(ctx, s, "bunstore.Callback", callbackRow.callback, func(q *bun.SelectQuery) *bun.SelectQuery {
		return q.Where("id = ?", id)
	})
}

// CallbacksOfPayments implements ports.Outbox.
func (s *Store) CallbacksOfPayments(ctx context.Context, paymentIDs []core.ID) ([]payment.Callback, error) {
	if len(paymentIDs) == 0 {
		return nil, nil
	}
	return many(ctx, s, "bunstore.CallbacksOfPayments", callbackRow.callback, func(q *bun.SelectQuery) *bun.SelectQuery {
		return q.Where("payment_id IN (?)", bun.List(paymentIDs)).OrderExpr("id")
	})
}
