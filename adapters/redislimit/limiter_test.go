package redislimit_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"net"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"
	"github.com/vezne/vezne/adapters/redislimit"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/ports"
	"github.com/vezne/vezne/ports/limittest"
)

// limiters is one of each kind. Tests draw their keys, so that they can share a Redis.
func limiters(t *testing.T) map[string]ports.Limiter {
	t.Helper()
	return map[string]ports.Limiter{
		"miniredis": redislimit.New(embedded(t, nil), slog.New(slog.DiscardHandler)),
		"redis":     redislimit.New(realRedis(t), slog.New(slog.DiscardHandler)),
		"local":     redislimit.NewLocal(),
	}
}

func TestLimiters(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"miniredis", "redis", "local"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			limittest.Run(t, func(t *testing.T) ports.Limiter { return limiters(t)[kind] })
		})
	}
}

// embedded is a client of a Redis in this process, reached without a socket, so that it lives in a synctest bubble too.
func embedded(t *testing.T, commands *atomic.Int64) *redis.Client {
	t.Helper()
	_, client := embeddedServer(t, commands)
	return client
}

func embeddedServer(t *testing.T, commands *atomic.Int64) (*miniredis.Miniredis, *redis.Client) {
	t.Helper()
	server := miniredis.NewMiniRedis()
	server.ClockTTL(true)
	client := redis.NewClient(&redis.Options{
		ContextTimeoutEnabled:    true,
		DisableIdentity:          true,
		MaintNotificationsConfig: &maintnotifications.Config{Mode: maintnotifications.ModeDisabled},
		Dialer:                   func(context.Context, string, string) (net.Conn, error) { return server.Dial() },
	})
	if commands != nil {
		client.AddHook(counting{commands})
	}
	t.Cleanup(func() { _ = client.Close(); server.Close() })
	return server, client
}

func realRedis(t *testing.T) *redis.Client {
	t.Helper()
	options, err := redis.ParseURL(os.Getenv("VEZNE_TEST_REDIS_URL"))
	if err != nil {
		t.Fatal("VEZNE_TEST_REDIS_URL must name a Redis: run the tests with `make test`")
	}
	options.ContextTimeoutEnabled = true
	client := redis.NewClient(options)
	t.Cleanup(func() { _ = client.Close() })
	return client
}

// counting counts commands.
type counting struct{ n *atomic.Int64 }

func (c counting) DialHook(next redis.DialHook) redis.DialHook { return next }
func (c counting) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		c.n.Add(1)
		return next(ctx, cmd)
	}
}
func (c counting) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return next
}

func TestARefusedLotIsNotCounted(t *testing.T) {
	t.Parallel()
	for name, limiter := range limiters(t) {
		key, rate := rand.Text(), core.Rate{Events: 10, Per: time.Hour}
		for _, step := range []struct {
			n, left int
			ok      bool
		}{{7, 3, true}, {4, 3, false}, {11, 3, false}, {0, 3, true}, {-5, 3, true}, {2, 1, true}, {2, 1, false}, {1, 0, true}, {1, 0, false}} {
			if a := limiter.Take(t.Context(), key, step.n, rate); a.OK != step.ok || a.Remaining != step.left {
				t.Errorf("%s: taking %d gave %+v, want %+v", name, step.n, a, step)
			}
		}
	}
}

func TestLongKeysStayApart(t *testing.T) {
	t.Parallel()
	for name, limiter := range limiters(t) {
		long, rate := strings.Repeat(rand.Text(), 100), core.Rate{Events: 1, Per: time.Hour}
		if !limiter.Take(t.Context(), long+"a", 1, rate).OK || !limiter.Take(t.Context(), long+"b", 1, rate).OK ||
			limiter.Take(t.Context(), long+"a", 1, rate).OK {
			t.Errorf("%s: long keys are mixed up or forgotten", name)
		}
	}
}

