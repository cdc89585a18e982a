package asynqqueue_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hibiken/asynq"

	"github.com/vezne/vezne/adapters/asynqqueue"
	"github.com/vezne/vezne/core"
)

// notebook is a log that may be read, and waited for, while it is written.
type notebook struct {
	mu    sync.Mutex
	text  bytes.Buffer
	wrote chan struct{}
}

func newNotebook() *notebook { return &notebook{wrote: make(chan struct{}, 1)} }

func (n *notebook) Write(p []byte) (int, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	select {
	case n.wrote <- struct{}{}:
	default:
	}
	return n.text.Write(p)
}

func (n *notebook) String() string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.text.String()
}

func (n *notebook) logger(level slog.Level) *slog.Logger {
	return slog.New(slog.NewTextHandler(n, &slog.HandlerOptions{Level: level}))
}

// await waits until a text was written so many times.
func (n *notebook) await(t *testing.T, text string, times int) {
	t.Helper()
	for late := time.After(time.Minute); strings.Count(n.String(), text) < times; {
		select {
		case <-n.wrote:
		case <-late:
			t.Fatalf("the log has not %d times %q but\n%s", times, text, n.String())
		}
	}
}

func TestAQuietDayLogsNothing(t *testing.T) {
	t.Parallel()
	quiet, verbose := newNotebook(), newNotebook()
	for log, level := range map[*notebook]slog.Level{quiet: slog.LevelInfo, verbose: slog.LevelDebug} {
		queue := open(t, asynqqueue.Config{Log: log.logger(level)})
		received, stop := serve(t, queue)
		queue.Wake(core.WakeUp{Kind: core.DueCallbacks, Receiver: "one"})
		<-received
		stop()
	}
	if quiet.String() != "" {
		t.Errorf("the log says\n%s", quiet)
	}
	if text := verbose.String(); !strings.Contains(text, "library=asynq") || strings.Contains(text, "queues are empty") {
		t.Errorf("at debug level the log says\n%s", text)
	}
}

// TestATaskThatIsNoWakeUpIsSaidAndLeftOut: it is neither handled nor buried, and what waits behind it is handled.
func TestATaskThatIsNoWakeUpIsSaidAndLeftOut(t *testing.T) {
	t.Parallel()
	log := newNotebook()
	name := rand.Text()
	queue := open(t, asynqqueue.Config{RedisURL: realRedis(t), Name: name, Log: log.logger(slog.LevelInfo)})
	client := asynq.NewClientFromRedisClient(queue.Client())
	bad := []*asynq.Task{
		asynq.NewTask("operate", []byte("seven")), asynq.NewTask("operate", []byte("99999999999999999999")),
		asynq.NewTask("operate", nil), asynq.NewTask("read", []byte("7")), asynq.NewTask("of the next version", []byte("7")),
		asynq.NewTask("operate", bytes.Repeat([]byte("7"), 1<<20)),
	}
	for _, task := range bad {
		if _, err := client.Enqueue(task, asynq.Queue(name), asynq.MaxRetry(0)); err != nil {
			t.Fatal(err)
		}
	}
	queue.Wake(core.WakeUp{Kind: core.DueOperations, GatewayID: 7})
	received, _ := serve(t, queue)
	if w := <-received; w != (core.WakeUp{Kind: core.DueOperations, GatewayID: 7}) {
		t.Errorf("handled %+v", w)
	}
	log.await(t, "is no wake-up", len(bad))
	if text := log.String(); !strings.Contains(text, "seven") || !strings.Contains(text, "of the next version") || len(text) > 10_000 {
		t.Errorf("the log says %.10000s", text)
	}
	q, _ := numbers(t, queue, name)
	for q.ProcessedToday < len(bad)+1 {
		q, _ = numbers(t, queue, name)
	}
	if q.FailedToday != 0 || q.Archived != 0 || q.Size != 0 {
		t.Errorf("the queue has %+v", q)
	}
}

func TestAPanicIsLogged(t *testing.T) {
	t.Parallel()
	log := newNotebook()
	queue := open(t, asynqqueue.Config{Log: log.logger(slog.LevelInfo)})
	ctx, cancel := context.WithCancel(t.Context())
	served := make(chan error)
	go func() {
		served <- queue.Serve(ctx, func(_ context.Context, r core.WakeUp) {
			if r.Receiver == "bad" {
				panic("broken")
			}
			cancel()
		})
	}()
	queue.Wake(core.WakeUp{Kind: core.DueCallbacks, Receiver: "bad"})
	log.await(t, "a wake-up was not handled", 1)
	queue.Wake(core.WakeUp{Kind: core.DueCallbacks, Receiver: "good"})
	if err := <-served; err != nil {
		t.Fatal(err)
	}
	if text := log.String(); !strings.Contains(text, "broken") || !strings.Contains(text, "key=bad") {
		t.Errorf("the log says\n%s", text)
	}
}
