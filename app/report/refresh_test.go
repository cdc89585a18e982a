package report_test

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"github.com/vezne/vezne/app/report"
	"github.com/vezne/vezne/ports"
)

// counting is a store whose steps take so long; one of 0 fails after a second. Behind an hour there is more to do.
type counting struct {
	ports.Reports
	steps []time.Duration
	begun []time.Time
}

func (c *counting) RefreshStatistics(context.Context, *time.Location, time.Time) (more bool, err error) {
	c.begun = append(c.begun, time.Now())
	took := c.steps[0]
	c.steps = c.steps[1:]
	if took == 0 {
		time.Sleep(time.Second)
		return false, errors.New("no answer")
	}
	time.Sleep(took)
	return took == time.Hour, nil
}

func (*counting) Now() time.Time { return time.Now() }

// TestCountingGoesOnAfterAFailure: what took long before a step failed does not put it off; what took long and succeeded does.
func TestCountingGoesOnAfterAFailure(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := &counting{steps: []time.Duration{time.Hour, 0, time.Minute, time.Second}}
		s := report.Statistics{Reports: c, Clock: c, Log: slog.New(slog.DiscardHandler)}
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() { s.Run(ctx, 5*time.Second); close(done) }()
		time.Sleep(time.Hour + 15*time.Second)
		if len(c.begun) != 3 || c.begun[2].Sub(c.begun[1]) != 10*time.Second {
			t.Errorf("begun at %v", c.begun)
		}
		time.Sleep(9 * time.Minute)
		if len(c.begun) != 3 {
			t.Errorf("begun at %v: a minute's work is followed by nine of rest", c.begun)
		}
		time.Sleep(time.Minute)
		if len(c.begun) != 4 {
			t.Errorf("begun at %v", c.begun)
		}
		cancel()
		<-done
	})
}
