package ports

import (
	"context"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/audit"
)

// AuditLog reads the audit log and the chain of its entries. Both only ever grow: a store refuses, by itself, whoever
// tries to change or delete a row of theirs.
type AuditLog interface {
	// AuditEntries returns the query's page of entries, newest first (greatest ID), each with its number in the chain. It
	// relies on an entry's ID being made within a minute of its At.
	AuditEntries(ctx context.Context, query core.AuditQuery) ([]core.AuditRecord, error)
	// AuditEnd returns the link with the greatest number and the checkpoint of a chain, both of one moment; what is not there
	// is zero.
	AuditEnd(ctx context.Context, name string) (audit.End, error)
	// AuditCheck returns what the last check of a chain found. Fault: NotFound (there was none).
	AuditCheck(ctx context.Context, name string) (audit.Check, error)
	// AuditLinks returns at most limit links with a number from first on, in their order, each with its entry.
	AuditLinks(ctx context.Context, first int64, limit int) ([]audit.ChainedEntry, error)
	// Unchained looks at the next limit entries after an ID, oldest first (by ID), and returns those of them that have no
	// link, and the ID of the last that it looked at; empty: there are none after.
	Unchained(ctx context.Context, after core.ID, limit int) (found []core.AuditEntry, last core.ID, err error)
}

// AuditPlace is a place outside the database to which heads of the chain are written. Whatever was written there should be
// out of reach of whoever can write the database.
type AuditPlace interface {
	// Name names the place in logs and metrics. It shows no secret.
	Name() string
	// Write returns when the checkpoint is durable there. What is written twice stands there twice.
	Write(ctx context.Context, c audit.Checkpoint) error
	// HasNone reports whether the place has nothing, as one has that was put anew in place of a full one.
	HasNone() bool
}

// AuditHeads reads the heads that were kept outside the database.
type AuditHeads interface {
	// Heads calls f with each of them, in the order of each file. An error of f ends it and is returned.
	Heads(ctx context.Context, f func(KeptHead) error) error
}

// KeptHead is a head as it was found outside the database.
type KeptHead struct {
	audit.Checkpoint
	Where      string // names the place to a person
	IsReadable bool   // false: there is something else
}
