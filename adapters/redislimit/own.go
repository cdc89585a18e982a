package redislimit

import (
	"context"
	"time"

	"github.com/vezne/vezne/core"
)

// own is what this process itself has allowed of a key, as the times when all of it is back. It decides while Redis is out
// of reach, and is told to Redis when that is back.
type own struct {
	all  moment // of everything allowed
	owed moment // of what was allowed while Redis did not count
	// outages is how many had begun when Redis last knew everything.
	outages int64
}

// count notes events that were allowed.
func (o *own) count(n int, rate core.Rate, now moment) { o.all = later(o.all, n, rate, now) }

// owe notes events that were allowed while Redis did not count.
func (o *own) owe(n int, rate core.Rate, now moment) {
	o.count(n, rate, now)
	o.owed = later(o.owed, n, rate, now)
}

// take reports whether events fit into what this process counted, and counts them if they do and are to be counted.
func (o *own) take(asked, counted int, rate core.Rate, now moment) core.Allowance {
	a := fit(o.all, asked, counted, rate, now)
	switch {
	case !a.OK:
		a.Retry = max(a.Retry, time.Millisecond)
	case counted > 0:
		o.owe(counted, rate, now)
	}
	return a
}

// later is when everything is back after n more events, a period from now at most.
func later(full moment, n int, rate core.Rate, now moment) moment {
	return min(max(full, now)+time.Duration(n)*interval(rate), now+rate.Per)
}

// events is how many events are not back yet.
func events(full moment, rate core.Rate, now moment) int {
	each := interval(rate)
	return min(int((max(full-now, 0)+each-1)/each), rate.Events)
}

// settle reports to Redis what this process has allowed during outages, before Redis is asked about a key again. So an outage is
// no second allowance, also where Redis comes back empty: it then takes over what this process has counted at all.
func (l *Limiter) settle(ctx context.Context, v *view, key string, rate core.Rate) error {
	outages := l.outage.count.Load()
	if v.own.outages == outages {
		return nil
	}
	now := l.clock.now()
	result, err := l.askAtMost(ctx, key, events(v.own.owed, rate, now), rate)
	if err != nil {
		return err
	}
	if missing := result.Remaining - (rate.Events - events(v.own.all, rate, now)); missing > 0 {
		if result, err = l.askAtMost(ctx, key, missing, rate); err != nil {
			return err
		}
	}
	v.permits, v.tooMany, v.closed = 0, 0, 0
	v.learn(result, l.clock.now())
	v.own.owed, v.own.outages = 0, outages
	return nil
}
