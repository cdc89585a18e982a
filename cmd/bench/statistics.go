package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
)

const (
	dashboardSamples = 20
	countingTimeout  = time.Hour // of all that was seeded
)

// dashboards are what statistics are asked for: the days up to now, and by what.
var dashboards = []struct {
	name    string
	days    int
	by, per string
}{
	{"today by the hour", 1, "", "HOUR"},
	{"a week by the hour and provider", 7, "PROVIDER", "HOUR"},
	{"30 days by the day and method", 30, "METHOD", "DAY"},
	{"90 days by provider and method", 90, "PROVIDER, METHOD", ""},
	{"a year by the month", 365, "", "MONTH"},
	{"73 days by method, dealer, gateway", 73, "METHOD, DEALER, GATEWAY", ""},
	{"a year by all but provider", 365, "METHOD, DEALER, GATEWAY, STATUS", ""},
}

// dashboard measures statistics, once everything is counted.
func (r reader) dashboard(ctx context.Context) error {
	began := time.Now()
	if err := r.counted(ctx); err != nil {
		return err
	}
	fmt.Printf("  statistics, everything counted after %s more\n", time.Since(began).Round(time.Second))
	for _, d := range dashboards {
		var all result
		rows := 0
		for range dashboardSamples {
			asked := time.Now()
			count, err := r.statistics(ctx, d.days, d.by, d.per)
			if err != nil {
				return err
			}
			rows = max(rows, count)
			all.took = append(all.took, time.Since(asked))
		}
		slices.Sort(all.took)
		fmt.Printf("  %-42s p50 %8s  p95 %8s   %d rows at most\n", d.name, all.percentile(50), all.percentile(95), rows)
	}
	return nil
}

// statistics asks once, up to tomorrow, and says how many rows were answered.
func (r reader) statistics(ctx context.Context, days int, by, per string) (rows int, err error) {
	if per != "" {
		per = ", per: " + per
	}
	until := time.Now().AddDate(0, 0, 1)
	answer, err := r.graphql(ctx, r.token, fmt.Sprintf(`{ statistics(from: %q, until: %q, by: [%s]%s) { countedUntil rows {
		from method status count endedCount approvalRate requestedAmount approvedAmount medianDecisionMs callbackSuccessRate medianCallbackDelayMs
	} } }`, until.AddDate(0, 0, -days-1).Format(time.RFC3339), until.Format(time.RFC3339), by, per))
	if err != nil {
		return 0, err
	}
	var said struct {
		Data struct {
			Statistics struct{ Rows []json.RawMessage }
		}
	}
	err = json.Unmarshal(answer, &said)
	return len(said.Data.Statistics.Rows), err
}

// counted waits until everything is.
func (r reader) counted(ctx context.Context) error {
	for began := time.Now(); time.Since(began) < countingTimeout; {
		answer, err := r.graphql(ctx, r.token, fmt.Sprintf(`{ statistics(from: %q, until: %q) { countedUntil } }`,
			time.Now().Add(-time.Hour).Format(time.RFC3339), time.Now().Format(time.RFC3339)))
		if err != nil {
			return err
		}
		if !strings.Contains(string(answer), `"countedUntil":null`) {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Second):
		}
	}
	return fmt.Errorf("statistics were not counted within %s", countingTimeout)
}
