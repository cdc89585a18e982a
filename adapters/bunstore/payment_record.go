package bunstore

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/payment"
)

// answerRow is an idempotency record.
type answerRow struct {
	bun.BaseModel `bun:"table:idempotency_records"`

	Caller         string    `bun:"caller,pk"`
	Endpoint       string    `bun:"endpoint,pk"`
	Key            string    `bun:"idempotency_key,pk"`
	RequestHash    string    `bun:"request_hash"`
	Status         int       `bun:"status"`
	Body           []byte    `bun:"body"`
	CreatedAt      timestamp `bun:"created_at,type:timestamptz"`
	ReplacesBefore timestamp `bun:"replaces_before,type:timestamptz"`
}

func answerRowOf(r payment.IdempotencyRecord) answerRow {
	body := r.Body
	if body == nil {
		body = []byte{} // the column knows no null
	}
	return answerRow{
		Caller: r.Caller, Endpoint: r.Endpoint, Key: r.Key, RequestHash: r.RequestHash, Status: r.Status, Body: body,
		CreatedAt: timestamp(r.CreatedAt), ReplacesBefore: timestamp(r.ReplacesBefore),
	}
}

func (r answerRow) record() (payment.IdempotencyRecord, error) {
	return payment.IdempotencyRecord{
		IdempotencyKey: payment.IdempotencyKey{Caller: r.Caller, Endpoint: r.Endpoint, Key: r.Key},
		RequestHash:    r.RequestHash, Status: r.Status, Body: r.Body, CreatedAt: time.Time(r.CreatedAt),
		ReplacesBefore: time.Time(r.ReplacesBefore),
	}, nil
}

type auditRow struct {
	bun.BaseModel `bun:"table:audit_entries"`

	ID core.ID   `bun:"id,pk"`
	At timestamp `bun:"at,type:timestamptz"`
	actorRow
	Action string `bun:"action"`
	Target string `bun:"target"`
	Reason string `bun:"reason"`
	Before string `bun:"before_state"`
	After  string `bun:"after_state"`
}

func auditRowOf(e core.AuditEntry) auditRow {
	return auditRow{
		ID: e.ID, At: timestamp(e.At), actorRow: actorRowOf(e.Actor), Action: e.Action, Target: e.Target, Reason: e.Reason,
		Before: e.Before, After: e.After,
	}
}

// FirstAnswer implements ports.Payments.
func (s *Store) FirstAnswer(ctx context.Context, key payment.IdempotencyKey) (payment.IdempotencyRecord, error) {
	return one(ctx, s, "bunstore.FirstAnswer", answerRow.record,
		"caller = ? AND endpoint = ? AND idempotency_key = ?", key.Caller, key.Endpoint, key.Key)
}

// NextID implements ports.Sequences.
func (s *Store) NextID(ctx context.Context, name string) (int64, error) {
	var id int64
	err := s.writes.NewRaw(`INSERT INTO sequences (name, value) VALUES (?, 1)
		ON CONFLICT (name) DO UPDATE SET value = sequences.value + 1 RETURNING value`, name).Scan(ctx, &id)
	return id, fail("bunstore.NextID", err)
}
