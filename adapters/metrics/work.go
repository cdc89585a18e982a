package metrics

import (
	"context"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/ports"
)

var (
	dueDesc    = prometheus.NewDesc("vezne_due_rows", "Rows that workers have to do something with now (counting stops at a bound).", []string{"kind"}, nil)
	oldestDesc = prometheus.NewDesc("vezne_due_oldest_seconds", "How long the longest-waiting of them is due.", []string{"kind"}, nil)
	stuckDesc  = prometheus.NewDesc("vezne_due_stuck_rows", "Those of them that nobody has had for long. Any is an alarm.", []string{"kind"}, nil)

	openDesc    = prometheus.NewDesc("vezne_open_work", "What waits for staff (counting stops at a bound).", []string{"kind"}, nil)
	openAgeDesc = prometheus.NewDesc("vezne_open_work_oldest_seconds", "How long the longest-waiting of it waits.", []string{"kind"}, nil)

	paymentAgeDesc = prometheus.NewDesc("vezne_payments_oldest_seconds",
		"Age of the oldest payment of a method that has not ended, by its status; absent where there is none.", []string{"method", "status"}, nil)
)

// dueWork is what waits for workers.
func dueWork(reports ports.Reports, clock ports.Clock) *asked {
	return asking(clock, []*prometheus.Desc{dueDesc, oldestDesc, stuckDesc}, func(ctx context.Context) (figures, error) {
		now := clock.Now()
		list, err := reports.DueWork(ctx, now)
		found := figures{}
		for _, w := range list {
			kind := string(w.Kind)
			found[of(dueDesc, kind)] = float64(w.DueCount)
			found[of(oldestDesc, kind)] = age(now, w.OldestDueAt)
			found[of(stuckDesc, kind)] = float64(w.StuckCount)
		}
		return found, err
	})
}

// openWork is what waits for staff, of everybody.
func openWork(reports ports.Reports, clock ports.Clock) *asked {
	kinds := report.OpenWorkKinds(func(staff.Permission) bool { return true })
	return asking(clock, []*prometheus.Desc{openDesc, openAgeDesc}, func(ctx context.Context) (figures, error) {
		now := clock.Now()
		list, err := reports.OpenWork(ctx, report.OpenWorkQuery{Kinds: kinds, Now: now})
		found := figures{}
		for _, w := range list {
			found[of(openDesc, string(w.Kind))] = float64(w.Count)
			found[of(openAgeDesc, string(w.Kind))] = age(now, w.OldestAt)
		}
		return found, err
	})
}

// openPayments is how old payments are that have not ended.
func openPayments(reports ports.Reports, clock ports.Clock) *asked {
	return asking(clock, []*prometheus.Desc{paymentAgeDesc}, func(ctx context.Context) (figures, error) {
		now := clock.Now()
		list, err := reports.OldestOpen(ctx)
		found := figures{}
		for _, o := range list {
			found[of(paymentAgeDesc, string(o.Method), string(o.Status))] = age(now, o.CreatedAt)
		}
		return found, err
	})
}
