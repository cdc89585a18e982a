// Package metrics counts and times what Vezne does, for Prometheus: wrappers of the ports around the real adapters, and
// a figure for every HTTP request.
package metrics

import (
	"context"
	"database/sql"
	"net/http"
	"runtime"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"github.com/redis/go-redis/v9"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/ports"
)

// Metrics is one process's registry.
type Metrics struct {
	registry  *prometheus.Registry
	requests  *prometheus.HistogramVec
	commits   *prometheus.HistogramVec
	attempts  *prometheus.HistogramVec
	calls     *prometheus.HistogramVec
	delays    prometheus.Histogram
	expiries  prometheus.Histogram
	moves     *prometheus.CounterVec
	broken    *prometheus.GaugeVec
	heads     *prometheus.GaugeVec
	breaches  *prometheus.GaugeVec
	awaiting  *prometheus.GaugeVec
	checked   *prometheus.GaugeVec
	damaged   *prometheus.CounterVec
	undecided prometheus.Gauge
	reads     *prometheus.CounterVec
	roomUntil *prometheus.GaugeVec // without labels: absent until somebody has said it
}

// New makes a registry with the process's own figures in it. The commit is empty where it is not known.
func New(version, commit string) *Metrics {
	buckets := []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10}
	lateness := []float64{.1, .5, 1, 2.5, 5, 10, 30, 60, 300, 1800}
	m := &Metrics{
		registry: prometheus.NewRegistry(),
		requests: histogram("vezne_http_request_duration_seconds", "Duration of HTTP requests.", buckets, "route", "method", "status"),
		commits:  histogram("vezne_commit_duration_seconds", "Duration of changeset commits.", buckets, "result"),
		attempts: histogram("vezne_callback_attempt_duration_seconds", "Duration of callback attempts.", buckets, "result"),
		calls:    histogram("vezne_gateway_call_duration_seconds", "Duration of calls of gateways.", buckets, "gateway", "call", "result"),
		delays: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "vezne_callback_delay_seconds", Help: "How late callbacks were sent that were taken at their first attempt.", Buckets: lateness,
		}),
		expiries: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "vezne_expiry_delay_seconds", Help: "How late payments expired.", Buckets: lateness,
		}),
		moves: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "vezne_payment_moves_total", Help: "Committed moves of payments; from is empty for a new one.",
		}, []string{"method", "from", "to"}),
		broken: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Name: "vezne_audit_chain_broken",
			Help: "1 when the last check found the audit log tampered with, else 0; absent until there was one. 1 is an alarm.",
		}, nil),
		heads: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Name: "vezne_audit_heads_failing",
			Help: "1 when the place outside the database did not take the last head of the audit log, else 0. 1 is an alarm.",
		}, []string{"place"}),
		breaches: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Name: "vezne_credit_breaches",
			Help: "Credits that the last check found without the money behind them; absent until there was one. Any is an alarm.",
		}, nil),
		awaiting: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Name: "vezne_credits_awaiting_money",
			Help: "Deposits credited by hand, as exceptions, whose money had not come at the last check; absent until there was one.",
		}, nil),
		checked: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Name: "vezne_credits_checked_timestamp_seconds",
			Help: "When a check of all credits last came to its end, in seconds since 1970; absent until one did.",
		}, nil),
		damaged: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "vezne_damaged_rows_total",
			Help: "Rows that workers passed over since they cannot be opened, each once per process. Any is an alarm.",
		}, []string{"table"}),
		reads: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "vezne_replica_reads_total", Help: "Reads that a replica may answer, by where they went.",
		}, []string{"from"}),
		roomUntil: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Name: "vezne_partitions_until_timestamp_seconds",
			Help: "Until when there are partitions of the tables that have one for each month, in seconds since 1970.",
		}, nil),
		undecided: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "vezne_undecided_expiries",
			Help: "Payments whose time is over and that could not be expired at the last look. Any is an alarm.",
		}),
	}
	info := prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "vezne_build_info", Help: "1, labelled with the version, its commit and the version of Go.",
		ConstLabels: prometheus.Labels{"version": version, "revision": commit, "goversion": runtime.Version()},
	})
	info.Set(1)
	m.registry.MustRegister(m.requests, m.commits, m.attempts, m.calls, m.delays, m.expiries, m.moves, m.broken, m.heads, m.breaches, m.awaiting, m.checked, m.damaged,
		m.undecided, m.reads, m.roomUntil, info,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

func histogram(name, help string, buckets []float64, labels ...string) *prometheus.HistogramVec {
	return prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: name, Help: help, Buckets: buckets}, labels)
}

