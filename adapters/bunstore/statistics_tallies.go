package bunstore

import (
	"time"

	"github.com/vezne/vezne/core/report"
)

// tallies are of one interval, by all dimensions.
type tallies map[report.StatisticsKey]*report.Tally

func (t tallies) of(k report.StatisticsKey) *report.Tally {
	if t[k] == nil {
		t[k] = &report.Tally{}
	}
	return t[k]
}

func (t tallies) merge(others tallies, factor int64) {
	for key, other := range others {
		t.of(key).Merge(other, factor)
	}
}

// place is an interval.
type place struct {
	span report.Interval
	at   time.Time // its beginning
}

// places are intervals with what is to be added to their rows.
type places map[place]tallies

func (p places) of(span report.Interval, at time.Time) tallies {
	to := place{span, at}
	if p[to] == nil {
		p[to] = tallies{}
	}
	return p[to]
}
