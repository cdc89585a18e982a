package metrics

import (
	"context"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/vezne/vezne/ports"
)

// statistics is how far they are behind at the moment of a scrape.
type statistics struct {
	store ports.Reports
	clock ports.Clock
}

var (
	lagDesc      = prometheus.NewDesc("vezne_statistics_lag_seconds", "How far statistics are behind. Absent while they are being built.", nil, nil)
	buildingDesc = prometheus.NewDesc("vezne_statistics_building", "1 while statistics are being built for the first time or for another time zone.", nil, nil)
)

// Describe implements prometheus.Collector.
func (statistics) Describe(out chan<- *prometheus.Desc) { out <- lagDesc; out <- buildingDesc }

// Collect implements prometheus.Collector. While the database is out of reach the figures are absent.
func (s statistics) Collect(out chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), scrapeTimeout)
	defer cancel()
	until, err := s.store.StatisticsUntil(ctx)
	if err != nil {
		return
	}
	building := 1.0
	if !until.IsZero() {
		building = 0
		out <- prometheus.MustNewConstMetric(lagDesc, prometheus.GaugeValue, age(s.clock.Now(), until))
	}
	out <- prometheus.MustNewConstMetric(buildingDesc, prometheus.GaugeValue, building)
}
