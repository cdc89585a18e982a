package ports

import (
	"context"
	"time"

	"github.com/vezne/vezne/core/report"
)

// TaskQueues returns what the queue library says of its queues. Nothing relies on it: it is for people to look at.
type TaskQueues interface {
	// TaskQueues returns this installation's own queue, then the others by name. Fault: Unavailable.
	TaskQueues(ctx context.Context) ([]report.TaskQueue, error)
}

// Tickets keeps short texts for a while, for all processes. What it keeps may be lost at any time.
type Tickets interface {
	// Keep keeps a text under a key for a while, in place of what was there.
	Keep(ctx context.Context, key, text string, life time.Duration) error
	// Kept returns what is kept under a key. Faults: NotFound, Unavailable.
	Kept(ctx context.Context, key string) (string, error)
	// Take returns what is kept under a key and forgets it: of any number of callers one gets it. Faults: NotFound,
	// Unavailable.
	Take(ctx context.Context, key string) (string, error)
}