// Waiting is where the figures of what waits are read.
type Waiting struct {
	Statements ports.Statements
	Reports    ports.Reports
	Pools      map[string]*sql.DB    // of connections to the database, by what they are for
	Redis      redis.UniversalClient // nil: nothing is said of one
}

// Page serves the figures. What waits is asked when somebody scrapes, at most every few seconds however many do.
func (m *Metrics) Page(waiting Waiting, clock ports.Clock) http.Handler {
	for name, pool := range waiting.Pools {
		m.registry.MustRegister(collectors.NewDBStatsCollector(pool, name))
	}
	if waiting.Redis != nil {
		m.registry.MustRegister(redisReach(waiting.Redis, clock), redisPool{waiting.Redis})
	}
	m.registry.MustRegister(
		dueWork(waiting.Reports, clock), openWork(waiting.Reports, clock), openPayments(waiting.Reports, clock),
		statistics(waiting.Reports, clock), wallets(waiting.Statements, clock))
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{})
}

// ClockOffset adds by how much this machine's clock is ahead of the database's; while that is not known it is absent.
func (m *Metrics) ClockOffset(offset func() (time.Duration, bool)) {
	m.registry.MustRegister(told{clockDesc, func() (float64, bool) {
		d, ok := offset()
		return d.Seconds(), ok
	}})
}

// Frozen adds whether no money may move after a restore, and whether another database has taken this one's place.
func (m *Metrics) Frozen(seen func() (isFrozen, isFenced, ok bool)) {
	m.registry.MustRegister(
		told{frozenDesc, func() (float64, bool) {
			isFrozen, _, ok := seen()
			return oneIf(isFrozen), ok
		}},
		told{fencedDesc, func() (float64, bool) {
			_, isFenced, ok := seen()
			return oneIf(isFenced), ok
		}})
}

