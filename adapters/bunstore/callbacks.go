package bunstore

import (
	"cmp"
	"context"
	"database/sql"
	"slices"
	"time"

	"github.com/uptrace/bun"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/payment"
)

// maxBacklog is where counting the backlog stops.
const maxBacklog = 10_000

// isNext holds for a callback before which none of its payment waits. Nearly all are the first ones of theirs, of which
// nothing is read.
const isNext = `(sequence = 1 OR sequence = (
	SELECT min(o.sequence) FROM callbacks AS o WHERE o.payment_id = callbacks.payment_id AND o.state = 'waiting'
))`

// claim leases due rows in one statement: on PostgreSQL rows that another worker is claiming are passed over, on SQLite
// there is one writer. The rows are chosen once, before the update: a plan that looked again would take more than asked.
const claim = `WITH due AS MATERIALIZED (
	SELECT id FROM callbacks
	WHERE receiver = ?1 AND state = 'waiting' AND next_attempt_at <= ?2 AND (lease_until IS NULL OR lease_until < ?2)
	AND ` + isNext + `
	ORDER BY next_attempt_at, id LIMIT ?3 ?4
) UPDATE callbacks SET version = version + 1, lease_until = ?0 WHERE id IN (SELECT id FROM due) RETURNING *`

// ClaimCallbacks implements ports.Callbacks.
func (s *Store) ClaimCallbacks(
	ctx context.Context, receiver string, now, leaseUntil time.Time, limit int,
) ([]payment.Callback, error) {
	o := opener[callbackRow, payment.Callback]{
		table: "callbacks", turn: callbackRow.callback, name: func(r callbackRow) string { return string(r.ID) },
	}
	return claimed(ctx, s, "bunstore.ClaimCallbacks", limit, o, func(limit int) (rows []callbackRow, err error) {
		lock := bun.Safe(s.dialect.lockClaimed())
		err = s.writes.NewRaw(claim, stamp(leaseUntil), receiver, stamp(now), limit, lock).Scan(ctx, &rows)
		slices.SortFunc(rows, func(a, b callbackRow) int { // RETURNING promises no order
			return cmp.Or(time.Time(a.NextAttemptAt).Compare(time.Time(b.NextAttemptAt)), cmp.Compare(a.ID, b.ID))
		})
		return rows, err
	})
}

// receivers steps through the index from one receiver to the next: a receiver costs the same however many callbacks
// wait for it.
const receivers = `WITH RECURSIVE receivers (name) AS (
	SELECT (SELECT min(receiver) FROM callbacks WHERE state = 'waiting' AND receiver > ?0)
	UNION ALL
	SELECT (SELECT min(receiver) FROM callbacks WHERE state = 'waiting' AND receiver > receivers.name)
	FROM receivers WHERE receivers.name IS NOT NULL
) `

const dueReceivers = receivers + `SELECT name FROM receivers WHERE name IS NOT NULL AND EXISTS (
	SELECT 1 FROM callbacks
	WHERE receiver = name AND state = 'waiting' AND next_attempt_at <= ?1 AND (lease_until IS NULL OR lease_until < ?1)
	AND ` + isNext + `
) LIMIT ?2`

// DueReceivers implements ports.Callbacks.
func (s *Store) DueReceivers(ctx context.Context, now time.Time, after string, limit int) ([]string, error) {
	if limit < 1 {
		return nil, nil
	}
	var names []string
	err := s.reads.NewRaw(dueReceivers, after, stamp(now), limit).Scan(ctx, &names)
	return names, fail("bunstore.DueReceivers", err)
}

// CallbacksOf implements ports.Callbacks.
func (s *Store) CallbacksOf(ctx context.Context, paymentID core.ID) ([]payment.Callback, error) {
	return many(ctx, s, "bunstore.CallbacksOf", callbackRow.callback, func(q *bun.SelectQuery) *bun.SelectQuery {
		return q.Where("payment_id = ?", paymentID).OrderExpr("sequence")
	})
}

// Attempts implements ports.Callbacks.
func (s *Store) Attempts(ctx context.Context, callbackID core.ID) ([]payment.Attempt, error) {
	return many(ctx, s, "bunstore.Attempts", attemptRow.attempt, func(q *bun.SelectQuery) *bun.SelectQuery {
		return q.Where("callback_id = ?", callbackID).OrderExpr("id")
	})
}

const backlog = receivers + `, heads (name, oldest) AS (
	SELECT name, (SELECT min(next_attempt_at) FROM callbacks WHERE receiver = name AND state = 'waiting')
	FROM receivers WHERE name IS NOT NULL
), due (name, oldest) AS (SELECT name, oldest FROM heads WHERE oldest <= ?1)
SELECT (SELECT min(oldest) FROM due) AS oldest, (SELECT count(*) FROM (
	SELECT 1 FROM due JOIN callbacks ON receiver = name AND state = 'waiting' AND next_attempt_at <= ?1 LIMIT ?2
) AS bounded) AS due`

// Backlog implements ports.Callbacks; counting stops at maxBacklog.
func (s *Store) Backlog(ctx context.Context, now time.Time) (core.Backlog, error) {
	var row struct {
		Oldest stamp         `bun:"oldest"`
		Due    sql.NullInt64 `bun:"due"`
	}
	if err := s.reads.NewRaw(backlog, "", stamp(now), maxBacklog).Scan(ctx, &row); err != nil {
		return core.Backlog{}, fail("bunstore.Backlog", err)
	}
	b := core.Backlog{Due: int(row.Due.Int64)}
	if oldest := time.Time(row.Oldest); !oldest.IsZero() {
		b.OldestDue = now.Sub(oldest)
	}
	return b, nil
}
