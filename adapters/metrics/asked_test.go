package metrics_test

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/vezne/vezne/adapters/bunstore"
	"github.com/vezne/vezne/adapters/bunstore/sqlitetest"
	"github.com/vezne/vezne/adapters/metrics"
	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/core/wallet"
	"github.com/vezne/vezne/e2e/apptest"
	"github.com/vezne/vezne/ports"
)

// counting is a store that is asked for figures, and tells how often.
type counting struct {
	*bunstore.Store
	backlogs, feeds, statistics atomic.Int64
	hang                        chan struct{} // nil: it answers
}

func (c *counting) wait(ctx context.Context) {
	if c.hang != nil {
		select {
		case <-c.hang:
		case <-ctx.Done():
		}
	}
}

func (c *counting) DueWork(ctx context.Context, _ time.Time) ([]report.DueWork, error) {
	c.backlogs.Add(1)
	c.wait(ctx)
	return []report.DueWork{{Kind: report.CallbackWork, DueCount: 7}}, ctx.Err()
}

func (c *counting) OpenWork(ctx context.Context, _ report.OpenWorkQuery) ([]report.OpenWork, error) {
	c.wait(ctx)
	return nil, ctx.Err()
}

func (c *counting) OldestOpen(ctx context.Context) ([]report.OldestOpen, error) {
	c.wait(ctx)
	return nil, ctx.Err()
}

func (c *counting) FeedHealth(ctx context.Context) (wallet.FeedHealth, error) {
	c.feeds.Add(1)
	c.wait(ctx)
	return wallet.FeedHealth{}, ctx.Err()
}

func (c *counting) StatisticsUntil(ctx context.Context) (time.Time, error) {
	c.statistics.Add(1)
	c.wait(ctx)
	return time.Time{}, ctx.Err()
}

func (c *counting) wantQuestions(t *testing.T, want int64) {
	t.Helper()
	for name, n := range map[string]*atomic.Int64{"backlog": &c.backlogs, "feeds": &c.feeds, "statistics": &c.statistics} {
		if got := n.Load(); got != want {
			t.Errorf("%s was asked %d times, want %d", name, got, want)
		}
	}
}

var _ ports.Reports = (*counting)(nil)

func TestHoweverManyScrapeTheDatabaseIsAskedOnce(t *testing.T) {
	t.Parallel()
	clock, store := apptest.NewClock(apptest.Start), &counting{Store: sqlitetest.Open(t)}
	page := metrics.New("1", "c0ffee").Page(waiting(store), clock)
	for round := int64(1); round <= 2; round++ {
		var all sync.WaitGroup
		for range 50 {
			all.Go(func() { wantSeries(t, scrape(t, page), map[string]string{`vezne_due_rows{kind="callbacks"}`: "7"}) })
		}
		all.Wait()
		store.wantQuestions(t, round)
		clock.Advance(5 * time.Second)
	}
}

// TestADatabaseThatHangsHangsNoScrape: in the bubble's time each scrape takes at most as long as it waits, and one question of
// each kind is under way, however many scrape.
func TestADatabaseThatHangsHangsNoScrape(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		clock, store := apptest.NewClock(apptest.Start), &counting{hang: make(chan struct{})}
		page := metrics.New("1", "c0ffee").Page(waiting(store), clock)
		began := time.Now()
		for range 10 {
			wantSeries(t, scrape(t, page), map[string]string{`vezne_due_rows{kind="callbacks"}`: "", `vezne_build_info{goversion="` + runtime.Version() + `",revision="c0ffee",version="1"}`: "1"})
		}
		if took := time.Since(began); took > 2*time.Second {
			t.Errorf("ten scrapes took %s", took)
		}
		store.wantQuestions(t, 1)
		time.Sleep(10 * time.Second) // the questions give up
		clock.Advance(time.Minute)
		close(store.hang)
		wantSeries(t, scrape(t, page), map[string]string{`vezne_due_rows{kind="callbacks"}`: "7"})
		store.wantQuestions(t, 2)
	})
}
