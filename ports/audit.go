package ports

import (
	"context"

	"github.com/vezne/vezne/core"
)

// AuditLog reads the audit log and the chain of its entries. Both only ever grow: a store refuses, by itself, whoever
// tries to change or delete a row of theirs.
type AuditLog interface {
	// AuditEntries returns the query's page of entries, newest first (greatest ID), each with its number in the chain. It
	// relies on an entry's ID being made within a minute of its At.
	AuditEntries(ctx context.Context, query core.AuditQuery) ([]core.AuditRecord, error)
	// AuditHead returns the link with the greatest number; the zero link when there is none.
	AuditHead(ctx context.Context) (core.AuditLink, error)
	// AuditLinks returns at most limit links with a number from first on, in their order, each with its entry.
	AuditLinks(ctx context.Context, first int64, limit int) ([]core.ChainedEntry, error)
	// Unchained looks at the next limit entries after an ID, oldest first (by ID), and returns those of them that have no
	// link, and the ID of the last that it looked at; empty: there are none after.
	Unchained(ctx context.Context, after core.ID, limit int) (found []core.AuditEntry, last core.ID, err error)
}