// In a bubble of fake time, so that what comes back, and when, is exact.
func TestEventsComeBackOneByOne(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"miniredis", "local"} {
		synctest.Test(t, func(t *testing.T) {
			var limiter ports.Limiter = redislimit.NewLocal()
			if kind == "miniredis" {
				limiter = redislimit.New(embedded(t, nil), slog.New(slog.DiscardHandler))
			}
			rate := core.Rate{Events: 6, Per: time.Minute}
			for range 6 {
				if !limiter.Take(t.Context(), "key", 1, rate).OK {
					t.Fatal("a full period's events do not pass at once")
				}
			}
			for range 5 {
				a := limiter.Take(t.Context(), "key", 1, rate)
				if a.OK || a.Retry < 9*time.Second || a.Retry > 10*time.Second {
					t.Fatalf("%s: beyond the limit: %+v", kind, a)
				}
				time.Sleep(a.Retry + time.Millisecond) // the bubble's clock
				if a := limiter.Peek(t.Context(), "key", rate); !a.OK {
					t.Fatalf("%s: none came back after the wait: %+v", kind, a)
				}
				if a := limiter.Take(t.Context(), "key", 1, rate); !a.OK || a.Remaining != 0 {
					t.Fatalf("%s: after the wait: %+v", kind, a)
				}
			}
			time.Sleep(limiter.Peek(t.Context(), "key", rate).Reset + time.Millisecond)
			if a := limiter.Peek(t.Context(), "key", rate); a.Remaining != 6 || a.Reset != 0 {
				t.Fatalf("%s: after the reset: %+v", kind, a)
			}
		})
	}
}

func TestBusyKeysAskRedisRarely(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var commands atomic.Int64
		client := embedded(t, &commands)
		busy, other := redislimit.New(client, slog.New(slog.DiscardHandler)), redislimit.New(client, slog.New(slog.DiscardHandler))
		rate := core.Rate{Events: 10_000, Per: time.Second}
		passed := 0
		for range 12_000 {
			if busy.Take(t.Context(), "key", 1, rate).OK {
				passed++
			}
		}
		if passed != 10_000 || commands.Load() > 70 {
			t.Errorf("%d passed with %d commands, want 10000 with about one for 200", passed, commands.Load())
		}
		if other.Take(t.Context(), "key", 1, rate).OK {
			t.Error("another process does not see what this one took")
		}
		before := commands.Load()
		for range 1000 {
			busy.Peek(t.Context(), "quiet", rate)
		}
		if asked := commands.Load() - before; asked > 1 {
			t.Errorf("1000 looks took %d commands", asked)
		}
	})
}

func TestPermitsTakenInAdvanceGrowOld(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var commands atomic.Int64
		limiter := redislimit.New(embedded(t, &commands), slog.New(slog.DiscardHandler))
		rate := core.Rate{Events: 1000, Per: time.Second}
		for range 3 {
			before := commands.Load()
			limiter.Take(t.Context(), "key", 1, rate)
			if commands.Load() == before {
				t.Error("served from permits that are more than a second old")
			}
			time.Sleep(1100 * time.Millisecond) // the bubble's clock
		}
	})
}

// cut is a Redis in this process that can be taken out of reach: the network swallows everything then.
type cut struct {
	server *miniredis.Miniredis
	down   atomic.Bool
	dials  atomic.Int64
}

func (c *cut) client() *redis.Client {
	return redis.NewClient(&redis.Options{
		ContextTimeoutEnabled: true, DisableIdentity: true,
		MaintNotificationsConfig: &maintnotifications.Config{Mode: maintnotifications.ModeDisabled},
		Dialer: func(ctx context.Context, _, _ string) (net.Conn, error) {
			c.dials.Add(1)
			if c.down.Load() {
				<-ctx.Done()
				return nil, errors.New("swallowed")
			}
			return c.server.Dial()
		},
	})
}

// begin takes Redis out of reach, and end brings it back with what it held. Both wait by the bubble's clock, until what Redis
// said is no longer good, and until everybody knows that it is back.
func (c *cut) begin() {
	c.down.Store(true)
	c.server.Close()
	time.Sleep(2 * time.Second)
}

func (c *cut) end() {
	c.down.Store(false) // dialling starts the server again
	time.Sleep(3 * time.Second)
}

func newCut(t *testing.T) *cut {
	t.Helper()
	c := &cut{server: miniredis.NewMiniRedis()}
	c.server.ClockTTL(true)
	t.Cleanup(c.server.Close)
	return c
}

// closed ends a client: the bubble's clock runs until it has given up dialling.
func closed(clients ...*redis.Client) {
	for _, client := range clients {
		_ = client.Close()
	}
	time.Sleep(time.Minute)
}

