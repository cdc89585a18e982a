package metrics

import (
	"context"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/vezne/vezne/ports"
)

const (
	// askTimeout bounds one question to the database.
	askTimeout = 5 * time.Second
	// scrapeWait is how long a scrape waits for the answer.
	scrapeWait = 2 * time.Second
	// keptFor is how long an answer is told again.
	keptFor = 5 * time.Second
)

// figures are what a question came to. One that is not in them is absent.
type figures map[figure]float64

// figure is one of them, with the values of its labels, of which two are enough.
type figure struct {
	about  *prometheus.Desc
	labels [2]string
}

// of names a figure.
func of(about *prometheus.Desc, labels ...string) (f figure) {
	f.about = about
	copy(f.labels[:], labels)
	return f
}

// values are the labels that the figure has.
func (f figure) values() (list []string) {
	for _, l := range f.labels {
		if l != "" {
			list = append(list, l)
		}
	}
	return list
}

// asked is a collector that asks the database, once at a time. While that is out of reach, or does not answer, its figures
// are absent.
type asked struct {
	about []*prometheus.Desc
	ask   func(context.Context) (figures, error)
	clock ports.Clock

	mu   sync.Mutex
	last *question
}

// question is one that was asked. Its answer is there when ended is closed; of a fault it is empty.
type question struct {
	began  time.Time
	ended  chan struct{}
	at     time.Time // by the clock
	answer figures
}

func asking(clock ports.Clock, about []*prometheus.Desc, ask func(context.Context) (figures, error)) *asked {
	return &asked{about: about, ask: ask, clock: clock}
}

// Describe implements prometheus.Collector.
func (a *asked) Describe(out chan<- *prometheus.Desc) {
	for _, d := range a.about {
		out <- d
	}
}

// Collect implements prometheus.Collector.
func (a *asked) Collect(out chan<- prometheus.Metric) {
	q := a.question()
	patience := time.NewTimer(scrapeWait - time.Since(q.began))
	defer patience.Stop()
	select {
	case <-q.ended:
	case <-patience.C:
		if !q.hasEnded() { // an answer that is there counts, however long it took
			return
		}
	}
	for f, value := range q.answer {
		out <- prometheus.MustNewConstMetric(f.about, prometheus.GaugeValue, value, f.values()...)
	}
}

// question is the one under way, or the last one while its answer is told again, or a new one.
func (a *asked) question() *question {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.last != nil && (!a.last.hasEnded() || a.clock.Now().Sub(a.last.at).Abs() < keptFor) {
		return a.last
	}
	q := &question{began: time.Now(), ended: make(chan struct{}), at: a.clock.Now()}
	a.last = q
	go func() {
		defer close(q.ended)
		ctx, cancel := context.WithTimeout(context.Background(), askTimeout)
		defer cancel()
		if found, err := a.ask(ctx); err == nil {
			q.answer = found
		}
	}()
	return q
}

func (q *question) hasEnded() bool {
	select {
	case <-q.ended:
		return true
	default:
		return false
	}
}
