package asynqqueue_test

import (
	"crypto/rand"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/vezne/vezne/adapters/asynqqueue"
	"github.com/vezne/vezne/adapters/redistest"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/report"
)

// both runs a test on the Redis inside the process and on a real one.
func both(t *testing.T, test func(t *testing.T, queue *asynqqueue.Queue, name string)) {
	t.Helper()
	for what, url := range map[string]string{"inside": "", "redis": realRedis(t)} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			name := rand.Text()
			test(t, open(t, asynqqueue.Config{RedisURL: url, Name: name}), name)
		})
	}
}

// numbers returns what is told of a queue, or nothing while it is not there.
func numbers(t *testing.T, queue *asynqqueue.Queue, name string) (report.TaskQueue, bool) {
	t.Helper()
	list, err := queue.TaskQueues(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(list, func(q report.TaskQueue) bool { return q.Name == name })
	if i < 0 {
		return report.TaskQueue{}, false
	}
	return list[i], true
}

func TestNumbersOfAQueue(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, queue *asynqqueue.Queue, name string) {
		if q, ok := numbers(t, queue, name); ok {
			t.Errorf("nobody was ever woken, and there is %+v", q)
		}
		later := time.Now().Add(time.Hour)
		queue.Wake(core.WakeUp{Kind: core.DueCallbacks, Receiver: "a"}, core.WakeUp{Kind: core.DueCallbacks, Receiver: "b"},
			core.WakeUp{Kind: core.DuePayments, At: later})
		for q, _ := numbers(t, queue, name); q.Size < 3; q, _ = numbers(t, queue, name) {
		}
		q, _ := numbers(t, queue, name)
		if q.Pending != 2 || q.Scheduled != 1 || q.Latency <= 0 || q.IsPaused || q.ProcessedToday != 0 {
			t.Errorf("before anybody works: %+v", q)
		}
		received, _ := serve(t, queue)
		<-received
		<-received
		for q.ProcessedToday < 2 {
			q, _ = numbers(t, queue, name)
		}
		if q.Pending != 0 || q.Scheduled != 1 || q.Size != 1 || q.FailedToday != 0 {
			t.Errorf("when all was worked on: %+v", q)
		}
	})
}

// TestItsOwnQueueComesFirst: however many others share the Redis.
func TestItsOwnQueueComesFirst(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	for i := range 25 {
		server.Do("SADD", "asynq:queues", fmt.Sprintf("other%d", i))
	}
	queue := open(t, asynqqueue.Config{RedisURL: server.URL(), Name: "z"})
	queue.Wake(core.WakeUp{Kind: core.DueCallbacks, Receiver: "a"})
	for !queue.Client().SIsMember(t.Context(), "asynq:queues", "z").Val() {
	}
	list, err := queue.TaskQueues(t.Context())
	if err != nil || len(list) != 20 || list[0].Name != "z" || list[1].Name != "other0" {
		t.Errorf("%d queues, first %+v: %v", len(list), list[:min(2, len(list))], err)
	}
}

func TestNumbersOfAnUnreachableRedisAreUnavailable(t *testing.T) {
	t.Parallel()
	queue, err := asynqqueue.Open(t.Context(), asynqqueue.Config{RedisURL: "redis://127.0.0.1:1"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = queue.Close() })
	if _, err := queue.TaskQueues(t.Context()); !fault.Is(err, fault.Unavailable) {
		t.Errorf("got %v", err)
	}
}
