package asynqqueue

import (
	"context"
	"slices"

	"github.com/hibiken/asynq"

	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/ports"
)

// maxQueues bounds how many of the queues in a shared Redis are told of.
const maxQueues = 20

var _ ports.TaskQueues = (*Queue)(nil)

// TaskQueues implements ports.TaskQueues: asynq's own numbers of every queue in this Redis database, which may be shared.
// A queue that nothing was ever put into does not exist.
func (q *Queue) TaskQueues(ctx context.Context) ([]report.TaskQueue, error) {
	const op = "asynqqueue.TaskQueues"
	if err := q.Ping(ctx); err != nil { // asynq's inspector knows no context
		return nil, fault.E(op, "", err)
	}
	inspector := asynq.NewInspectorFromRedisClient(q.client)
	names, err := inspector.Queues()
	if err != nil {
		return nil, fault.E(op, fault.Unavailable, err)
	}
	slices.Sort(names)
	if own := slices.Index(names, q.name); own > 0 { // its own first: it is never beyond the bound
		names = slices.Insert(slices.Delete(names, own, own+1), 0, q.name)
	}
	var list []report.TaskQueue
	for _, name := range names[:min(len(names), maxQueues)] {
		info, err := inspector.GetQueueInfo(name)
		if err != nil {
			return nil, fault.E(op, fault.Unavailable, err)
		}
		list = append(list, report.TaskQueue{
			Name: info.Queue, Size: info.Size, Pending: info.Pending, Active: info.Active, Scheduled: info.Scheduled,
			Retry: info.Retry, Archived: info.Archived, Completed: info.Completed, ProcessedToday: info.Processed,
			FailedToday: info.Failed, Latency: max(info.Latency, 0), IsPaused: info.Paused,
		})
	}
	return list, nil
}
