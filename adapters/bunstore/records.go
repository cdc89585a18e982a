package bunstore

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"github.com/vezne/vezne/core/payment"
)

// FirstAnswer implements ports.Idempotency.
func (s *Store) FirstAnswer(ctx context.Context, key payment.IdempotencyKey) (payment.IdempotencyRecord, error) {
	return one(ctx, s, "bunstore.FirstAnswer", answerRow.record, func(q *bun.SelectQuery) *bun.SelectQuery {
		return q.Where("caller = ? AND endpoint = ? AND idempotency_key = ?", key.Caller, key.Endpoint, key.Key)
	})
}

// ForgetAnswers implements ports.Idempotency.
func (s *Store) ForgetAnswers(ctx context.Context, before time.Time, limit int) (int, error) {
	const op = "bunstore.ForgetAnswers"
	if limit < 1 {
		return 0, nil
	}
	result, err := s.writes.NewRaw(`DELETE FROM idempotency_records WHERE (caller, endpoint, idempotency_key) IN (
		SELECT caller, endpoint, idempotency_key FROM idempotency_records WHERE created_at < ?
		ORDER BY created_at LIMIT ?)`, stamp(before), limit).Exec(ctx)
	if err != nil {
		return 0, fail(op, err)
	}
	forgotten, err := result.RowsAffected()
	return int(forgotten), fail(op, err)
}

// NextID implements ports.Sequences.
func (s *Store) NextID(ctx context.Context, name string) (int64, error) {
	var id int64
	err := s.writes.NewRaw(`INSERT INTO sequences (name, value) VALUES (?, 1)
		ON CONFLICT (name) DO UPDATE SET value = sequences.value + 1 RETURNING value`, name).Scan(ctx, &id)
	return id, fail("bunstore.NextID", err)
}
