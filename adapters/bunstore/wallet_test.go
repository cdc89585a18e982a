package bunstore_test

import (
	"testing"
	"time"

	"github.com/vezne/vezne/adapters/bunstore"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/wallet"
)

func lira(minor int64) money.Amount { return money.New(minor, money.TRY) }

func TestALedgerThatDoesNotAddUpIsSeen(t *testing.T) {
	t.Parallel()
	forEach(t, func(t *testing.T, cfg bunstore.Config) {
		s := openStore(t, cfg)
		wallet := fundedWallet(t, s)
		db := rawDatabase(t, cfg)
		for _, spoil := range []string{
			"UPDATE wallet_balances SET available_minor = available_minor + 1, outside_minor = outside_minor - 1",
			"UPDATE wallet_balances SET available_minor = available_minor - 1, outside_minor = outside_minor + 1", // right again
			"DELETE FROM ledger_entries",
		} {
			before, err := s.AddUpLedger(t.Context(), wallet.ID)
			if err != nil {
				t.Fatal(err)
			}
			execute(t, db, spoil)
			after, err := s.AddUpLedger(t.Context(), wallet.ID)
			if err != nil || before.IsRight() == after.IsRight() {
				t.Errorf("%s: %+v, %v; before it %+v", spoil, after, err, before)
			}
		}
	})
}

func TestWalletsHoldLiraOnly(t *testing.T) {
	t.Parallel()
	forEach(t, func(t *testing.T, cfg bunstore.Config) {
		s := openStore(t, cfg)
		w := fundedWallet(t, s)
		e, dollars := incoming(t, w, 1), func(minor int64) money.Amount { return money.New(minor, money.Currency{Code: "USD"}) }
		e.Available, e.Outside = dollars(1), dollars(-1)
		for what, change := range map[string]core.Changeset{
			"entry": {e},
			"line":  {wallet.BankLine{WalletID: 1, LineID: "l", Version: 1, Status: wallet.LineMatched, Amount: dollars(1)}},
			"feed":  {wallet.Feed{WalletID: 1, Version: 1, BankBalance: dollars(1)}},
			"day":   {wallet.Reconciliation{WalletID: 1, Day: "2026-11-21", Version: 1, BankIn: dollars(1)}},
			"difference": {wallet.Reconciliation{
				WalletID: 1, Day: "2026-11-21", Version: 1, Differences: []wallet.Difference{{Ours: lira(1), Theirs: dollars(1)}},
			}},
		} {
			if err := s.Commit(t.Context(), change); !fault.Is(err, fault.Internal) {
				t.Errorf("a %s took dollars: %v", what, err)
			}
		}
		if held, err := s.Wallet(t.Context(), w.DealerID, w.ID); err != nil || held.AvailableBalance != lira(1_000_000_000) {
			t.Errorf("it holds %s (%v)", held.AvailableBalance, err)
		}
	})
}

// TestWalletsAreHeldInOrder lets a commit wait for the first of its wallets: it may not hold the others by then, in
// whatever order they are stored and named.
func TestWalletsAreHeldInOrder(t *testing.T) {
	t.Parallel()
	plain := ownPostgresConfig(t)
	cfg, name := named(t, plain)
	s, admin := openStore(t, cfg), rawDatabase(t, plain)
	const wallets = 30
	var made, booked core.Changeset
	for id := int64(wallets); id > 0; id-- {
		w := wallet.Wallet{ID: id, Version: 1, CreatedAt: time.Now(), UpdatedAt: time.Now()}
		made = append(made, w)
		if id%10 == 1 {
			booked = append(booked, incoming(t, w, 1))
		}
	}
	if err := s.Commit(t.Context(), made); err != nil {
		t.Fatal(err)
	}
	execute(t, admin, "ANALYZE wallet_balances") // so few are read as they are stored: the last first
	lock, err := admin.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = lock.Rollback() }()
	if _, err := lock.ExecContext(t.Context(), "SELECT 1 FROM wallet_balances WHERE wallet_id = 1 FOR UPDATE"); err != nil {
		t.Fatal(err)
	}
	result := make(chan error, 1)
	go func() { result <- s.Commit(t.Context(), booked) }()
	awaitLock(t, admin, name)
	free := 0
	const query = "SELECT count(*) FROM (SELECT 1 FROM wallet_balances FOR UPDATE SKIP LOCKED) AS free"
	if err := admin.QueryRowContext(t.Context(), query).Scan(&free); err != nil {
		t.Fatal(err)
	}
	if free != wallets-1 {
		t.Errorf("%d wallets are free while the commit waits for the first, want %d", free, wallets-1)
	}
	if err := lock.Commit(); err != nil {
		t.Fatal(err)
	}
	if err := <-result; err != nil {
		t.Error(err)
	}
}
