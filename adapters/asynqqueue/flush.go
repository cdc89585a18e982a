package asynqqueue

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/hibiken/asynq"
	"github.com/vezne/vezne/core"
	"golang.org/x/sync/errgroup"
)

const (
	// flushEvery is the least time between two flushes. The first wake-up goes out at once; those that come meanwhile
	// become few.
	flushEvery = 10 * time.Millisecond
	// batchSize are sent at a time, by so many senders.
	batchSize = 256
	senders   = 8
	// sendTimeout bounds a batch; closeTimeout bounds all that Close still sends.
	sendTimeout  = 5 * time.Second
	closeTimeout = 2 * time.Second
	// Pauses after a failure grow from the one to the other.
	minPause = 100 * time.Millisecond
	maxPause = 5 * time.Second
	// maxBacklog wake-ups wait in Redis for a worker. Beyond that, wake-ups wait in memory, where equal ones become one:
	// while no worker runs, Redis must not fill up.
	maxBacklog = 10_000
)

// flusher carries wake-ups from the set in memory to Redis, in one goroutine of its own.
type flusher struct {
	queue   *Queue
	client  *asynq.Client
	waiting *pending
	crowd   *trouble
	backlog int // how many wake-ups wait in Redis at most, as far as this process knows
	wake    chan struct{}
	stop    context.CancelFunc
	stopped chan struct{}
}

func newFlusher(q *Queue) *flusher {
	ctx, stop := context.WithCancel(context.Background())
	f := &flusher{
		queue:   q,
		client:  asynq.NewClientFromRedisClient(q.client),
		waiting: newPending(),
		crowd:   &trouble{log: q.log, begins: nobodyListens, ends: heardAgain},
		wake:    make(chan struct{}, 1),
		stop:    stop,
		stopped: make(chan struct{}),
	}
	go f.run(ctx)
	return f
}

func (f *flusher) add(wakeUps []core.WakeUp) {
	if f.waiting.add(wakeUps, time.Now()) {
		f.signal()
	}
}

func (f *flusher) signal() {
	select {
	case f.wake <- struct{}{}:
	default:
	}
}

func (f *flusher) close() {
	f.stop()
	<-f.stopped
}

func (f *flusher) run(ctx context.Context) {
	defer close(f.stopped)
	defer f.last()
	for pause := flushEvery; ctx.Err() == nil; {
		select {
		case <-f.wake:
		case <-ctx.Done():
			return
		}
		if f.flush(ctx) == nil {
			pause = flushEvery
		} else {
			pause = min(max(2*pause, minPause), maxPause)
			f.signal()
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
		}
	}
}

func (f *flusher) last() {
	ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
	defer cancel()
	_ = f.flush(ctx) // what does not get through is the sweeper's
}

// flush sends all that waits, in batches, until one fails.
func (f *flusher) flush(ctx context.Context) error {
	for batch := f.waiting.take(batchSize); len(batch) > 0; batch = f.waiting.take(batchSize) {
		if err := f.send(ctx, batch); err != nil {
			f.waiting.failed(batch)
			return err
		}
	}
	return nil
}

func (f *flusher) send(ctx context.Context, batch []queued) error {
	bounded, cancel := context.WithTimeout(ctx, sendTimeout)
	defer cancel()
	crowded, err := f.isCrowded(bounded)
	if err == nil && crowded == nil {
		err = f.sendAll(bounded, batch)
	}
	if ctx.Err() != nil {
		return ctx.Err() // closing is no outage
	}
	f.queue.reach.report(err)
	if err == nil {
		f.crowd.report(crowded)
	}
	return errors.Join(crowded, err)
}

func (f *flusher) sendAll(ctx context.Context, batch []queued) error {
	f.backlog += len(batch)
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(senders)
	for _, r := range batch {
		group.Go(func() error { return f.queue.enqueue(ctx, f.client, r) })
	}
	return group.Wait()
}

// isCrowded looks at the queue only when this process alone may have filled it since the last look.
func (f *flusher) isCrowded(ctx context.Context) (crowded, err error) {
	if f.backlog < maxBacklog {
		return nil, nil
	}
	// The one place that knows how asynq names its keys: its own look at a queue counts everything there is.
	length, err := f.queue.client.LLen(ctx, "asynq:{"+f.queue.name+"}:pending").Result()
	if err != nil {
		return nil, err
	}
	f.backlog = int(length)
	if f.backlog >= maxBacklog {
		return fmt.Errorf("%d wake-ups wait in Redis", length), nil
	}
	return nil, nil
}