func oneIf(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

var (
	frozenDesc = prometheus.NewDesc("vezne_frozen",
		"1 while no money moves, since the database is an earlier state of itself, else 0. 1 is an alarm.", nil, nil)
	fencedDesc = prometheus.NewDesc("vezne_fenced",
		"1 where another database has taken the place of this process's, else 0. 1 is an alarm.", nil, nil)
)

// Replica adds how far the replica is behind at most.
func (m *Metrics) Replica(lag func() time.Duration) {
	m.registry.MustRegister(told{replicaDesc, func() (float64, bool) { return lag().Seconds(), true }})
}

// ReplicaRead counts a read that a replica may answer.
func (m *Metrics) ReplicaRead(fromReplica bool) {
	from := "primary"
	if fromReplica {
		from = "replica"
	}
	m.reads.WithLabelValues(from).Inc()
}

var replicaDesc = prometheus.NewDesc("vezne_replica_lag_seconds",
	"How far the database that lists and statistics are read from is behind its primary, at most; it grows while that does not answer.", nil, nil)

// told is a figure that this process knows, or does not know yet.
type told struct {
	about *prometheus.Desc
	value func() (float64, bool)
}

var clockDesc = prometheus.NewDesc("vezne_clock_offset_seconds",
	"How far this machine's clock is ahead of the database's; negative: behind. Beyond 5 either way the process works no more.", nil, nil)

// Describe implements prometheus.Collector.
func (t told) Describe(out chan<- *prometheus.Desc) { out <- t.about }

// Collect implements prometheus.Collector.
func (t told) Collect(out chan<- prometheus.Metric) {
	if value, ok := t.value(); ok {
		out <- prometheus.MustNewConstMetric(t.about, prometheus.GaugeValue, value)
	}
}

// Request takes in an answered HTTP request. The pattern is the route's, never the path, which may hold a token.
func (m *Metrics) Request(pattern, method string, status int, took time.Duration) {
	m.requests.WithLabelValues(pattern, method, strconv.Itoa(status)).Observe(took.Seconds())
}

// AuditChecked takes in what came of a check of the audit log's chain.
func (m *Metrics) AuditChecked(isBroken bool) {
	value := 0.0
	if isBroken {
		value = 1
	}
	m.broken.WithLabelValues().Set(value)
}

// AuditPublished takes in whether a place outside the database has taken a head of the audit log.
func (m *Metrics) AuditPublished(place string, err error) {
	value := 0.0
	if err != nil {
		value = 1
	}
	m.heads.WithLabelValues(place).Set(value)
}

// CreditsChecked takes in what came of a check of all credits.
func (m *Metrics) CreditsChecked(check payment.CreditCheck) {
	m.breaches.WithLabelValues().Set(float64(len(check.Breaches)))
	m.awaiting.WithLabelValues().Set(float64(check.Awaiting))
	m.checked.WithLabelValues().SetToCurrentTime()
}

// Damaged takes in a row that cannot be opened.
func (m *Metrics) Damaged(table string) { m.damaged.WithLabelValues(table).Inc() }

// HasRoom takes until when the tables that have a partition for each month have one.
func (m *Metrics) HasRoom(until time.Time) { m.roomUntil.WithLabelValues().Set(float64(until.Unix())) }

// Undecided takes in how many payments could not be expired at the last look.
func (m *Metrics) Undecided(payments int) { m.undecided.Set(float64(payments)) }

// Commits times commits and counts the moves they make.
func (m *Metrics) Commits(next ports.Committer) ports.Committer {
	return counted{next: next, metrics: m}
}

type counted struct {
	next    ports.Committer
	metrics *Metrics
}

// Commit commits and counts.
func (s counted) Commit(ctx context.Context, change core.Changeset) error {
	began := time.Now()
	err := s.next.Commit(ctx, change)
	result := "ok"
	if err != nil {
		result = string(fault.CodeOf(err))
	}
	s.metrics.commits.WithLabelValues(result).Observe(time.Since(began).Seconds())
	if err == nil {
		s.metrics.count(change)
	}
	return err
}

func (m *Metrics) count(change core.Changeset) {
	type about struct {
		method    payment.Method
		expiresAt time.Time
	}
	payments := map[core.ID]about{}
	for p := range core.Each[payment.Payment](change) {
		payments[p.ID] = about{p.Method, p.ExpiresAt}
		if p.Version == 1 {
			m.moves.WithLabelValues(string(p.Method), "", string(p.Status)).Inc()
		}
	}
	for call := range core.Each[operation.GatewayCall](change) {
		result := "ok"
		if !call.IsOK() {
			result = call.Effect
		}
		m.calls.WithLabelValues(strconv.FormatInt(call.GatewayID, 10), call.Name, result).Observe(call.Duration.Seconds())
	}
	for move := range core.Each[payment.Transition](change) {
		p := payments[move.PaymentID]
		m.moves.WithLabelValues(string(p.method), string(move.From), string(move.To)).Inc()
		if move.To == payment.Expired && !p.expiresAt.IsZero() {
			m.expiries.Observe(max(move.At.Sub(p.expiresAt).Seconds(), 0))
		}
	}
}

// CallbackSender times the attempts of a sender.
func (m *Metrics) CallbackSender(sender ports.CallbackSender) ports.CallbackSender {
	return countedSender{CallbackSender: sender, metrics: m}
}

type countedSender struct {
	CallbackSender ports.CallbackSender
	metrics        *Metrics
}

// Send sends and counts.
func (c countedSender) Send(ctx context.Context, url string, message payment.CallbackMessage) payment.DeliveryResult {
	a := c.CallbackSender.Send(ctx, url, message)
	result := "no_answer"
	switch {
	case message.Acknowledgement.Takes(a.HTTPStatus):
		result = "ok"
		if !message.Cause.IsRepeat {
			c.metrics.delays.Observe(max(message.Late.Seconds(), 0))
		}
	case a.HTTPStatus != 0:
		result = "refused"
	}
	c.metrics.attempts.WithLabelValues(result).Observe(a.Duration.Seconds())
	return a
}
