package asynqqueue_test

import (
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/hibiken/asynq"

	"github.com/vezne/vezne/adapters/asynqqueue"
	"github.com/vezne/vezne/adapters/redistest"
	"github.com/vezne/vezne/core"
)

func TestOutageRedisIsKilled(t *testing.T) {
	t.Parallel()
	testOutage(t, func(t *testing.T) breakable {
		server := redistest.Start(t)
		queue := open(t, asynqqueue.Config{RedisURL: server.URL()})
		received, _ := serve(t, queue)
		return breakable{waker: queue, received: received, stop: server.Kill, start: server.Start}
	})
}

func TestOutageRedisFreezes(t *testing.T) {
	t.Parallel()
	testOutage(t, func(t *testing.T) breakable {
		server := redistest.Start(t)
		queue := open(t, asynqqueue.Config{RedisURL: server.URL()})
		received, _ := serve(t, queue)
		return breakable{waker: queue, received: received, stop: server.Freeze, start: server.Thaw}
	})
}

func TestOutageRedisForgetsEverything(t *testing.T) {
	t.Parallel()
	for _, url := range []string{"", redistest.Start(t).URL()} {
		queue := open(t, asynqqueue.Config{RedisURL: url})
		received, _ := serve(t, queue)
		for i := range 5 {
			queue.Wake(core.WakeUp{Kind: core.DueCallbacks, Receiver: "ahead", At: time.Now().Add(time.Minute)})
			queue.Wake(core.WakeUp{Kind: core.DueCallbacks, Receiver: fmt.Sprint(i)})
			if wakeUp := <-received; wakeUp.Receiver != fmt.Sprint(i) {
				t.Errorf("%+v arrived", wakeUp)
			}
			if err := queue.Client().FlushAll(t.Context()).Err(); err != nil {
				t.Fatal(err)
			}
			if err := queue.Client().ScriptFlush(t.Context()).Err(); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func TestAProcessStartsWithoutRedis(t *testing.T) {
	t.Parallel()
	server, log := redistest.New(t), newNotebook()
	queue := open(t, asynqqueue.Config{RedisURL: server.URL(), Log: log.logger(slog.LevelInfo)})
	received, _ := serve(t, queue)
	queue.Wake(core.WakeUp{Kind: core.DueCallbacks, Receiver: "early"})
	server.Start()
	if wakeUp := <-received; wakeUp.Receiver != "early" {
		t.Errorf("%+v arrived", wakeUp)
	}
	log.await(t, "level=INFO", 1)
	if text := log.String(); strings.Count(text, "level=WARN") != 1 || strings.Count(text, "\n") != 2 {
		t.Errorf("the log says\n%s", text)
	}
}

func TestOutageIsLoggedOnce(t *testing.T) {
	t.Parallel()
	server, log := redistest.Start(t), newNotebook()
	queue := open(t, asynqqueue.Config{RedisURL: server.URL(), Log: log.logger(slog.LevelInfo)})
	received, _ := serve(t, queue)
	for outage := range 2 {
		server.Kill()
		for i := range 100 {
			queue.Wake(core.WakeUp{Kind: core.DueCallbacks, Receiver: fmt.Sprint(outage, i)})
		}
		log.await(t, "level=WARN", outage+1)
		server.Start()
		for range 100 { // those that wait in memory are not lost
			<-received
		}
		log.await(t, "level=INFO", outage+1)
	}
	if text := log.String(); strings.Count(text, "\n") != 4 {
		t.Errorf("two outages are logged as\n%s", text)
	}
}

func TestOneWakeUpASecondIsEnough(t *testing.T) {
	t.Parallel()
	name := rand.Text()
	queue := open(t, asynqqueue.Config{RedisURL: realRedis(t), Name: name})
	received, _ := serve(t, queue)
	at := time.Now().Add(time.Hour)
	for range 20 {
		queue.Wake(
			core.WakeUp{Kind: core.DuePayments, At: at}, core.WakeUp{Kind: core.DueCallbacks, Receiver: "ahead", At: at},
			core.WakeUp{Kind: core.DueCallbacks, Receiver: "now"},
		)
		<-received // so that each goes out on its own
	}
	info, err := asynq.NewInspectorFromRedisClient(queue.Client()).GetQueueInfo(name)
	if err != nil || info.Scheduled != 2 {
		t.Errorf("%+v wait for their time, %v; want 2", info, err)
	}
}

// A million keys are woken while nobody takes them: kept, they would be some 200 MB.
func TestOutageMemoryIsBounded(t *testing.T) {
	t.Parallel()
	queue := open(t, asynqqueue.Config{RedisURL: redistest.New(t).URL()})
	heap := func() uint64 {
		var memory runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&memory)
		return memory.HeapAlloc
	}
	before := heap()
	for i := range 1_000_000 {
		queue.Wake(core.WakeUp{Kind: core.DueCallbacks, Receiver: fmt.Sprintf("site/%d/deposit", i)})
	}
	if after := heap(); after > before+100<<20 {
		t.Errorf("the heap grew from %d to %d MiB", before>>20, after>>20)
	}
}

// While no worker runs, Redis does not fill up, and no key is lost.
func TestNobodyListens(t *testing.T) {
	t.Parallel()
	log, name := newNotebook(), rand.Text()
	queue := open(t, asynqqueue.Config{RedisURL: realRedis(t), Name: name, Log: log.logger(slog.LevelInfo)})
	const keys, most = 20_000, 10_000 + 256
	missing := map[string]bool{}
	for i := range keys {
		missing[fmt.Sprint(i)] = true
		queue.Wake(core.WakeUp{Kind: core.DueCallbacks, Receiver: fmt.Sprint(i)})
	}
	log.await(t, "is a worker running?", 1)
	info, err := asynq.NewInspectorFromRedisClient(queue.Client()).GetQueueInfo(name)
	if err != nil || info.Pending < 5000 || info.Pending > most {
		t.Errorf("%+v wait in Redis, %v; want at most %d", info, err, most)
	}
	received, _ := serve(t, queue)
	for len(missing) > 0 {
		delete(missing, (<-received).Receiver)
	}
	log.await(t, "wake-ups are taken out of Redis again", 1)
}

// What is left behind in Redis when all is done: nothing that grows.
func TestNothingIsKept(t *testing.T) {
	t.Parallel()
	for _, url := range []string{"", realRedis(t)} {
		name := rand.Text()
		queue := open(t, asynqqueue.Config{RedisURL: url, Name: name})
		received, stop := serve(t, queue)
		for i := range 50 {
			queue.Wake(core.WakeUp{Kind: core.DueCallbacks, Receiver: fmt.Sprint(i), At: time.Now().Add(time.Duration(i) * 10 * time.Millisecond)})
		}
		for range 50 {
			<-received
		}
		stop()
		left, err := queue.Client().Keys(t.Context(), "asynq:{"+name+"}:*").Result()
		if err != nil || len(left) > 2 { // how many were processed, today and in all
			t.Errorf("Redis keeps %v, %v", left, err)
		}
	}
}

func TestAWakeUpOfAStoppedWorkerGoesBack(t *testing.T) {
	t.Parallel()
	for _, url := range []string{"", realRedis(t)} {
		queue := open(t, asynqqueue.Config{RedisURL: url, Name: rand.Text()})
		ctx, cancel := context.WithCancel(t.Context())
		release, served := make(chan struct{}), make(chan error)
		go func() {
			served <- queue.Serve(ctx, func(context.Context, core.WakeUp) { cancel(); <-release })
		}()
		queue.Wake(core.WakeUp{Kind: core.DueCallbacks, Receiver: "held"})
		if err := <-served; err != nil {
			t.Error(err)
		}
		received, _ := serve(t, queue)
		if wakeUp := <-received; wakeUp.Receiver != "held" {
			t.Errorf("%+v arrived", wakeUp)
		}
		close(release)
	}
}

func TestOutageEverythingEndsWithoutRedis(t *testing.T) {
	t.Parallel()
	for name, url := range map[string]string{"black hole": "redis://" + blackHole(t), "nobody": redistest.New(t).URL()} {
		queue, err := asynqqueue.Open(t.Context(), asynqqueue.Config{RedisURL: url})
		if err != nil {
			t.Fatal(name, err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		served := make(chan error)
		go func() { served <- queue.Serve(ctx, func(context.Context, core.WakeUp) {}) }()
		queue.Wake(core.WakeUp{Kind: core.DueCallbacks, Receiver: "one"})
		if err := queue.Ping(t.Context()); err == nil {
			t.Errorf("%s: it answers", name)
		}
		cancel()
		if err := <-served; err != nil {
			t.Error(name, err)
		}
		if err := queue.Close(); err != nil {
			t.Error(name, err)
		}
	}
}
