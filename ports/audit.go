package ports

import (
	"context"
	"time"

	"github.com/vezne/vezne/core"
)

// AuditLog reads the audit log and the chain of its entries. Both only ever grow: a store refuses, by itself, whoever
// tries to change or delete a row of theirs.
type AuditLog interface {
	// AuditEntries gives at most query.Limit entries, newest first (greatest ID), each with its number in the chain. It
	// relies on an entry's ID being made within a minute of its At.
	AuditEntries(ctx context.Context, query core.AuditQuery) ([]core.AuditRecord, error)
	// AuditHead gives the link with the greatest number; the zero link when there is none.
	AuditHead(ctx context.Context) (core.AuditLink, error)
	// AuditLinks gives at most limit links with a number from first on, in their order, each with its entry.
	AuditLinks(ctx context.Context, first int64, limit int) ([]core.ChainedEntry, error)
	// Unchained looks at the next limit entries after an ID, oldest first (by ID), and gives those of them that have no
	// link, and the ID of the last that it looked at; empty: there are none after.
	Unchained(ctx context.Context, after core.ID, limit int) (found []core.AuditEntry, last core.ID, err error)
}

// DueWork tells how much work waits in the database.
type DueWork interface {
	// DueWork gives every kind of work once, in the order of core.WorkKinds. Counting stops at a bound of its own.
	DueWork(ctx context.Context, now time.Time) ([]core.DueWork, error)
}

// TaskQueues tells what the queue library says of its queues. Nothing relies on it: it is for people to look at.
type TaskQueues interface {
	// TaskQueues returns this installation's own queue, then the others by name. Fault: Unavailable.
	TaskQueues(ctx context.Context) ([]core.TaskQueue, error)
}

// Tickets keeps short texts for a while, for all processes. What it keeps may be lost at any time.
type Tickets interface {
	// Keep keeps a text under a key for a while, in place of what was there.
	Keep(ctx context.Context, key, text string, life time.Duration) error
	// Kept gives what is kept under a key. Faults: NotFound, Unavailable.
	Kept(ctx context.Context, key string) (string, error)
	// Take gives what is kept under a key and forgets it: of any number of callers one gets it. Faults: NotFound,
	// Unavailable.
	Take(ctx context.Context, key string) (string, error)
}
