package report_test

import (
	"testing"
	"time"

	"github.com/vezne/vezne/core/report"
)

func TestTheUsualWaitSaysNothingOfAnyone(t *testing.T) {
	t.Parallel()
	of := func(n int, took time.Duration, others ...time.Duration) []time.Duration {
		waits := others
		for range n {
			waits = append(waits, took)
		}
		return waits
	}
	for name, c := range map[string]struct {
		waits []time.Duration
		want  time.Duration
	}{
		"none":             {nil, 0},
		"too few":          {of(19, time.Minute), 0},
		"enough":           {of(20, 61*time.Second), 2 * time.Minute},
		"at once":          {of(20, 0), time.Minute},
		"exactly":          {of(20, 5*time.Minute), 5 * time.Minute},
		"a little more":    {of(20, 5*time.Minute+1), 10 * time.Minute},
		"two of twenty":    {of(18, time.Minute, 9*time.Hour, 9*time.Hour), time.Minute},
		"three of twenty":  {of(17, time.Minute, time.Hour, time.Hour, time.Hour), time.Hour},
		"longer than said": {of(20, 3*time.Hour), 0},
	} {
		if got := report.UsualWait(c.waits); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}
