package storetest_test

import (
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/vezne/vezne/adapters/memory"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/ports"
	"github.com/vezne/vezne/ports/storetest"
)

// TestASoundRollupPasses: what the broken ones fail is for their defects.
func TestASoundRollupPasses(t *testing.T) {
	t.Parallel()
	storetest.Run(t, func(*testing.T) ports.Store {
		return defect{store: counting(func(*rollup) {})}.open()
	}, memory.NewStore())
}

// Sentences about statistics.
const (
	countedRight = "statistics/statistics are what counting every payment gives, whenever they are refreshed"
	beginsTwice  = "statistics/statistics agree where the day begins twice"
	noMidnight   = "statistics/statistics agree where midnight is left out"
	halfHours    = "statistics/statistics agree where clocks change by half an hour"
	quarterHours = "statistics/statistics agree where hours begin at quarters"
	onceOnly     = "statistics/what two refresh at once is counted once"
	builtAnew    = "statistics/statistics are built anew for another time zone, and after they were forgotten"
	notAhead     = "statistics/statistics have what was committed until the moment that they name"
	ofNothing    = "statistics/nothing is counted where nothing was"
	tooWide      = "statistics/more rows than may be read are refused"
)

func countDefects() []defect {
	return slices.Concat(rollupDefects(), clockDefects(), dimensionDefects(), filterDefects(), tallyDefects(), refreshDefects())
}

func rollupDefects() []defect {
	of := func(versions func(of []core.Payment) []core.Payment) func() broken {
		return counting(func(r *rollup) { r.versions = versions })
	}
	return []defect{
		{"counts a payment each time it changes", countedRight, of(func(all []core.Payment) []core.Payment { return all })},
		{"never looks at a payment again", countedRight, of(func(all []core.Payment) []core.Payment { return all[:1] })},
		{"forgets to take away the old status", countedRight, of(lastOf(func(p core.Payment) any { return p.Status }))},
		{"forgets to take away the old gateway", countedRight, of(lastOf(func(p core.Payment) any { return p.AtGate.GatewayID }))},
		{"keeps the first amount", countedRight, of(func(all []core.Payment) []core.Payment {
			p := all[len(all)-1]
			p.Amount = all[0].Amount
			return []core.Payment{p}
		})},
		{"counts when it ended", countedRight, counting(func(r *rollup) {
			r.fact = func(f *core.StatisticsFact) {
				if !f.FinishedAt.IsZero() {
					f.CreatedAt = f.FinishedAt
				}
			}
		})},
		{"counts an hour late", countedRight, counting(func(r *rollup) {
			r.fact = func(f *core.StatisticsFact) { f.CreatedAt = f.CreatedAt.Add(time.Hour) }
		})},
		{"counts skipped callbacks as failed", countedRight, counting(func(r *rollup) {
			r.fact = func(f *core.StatisticsFact) { takeFor(f, core.Skipped, core.Undeliverable) }
		})},
		{"counts waiting callbacks as failed", countedRight, counting(func(r *rollup) {
			r.fact = func(f *core.StatisticsFact) { takeFor(f, core.Waiting, core.Undeliverable) }
		})},
		{"forgets callbacks", countedRight, counting(func(r *rollup) {
			r.fact = func(f *core.StatisticsFact) { f.Reports = nil }
		})},
	}
}

func takeFor(f *core.StatisticsFact, one, other core.CallbackState) {
	for i := range f.Reports {
		if f.Reports[i].State == one {
			f.Reports[i].State = other
		}
	}
}

// lastOf keeps the last version with each value.
func lastOf(value func(core.Payment) any) func([]core.Payment) []core.Payment {
	return func(all []core.Payment) []core.Payment {
		last := map[any]core.Payment{}
		for _, p := range all {
			last[value(p)] = p
		}
		return slices.Collect(maps.Values(last))
	}
}

// clockDefects are of stores that find the beginning of an interval by a clock that is never changed.
func clockDefects() []defect {
	by := func(clock func(at time.Time, zone *time.Location) *time.Location) func() broken {
		return counting(func(r *rollup) { r.clock = clock })
	}
	unchanged := func(at time.Time, zone *time.Location) *time.Location {
		name, offset := at.In(zone).Zone()
		return time.FixedZone(name, offset)
	}
	return []defect{
		{"has days of UTC", countedRight, by(func(time.Time, *time.Location) *time.Location { return time.UTC })},
		{"knows no second midnight", beginsTwice, by(unchanged)},
		{"knows no day without midnight", noMidnight, by(unchanged)},
		{"knows no half an hour", halfHours, by(unchanged)},
		{"has hours of UTC", quarterHours, counting(func(r *rollup) {
			r.fact = func(f *core.StatisticsFact) { f.CreatedAt = f.CreatedAt.Truncate(time.Hour) }
		})},
		{"has hours of half a zone", halfHours, counting(func(r *rollup) {
			r.fact = func(f *core.StatisticsFact) { f.CreatedAt = f.CreatedAt.Truncate(time.Hour) }
		})},
	}
}

