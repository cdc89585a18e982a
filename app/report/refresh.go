package report

import (
	"context"
	"time"

	"github.com/vezne/vezne/core/fault"
)

// How often statistics are refreshed. After one that took long they are left alone for several times as long, so that
// counting never takes much of the database.
const (
	DefaultPeriod = 10 * time.Second
	restPerWork   = 9
)

// Run refreshes every period until ctx ends.
func (s *Statistics) Run(ctx context.Context, period time.Duration) {
	isWell := true
	for {
		began := s.Clock.Now()
		err := s.Refresh(ctx)
		if err != nil && isWell && ctx.Err() == nil {
			s.Log.Error("refreshing statistics; going on every period until it succeeds", "error", err)
		}
		isWell = err == nil
		rest := time.NewTimer(max(period, restPerWork*s.Clock.Now().Sub(began)))
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
	if s.Time != nil && s.Time.Check() != nil {
		return nil // said once, by the clock
	}
	for more := true; more; {
		var err error
		if more, err = s.Reports.RefreshStatistics(ctx, s.Zone, s.Clock.Now()); err != nil {
			return fault.E("statistics.Refresh", "", err)
		}
	}
	return nil
}
