// Package redislimit bounds how often something happens: over all processes with Redis, or within one without it.
package redislimit

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"log/slog"
	"sync"
	"time"

	"github.com/go-redis/redis_rate/v10"
	"github.com/redis/go-redis/v9"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/ports"
)

const (
	// chunksPerSecond is how often a busy key asks Redis at most, about: permits are taken for a 50th of a second at
	// once. Up to 100 events per second each one is counted on its own.
	chunksPerSecond = 50
	// freshFor is how long permits taken in advance and what Redis said about a key are good.
	freshFor = time.Second
	// askTimeout bounds one question to Redis, which takes well under a millisecond when all is well. After the first
	// that takes longer nobody waits.
	askTimeout = 250 * time.Millisecond
	// clockSteps of Redis's clock are small ones, which cost nobody more than themselves.
	clockSteps = time.Second
	// knownKeys are kept in memory at least for as long as they matter, and twice as many at most; a key that falls out costs one question.
	knownKeys = 1 << 15
	// maxKeyBytes is the longest key that is stored as it is.
	maxKeyBytes = 200
)

var _ ports.Limiter = (*Limiter)(nil)

// Limiter counts in Redis by the generic cell rate algorithm: a whole period's events may come at once, and come back
// one by one. While Redis is out of reach each process counts by the same algorithm alone, from what it had allowed itself
// before: the limit of n processes is then n times the rate at most. It is safe for concurrent use.
type Limiter struct {
	redis  *redis_rate.Limiter
	outage outage
	clock  clock
	names  names
	mu     sync.Mutex
	views  recent[name, *view]
}

// view is what this process knows about a key. There are as many as customers.
type view struct {
	mu        sync.Mutex
	permits   int    // counted in Redis in advance and not used yet
	taken     moment // when they were
	remaining int    // left in Redis when it last answered
	asked     moment // when that was
	full      moment // when all of it is back
	tooMany   int    // so many events at once do not fit
	closed    moment // before then
	own       own
}

// New makes a limiter on a Redis client, which should honour the deadlines of contexts (ContextTimeoutEnabled). What is asked while
// an answer is under way goes to Redis together: each question alone would cost both sides a message.
func New(client redis.UniversalClient, log *slog.Logger) *Limiter {
	together := client
	if pipeline, err := client.AutoPipeline(); err == nil { // a client that is closed has none
		together = pipeline
	}
	return &Limiter{
		redis:  redis_rate.NewLimiter(together),
		outage: outage{client: client, log: log},
		clock:  newClock(),
		names:  newNames(),
		views:  newRecent[name, *view](knownKeys),
	}
}

// Take implements ports.Limiter.
func (l *Limiter) Take(ctx context.Context, key string, n int, rate core.Rate) core.Allowance {
	if rate.IsOff() {
		return core.Allowance{OK: true}
	}
	n = max(n, 0)
	v := l.view(key, rate)
	v.mu.Lock()
	defer v.mu.Unlock()
	v.age(l.clock.now())
	if err := l.settled(ctx, v, key, rate); err != nil {
		return v.own.take(n, n, rate, l.clock.now())
	}
	if v.permits < n && !v.isClosed(n-v.permits, l.clock.now()) {
		if err := l.fetch(ctx, v, key, n-v.permits, rate); err != nil {
			return v.own.take(n, n, rate, l.clock.now())
		}
	}
	ok := v.permits >= n
	if ok {
		v.permits -= n
		v.own.count(n, rate, l.clock.now())
	}
	return v.allowance(ok, rate, l.clock.now())
}

// fetch gets the permits that are lacking, and up to a chunk of them.
func (l *Limiter) fetch(ctx context.Context, v *view, key string, lacking int, rate core.Rate) error {
	result, err := l.ask(ctx, key, max(lacking, chunk(rate)), rate)
	if err != nil {
		return err
	}
	if result.Allowed > 0 {
		if result.Allowed >= v.tooMany { // Redis's clock was set back
			v.closed = 0
		}
		v.learn(result, l.clock.now())
		v.permits, v.taken = v.permits+result.Allowed, v.asked
		return nil
	}
	v.tooMany, v.closed = lacking, l.clock.now()+min(result.RetryAfter, rate.Per)
	return l.look(ctx, v, key, rate) // a refusal does not say how much is left
}

// Peek implements ports.Limiter: OK reports whether one more event is within the rate. Events of other processes may be
// seen a second late.
func (l *Limiter) Peek(ctx context.Context, key string, rate core.Rate) core.Allowance {
	if rate.IsOff() {
		return core.Allowance{OK: true}
	}
	v := l.view(key, rate)
	v.mu.Lock()
	defer v.mu.Unlock()
	v.age(l.clock.now())
	if err := l.settled(ctx, v, key, rate); err != nil {
		return v.own.take(1, 0, rate, l.clock.now())
	}
	if now := l.clock.now(); !v.isClosed(1, now) && (!v.isFresh(now) || v.left() == 0) {
		if err := l.look(ctx, v, key, rate); err != nil {
			return v.own.take(1, 0, rate, l.clock.now())
		}
	}
	return v.allowance(v.left() > 0, rate, l.clock.now())
}

