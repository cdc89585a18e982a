package redisevents_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/vezne/vezne/adapters/redistest"
	"github.com/vezne/vezne/ports/eventtest"
)

// watched are two Redis, one of which follows the other, and a sentinel that watches them.
type watched struct {
	t              *testing.T
	main, follower *redistest.Server
	sentinel       *redistest.Server
}

func startWatched(t *testing.T) *watched {
	t.Helper()
	w := &watched{t: t, main: redistest.Start(t)}
	w.follower = redistest.Start(t, "--replicaof", "127.0.0.1", w.main.Port)
	w.sentinel = redistest.New(t)
	w.sentinel.Sentinel = filepath.Join(t.TempDir(), "sentinel.conf")
	text := fmt.Sprintf("port %s\nbind 127.0.0.1\nsentinel monitor main 127.0.0.1 %s 1\n"+
		"sentinel down-after-milliseconds main 2000\nsentinel failover-timeout main 3000\n", w.sentinel.Port, w.main.Port)
	if err := os.WriteFile(w.sentinel.Sentinel, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	w.sentinel.Start()
	return w
}

func (w *watched) options() *redis.UniversalOptions {
	watching := options(w.main)
	watching.Addrs, watching.MasterName = []string{"127.0.0.1:1", "127.0.0.1:" + w.sentinel.Port}, "main"
	return watching
}

// await asks the sentinel until it says what is waited for.
func (w *watched) await(what string, is func(sentinel *redis.SentinelClient) bool) {
	w.t.Helper()
	sentinel := redis.NewSentinelClient(&redis.Options{Addr: "127.0.0.1:" + w.sentinel.Port})
	defer func() { _ = sentinel.Close() }()
	again := time.NewTicker(50 * time.Millisecond)
	defer again.Stop()
	for late := time.After(90 * time.Second); !is(sentinel); {
		select {
		case <-again.C:
		case <-late:
			w.t.Fatalf("the sentinel never says that %s", what)
		}
	}
}

// awaitFollower waits until the sentinel could let the follower take over.
func (w *watched) awaitFollower() {
	w.t.Helper()
	w.await("the follower is ready", func(sentinel *redis.SentinelClient) bool {
		found, err := sentinel.Replicas(w.t.Context(), "main").Result()
		return err == nil && slices.ContainsFunc(found, func(replica map[string]string) bool {
			return replica["port"] == w.follower.Port && replica["flags"] == "slave" && replica["master-link-status"] == "ok" &&
				replica["master-port"] == w.main.Port
		})
	})
}

// awaitTurn waits until the follower has taken over.
func (w *watched) awaitTurn() {
	w.t.Helper()
	w.await("the follower has taken over", func(sentinel *redis.SentinelClient) bool {
		address, err := sentinel.GetMasterAddrByName(w.t.Context(), "main").Result()
		return err == nil && address[1] == w.follower.Port
	})
	w.main, w.follower = w.follower, w.main
}

func TestOutageSentinel(t *testing.T) {
	t.Parallel()
	eventtest.RunOutage(t, func(t *testing.T) eventtest.Breakable {
		w := startWatched(t)
		return eventtest.Breakable{
			Here: open(t, w.options(), quiet()), There: open(t, w.options(), quiet()),
			Stop: func() { w.awaitFollower(); w.main.Kill() },
			Start: func() {
				w.awaitTurn()
				w.follower.Args = []string{"--replicaof", "127.0.0.1", w.main.Port}
				w.follower.Start()
			},
		}
	})
}

// TestOutageSentinelLetsAFrozenOneGo: connections to the one that is replaced do not break by themselves.
func TestOutageSentinelLetsAFrozenOneGo(t *testing.T) {
	t.Parallel()
	eventtest.RunOutage(t, func(t *testing.T) eventtest.Breakable {
		w := startWatched(t)
		return eventtest.Breakable{
			Here: open(t, w.options(), quiet()), There: open(t, w.options(), quiet()),
			Stop:  func() { w.awaitFollower(); w.main.Freeze() },
			Start: func() { w.awaitTurn(); w.follower.Thaw() },
		}
	})
}
