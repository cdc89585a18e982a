package redislimit

import (
	"errors"
	"log/slog"
	"sync/atomic"
	"time"
)

// pause is how long Redis is left alone after a failure.
const pause = time.Second

var errPaused = errors.New("redislimit: Redis is out of reach and not asked for a while")

// outage lets one question through per pause while Redis is out of reach, so that nobody else waits for a timeout, and
// says once when it begins and once when it ends.
type outage struct {
	log   *slog.Logger
	until atomic.Int64 // Unix nanoseconds of the next question; 0: all is well
}

func (o *outage) enter() error {
	until := o.until.Load()
	if until == 0 {
		return nil
	}
	now := time.Now()
	if now.UnixNano() < until || !o.until.CompareAndSwap(until, now.Add(pause).UnixNano()) {
		return errPaused
	}
	return nil
}

func (o *outage) report(err error) {
	if err == nil {
		if o.until.Load() != 0 && o.until.Swap(0) != 0 {
			o.log.Info("rate limits count again: Redis is back")
		}
		return
	}
	if o.until.Swap(time.Now().Add(pause).UnixNano()) == 0 {
		o.log.Warn("rate limits let everything pass: Redis is out of reach", "error", err)
	}
}
