package redisevents_test

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"net"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"

	"github.com/vezne/vezne/adapters/redisevents"
	"github.com/vezne/vezne/adapters/redistest"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/ports"
	"github.com/vezne/vezne/ports/eventtest"
)

// options are a client's of a Redis. An outage is noticed soon.
func options(server *redistest.Server) *redis.UniversalOptions {
	return &redis.UniversalOptions{
		Addrs: []string{server.Address()}, DialTimeout: time.Second, DialerRetries: 1, ReadTimeout: 2 * time.Second,
		ContextTimeoutEnabled: true,
	}
}

// open makes events on a client of its own, as a process has it.
func open(t *testing.T, options *redis.UniversalOptions, log *slog.Logger) *redisevents.Events {
	t.Helper()
	client := redis.NewUniversalClient(options)
	events := redisevents.New(client, log)
	t.Cleanup(func() {
		events.Close()
		_ = client.Close()
	})
	return events
}

func quiet() *slog.Logger { return slog.New(slog.DiscardHandler) }

func TestRealRedis(t *testing.T) {
	t.Parallel()
	eventtest.Run(t, func(t *testing.T) (here, there ports.Events) {
		server := redistest.Start(t)
		return open(t, options(server), quiet()), open(t, options(server), quiet())
	})
}

func TestCluster(t *testing.T) {
	t.Parallel()
	eventtest.Run(t, func(t *testing.T) (here, there ports.Events) {
		server := redistest.Start(t, "--cluster-enabled", "yes")
		server.Do("CLUSTER", "ADDSLOTSRANGE", 0, 16383)
		clustered := options(server)
		clustered.IsClusterMode = true
		return open(t, clustered, quiet()), open(t, clustered, quiet())
	})
}

// TestInside is the Redis of a process that has none: reached without a socket.
func TestInside(t *testing.T) {
	t.Parallel()
	eventtest.Run(t, func(t *testing.T) (here, there ports.Events) {
		server := miniredis.NewMiniRedis()
		t.Cleanup(server.Close)
		events := open(t, &redis.UniversalOptions{
			Dialer:          func(context.Context, string, string) (net.Conn, error) { return server.Dial() },
			DisableIdentity: true, MaintNotificationsConfig: &maintnotifications.Config{Mode: maintnotifications.ModeDisabled},
		}, quiet())
		return events, events
	})
}

func TestOutageRedisIsKilled(t *testing.T) {
	t.Parallel()
	eventtest.RunOutage(t, func(t *testing.T) eventtest.Breakable {
		server := redistest.Start(t)
		return eventtest.Breakable{
			Here: open(t, options(server), quiet()), There: open(t, options(server), quiet()), Stop: server.Kill, Start: server.Start,
		}
	})
}

// Databases of one server are several installations: none hears another.
func TestADatabaseIsAWorldOfItsOwn(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	other := options(server)
	other.DB = 3
	here, there := open(t, options(server), quiet()), open(t, other, quiet())
	heard := make(chan core.Event, 10)
	go here.Listen(t.Context(), func(events []core.Event) {
		for _, n := range events {
			heard <- n
		}
	})
	<-heard
	there.Publish(core.Event{Kind: core.PaymentChanged, ID: "theirs"})
	there.Close() // it has been sent
	here.Publish(core.Event{Kind: core.PaymentChanged, ID: "ours"})
	if n := <-heard; n.ID != "ours" {
		t.Errorf("heard is %+v", n)
	}
}

// TestEarlierVersions: their messages name no sender, and what names ours is a kind that they pass over.
func TestEarlierVersions(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	client := redis.NewUniversalClient(options(server))
	t.Cleanup(func() { _ = client.Close() })
	theirs := client.Subscribe(t.Context(), "vezne:news:0")
	if _, err := theirs.Receive(t.Context()); err != nil {
		t.Fatal(err)
	}
	events := open(t, options(server), quiet())
	heard := hearing(t, events)
	if err := client.Publish(t.Context(), "vezne:news:0", `[{"kind":"payment","id":"theirs"}]`).Err(); err != nil {
		t.Fatal(err)
	}
	if n := next(t, heard); n != (core.Event{Kind: core.PaymentChanged, ID: "theirs"}) {
		t.Errorf("heard is %+v", n)
	}
	events.Publish(core.Event{Kind: core.PaymentChanged, ID: "ours"})
	var message *redis.Message
	for message == nil || message.Payload == `[{"kind":"payment","id":"theirs"}]` {
		var err error
		if message, err = theirs.ReceiveMessage(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	var list []struct{ Kind, ID string }
	if err := json.Unmarshal([]byte(message.Payload), &list); err != nil || len(list) != 2 || list[0].Kind != "sender" ||
		list[1] != (struct{ Kind, ID string }{"payment", "ours"}) {
		t.Errorf("the message is %s (%v)", message.Payload, err)
	}
}

// book is a log that a test waits for.
type book struct {
	mu    sync.Mutex
	text  bytes.Buffer
	wrote chan struct{}
}

func (b *book) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	select {
	case b.wrote <- struct{}{}:
	default:
	}
	return b.text.Write(p)
}

func (b *book) await(t *testing.T, text string) {
	t.Helper()
	for late := time.After(time.Minute); ; {
		b.mu.Lock()
		said := b.text.String()
		b.mu.Unlock()
		if strings.Contains(said, text) {
			return
		}
		select {
		case <-b.wrote:
		case <-late:
			t.Fatalf("the log is\n%s", said)
		}
	}
}

func TestOutageIsLoggedOnce(t *testing.T) {
	t.Parallel()
	server, log := redistest.Start(t), &book{wrote: make(chan struct{}, 1)}
	events := open(t, options(server), slog.New(slog.NewTextHandler(log, nil)))
	server.Kill()
	for i := range 100 {
		events.Publish(core.Event{Kind: core.PaymentChanged, ID: core.ID(strconv.Itoa(i))})
	}
	log.await(t, "level=WARN")
	server.Start()
	log.await(t, "level=INFO")
	log.mu.Lock()
	defer log.mu.Unlock()
	if text := log.text.String(); strings.Count(text, "\n") != 2 {
		t.Errorf("the outage is logged as\n%s", text)
	}
}
