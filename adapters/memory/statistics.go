package memory

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/vezne/vezne/core"
)

// Statistics implements ports.Statistics by counting all payments.
func (s *Store) Statistics(ctx context.Context, q core.StatisticsQuery) ([]core.StatisticsRow, error) {
	return list(ctx, s, "memory.Statistics", func() []core.StatisticsRow {
		var all []core.StatisticsFact
		for _, p := range s.payments.where(func(core.Payment) bool { return true }) {
			reports := s.callbacks.where(func(c core.Callback) bool { return c.PaymentID == p.ID })
			all = append(all, core.FactOf(p, reports))
		}
		return countFacts(q, all)
	})
}

// countFacts adds up facts as a query asks for.
func countFacts(q core.StatisticsQuery, facts []core.StatisticsFact) []core.StatisticsRow {
	type place struct {
		at  time.Time
		key core.StatisticsKey
	}
	tallies := map[place]*core.Tally{}
	for _, f := range facts {
		if f.CreatedAt.Before(q.From) || !f.CreatedAt.Before(q.Until) || !q.Matches(f.Key) {
			continue
		}
		at := q.From
		if q.Interval != "" {
			at = q.Interval.StartOf(f.CreatedAt, q.Zone)
		}
		key := place{at.UTC(), f.Key.Only(func(d core.Dimension) bool { return slices.Contains(q.GroupBy, d) })}
		if tallies[key] == nil {
			tallies[key] = core.NewTally()
		}
		tallies[key].Add(f)
	}
	var rows []core.StatisticsRow
	for key, t := range tallies {
		rows = append(rows, core.StatisticsRow{At: key.at, Key: key.key, Tally: *t})
	}
	slices.SortFunc(rows, func(a, b core.StatisticsRow) int {
		return cmp.Or(a.At.Compare(b.At), a.Key.Compare(b.Key))
	})
	return rows
}

// RefreshStatistics implements ports.Statistics: nothing is kept.
func (s *Store) RefreshStatistics(ctx context.Context, _ *time.Location, now time.Time) (bool, error) {
	_, err := list(ctx, s, "memory.RefreshStatistics", func() []int {
		s.countedUpTo = now
		return nil
	})
	return false, err
}

// StatisticsUpTo implements ports.Statistics.
func (s *Store) StatisticsUpTo(ctx context.Context) (time.Time, error) {
	return read(ctx, s, "memory.StatisticsUpTo", func() (time.Time, bool) { return s.countedUpTo, true })
}

// ForgetStatistics implements ports.Statistics.
func (s *Store) ForgetStatistics(ctx context.Context) error {
	_, err := s.RefreshStatistics(ctx, nil, time.Time{})
	return err
}
