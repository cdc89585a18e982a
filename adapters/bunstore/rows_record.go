package bunstore

import (
	"time"

	"github.com/uptrace/bun"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/payment"
)

// answerRow is an idempotency record.
type answerRow struct {
	bun.BaseModel `bun:"table:idempotency_records"`

	Caller         string `bun:"caller,pk"`
	Endpoint       string `bun:"endpoint,pk"`
	Key            string `bun:"idempotency_key,pk"`
	RequestHash    string `bun:"request_hash"`
	Status         int    `bun:"status"`
	Body           []byte `bun:"body"`
	CreatedAt      stamp  `bun:"created_at,type:timestamptz"`
	ReplacesBefore stamp  `bun:"replaces_before,type:timestamptz"`
}

func answerRowOf(r payment.IdempotencyRecord) answerRow {
	body := r.Body
	if body == nil {
		body = []byte{} // the column knows no null
	}
	return answerRow{
		Caller: r.Caller, Endpoint: r.Endpoint, Key: r.Key, RequestHash: r.RequestHash, Status: r.Status, Body: body,
		CreatedAt: stamp(r.CreatedAt), ReplacesBefore: stamp(r.ReplacesBefore),
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

	ID core.ID `bun:"id,pk"`
	At stamp   `bun:"at,type:timestamptz"`
	actorRow
	Action string `bun:"action"`
	Target string `bun:"target"`
	Reason string `bun:"reason"`
	Before string `bun:"before_state"`
	After  string `bun:"after_state"`
}

func auditRowOf(e core.AuditEntry) auditRow {
	return auditRow{
		ID: e.ID, At: stamp(e.At), actorRow: actorRowOf(e.By), Action: e.Action, Target: e.Target, Reason: e.Reason,
		Before: e.Before, After: e.After,
	}
}
