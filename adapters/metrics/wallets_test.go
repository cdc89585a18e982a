package metrics_test

import (
	"context"
	"testing"
	"time"

	"github.com/vezne/vezne/adapters/bunstore"
	"github.com/vezne/vezne/adapters/bunstore/sqlitetest"
	"github.com/vezne/vezne/adapters/metrics"
	"github.com/vezne/vezne/core/wallet"
	"github.com/vezne/vezne/e2e/apptest"
)

// sick is a store whose wallets stand as told.
type sick struct {
	*bunstore.Store
	health wallet.FeedHealth
}

func (s sick) FeedHealth(context.Context) (wallet.FeedHealth, error) { return s.health, nil }

func TestWalletsInTroubleAreSeen(t *testing.T) {
	t.Parallel()
	now := apptest.Start
	store := sick{sqlitetest.Open(t), wallet.FeedHealth{
		Troubled: 1, LedgerOff: 2, OldestRead: now.Add(-time.Minute), WaitingLines: 3, OpenDays: 4, OldestWaiting: now.Add(-time.Hour),
	}}
	wantSeries(t, scrape(t, metrics.New("1", "c0ffee").Page(waiting(store), apptest.NewClock(now))), map[string]string{
		"vezne_statement_troubled_wallets": "1", "vezne_ledger_broken_wallets": "2", "vezne_statement_oldest_read_seconds": "60",
		"vezne_bank_lines_waiting": "3", "vezne_reconciliations_unexplained": "4", "vezne_bank_lines_oldest_waiting_seconds": "3600",
	})
	calm := sick{Store: sqlitetest.Open(t)}
	wantSeries(t, scrape(t, metrics.New("1", "c0ffee").Page(waiting(calm), apptest.NewClock(now))), map[string]string{
		"vezne_statement_troubled_wallets": "0", "vezne_ledger_broken_wallets": "0", "vezne_statement_oldest_read_seconds": "0",
		"vezne_bank_lines_waiting": "0", "vezne_reconciliations_unexplained": "0", "vezne_bank_lines_oldest_waiting_seconds": "0",
	})
}
