package ports

import (
	"context"

	"github.com/vezne/vezne/core/report"
)

// TaskQueues returns what the queue library says of its queues. Nothing relies on it: it is for people to look at.
type TaskQueues interface {
	// TaskQueues returns this installation's own queue, then the others by name. Fault: Unavailable.
	TaskQueues(ctx context.Context) ([]report.TaskQueue, error)
}
