// Package redisevents carries cues of what was committed between processes, over Redis Pub/Sub.
package redisevents

import (
	"context"
	"crypto/rand"
	"log/slog"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/ports"
)

const (
	// flushEvery is the least time between two messages of this process. The first cue goes out at once; those that come
	// meanwhile share a message.
	flushEvery = 10 * time.Millisecond
	// maxWaiting rows' events are kept while Redis does not take them; beyond that listeners are told that they missed some.
	maxWaiting = 1 << 13
	// batchSize share a message.
	batchSize = 512
	// sendTimeout bounds one message, closeTimeout what Close still sends.
	sendTimeout  = 5 * time.Second
	closeTimeout = time.Second
	// Pauses after a failure grow from the one to the other.
	minPause = 100 * time.Millisecond
	maxPause = 2 * time.Second
)

// What an operator reads when the way is blocked.
const (
	redisGone = "Redis is out of reach: live updates wait, and whoever watches will be told to look again"
	redisBack = "Redis is back: live updates go on"
)

var _ ports.Events = (*Events)(nil)

// Events publishes from a set in memory and receives what others publish, each in one goroutine of its own. It is safe for
// concurrent use.
type Events struct {
	client  redis.UniversalClient
	log     *slog.Logger
	channel string
	process core.ID
	mark    string      // of its messages
	isOut   atomic.Bool // Redis, as far as publishing knows

	mu        sync.Mutex
	waiting   *core.EventSet // published here
	listeners map[*listener]struct{}
	isHeard   bool // what others publish

	unsent *core.EventSet // what Redis did not take: of the goroutine that sends
	wake   chan struct{}
	stop   context.CancelFunc
	parts  sync.WaitGroup
}

// New publishes to a Redis client, which must outlive Close. Installations that share a Redis server are told apart by the
// number of their database, which Pub/Sub itself does not look at.
func New(client redis.UniversalClient, log *slog.Logger) *Events {
	ctx, stop := context.WithCancel(context.Background())
	n := &Events{
		client: client, log: log, channel: "vezne:news:" + strconv.Itoa(databaseOf(client)),
		process: core.ID(rand.Text()), waiting: core.NewEventSet(maxWaiting), unsent: core.NewEventSet(maxWaiting), listeners: map[*listener]struct{}{},
		wake: make(chan struct{}, 1), stop: stop,
	}
	n.mark = mark(n.process)
	n.parts.Go(func() { n.run(ctx) })
	n.parts.Go(func() { n.subscribe(ctx) })
	return n
}

func databaseOf(client redis.UniversalClient) int {
	if one, ok := client.(*redis.Client); ok {
		return one.Options().DB
	}
	return 0 // a cluster has no other
}

// Publish implements ports.Events.
func (n *Events) Publish(events ...core.Event) {
	if len(events) == 0 {
		return
	}
	n.mu.Lock()
	n.waiting.Add(events...)
	n.mu.Unlock()
	n.signal()
}

func (n *Events) signal() {
	select {
	case n.wake <- struct{}{}:
	default:
	}
}

// Close sends what still waits, for a short while.
func (n *Events) Close() {
	n.stop()
	n.parts.Wait()
}

func (n *Events) run(ctx context.Context) {
	defer n.last()
	for pause := flushEvery; ctx.Err() == nil; {
		select {
		case <-n.wake:
		case <-ctx.Done():
			return
		}
		if n.flush(ctx) == nil {
			pause = flushEvery
		} else {
			pause = min(max(2*pause, minPause), maxPause)
			n.signal()
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
		}
	}
}

func (n *Events) last() {
	ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
	defer cancel()
	_ = n.flush(ctx) // what does not get through is lost, as any cue may be
}

// flush tells the listeners here, and sends all that waits; what cannot be sent waits again.
func (n *Events) flush(ctx context.Context) error {
	n.mu.Lock()
	events := n.waiting.Take()
	n.tell(events...)
	n.mu.Unlock()
	n.unsent.Add(events...)
	for events = n.unsent.Take(); len(events) > 0; {
		batch := events[:min(batchSize, len(events))]
		if err := n.send(ctx, batch); err != nil {
			n.unsent.Add(events...)
			return err
		}
		events = events[len(batch):]
	}
	return nil
}

func (n *Events) send(ctx context.Context, batch []core.Event) error {
	bounded, cancel := context.WithTimeout(ctx, sendTimeout)
	defer cancel()
	err := n.client.Publish(bounded, n.channel, encode(n.process, batch)).Err()
	switch {
	case ctx.Err() != nil: // closing is no outage
	case err != nil && !n.isOut.Swap(true):
		n.log.Warn(redisGone, "reason", err)
	case err == nil && n.isOut.Swap(false):
		n.log.Info(redisBack)
	}
	return err
}
