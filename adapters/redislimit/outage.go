package redislimit

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"
)

const (
	// probeEvery and probeTimeout are for asking whether Redis is back.
	probeEvery   = time.Second
	probeTimeout = time.Second
)

var errOutage = errors.New("redislimit: Redis is out of reach")

// outage watches Redis from the first failure on, in the background, so that no caller waits for a timeout meanwhile.
// It says once when Redis has gone and once when it is back.
type outage struct {
	client redis.UniversalClient
	log    *slog.Logger
	is     atomic.Bool
	count  atomic.Int64 // how many have begun
}

func (o *outage) report(err error) {
	if err != nil && !o.is.Swap(true) {
		o.count.Add(1)
		go o.watch(err)
	}
}

func (o *outage) watch(reason error) {
	for probes := 0; ; probes++ {
		switch err := o.probe(); {
		case err == nil:
			o.is.Store(false)
			if probes > 0 { // else it was one slow answer
				o.log.Info("rate limits count over all processes again: Redis is back")
			}
			return
		case errors.Is(err, redis.ErrClosed):
			return
		case probes == 0:
			o.log.Warn("each process counts its rate limits alone: Redis is out of reach", "reason", reason)
		}
		time.Sleep(probeEvery)
	}
}

func (o *outage) probe() error {
	ctx, cancel := context.WithTimeout(context.Background(), probeTimeout)
	defer cancel()
	return o.client.Ping(ctx).Err()
}
