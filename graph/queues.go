package graph

import (
	"context"

	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/graph/generated"
)

func (q queryResolver) Queues(ctx context.Context) (*generated.Queues, error) {
	if _, err := signedIn(ctx); err != nil {
		return nil, err
	}
	return &generated.Queues{}, nil // each part is asked for by itself, so that one can be told without the other
}

func (r queuesResolver) TaskQueues(ctx context.Context, _ *generated.Queues) ([]report.TaskQueue, error) {
	return listed(r.Queues.TaskQueues(ctx, staffOf(ctx)))
}

func (r queuesResolver) Work(ctx context.Context, _ *generated.Queues) ([]report.DueWork, error) {
	return r.Queues.DueWork(ctx, staffOf(ctx))
}

func (taskQueueResolver) LatencyMs(_ context.Context, q *report.TaskQueue) (int, error) {
	return int(q.Latency.Milliseconds()), nil
}
