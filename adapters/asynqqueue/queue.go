// Package asynqqueue wakes workers over asynq, on a real Redis or on one inside this process.
package asynqqueue

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"time"

	"github.com/hibiken/asynq"
	"github.com/redis/go-redis/v9"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/ports"
)

const (
	// queueName is the asynq queue of installations that do not choose one.
	queueName = "vezne"
	// openTimeout bounds the greeting to Redis when a process starts.
	openTimeout = 2 * time.Second
)

// Config says which Redis carries the wake-ups.
type Config struct {
	// RedisURL is one of
	//
	//	redis://[user:password@]host[:port][/database]    (rediss:// with TLS)
	//	redis-sentinel://[user:password@]host[:port],…[/database]?master=name[&sentinel_user=…&sentinel_password=…]
	//	redis-cluster://[user:password@]host[:port],…     (rediss-sentinel, rediss-cluster with TLS)
	//	redis-socket:///path[?db=database]
	//
	// or empty for a Redis inside this process, which nothing outside can reach and which keeps nothing.
	RedisURL    string
	Connections int          // of each client to Redis, at most; 0: ten for each processor
	Name        string       // of the asynq queue; empty: "vezne". Installations that share a Redis database need one each
	Log         *slog.Logger // nil: nothing is logged
}

var _ ports.Waker = (*Queue)(nil)

// Queue is the waker, and with Serve also the worker who receives the wake-ups. A wake-up goes through a set in memory, where equal ones
// become one, and from there to Redis in the background; nothing is ever read back from asynq but the wake-up itself. It
// is safe for concurrent use.
type Queue struct {
	name   string
	log    *slog.Logger
	client redis.UniversalClient
	inside *inside // nil with a real Redis
	reach  *trouble
	flush  *flusher
}

// Open connects to Redis. A Redis that is out of reach is no error: wake-ups wait until it comes. One that answers and
// refuses us is.
func Open(ctx context.Context, cfg Config) (*Queue, error) {
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	if cfg.Name == "" {
		cfg.Name = queueName
	}
	options, err := parseURL(cfg.RedisURL)
	if err != nil {
		return nil, fault.E("asynqqueue.Open", fault.Invalid, err)
	}
	options.PoolSize = cfg.Connections
	redis.SetLogger(libraryLog{cfg.Log}) // go-redis has one for the whole process, and by default it writes to stderr
	q := &Queue{name: cfg.Name, log: cfg.Log, reach: &trouble{log: cfg.Log, begins: redisGone, ends: redisBack}}
	if cfg.RedisURL == "" {
		q.inside = startInside(options)
	}
	q.client = newClient(options)
	if q.inside != nil {
		q.client.AddHook(idle{q.inside.server})
	}
	q.flush = newFlusher(q)
	if err := q.greet(ctx); err != nil {
		return nil, fault.E("asynqqueue.Open", fault.Unavailable, errors.Join(err, q.Close()))
	}
	return q, nil
}

var errPassword = errors.New("Redis refuses the user name or the password, or wants one and was given none") //nolint:staticcheck // a name begins it

// greet finds a wrong password or database at once, not when the first wake-up is lost.
func (q *Queue) greet(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, openTimeout)
	defer cancel()
	err := q.client.Ping(ctx).Err()
	if redis.IsAuthError(err) {
		return errPassword // what Redis says of it are words of its protocol
	}
	if isRefusal(err) {
		return err
	}
	q.reach.report(err)
	return nil
}

// isRefusal distinguishes errors that waiting does not mend (a wrong password or database) from those of a Redis that is
// loading its data, failing over or full.
func isRefusal(err error) bool {
	var answer redis.Error
	return redis.IsAuthError(err) || redis.IsPermissionError(err) ||
		errors.As(err, &answer) && strings.HasPrefix(answer.Error(), "ERR ") && !redis.IsMaxClientsError(err)
}

// Wake implements ports.Waker. Deliver wake-ups of one receiver that wait to be sent become one, and so do expire wake-ups of
// one second. A wake-up for the future arrives at the next full second or soon after.
func (q *Queue) Wake(wakeUps ...core.WakeUp) { q.flush.add(wakeUps) }

// Client is the connection to Redis, for others who keep something there. It ends with Close.
func (q *Queue) Client() redis.UniversalClient { return q.client }

// Ping reports whether Redis answers.
func (q *Queue) Ping(ctx context.Context) error {
	if err := q.client.Ping(ctx).Err(); err != nil {
		return fault.E("asynqqueue.Ping", fault.Unavailable, err)
	}
	return nil
}

// Close sends the wake-ups that still wait, for a short while, and ends the connection. Serve should have returned before.
func (q *Queue) Close() error {
	q.flush.close()
	err := q.client.Close()
	if q.inside != nil {
		q.inside.close()
	}
	if err != nil {
		return fault.E("asynqqueue.Close", fault.Internal, err)
	}
	return nil
}

// enqueue passes one wake-up to asynq. A conflict of ids is no failure: either the library has sent the same wake-up twice, or
// the Redis inside this process is full and the sweeper has to do.
func (q *Queue) enqueue(ctx context.Context, client *asynq.Client, r queued) error {
	task := asynq.NewTask(string(r.kind), []byte(r.key), asynq.Queue(q.name), asynq.MaxRetry(0))
	var options []asynq.Option
	if r.second > 0 {
		options = append(options, asynq.ProcessAt(time.Unix(r.second, 0)))
	}
	if q.inside != nil {
		return q.inside.enqueue(ctx, client, task, options)
	}
	_, err := client.EnqueueContext(ctx, task, options...)
	return ignoreConflict(err)
}

func ignoreConflict(err error) error {
	if errors.Is(err, asynq.ErrTaskIDConflict) {
		return nil
	}
	return err
}
