package asynqqueue_test

import (
	"context"
	"crypto/rand"
	"os"
	"sync"
	"testing"

	"github.com/vezne/vezne/adapters/asynqqueue"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/ports"
)

// realRedis is the Redis that all tests share; each has an asynq queue of its own there.
func realRedis(t *testing.T) string {
	t.Helper()
	url := os.Getenv("VEZNE_TEST_REDIS_URL")
	if url == "" {
		t.Fatal("VEZNE_TEST_REDIS_URL must name a Redis: run the tests with `make test`")
	}
	return url
}

func open(t *testing.T, cfg asynqqueue.Config) *asynqqueue.Queue {
	t.Helper()
	queue, err := asynqqueue.Open(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := queue.Close(); err != nil {
			t.Error(err)
		}
	})
	return queue
}

// serve receives wake-ups until the test ends or stop is called, which returns when Serve has.
func serve(t *testing.T, queue *asynqqueue.Queue) (received <-chan core.WakeUp, stop func()) {
	t.Helper()
	wakeUps := make(chan core.WakeUp)
	ctx, cancel := context.WithCancel(t.Context())
	var served sync.WaitGroup
	served.Go(func() {
		err := queue.Serve(ctx, func(_ context.Context, r core.WakeUp) {
			select {
			case wakeUps <- r:
			case <-ctx.Done():
			}
		})
		if err != nil {
			t.Error(err)
		}
	})
	stop = func() { cancel(); served.Wait() }
	t.Cleanup(stop)
	return wakeUps, stop
}

func TestWakerInsideTheProcess(t *testing.T) {
	t.Parallel()
	testWaker(t, func(t *testing.T) (ports.Waker, <-chan core.WakeUp) {
		queue := open(t, asynqqueue.Config{})
		received, _ := serve(t, queue)
		return queue, received
	})
}

func TestWakerOnRedis(t *testing.T) {
	t.Parallel()
	testWaker(t, func(t *testing.T) (ports.Waker, <-chan core.WakeUp) {
		queue := open(t, asynqqueue.Config{RedisURL: realRedis(t), Name: rand.Text()})
		received, _ := serve(t, queue)
		return queue, received
	})
}

// As in production: one process takes requests and wakes, another one works.
func TestWakerBetweenProcesses(t *testing.T) {
	t.Parallel()
	testWaker(t, func(t *testing.T) (ports.Waker, <-chan core.WakeUp) {
		name := rand.Text()
		received, _ := serve(t, open(t, asynqqueue.Config{RedisURL: realRedis(t), Name: name}))
		return open(t, asynqqueue.Config{RedisURL: realRedis(t), Name: name}), received
	})
}

func TestEachWakeUpGoesToOneWorker(t *testing.T) {
	t.Parallel()
	queue := open(t, asynqqueue.Config{RedisURL: realRedis(t), Name: rand.Text()})
	first, _ := serve(t, queue)
	second, _ := serve(t, queue)
	const keys = 200
	for i := range keys {
		queue.Wake(core.WakeUp{Kind: core.DueCallbacks, Receiver: string(rune('a' + i))})
	}
	heard := map[string]int{}
	for range keys {
		select {
		case wakeUp := <-first:
			heard[wakeUp.Receiver]++
		case wakeUp := <-second:
			heard[wakeUp.Receiver]++
		}
	}
	if len(heard) != keys {
		t.Errorf("%d wake-ups brought %d keys", keys, len(heard))
	}
}

func TestPingAndClient(t *testing.T) {
	t.Parallel()
	for _, url := range []string{"", realRedis(t)} {
		queue := open(t, asynqqueue.Config{RedisURL: url, Name: rand.Text()})
		if err := queue.Ping(t.Context()); err != nil {
			t.Error(err)
		}
		key := rand.Text()
		if err := queue.Client().Set(t.Context(), key, "1", 0).Err(); err != nil {
			t.Error(err)
		}
		if n, err := queue.Client().Del(t.Context(), key).Result(); n != 1 || err != nil {
			t.Errorf("deleted %d, %v", n, err)
		}
	}
}

func TestACloseSendsWhatWaits(t *testing.T) {
	t.Parallel()
	name := rand.Text()
	received, _ := serve(t, open(t, asynqqueue.Config{RedisURL: realRedis(t), Name: name}))
	queue, err := asynqqueue.Open(t.Context(), asynqqueue.Config{RedisURL: realRedis(t), Name: name})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 100 {
		queue.Wake(core.WakeUp{Kind: core.DueCallbacks, Receiver: string(rune('a' + i))})
	}
	if err := queue.Close(); err != nil {
		t.Fatal(err)
	}
	for range 100 {
		<-received
	}
	queue.Wake(core.WakeUp{Kind: core.DueCallbacks}) // nobody sends it, and nothing breaks
	if err := queue.Ping(t.Context()); !fault.Is(err, fault.Unavailable) {
		t.Errorf("a closed queue pings with %v", err)
	}
}
