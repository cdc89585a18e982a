package metrics

import (
	"context"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/vezne/vezne/ports"
)

var (
	lagDesc      = prometheus.NewDesc("vezne_statistics_lag_seconds", "How far statistics are behind. Absent while they are being built.", nil, nil)
	buildingDesc = prometheus.NewDesc("vezne_statistics_building", "1 while statistics are being built for the first time or for another time zone.", nil, nil)
)

// statistics is how far they are behind.
func statistics(store ports.Reports, clock ports.Clock) *asked {
	return asking(clock, []*prometheus.Desc{lagDesc, buildingDesc}, func(ctx context.Context) (figures, error) {
		until, err := store.StatisticsUntil(ctx)
		if until.IsZero() {
			return figures{of(buildingDesc): 1}, err
		}
		return figures{of(buildingDesc): 0, of(lagDesc): age(clock.Now(), until)}, err
	})
}
