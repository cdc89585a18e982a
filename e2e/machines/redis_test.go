//go:build drill

package machines_test

import (
	"context"
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
	load.MustHold(load.Finish("sentinel"))
	if after := woken(t, second.Address()); after <= before {
		t.Errorf("%d wake-ups have arrived, %d before the failover: the sweeper has found everything", after, before)
	}
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

// TestDrillCluster serves on three masters with a standby each, and kills one master: another takes over its keys. Rate limits, wake-ups,
// live updates and sign-ins each keep to one slot.
func TestDrillCluster(t *testing.T) {
	var nodes []*redistest.Server
	var addresses []string
	for range 6 {
		nodes = append(nodes, redistest.Start(t, "--cluster-enabled", "yes", "--cluster-node-timeout", "2000", "--appendonly", "no"))
		addresses = append(addresses, nodes[len(nodes)-1].Address())
	}
	args := append(append([]string{"--cluster", "create"}, addresses...), "--cluster-replicas", "1", "--cluster-yes")
	if said, err := exec.CommandContext(t.Context(), "redis-cli", args...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	harness.Eventually(t, func() error { return clusterIsWell(t, addresses[1]) })
	url := "redis-cluster://" + strings.Join(addresses, ",")
	m := machines.Serve(t, harness.NewOnServersWith(t, url), "VEZNE_RATE_LIMIT=1000/s")
	load := m.Begin()
	awaitQueue(t, m, "ok")
	load.AwaitMore(50)
	before, isKilled := woken(t, addresses...), false
	for _, n := range nodes {
		if role(t, n.Address(), "master") == nil && holds(t, n.Address(), "asynq:{vezne}:pending") {
			n.Kill()
			isKilled = true
			break
		}
	}
	if !isKilled {
		t.Fatal("no master has the queue")
	}
	load.AwaitMore(50)
	awaitQueue(t, m, "ok")
	load.AwaitMore(100)
	for _, p := range m.All() {
		if text := p.Stderr.String(); strings.Contains(text, "CROSSSLOT") {
			t.Errorf("a command has keys of several slots:\n%s", text[strings.Index(text, "CROSSSLOT"):][:200])
		}
	}
	load.MustHold(load.Finish("cluster"))
	if after := woken(t, addresses...); after <= before {
		t.Errorf("%d wake-ups have arrived, %d before a master was killed: the sweeper has found everything", after, before)
	}
}

func clusterIsWell(t *testing.T, address string) error {
	t.Helper()
	client := redis.NewClient(&redis.Options{Addr: address})
	defer func() { _ = client.Close() }()
	info, err := client.ClusterInfo(t.Context()).Result()
	if err == nil && !strings.Contains(info, "cluster_state:ok") {
		err = fmt.Errorf("the cluster is not well:\n%s", info)
	}
	return err
}

// woken is how many wake-ups have arrived today, as asynq counts them.
func woken(t *testing.T, addresses ...string) int {
	t.Helper()
	client := redis.NewUniversalClient(&redis.UniversalOptions{Addrs: addresses})
	defer func() { _ = client.Close() }()
	n := 0
	harness.Eventually(t, func() (err error) { // a client may ask the one that was killed first
		n, err = client.Get(t.Context(), "asynq:{vezne}:processed").Int()
		return err
	})
	return n
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
	server.Kill()
	awaitQueue(t, m, "out of reach")
	ctx, cancel := context.WithTimeout(t.Context(), gone)
	<-ctx.Done()
	cancel()
	server.Start()
	awaitQueue(t, m, "ok")
	load.AwaitMore(50)
	r := load.Finish("without-redis")
	load.MustHold(r)
	if r.Refused > 0 {
		t.Errorf("without Redis calls were refused for %s", r.Refused)
	}
}
