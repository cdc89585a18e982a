package apptest

import (
	"context"

	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/ports"
)

var _ ports.TaskQueues = (*Queues)(nil)

// Queues says of the queue library's queues what a test has put into it.
type Queues struct {
	List []report.TaskQueue
	Err  error
}

// TaskQueues implements ports.TaskQueues.
func (q *Queues) TaskQueues(context.Context) ([]report.TaskQueue, error) { return q.List, q.Err }