func TestOutOfReachNobodyWaits(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		server := newCut(t)
		client := server.client()
		defer closed(client)
		limiter, rate := redislimit.New(client, slog.New(slog.NewTextHandler(&log, nil))), core.Rate{Events: 2, Per: time.Hour}
		limiter.Take(t.Context(), "key", 2, rate)

		for range 3 { // three outages, each of five seconds
			server.begin()
			begun, asked := time.Now(), server.dials.Load()
			for range 50 {
				for range 100 {
					if a := limiter.Take(t.Context(), "key", 1, rate); a.OK || a.Limit != 2 || a.Retry <= 0 {
						t.Fatalf("out of reach, beyond the rate: %+v", a)
					}
					if a := limiter.Peek(t.Context(), rand.Text(), rate); !a.OK {
						t.Fatalf("out of reach, a key that nobody used: %+v", a)
					}
				}
				time.Sleep(100 * time.Millisecond) // the bubble's clock
			}
			// 10,000 answers wait for one question.
			if waited := time.Since(begun) - 5*time.Second; waited > 300*time.Millisecond || server.dials.Load()-asked > 60 {
				t.Errorf("the answers took %v and %d dials", waited, server.dials.Load()-asked)
			}
			server.end()
			if a := limiter.Take(t.Context(), "key", 1, rate); a.OK {
				t.Errorf("Redis is back, and yet everything passes: %+v", a)
			}
		}
		synctest.Wait()
		if text := log.String(); strings.Count(text, "level=WARN") != 3 || strings.Count(text, "level=INFO") != 3 {
			t.Errorf("three outages were logged as\n%s", text)
		}
	})
}

// TestAnOutageIsNoSecondAllowance: two processes allow ten an hour together. Each goes on from what it allowed itself while Redis
// is out of reach, and Redis is told of it afterwards, also where it comes back empty.
func TestAnOutageIsNoSecondAllowance(t *testing.T) {
	t.Parallel()
	for name, comesBack := range map[string]func(*cut){
		"with what it held": func(*cut) {},
		"empty":             func(c *cut) { c.server.FlushAll() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				server := newCut(t)
				clients := []*redis.Client{server.client(), server.client()}
				defer closed(clients...)
				one, other := redislimit.New(clients[0], slog.New(slog.DiscardHandler)), redislimit.New(clients[1], slog.New(slog.DiscardHandler))
				rate := core.Rate{Events: 10, Per: time.Hour}
				allowed := func(l ports.Limiter) (n int) {
					for range 20 {
						if l.Take(t.Context(), "key", 1, rate).OK {
							n++
						}
					}
					return n
				}
				one.Take(t.Context(), "key", 3, rate)
				other.Take(t.Context(), "key", 1, rate)
				server.begin()
				one.Peek(t.Context(), "noticed", rate)
				other.Peek(t.Context(), "noticed", rate)
				if n := allowed(one); n != 7 {
					t.Errorf("a process that had allowed 3 of 10 allows %d more while it counts alone", n)
				}
				if a := one.Peek(t.Context(), "key", rate); a.OK || a.Remaining != 0 {
					t.Errorf("looking says %+v", a)
				}
				comesBack(server)
				server.end()
				if n := allowed(one) + allowed(other); n != 0 {
					t.Errorf("%d pass after an outage in which 10 had", n)
				}
				time.Sleep(rate.Per) // the bubble's clock
				if n := allowed(one) + allowed(other); n != 10 {
					t.Errorf("%d pass an hour later, want 10", n)
				}
			})
		})
	}
}

func TestACallerWhoHangsUpIsNoOutage(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	limiter, rate := redislimit.New(embedded(t, nil), slog.New(slog.NewTextHandler(&log, nil))), core.Rate{Events: 1, Per: time.Hour}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if !limiter.Take(gone, "key", 1, rate).OK || limiter.Take(gone, "key", 1, rate).OK || log.Len() > 0 {
		t.Errorf("not counted, or logged: %s", log.String())
	}
}

func TestManyKeysAreForgotten(t *testing.T) {
	t.Parallel()
	local, rate := redislimit.NewLocal(), core.Rate{Events: 1, Per: time.Hour}
	first := rand.Text()
	local.Take(t.Context(), first, 1, rate)
	for range 1 << 15 { // all of them and the first are kept
		local.Take(t.Context(), rand.Text(), 1, rate)
	}
	if local.Peek(t.Context(), first, rate).OK {
		t.Error("a key was forgotten too early")
	}
	for range 1 << 17 {
		local.Take(t.Context(), rand.Text(), 1, rate)
	}
	if !local.Peek(t.Context(), first, rate).OK {
		t.Error("keys are never forgotten")
	}
}

func BenchmarkTake(b *testing.B) {
	client := redis.NewClient(&redis.Options{Addr: strings.TrimSuffix(strings.TrimPrefix(os.Getenv("VEZNE_TEST_REDIS_URL"), "redis://"), "/0")})
	defer client.Close()
	for name, rate := range map[string]core.Rate{"exact": {Events: 100_000_000, Per: time.Hour * 10000}, "chunks": {Events: 1_000_000, Per: time.Second}} {
		b.Run(name, func(b *testing.B) {
			limiter, key := redislimit.New(client, slog.New(slog.DiscardHandler)), rand.Text()
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					limiter.Take(context.Background(), key, 1, rate)
				}
			})
		})
	}
}
