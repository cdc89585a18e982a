package metrics_test

import (
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"

	"github.com/vezne/vezne/adapters/bunstore/sqlitetest"
	"github.com/vezne/vezne/adapters/metrics"
	"github.com/vezne/vezne/e2e/apptest"
)

// TestRedis: whether it answers and what the pool counts are figures while it is there and when it is gone.
func TestRedis(t *testing.T) {
	t.Parallel()
	server := miniredis.RunT(t)
	client := redis.NewClient(&redis.Options{Addr: server.Addr(), DialerRetries: 1, MaxRetries: -1})
	t.Cleanup(func() { _ = client.Close() })
	w := waiting(sqlitetest.Open(t))
	w.Redis = client
	clock := apptest.NewClock(apptest.Start)
	page := metrics.New("test", "c0ffee").Page(w, clock)
	if err := client.Ping(t.Context()).Err(); err != nil {
		t.Fatal(err)
	}
	got := scrape(t, page)
	wantSeries(t, got, map[string]string{
		"vezne_redis_up": "1", "vezne_redis_pool_misses_total": "1", "vezne_redis_pool_timeouts_total": "0",
	})
	if idle, used := got[`vezne_redis_pool_connections{state="idle"}`], got[`vezne_redis_pool_connections{state="used"}`]; idle+used != "10" && idle+used != "01" {
		t.Errorf("of one connection %s is idle and %s used", idle, used) // the question whether it answers may have it at this moment
	}
	if got["vezne_redis_ping_seconds"] == "" || got["vezne_redis_pool_hits_total"] == "" || got["vezne_redis_pool_stale_total"] == "" {
		t.Errorf("there is nothing of Redis's answer: %v", got)
	}
	server.Close()
	clock.Advance(5 * time.Second) // what was asked before is told until then
	got = scrape(t, page)
	wantSeries(t, got, map[string]string{"vezne_redis_up": "0"})
	if _, ok := got["vezne_redis_ping_seconds"]; ok {
		t.Errorf("an answer is told that there was not: %v", got)
	}
}
