package metrics

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/vezne/vezne/ports"
)

var (
	troubledDesc = prometheus.NewDesc("vezne_statement_troubled_wallets", "Wallets whose last reading of the bank's statement failed.", nil, nil)
	readDesc     = prometheus.NewDesc("vezne_statement_oldest_read_seconds", "How far the longest unread statement is behind.", nil, nil)
	brokenDesc   = prometheus.NewDesc("vezne_ledger_broken_wallets", "Wallets whose ledger did not add up. Any is an alarm.", nil, nil)
	linesDesc    = prometheus.NewDesc("vezne_bank_lines_waiting", "Bank lines that wait for staff or for the ledger (counting stops at a bound).", nil, nil)
	oldLineDesc  = prometheus.NewDesc("vezne_bank_lines_oldest_waiting_seconds", "How long the oldest of them waits.", nil, nil)
	openDaysDesc = prometheus.NewDesc("vezne_reconciliations_unexplained", "Days of wallets that do not agree with the bank, unexplained.", nil, nil)
)

// wallets is how the E-IBAN wallets stand.
func wallets(feeds ports.Statements, clock ports.Clock) *asked {
	about := []*prometheus.Desc{troubledDesc, readDesc, brokenDesc, linesDesc, oldLineDesc, openDaysDesc}
	return asking(clock, about, func(ctx context.Context) (figures, error) {
		health, err := feeds.FeedHealth(ctx)
		now := clock.Now()
		return figures{
			of(troubledDesc): float64(health.Troubled), of(readDesc): age(now, health.OldestRead), of(brokenDesc): float64(health.LedgerOff),
			of(linesDesc): float64(health.WaitingLines), of(oldLineDesc): age(now, health.OldestWaiting), of(openDaysDesc): float64(health.OpenDays),
		}, err
	})
}

// age is how many seconds a moment is past; nothing is past for no time.
func age(now, at time.Time) float64 {
	if at.IsZero() {
		return 0
	}
	return max(now.Sub(at).Seconds(), 0)
}
