package memory

import (
	"context"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
)

// Statistics implements ports.Statistics by counting all payments.
func (s *Store) Statistics(ctx context.Context, q core.StatisticsQuery) ([]core.StatisticsRow, error) {
	const op = "memory.Statistics"
	rows, err := list(ctx, s, op, func() []core.StatisticsRow {
		sums := core.NewStatisticsSums(q)
		for _, p := range s.payments.where(func(core.Payment) bool { return true }) {
			sums.Count(core.FactOf(p, s.callbacks.where(func(c core.Callback) bool { return c.PaymentID == p.ID })))
		}
		return sums.Rows()
	})
	if err == nil && q.MaxRead > 0 && len(rows) > q.MaxRead {
		return nil, fault.New(op, fault.Invalid)
	}
	return rows, err
}

// RefreshStatistics implements ports.Statistics: nothing is kept, so that everything is always taken in.
func (s *Store) RefreshStatistics(ctx context.Context, _ *time.Location, now time.Time) (bool, error) {
	_, err := list(ctx, s, "memory.RefreshStatistics", func() []int {
		s.countedUntil = now
		return nil
	})
	return false, err
}

// StatisticsUntil implements ports.Statistics.
func (s *Store) StatisticsUntil(ctx context.Context) (time.Time, error) {
	return read(ctx, s, "memory.StatisticsUntil", func() (time.Time, bool) { return s.countedUntil, true })
}

// ForgetStatistics implements ports.Statistics.
func (s *Store) ForgetStatistics(ctx context.Context) error {
	_, err := s.RefreshStatistics(ctx, nil, time.Time{})
	return err
}
