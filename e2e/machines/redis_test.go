//go:build drill

package machines_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/vezne/vezne/adapters/redistest"
	"github.com/vezne/vezne/e2e/harness"
	"github.com/vezne/vezne/e2e/machines"
)

// TestDrillSentinel kills the Redis that is written to: sentinels make another of the two.
func TestDrillSentinel(t *testing.T) {
	first := redistest.Start(t)
	second := redistest.Start(t, "--replicaof", "127.0.0.1", first.Port)
	url := "redis-sentinel://"
	var sentinels []*redistest.Server
	for i := range 3 {
		s := redistest.New(t)
		s.Sentinel = filepath.Join(t.TempDir(), "sentinel.conf")
		text := fmt.Sprintf("port %s\nbind 127.0.0.1\n%s", s.Port, machines.Shipped(t, "redis/sentinel.conf",
			"sentinel monitor vezne 10.0.0.41 6379 2", "sentinel monitor vezne 127.0.0.1 "+first.Port+" 2"))
		if err := os.WriteFile(s.Sentinel, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		s.Start()
		sentinels = append(sentinels, s)
		url += map[bool]string{true: ","}[i > 0] + s.Address()
	}
	awaitSentinels(t, sentinels)
	m := machines.Serve(t, harness.NewOnServersWith(t, url+"/0?master=vezne"))
	load := m.Begin()
	load.AwaitMore(50)
	before := woken(t, first.Address())
	first.Kill()
	harness.Eventually(t, func() error {
		return role(t, second.Address(), "master")
	})
	load.AwaitMore(100)
	awaitQueue(t, m, "ok")
	awaitWoken(t, before, second.Address())
	load.MustHold(load.Finish("sentinel"))
}

// Whoever asks whether a server is there yet is not to print that it is not.
type quiet struct{}

func (quiet) Printf(context.Context, string, ...any) {}

// awaitSentinels waits until all sentinels know each other and the standby: before that they agree on nothing.
func awaitSentinels(t *testing.T, sentinels []*redistest.Server) {
	t.Helper()
	for _, s := range sentinels {
		client := redis.NewSentinelClient(&redis.Options{Addr: s.Address()})
		harness.Eventually(t, func() error {
			master, err := client.Master(t.Context(), "vezne").Result()
			if err == nil && (master["num-other-sentinels"] != "2" || master["num-slaves"] != "1") {
				err = fmt.Errorf("a sentinel knows %s others and %s standbys", master["num-other-sentinels"], master["num-slaves"])
			}
			return err
		})
		_ = client.Close() // it was only asked
	}
}

func role(t *testing.T, address, want string) error {
	t.Helper()
	client := redis.NewClient(&redis.Options{Addr: address})
	defer func() { _ = client.Close() }()
	is, err := client.Do(t.Context(), "ROLE").Slice()
	if err == nil && is[0] != want {
		err = fmt.Errorf("it is %v", is[0])
	}
	return err
}

// awaitQueue waits until every process says something of its Redis.
func awaitQueue(t *testing.T, m *machines.Machines, state string) {
	t.Helper()
	for _, p := range m.All() {
		harness.Eventually(t, func() error {
			if a := harness.Get(t, p.URL+"/readyz"); !strings.Contains(string(a.Body), `"queue":"`+state+`"`) {
				return fmt.Errorf("/readyz says %s, want %s", a.Body, state)
			}
			return nil
		})
	}
}

// queueKey is the list of wake-ups that wait.
const queueKey = "asynq:{vezne}:pending"

// TestDrillCluster serves on three masters with a standby each, and kills one master: another takes over its keys. Rate limits, wake-ups,
// live updates and sign-ins each keep to one slot.
func TestDrillCluster(t *testing.T) {
	var nodes []*redistest.Server
	var addresses []string
	for range 6 {
		nodes = append(nodes, redistest.Start(t, "--cluster-enabled", "yes", "--cluster-node-timeout", "2000", "--repl-diskless-sync-delay", "0"))
		addresses = append(addresses, nodes[len(nodes)-1].Address())
	}
	args := append(append([]string{"--cluster", "create"}, addresses...), "--cluster-replicas", "1", "--cluster-yes")
	if said, err := exec.CommandContext(t.Context(), "redis-cli", args...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	harness.Eventually(t, func() error { return clusterIsWell(t, addresses) })
	url := "redis-cluster://" + strings.Join(addresses, ",")
	m := machines.Serve(t, harness.NewOnServersWith(t, url), "VEZNE_RATE_LIMIT=1000/s")
	load := m.Begin()
	awaitQueue(t, m, "ok")
	load.AwaitMore(50)
	isKilled := false
	for _, n := range nodes {
		if role(t, n.Address(), "master") == nil && holds(t, n.Address(), queueKey) {
			n.Kill()
			isKilled = true
			break
		}
	}
	if !isKilled {
		t.Fatal("no master has the queue")
	}
	killed := time.Now()
	harness.Eventually(t, func() error {
		for _, n := range nodes {
			if !n.Runs() {
				continue
			}
			if role(t, n.Address(), "master") == nil && holds(t, n.Address(), queueKey) {
				return nil
			}
		}
		return errors.New("no other master has the queue")
	})
	t.Logf("another master had the queue after %s", time.Since(killed).Round(time.Millisecond))
	awaitWoken(t, woken(t, addresses...), addresses...)
	t.Logf("wake-ups arrived again after %s", time.Since(killed).Round(time.Millisecond))
	load.AwaitMore(50)
	awaitQueue(t, m, "ok")
	for _, p := range m.All() {
		if strings.Contains(p.Stderr.String(), "CROSSSLOT") {
			t.Errorf("a command of %s has keys of several slots", p)
		}
	}
	load.MustHold(load.Finish("cluster"))
}

// clusterIsWell reports whether all slots are served and each standby has what its master has: before that none takes over.
func clusterIsWell(t *testing.T, addresses []string) error {
	t.Helper()
	masters := 0
	for _, address := range addresses {
		client := redis.NewClient(&redis.Options{Addr: address})
		info, err := client.ClusterInfo(t.Context()).Result()
		is, roleErr := client.Do(t.Context(), "ROLE").Slice()
		_ = client.Close() // it was only asked
		switch {
		case errors.Join(err, roleErr) != nil:
			return errors.Join(err, roleErr)
		case !strings.Contains(info, "cluster_state:ok"):
			return fmt.Errorf("the cluster is not well:\n%s", info)
		case is[0] == "master":
			masters++
		case is[3] != "connected":
			return fmt.Errorf("a standby is %v", is)
		}
	}
	if masters != 3 {
		return fmt.Errorf("there are %d masters", masters)
	}
	return nil
}

// woken is how many wake-ups have arrived, as asynq counts them: one of the servers knows, and no client that learns slowly which one is asked.
func woken(t *testing.T, addresses ...string) (n int) {
	t.Helper()
	harness.Eventually(t, func() (err error) {
		for _, address := range addresses {
			client := redis.NewClient(&redis.Options{Addr: address})
			n, err = client.Get(t.Context(), "asynq:{vezne}:processed").Int()
			_ = client.Close() // it was only asked
			if err == nil {
				return nil
			}
		}
		return err
	})
	return n
}

// awaitWoken waits until more wake-ups arrive than had before: where none does, the sweeper alone finds what is due.
func awaitWoken(t *testing.T, before int, addresses ...string) {
	t.Helper()
	harness.Eventually(t, func() error {
		if now := woken(t, addresses...); now <= before {
			return fmt.Errorf("%d wake-ups have arrived, and %d before", now, before)
		}
		return nil
	})
}

// holds reports whether a master is the one of a key.
func holds(t *testing.T, address, key string) bool {
	t.Helper()
	client := redis.NewClient(&redis.Options{Addr: address})
	defer func() { _ = client.Close() }()
	err := client.Exists(t.Context(), key).Err() // the others answer MOVED
	return err == nil
}

// TestDrillWithoutRedis has Redis be gone for as long as make's GONE says: nothing that Vezne does about it waits longer than
// 5 seconds, and what is kept for Redis meanwhile is bounded by its number, so that an hour differs in nothing but its length.
func TestDrillWithoutRedis(t *testing.T) {
	gone, err := time.ParseDuration(os.Getenv("VEZNE_TEST_REDIS_GONE"))
	if err != nil {
		t.Fatalf("run the drill with `make drill-ha`: %v", err)
	}
	server := redistest.Start(t)
	m := machines.Serve(t, harness.NewOnServersWith(t, server.URL()), "VEZNE_RATE_LIMIT=1000/s")
	load := m.Begin()
	load.AwaitMore(50)
	t.Logf("memory before: %s", m.Memory())
	killed := time.Now()
	server.Kill()
	awaitQueue(t, m, "out of reach")
	load.Last(gone)
	t.Logf("memory after %s: %s", gone, m.Memory())
	back := time.Now()
	server.Start()
	awaitQueue(t, m, "ok")
	awaitWoken(t, woken(t, server.Address()), server.Address())
	load.AwaitMore(50)
	r := load.Finish("without-redis")
	t.Logf("memory in the end: %s; since Redis is back %d wake-ups have arrived", m.Memory(), woken(t, server.Address()))
	t.Logf("with Redis: %s", load.Lateness(back, time.Now()))
	t.Logf("without Redis: %s", load.Lateness(killed, back))
	load.MustHold(r)
	if r.Refused > 0 {
		t.Errorf("without Redis calls were refused for %s", r.Refused)
	}
}
