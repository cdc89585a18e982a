package report

import (
	"context"
	"time"

	"github.com/vezne/vezne/core/fault"
)

// How often statistics are refreshed. After one that took long they are left alone for several times as long, so that
// counting never takes much of the database. What has failed is tried again after several times as long as the step that failed took:
// the steps before it count for good.
const (
	DefaultPeriod = 10 * time.Second
	restPerWork   = 9
)

// Run refreshes every period until ctx ends.
func (s *Statistics) Run(ctx context.Context, period time.Duration) {
	isWell := true
	for {
		work, err := s.refresh(ctx)
		if err != nil && isWell && ctx.Err() == nil {
			s.Log.Error("refreshing statistics; going on every period until it succeeds", "error", err)
		}
		isWell = err == nil
		rest := time.NewTimer(max(period, restPerWork*work))
		select {
		case <-ctx.Done():
			rest.Stop()
			return
		case <-rest.C:
		}
	}
}

// Refresh takes in everything that was committed until now, step by step: after it was broken off the next one goes on. By a
// wrong clock nothing is taken in.
func (s *Statistics) Refresh(ctx context.Context) error {
	_, err := s.refresh(ctx)
	return err
}

// refresh returns how long it took, or the step of it that failed.
func (s *Statistics) refresh(ctx context.Context) (work time.Duration, err error) {
	if s.Time != nil && s.Time.Check() != nil {
		return 0, nil // said once, by the clock
	}
	began := s.Clock.Now()
	for more := true; more; {
		step := s.Clock.Now()
		if more, err = s.Reports.RefreshStatistics(ctx, s.Zone, step); err != nil {
			return s.Clock.Now().Sub(step), fault.E("statistics.Refresh", "", err)
		}
	}
	return s.Clock.Now().Sub(began), nil
}
