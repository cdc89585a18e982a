package metrics

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/redis/go-redis/v9"

	"github.com/vezne/vezne/ports"
)

// pingTimeout bounds the question whether Redis answers: it does so within milliseconds, or something is wrong.
const pingTimeout = time.Second

var (
	redisUpDesc   = prometheus.NewDesc("vezne_redis_up", "1 when Redis answers, else 0.", nil, nil)
	redisPingDesc = prometheus.NewDesc("vezne_redis_ping_seconds", "How long Redis took for its last answer; absent while it does not answer.", nil, nil)

	redisConnsDesc    = prometheus.NewDesc("vezne_redis_pool_connections", "Connections to Redis, by whether they are in use.", []string{"state"}, nil)
	redisHitsDesc     = prometheus.NewDesc("vezne_redis_pool_hits_total", "Times that a connection of the pool was free.", nil, nil)
	redisMissesDesc   = prometheus.NewDesc("vezne_redis_pool_misses_total", "Times that none was, and a new one was made.", nil, nil)
	redisTimeoutsDesc = prometheus.NewDesc("vezne_redis_pool_timeouts_total", "Times that somebody waited for a connection in vain.", nil, nil)
	redisStaleDesc    = prometheus.NewDesc("vezne_redis_pool_stale_total", "Connections that were closed since they were broken or too old.", nil, nil)
)

// redisReach is whether Redis answers, and how fast. That it does not is a figure and no fault.
func redisReach(client redis.UniversalClient, clock ports.Clock) *asked {
	return asking(clock, []*prometheus.Desc{redisUpDesc, redisPingDesc}, func(ctx context.Context) (figures, error) {
		ctx, cancel := context.WithTimeout(ctx, pingTimeout)
		defer cancel()
		began := time.Now()
		if err := client.Ping(ctx).Err(); err != nil {
			return figures{of(redisUpDesc): 0}, nil //nolint:nilerr // it is the figure
		}
		return figures{of(redisUpDesc): 1, of(redisPingDesc): time.Since(began).Seconds()}, nil
	})
}

// redisPool is what the pool of connections to Redis counts.
type redisPool struct{ client redis.UniversalClient }

// Describe implements prometheus.Collector.
func (redisPool) Describe(out chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{redisConnsDesc, redisHitsDesc, redisMissesDesc, redisTimeoutsDesc, redisStaleDesc} {
		out <- d
	}
}

// Collect implements prometheus.Collector.
func (p redisPool) Collect(out chan<- prometheus.Metric) {
	s := p.client.PoolStats()
	used := max(int64(s.TotalConns)-int64(s.IdleConns), 0) // the two are not read at the same moment
	out <- prometheus.MustNewConstMetric(redisConnsDesc, prometheus.GaugeValue, float64(s.IdleConns), "idle")
	out <- prometheus.MustNewConstMetric(redisConnsDesc, prometheus.GaugeValue, float64(used), "used")
	for d, count := range map[*prometheus.Desc]uint32{
		redisHitsDesc: s.Hits, redisMissesDesc: s.Misses, redisTimeoutsDesc: s.Timeouts, redisStaleDesc: s.StaleConns,
	} {
		out <- prometheus.MustNewConstMetric(d, prometheus.CounterValue, float64(count))
	}
}