// settled is errOutage while Redis is out of reach, and afterwards sees to it that Redis knows what it missed.
func (l *Limiter) settled(ctx context.Context, v *view, key string, rate core.Rate) error {
	if l.outage.is.Load() {
		return errOutage
	}
	return l.settle(ctx, v, key, rate)
}

// look asks without counting.
func (l *Limiter) look(ctx context.Context, v *view, key string, rate core.Rate) error {
	result, err := l.ask(ctx, key, 0, rate)
	if err != nil {
		return err
	}
	v.learn(result, l.clock.now())
	if v.left() == 0 {
		v.tooMany, v.closed = 1, v.full+interval(rate)-rate.Per
	}
	return nil
}

// ask puts a question to Redis with a deadline of its own: a caller who hangs up is no outage.
func (l *Limiter) ask(ctx context.Context, key string, n int, rate core.Rate) (*redis_rate.Result, error) {
	if l.outage.is.Load() {
		return nil, errOutage
	}
	return l.put(ctx, l.redis.AllowN, key, n, rate)
}

// askAtMost has up to n events counted, as many as fit.
func (l *Limiter) askAtMost(ctx context.Context, key string, n int, rate core.Rate) (*redis_rate.Result, error) {
	return l.put(ctx, l.redis.AllowAtMost, key, n, rate)
}

type question func(ctx context.Context, key string, limit redis_rate.Limit, n int) (*redis_rate.Result, error)

// put asks, and once more where the answer is of another time: what is counted is all back within the period, unless Redis's
// clock was set back since. Until it had caught up, busy keys would have nothing left.
func (l *Limiter) put(ctx context.Context, ask question, key string, n int, rate core.Rate) (*redis_rate.Result, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), askTimeout)
	defer cancel()
	key = "vezne:" + bounded(key)
	result, err := ask(ctx, key, limitOf(rate), n)
	if err == nil && result.ResetAfter > rate.Per+clockSteps {
		if err = l.redis.Reset(ctx, key); err == nil {
			result, err = ask(ctx, key, limitOf(rate), n)
		}
	}
	l.outage.report(err)
	return result, err
}

func limitOf(rate core.Rate) redis_rate.Limit {
	return redis_rate.Limit{Rate: rate.Events, Burst: rate.Events, Period: rate.Per}
}

func (l *Limiter) view(key string, rate core.Rate) *view {
	l.mu.Lock()
	defer l.mu.Unlock()
	id := l.names.of(key, rate)
	v, ok := l.views.get(id)
	if !ok {
		v = &view{own: own{outages: l.outage.count.Load()}}
		l.views.put(id, v, max(rate.Per, freshFor))
	}
	return v
}

// age drops permits that were taken too long ago.
func (v *view) age(now moment) {
	if now-v.taken > freshFor {
		v.permits = 0
	}
}

// isFresh reports whether what Redis said is still good.
func (v *view) isFresh(now moment) bool { return now-v.asked <= freshFor }

// isClosed reports whether so many events are known not to fit yet: other processes can only make it later.
func (v *view) isClosed(events int, now moment) bool {
	return v.isFresh(now) && events >= v.tooMany && now < v.closed
}

func (v *view) left() int { return v.permits + v.remaining }

func (v *view) learn(r *redis_rate.Result, now moment) {
	v.asked, v.remaining = now, r.Remaining
	v.full = now + r.ResetAfter
}

func (v *view) allowance(ok bool, rate core.Rate, now moment) core.Allowance {
	a := core.Allowance{
		OK:        ok,
		Limit:     rate.Events,
		Remaining: min(v.left(), rate.Events),
		Reset:     max(v.full-now, 0),
	}
	if !ok {
		a.Retry = max(v.closed-now, time.Millisecond)
	}
	return a
}

// interval is the time after which one event comes back.
func interval(rate core.Rate) time.Duration { return max(rate.Per/time.Duration(rate.Events), 1) }

// chunk is how many permits are taken at once.
func chunk(rate core.Rate) int { return max(1, int(time.Second/interval(rate))/chunksPerSecond) }

// bounded shortens keys that a caller made long.
func bounded(key string) string {
	if len(key) <= maxKeyBytes {
		return key
	}
	sum := sha256.Sum256([]byte(key))
	return "sha256:" + hex.EncodeToString(sum[:])
}