// dimensionDefects lose each of the dimensions.
func dimensionDefects() []defect {
	var all []defect
	for _, by := range core.Dimensions() {
		all = append(all, defect{"loses the " + string(by), countedRight, asked(func(q *core.StatisticsQuery) {
			q.GroupBy = slices.DeleteFunc(slices.Clone(q.GroupBy), func(d core.Dimension) bool { return d == by })
		})})
	}
	return append(all, defect{"tells apart what it is not asked for", countedRight, asked(func(q *core.StatisticsQuery) {
		q.GroupBy = core.Dimensions()
	})})
}

// filterDefects do not narrow, or not so far.
func filterDefects() []defect {
	return []defect{
		{"counts every method", countedRight, asked(func(q *core.StatisticsQuery) { q.Method = "" })},
		{"counts every provider", countedRight, asked(func(q *core.StatisticsQuery) { q.ProviderID = 0 })},
		{"counts every dealer", countedRight, asked(func(q *core.StatisticsQuery) { q.DealerID = 0 })},
		{"counts every gateway", countedRight, asked(func(q *core.StatisticsQuery) { q.GatewayID = 0 })},
		{"counts every currency", countedRight, asked(func(q *core.StatisticsQuery) { q.Currency = "" })},
		{"includes the end of statistics", countedRight, asked(func(q *core.StatisticsQuery) { q.Until = q.Until.Add(time.Microsecond) })},
		{"leaves out the beginning of statistics", countedRight, asked(func(q *core.StatisticsQuery) {
			if q.Interval != "" { // of which the beginning is a row's moment
				q.From = q.From.Add(time.Microsecond)
			}
		})},
		{"has days where hours are asked for", countedRight, asked(func(q *core.StatisticsQuery) {
			if q.Interval == core.Hourly {
				q.Interval = core.Daily
			}
		})},
		{"reads as much as there is", tooWide, asked(func(q *core.StatisticsQuery) { q.MaxRead = 0 })},
		{"reads one row less than it may", tooWide, asked(func(q *core.StatisticsQuery) { q.MaxRead-- })},
		{"gives a row of nothing", ofNothing, func() broken {
			return broken{brokenCounts: brokenCounts{counted: func(rows []core.StatisticsRow) []core.StatisticsRow {
				if len(rows) == 0 {
					return make([]core.StatisticsRow, 1)
				}
				return rows
			}}}
		}},
		{"gives the last interval first", countedRight, func() broken {
			return broken{brokenCounts: brokenCounts{counted: func(rows []core.StatisticsRow) []core.StatisticsRow {
				slices.Reverse(rows)
				return rows
			}}}
		}},
		{"loses the last row", countedRight, func() broken {
			return broken{brokenCounts: brokenCounts{counted: func(rows []core.StatisticsRow) []core.StatisticsRow {
				return first(rows, max(len(rows)-1, 0))
			}}}
		}},
	}
}

// tallyDefects lose a part of what is counted.
func tallyDefects() []defect {
	return []defect{
		{"takes what ended for approved", countedRight, answered(func(r *core.StatisticsRow) { r.Approved = r.Ended })},
		{"takes what was asked for as final", countedRight, answered(func(r *core.StatisticsRow) { r.Final = r.Requested })},
		{"takes all for ended", countedRight, answered(func(r *core.StatisticsRow) { r.Ended = r.Count })},
		{"forgets how long decisions took", countedRight, answered(func(r *core.StatisticsRow) { r.Decisions = core.Delays{} })},
		{"forgets how long callbacks took", countedRight, answered(func(r *core.StatisticsRow) { r.Delays = core.Delays{} })},
		{"forgets what could not be delivered", countedRight, answered(func(r *core.StatisticsRow) { r.Failed = 0 })},
		{"forgets what was delivered", countedRight, answered(func(r *core.StatisticsRow) { r.Delivered = 0 })},
	}
}

func refreshDefects() []defect {
	return []defect{
		{"counts again what another process has counted", onceOnly, counting(func(r *rollup) { r.again = true })},
		{"keeps the first time zone", builtAnew, counting(func(r *rollup) { r.sticky = true })},
		{"forgets for ever", builtAnew, counting(func(r *rollup) { r.anew = true })},
		{"never forgets statistics", builtAnew, func() broken { return broken{brokenCounts: brokenCounts{forever: true}} }},
		{"is never done", ofNothing, func() broken { return broken{brokenCounts: brokenCounts{endless: true}} }},
		{"runs ahead of what it has counted", notAhead, counting(func(r *rollup) { r.step = 1 })},
		{"says that it is ahead", ofNothing, func() broken {
			return broken{brokenCounts: brokenCounts{reached: func(until time.Time) time.Time { return until.Add(time.Hour) }}}
		}},
		{"says that it is behind", countedRight, func() broken {
			return broken{brokenCounts: brokenCounts{reached: func(until time.Time) time.Time { return until.Add(-time.Hour) }}}
		}},
	}
}
