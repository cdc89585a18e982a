package bunstore_test

import (
	"context"
	"errors"
	"regexp"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/uptrace/bun"

	"github.com/vezne/vezne/adapters/bunstore"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
)

// breaker ends the process, as it were, at one of its statements.
type breaker struct{ left int }

func (b *breaker) BeforeQuery(ctx context.Context, _ *bun.QueryEvent) context.Context {
	if b.left--; b.left < 0 {
		ended, end := context.WithCancel(ctx)
		end()
		return ended
	}
	return ctx
}

func (b *breaker) AfterQuery(context.Context, *bun.QueryEvent) {}

// TestStatisticsSurviveEveryCrash breaks a refresh off at its first statement, at its second, and so on, while payments
// change. What is counted in the end is what counting all of them gives.
func TestStatisticsSurviveEveryCrash(t *testing.T) {
	t.Parallel()
	forEach(t, func(t *testing.T, cfg bunstore.Config) {
		s, model, zone := openStore(t, cfg), newCounted(), time.FixedZone("+03", 3*60*60)
		now, crashes := crowdEnd, 0
		commit := func(change core.Changeset) {
			if err := s.Commit(t.Context(), change); err != nil {
				t.Fatal(err)
			}
			model.take(change)
		}
		for n := range 40 {
			p := crowdPayment(t, manyPayments-40*60+n*60) // of a day
			p.IBAN, p.Gateway.OperationID = "", ""
			commit(core.Changeset{p})
			broken := s.WithHook(&breaker{left: n})
			for more := true; more; {
				var err error
				if more, err = broken.RefreshStatistics(t.Context(), zone, now); err != nil {
					if !errors.Is(err, context.Canceled) {
						t.Fatal(err)
					}
					crashes++
				}
			}
			p.Version, p.UpdatedAt, p.FinishedAt, p.Status = 2, now, now, payment.Completed
			change := core.Changeset{p}
			if p.IsCredited() {
				change = append(change, payment.Credit{
					At: now,
					ID: p.ID, Version: 1, PaymentID: p.ID, Number: 1, Amount: p.Amount, Source: payment.CreditOfStaff, Brought: money.New(0, money.TRY),
				})
			}
			commit(change)
			now = now.Add(10 * time.Minute)
		}
		for refreshStatistics(t, s, zone, now) {
		}
		if crashes < 10 {
			t.Errorf("only %d refreshes were broken off", crashes)
		}
		from := report.Monthly.StartOf(crowdEnd.AddDate(0, -1, 0), zone)
		for _, per := range append(report.Intervals(), "") {
			q := report.StatisticsQuery{
				From: from, Until: report.Monthly.After(crowdEnd, zone), Interval: per, Zone: zone, GroupBy: report.Dimensions()[:2],
			}
			want := model.statistics(q)
			got, err := s.Statistics(t.Context(), q)
			if diff := cmp.Diff(want, got); diff != "" || err != nil || len(want) == 0 {
				t.Errorf("per %q: %v (-counted +statistics)\n%s", per, err, diff)
			}
		}
	})
}

// How a plan says that all statistics are read.
var (
	statisticsScan       = regexp.MustCompile(`Seq Scan on statistics\b`)
	statisticsScanSQLite = regexp.MustCompile(`(?m)SCAN (statistics|statistics_row)$`)
)

// refreshStatistics counts on as its worker does: a step that takes longer than the store waits is tried again.
func refreshStatistics(t *testing.T, s *bunstore.Store, zone *time.Location, until time.Time) (more bool) {
	t.Helper()
	more, err := s.RefreshStatistics(t.Context(), zone, until)
	for fault.Is(err, fault.Unavailable) && t.Context().Err() == nil {
		more, err = s.RefreshStatistics(t.Context(), zone, until)
	}
	if err != nil {
		t.Fatal(err)
	}
	return more
}

// TestNoStatisticReadsALargeTable looks at the plans as TestReadsNeverScan does: of building, refreshing and asking.
func TestNoStatisticReadsALargeTable(t *testing.T) {
	t.Parallel()
	for name, config := range ownDatabases() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cfg := config(t)
			plain, explain := openStore(t, cfg), "EXPLAIN QUERY PLAN "
			raw, err := rawDatabase(t, cfg).Conn(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = raw.Close() }()
			if name == "postgres" {
				explain = "EXPLAIN "
				if err := bunstore.Load(t.Context(), cfg, crowd(t, manyPayments)); err != nil {
					t.Fatal(err)
				}
				if _, err := raw.ExecContext(t.Context(), "SET random_page_cost = 1.1"); err != nil { // as the store sets it
					t.Fatal(err)
				}
			}
			zone := time.FixedZone("+03", 3*60*60)
			for more := true; more; {
				more = refreshStatistics(t, plain, zone, crowdEnd.AddDate(0, -1, 0))
			}
			if name == "postgres" {
				if _, err := raw.ExecContext(t.Context(), "ANALYZE statistics"); err != nil {
					t.Fatal(err)
				}
			}
			seen := &spy{}
			s := plain.WithHook(seen)
			for range 3 {
				refreshStatistics(t, s, zone, crowdEnd)
			}
			for _, per := range append(report.Intervals(), "") {
				for _, by := range [][]report.Dimension{nil, report.Dimensions()[:1], report.Dimensions()} {
					q := report.StatisticsQuery{From: crowdEnd.AddDate(0, 0, -2), Until: crowdEnd, GroupBy: by, Interval: per, Zone: zone, DealerID: 2}
					if _, err := s.Statistics(t.Context(), q); err != nil {
						t.Fatal(err)
					}
				}
			}
			if _, err := s.StatisticsUntil(t.Context()); err != nil {
				t.Fatal(err)
			}
			for _, query := range seen.queries {
				if query == "BEGIN" || query == "COMMIT" {
					continue
				}
				plan := planOf(t, raw, explain+query)
				if readsAll(name, plan) || name == "postgres" && statisticsScan.MatchString(plan) || name == "sqlite" && statisticsScanSQLite.MatchString(plan) {
					t.Errorf("%.600s\n%s", query, plan)
				}
			}
		})
	}
}
