package bunstore_test

import (
	"fmt"
	"log/slog"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/vezne/vezne/adapters/redisevents"
	"github.com/vezne/vezne/app/live"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/ports"
)

// eventRound is how many deposits are created in one way before the other has its turn: so both meet the same machine.
const eventRound = 200

// BenchmarkEvents creates deposits by turns with and without telling all processes of them, while one listens. It gives how
// many are created with for each without.
func BenchmarkEvents(b *testing.B) {
	for name, config := range databases() {
		for _, callers := range []int{1, 16, 64} {
			b.Run(fmt.Sprintf("%s/%d", name, callers), func(b *testing.B) {
				s, events := openStore(b, config(b)), openEvents(b)
				go events.Listen(b.Context(), func([]core.Event) {})
				ways := [2]ports.Committer{s, live.Announce(s, events)}
				var took [2]time.Duration
				b.ResetTimer()
				for round := range max(b.N/(2*eventRound), 1) {
					for i := range ways {
						way := (i + round) % len(ways)
						took[way] += create(b, ways[way], callers, eventRound)
					}
				}
				b.ReportMetric(0, "ns/op")
				b.ReportMetric(took[0].Seconds()/took[1].Seconds(), "told/plain")
			})
		}
	}
}

// create has callers create deposits, and says how long it took.
func create(b *testing.B, commits ports.Committer, callers, count int) time.Duration {
	b.Helper()
	var made atomic.Int64
	var all sync.WaitGroup
	began := time.Now()
	for range callers {
		all.Go(func() {
			for made.Add(1) <= int64(count) {
				if err := commits.Commit(b.Context(), newDeposit(b)); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	all.Wait()
	return time.Since(began)
}

func openEvents(b *testing.B) *redisevents.Events {
	b.Helper()
	options, err := redis.ParseURL(os.Getenv("VEZNE_TEST_REDIS_URL"))
	if err != nil {
		b.Fatalf("VEZNE_TEST_REDIS_URL: run the benchmarks through cmd/testenv (%v)", err)
	}
	client := redis.NewClient(options)
	events := redisevents.New(client, slog.New(slog.DiscardHandler))
	b.Cleanup(func() {
		events.Close()
		_ = client.Close()
	})
	return events
}
