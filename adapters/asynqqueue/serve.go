package asynqqueue

import (
	"context"
	"time"

	"github.com/hibiken/asynq"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
)

const (
	// workers run at once. A wake-up's handler only wakes somebody and returns.
	workers = 8
	// pollEvery and forwardEvery are how soon a wake-up arrives: those for now, and those whose second has come. asynq's
	// own 1 s and 5 s are slow.
	pollEvery    = 20 * time.Millisecond
	forwardEvery = time.Second
	// handlerTimeout is how long a handler may go on when Serve is to end; then its wake-up goes back to Redis.
	handlerTimeout = 2 * time.Second
	// goodbyeTimeout bounds asynq's own goodbye, which waits for a Redis that is out of reach.
	goodbyeTimeout = 5 * time.Second
)

// Serve receives wake-ups until the context is over. The handler gets what a wake-up is for, but not its time; it should wake
// a worker and return. What Vezne cannot have put into the queue is logged and left out: the sweeper finds what is due. One that goes on when Serve is to end has handlerTimeout; then its wake-up goes back to
// Redis, for another process, and its context ends. As many may serve one queue as there are processes: each wake-up goes
// to one of them.
func (q *Queue) Serve(ctx context.Context, handle func(context.Context, core.WakeUp)) error {
	server := asynq.NewServerFromRedisClient(q.client, asynq.Config{
		Concurrency: workers,
		Queues:      map[string]int{q.name: 1},
		// When a handler's context ends, asynq takes that for a failure and buries the task.
		BaseContext:              func() context.Context { return context.WithoutCancel(ctx) },
		TaskCheckInterval:        pollEvery,
		DelayedTaskCheckInterval: forwardEvery,
		ShutdownTimeout:          handlerTimeout,
		HealthCheckFunc:          q.reach.report,
		ErrorHandler:             asynq.ErrorHandlerFunc(q.reportFailure),
		Logger:                   libraryLog{q.log},
		LogLevel:                 asynq.InfoLevel, // at its debug level it reports every empty poll
	})
	err := server.Start(asynq.HandlerFunc(func(ctx context.Context, task *asynq.Task) error {
		wakeUp, err := wakeUpOf(task.Type(), task.Payload())
		if err != nil { // no failure to asynq, which would bury the task
			q.log.Error("a task of the queue is no wake-up; the sweeper finds what is due", "error", err)
			return nil
		}
		handle(ctx, wakeUp)
		return nil
	}))
	if err != nil {
		return fault.E("asynqqueue.Serve", fault.Internal, err)
	}
	<-ctx.Done()
	gone := make(chan struct{})
	go func() { defer close(gone); server.Shutdown() }()
	select {
	case <-gone:
	case <-time.After(handlerTimeout + goodbyeTimeout):
		q.log.Warn("the queue did not end in time; its wake-ups are left to the sweeper")
	}
	return nil
}

// reportFailure logs a handler that panicked or lost its lease; its wake-up is gone.
func (q *Queue) reportFailure(_ context.Context, task *asynq.Task, err error) {
	q.log.Error("a wake-up was not handled", "kind", task.Type(), "key", string(task.Payload()), "error", err)
}
