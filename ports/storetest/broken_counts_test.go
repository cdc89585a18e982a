package storetest_test

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/vezne/vezne/adapters/memory"
	"github.com/vezne/vezne/core"
)

// brokenCounts is what may be broken about statistics.
type brokenCounts struct {
	counts  func(q *core.StatisticsQuery)
	counted func(rows []core.StatisticsRow) []core.StatisticsRow
	reached func(until time.Time) time.Time
	endless bool // a refresh is never done
	forever bool // statistics are never forgotten
	rollup  *rollup
}

// rollup counts for itself, each payment in one way or another.
type rollup struct {
	versions func(of []core.Payment) []core.Payment // those that are counted; nil: the last one
	fact     func(f *core.StatisticsFact)
	clock    func(at time.Time, zone *time.Location) *time.Location // by which an interval begins
	step     int                                                    // how many payments a refresh takes in; 0: all
	again    bool                                                   // who refreshes at the same moment counts again
	sticky   bool                                                   // the first time zone stays
	anew     bool                                                   // what was there when statistics were forgotten is never counted

	mu        sync.Mutex
	order     []core.ID
	history   map[core.ID][]core.Payment
	callbacks map[core.ID]core.Callback
	from      int // in order: what is counted
	until     int
	zone      *time.Location
	at        time.Time
	times     int // how often everything is counted
}

func (b broken) Statistics(ctx context.Context, q core.StatisticsQuery) ([]core.StatisticsRow, error) {
	if b.counts != nil {
		b.counts(&q)
	}
	rows, err := b.Store.Statistics(ctx, q)
	if b.rollup != nil && err == nil {
		rows = b.rollup.rows(q)
	}
	if b.counted != nil {
		rows = b.counted(rows)
	}
	return rows, err
}

func (b broken) RefreshStatistics(ctx context.Context, zone *time.Location, now time.Time) (bool, error) {
	more, err := b.Store.RefreshStatistics(ctx, zone, now)
	if b.rollup != nil {
		more = b.rollup.refresh(zone, now)
	}
	return more || b.endless, err
}

func (b broken) StatisticsUntil(ctx context.Context) (time.Time, error) {
	until, err := b.Store.StatisticsUntil(ctx)
	if b.reached != nil {
		until = b.reached(until)
	}
	return until, err
}

func (b broken) ForgetStatistics(ctx context.Context) error {
	if b.forever {
		return nil
	}
	if b.rollup != nil && b.rollup.anew {
		b.rollup.from = len(b.rollup.order)
	}
	return b.Store.ForgetStatistics(ctx)
}

// take keeps what is committed.
func (r *rollup) take(_ *memory.Store, c *core.Changeset) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, p := range c.Payments {
		if len(r.history[p.ID]) == 0 {
			r.order = append(r.order, p.ID)
		}
		r.history[p.ID] = append(r.history[p.ID], p)
	}
	for _, x := range c.Callbacks {
		r.callbacks[x.ID] = x
	}
}

func (r *rollup) refresh(zone *time.Location, now time.Time) (more bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.zone == nil || !r.sticky {
		r.zone = zone
	}
	if r.again && now.Equal(r.at) {
		r.times++
	}
	r.at, r.until = now, len(r.order)
	if r.step > 0 {
		r.from, r.until = 0, min(r.until, r.step)
		r.step += r.step
	}
	return r.until < len(r.order)
}

// facts are what the rollup looks at.
func (r *rollup) facts() (facts []core.StatisticsFact) {
	for _, id := range r.order[min(r.from, r.until):r.until] {
		versions := r.history[id]
		last := versions[len(versions)-1:]
		if r.versions != nil {
			last = r.versions(versions)
		}
		for _, p := range last {
			callbacks := slices.DeleteFunc(slices.Collect(maps.Values(r.callbacks)), func(c core.Callback) bool { return c.PaymentID != id })
			f := core.FactOf(p, callbacks)
			if r.fact != nil {
				r.fact(&f)
			}
			facts = append(facts, f)
		}
	}
	return facts
}

func (r *rollup) rows(q core.StatisticsQuery) []core.StatisticsRow {
	r.mu.Lock()
	defer r.mu.Unlock()
	type place struct {
		at int64
		core.StatisticsKey
	}
	sums := map[place]core.StatisticsRow{}
	for _, f := range r.facts() {
		one := q
		if r.sticky {
			one.Zone = r.zone
		}
		if r.clock != nil {
			one.Zone = r.clock(f.CreatedAt, q.Zone)
		}
		sum := core.NewStatisticsSums(one)
		for range 1 + r.times {
			sum.Count(f)
		}
		for _, row := range sum.Rows() {
			to := place{row.At.UnixMicro(), row.Key}
			if known, ok := sums[to]; ok {
				row.Merge(&known.Tally, 1)
			}
			sums[to] = row
		}
	}
	return slices.SortedFunc(maps.Values(sums), func(a, b core.StatisticsRow) int {
		return cmp.Or(a.At.Compare(b.At), a.Key.Compare(b.Key))
	})
}

// counting is a store with a rollup, each with one of its own.
func counting(spoil func(r *rollup)) func() broken {
	return func() broken {
		r := &rollup{history: map[core.ID][]core.Payment{}, callbacks: map[core.ID]core.Callback{}}
		spoil(r)
		return broken{change: r.take, brokenCounts: brokenCounts{rollup: r}}
	}
}

func asked(counts func(q *core.StatisticsQuery)) func() broken {
	return func() broken { return broken{brokenCounts: brokenCounts{counts: counts}} }
}

func answered(row func(r *core.StatisticsRow)) func() broken {
	return func() broken {
		return broken{brokenCounts: brokenCounts{counted: func(rows []core.StatisticsRow) []core.StatisticsRow {
			for i := range rows {
				row(&rows[i])
			}
			return rows
		}}}
	}
}
