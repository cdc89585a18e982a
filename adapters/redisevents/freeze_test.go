package redisevents_test

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/vezne/vezne/adapters/redisevents"
	"github.com/vezne/vezne/adapters/redistest"
	"github.com/vezne/vezne/app/live"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/ports"
	"github.com/vezne/vezne/ports/eventtest"
)

// broken is what is logged when a subscription is given up.
const broken = "the subscription to live updates broke"

// awaitTimes waits until a text was logged so often.
func (b *book) awaitTimes(t *testing.T, text string, times int) {
	t.Helper()
	for late := time.After(time.Minute); ; {
		b.mu.Lock()
		said := b.text.String()
		b.mu.Unlock()
		if strings.Count(said, text) >= times {
			return
		}
		select {
		case <-b.wrote:
		case <-late:
			t.Fatalf("the log is\n%s", said)
		}
	}
}

// debug is a log of everything, and where it is written.
func debug() (*slog.Logger, *book) {
	b := &book{wrote: make(chan struct{}, 1)}
	return slog.New(slog.NewTextHandler(b, &slog.HandlerOptions{Level: slog.LevelDebug})), b
}

// TestOutageRedisIsFrozen: nothing tells of an outage but silence. It is noticed, and whoever listens is told to look again.
func TestOutageRedisIsFrozen(t *testing.T) {
	t.Parallel()
	eventtest.RunOutage(t, func(t *testing.T) eventtest.Breakable {
		server, outages := redistest.Start(t), 0
		log, written := debug()
		return eventtest.Breakable{
			Here: open(t, options(server), quiet()), There: open(t, options(server), log), Start: server.Thaw,
			Stop: func() {
				outages++
				written.mu.Lock()
				before := strings.Count(written.text.String(), broken)
				written.mu.Unlock()
				server.Freeze()
				written.awaitTimes(t, broken, before+1)
			},
		}
	})
}

// hearing listens, and gives what is heard from when it hears.
func hearing(t *testing.T, events ports.Events) <-chan core.Event {
	t.Helper()
	heard := make(chan core.Event, 1<<15)
	go events.Listen(t.Context(), func(events []core.Event) {
		for _, n := range events {
			heard <- n
		}
	})
	if first := next(t, heard); first.Kind != core.EventsLost {
		t.Fatalf("the first that is heard is %+v", first)
	}
	return heard
}

func next(t *testing.T, heard <-chan core.Event) core.Event {
	t.Helper()
	select {
	case n := <-heard:
		return n
	case <-time.After(time.Minute):
		t.Fatal("nothing is heard")
		return core.Event{}
	}
}

// What is too short to be noticed loses nothing: what was published meanwhile is heard.
func TestOutageAPauseOfRedisLosesNothing(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	here, there := open(t, options(server), quiet()), open(t, options(server), quiet())
	heard := hearing(t, there)
	server.Freeze()
	for i := range 10 {
		here.Publish(core.Event{Kind: core.PaymentChanged, ID: core.ID(fmt.Sprint(i))})
	}
	server.Thaw()
	for i := 0; i < 10; {
		switch n := next(t, heard); n.ID {
		case core.ID(fmt.Sprint(i)):
			i++
		case "": // this machine was so slow that it was noticed: whoever listens is told
			return
		default:
			t.Fatalf("instead of number %d, %+v is heard", i, n)
		}
	}
}

// Commits do not wait for events that do not get through, however many there are; and what is too much to be kept is told as
// missed.
func TestOutageCommitsDoNotWaitForAFrozenRedis(t *testing.T) {
	t.Parallel()
	server, heldBack := redistest.Start(t), 20_000
	here, there := open(t, options(server), quiet()), open(t, options(server), quiet())
	heard := hearing(t, there)
	server.Freeze()
	store := live.Announce(committer{}, here)
	for i := range heldBack { // one that waits ends the test by its deadline
		change := core.Changeset{payment.Payment{ID: core.ID(fmt.Sprint(i)), Version: 1}}
		if err := store.Commit(t.Context(), change); err != nil {
			t.Fatal(err)
		}
	}
	server.Thaw()
	here.Publish(core.Event{Kind: core.PaymentChanged, ID: "end"})
	count, missed := 0, false
	for n := next(t, heard); n.ID != "end"; n = next(t, heard) {
		count++
		missed = missed || n.Kind == core.EventsLost
	}
	if !missed && count < heldBack {
		t.Errorf("%d of %d are heard, and nothing is said to be missed", count, heldBack)
	}
}

// committer commits everything.
type committer struct{ ports.Committer }

func (committer) Commit(context.Context, core.Changeset) error { return nil }

// Whoever stops while Redis is frozen does not wait for it.
func TestOutageStoppingDoesNotWaitForAFrozenRedis(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	client := redis.NewUniversalClient(options(server))
	defer func() { _ = client.Close() }()
	events := redisevents.New(client, quiet())
	ctx, cancel := context.WithCancel(t.Context())
	begun, ended := make(chan struct{}, 1), make(chan struct{})
	go func() {
		defer close(ended)
		events.Listen(ctx, func([]core.Event) { begun <- struct{}{} })
	}()
	<-begun
	server.Freeze()
	events.Publish(core.Event{Kind: core.PaymentChanged, ID: "late"})
	cancel()
	<-ended // what waits ends the test by its deadline
	events.Close()
}
