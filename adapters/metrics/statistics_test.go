package metrics_test

import (
	"testing"
	"time"
)

func TestPageTellsHowFarStatisticsAreBehind(t *testing.T) {
	t.Parallel()
	w, m := measured(t)
	page := m.Page(waiting(w.Store), w.Clock)
	wantSeries(t, scrape(t, page), map[string]string{"vezne_statistics_building": "1", "vezne_statistics_lag_seconds": ""})
	if err := w.Statistics.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	w.Clock.Advance(90 * time.Second)
	wantSeries(t, scrape(t, page), map[string]string{"vezne_statistics_building": "0", "vezne_statistics_lag_seconds": "90"})
}
