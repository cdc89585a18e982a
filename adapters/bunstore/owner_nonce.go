package bunstore

import (
	"github.com/uptrace/bun"

	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/owner"
)

// nonceRow is a nonce that was used.
type nonceRow struct {
	bun.BaseModel `bun:"table:request_nonces"`

	Caller string    `bun:"caller,pk"`
	Nonce  string    `bun:"nonce,pk"`
	UsedAt timestamp `bun:"used_at,type:timestamptz"`
}

func nonceRowOf(n owner.Nonce) nonceRow {
	return nonceRow{Caller: n.Caller, Nonce: n.Value, UsedAt: timestamp(n.UsedAt)}
}

// nonces are kept once each. That one is there already is counted rather than raised as a unique violation, so that a
// database's log does not fill with what somebody replays.
func nonces() table {
	t := inserted(nonceRowOf, "")
	t.templates = func(w templateWriter) []template {
		return []template{w.insert(rowType[nonceRow](), " ON CONFLICT DO NOTHING RETURNING 1").all(fault.Conflict)}
	}
	return touching(t)
}
