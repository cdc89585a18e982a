package bunstore_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/vezne/vezne/adapters/bunstore"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/wallet"
)

// inTwo opens two stores on one database, as two processes do, and calls each many times at the same time.
func inTwo(t *testing.T, cfg bunstore.Config, calls int, call func(s *bunstore.Store, i int) error) (errs []error) {
	t.Helper()
	stores := []*bunstore.Store{openStore(t, cfg), openStore(t, cfg)}
	errs = make([]error, len(stores)*calls)
	var all sync.WaitGroup
	for i := range errs {
		all.Go(func() { errs[i] = call(stores[i%len(stores)], i) })
	}
	all.Wait()
	return errs
}

func lira(minor int64) money.Amount { return money.New(minor, money.TRY) }

// wantHeld compares a wallet's balance with what is expected and with the sum of its entries.
func wantHeld(t *testing.T, s *bunstore.Store, w wallet.Wallet, available int64) {
	t.Helper()
	found, err := s.WalletBy(t.Context(), w.WalletID)
	if err != nil {
		t.Fatal(err)
	}
	sum, after := int64(0), core.ID("")
	for {
		entries, err := s.Entries(t.Context(), w.ID, after, core.MaxPage)
		if err != nil {
			t.Fatal(err)
		}
		if len(entries) == 0 {
			break
		}
		for _, e := range entries {
			sum += e.Available.Minor()
		}
		after = entries[len(entries)-1].ID
	}
	if !found.Available.Equal(lira(available)) || !found.Reserved.IsZero() || sum != available {
		t.Errorf("wallet %d: %s and %s, entries of %d, want %d", w.ID, found.Available, found.Reserved, sum, available)
	}
}

func TestTwoStoresTransferFromOneWallet(t *testing.T) {
	t.Parallel()
	forEach(t, func(t *testing.T, cfg bunstore.Config) {
		s := openStore(t, cfg)
		wallet := fundedWallet(t, s)
		const calls, enough = 100, 80 // of 1,234 each
		spend := incoming(t, wallet, enough*1_234-1_000_000_000)
		if err := s.Commit(t.Context(), core.Changeset{spend}); err != nil {
			t.Fatal(err)
		}
		made := 0
		for _, err := range inTwo(t, cfg, calls, func(s *bunstore.Store, _ int) error { return transfer(t, s, wallet) }) {
			if err == nil {
				made++
			} else if !fault.Is(err, fault.Insufficient) {
				t.Error(err)
			}
		}
		if made != enough {
			t.Errorf("%d transfers were made, the balance was enough for %d", made, enough)
		}
		wantHeld(t, s, wallet, 0)
	})
}

// TestTwoStoresBookOnManyWallets meets in as many orders as there are: no batch may wait for one that waits for it.
func TestTwoStoresBookOnManyWallets(t *testing.T) {
	t.Parallel()
	forEach(t, func(t *testing.T, cfg bunstore.Config) {
		s := openStore(t, cfg)
		const calls, wallets, each = 150, 7, 3
		var all core.Changeset
		for id := range int64(wallets) {
			all = append(all, wallet.Wallet{
				ID: 1 + id, Version: 1, WalletID: fmt.Sprint("W-", 1+id), CreatedAt: time.Now(), UpdatedAt: time.Now(),
			})
		}
		if err := s.Commit(t.Context(), all); err != nil {
			t.Fatal(err)
		}
		want := make([]int64, wallets)
		for i := range 2 * calls {
			for k := range each {
				want[(i+k*k)%wallets]++
			}
		}
		errs := inTwo(t, cfg, calls, func(s *bunstore.Store, i int) error {
			var change core.Changeset
			for k := range each {
				change = append(change, incoming(t, core.RowsOf[wallet.Wallet](all)[(i+k*k)%wallets], 1))
			}
			return s.Commit(t.Context(), change)
		})
		for _, err := range errs {
			if err != nil {
				t.Fatal(err)
			}
		}
		for i, w := range core.RowsOf[wallet.Wallet](all) {
			wantHeld(t, s, w, want[i])
		}
	})
}

func TestTwoStoresImportOneStatement(t *testing.T) {
	t.Parallel()
	forEach(t, func(t *testing.T, cfg bunstore.Config) {
		s := openStore(t, cfg)
		w := fundedWallet(t, s)
		const calls, page, step = 30, 20, 3
		booked := time.Unix(1_800_000_000, 0)
		errs := inTwo(t, cfg, calls, func(s *bunstore.Store, i int) error {
			change := core.Changeset{}
			for n := i / 2 * step; n < i/2*step+page; n++ { // both stores import the same pages
				l := wallet.BankLine{
					WalletID: w.ID, LineID: fmt.Sprint("line ", n), ID: newIDs(t).Next(), Version: 1, State: wallet.LineUnmatched, Direction: gateway.Incoming,
					Amount: lira(100), BookedAt: booked.Add(time.Duration(n) * time.Minute), ImportedAt: booked,
				}
				e := incoming(t, w, 100)
				e.LineID = l.LineID
				change = append(change, l, e)
			}
			err := s.Commit(t.Context(), change)
			for tries := 0; tries < calls && fault.Is(err, fault.Conflict); tries++ {
				err = s.Commit(t.Context(), change)
			}
			return err
		})
		for _, err := range errs {
			if err != nil {
				t.Fatal(err)
			}
		}
		const lines = (calls-1)*step + page
		q := wallet.BankLineQuery{WalletID: w.ID, From: booked, Until: booked.AddDate(0, 0, 3), Limit: core.MaxPage}
		kept, total, err := s.BankLines(t.Context(), q)
		if err != nil || total != lines || len(kept) != lines {
			t.Errorf("%d lines of %d are kept, %v; want %d", len(kept), total, err, lines)
		}
		wantHeld(t, s, w, 1_000_000_000+lines*100)
	})
}

// TestTwoStoresSaveOneLine has everybody match one line, each with a transfer of its own.
func TestTwoStoresSaveOneLine(t *testing.T) {
	t.Parallel()
	forEach(t, func(t *testing.T, cfg bunstore.Config) {
		s := openStore(t, cfg)
		w := fundedWallet(t, s)
		l := wallet.BankLine{
			WalletID: w.ID, LineID: "line", ID: newIDs(t).Next(), Version: 1, Direction: gateway.Incoming,
			Amount: lira(100), BookedAt: time.Now(), ImportedAt: time.Now(), State: wallet.LineUnbooked,
		}
		if err := s.Commit(t.Context(), core.Changeset{l}); err != nil {
			t.Fatal(err)
		}
		won := 0
		for _, err := range inTwo(t, cfg, 30, func(s *bunstore.Store, _ int) error {
			saved, e := l, incoming(t, w, 100)
			saved.Version, saved.State, saved.PaymentID = 2, wallet.LineMatched, e.ID
			return s.Commit(t.Context(), core.Changeset{saved, e})
		}) {
			if err == nil {
				won++
			} else if !fault.Is(err, fault.Conflict) {
				t.Error(err)
			}
		}
		if won != 1 {
			t.Errorf("%d saved the line, want 1", won)
		}
		wantHeld(t, s, w, 1_000_000_100)
	})
}

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
			"line":  {wallet.BankLine{WalletID: 1, LineID: "l", Version: 1, State: wallet.LineMatched, Amount: dollars(1)}},
			"feed":  {wallet.Feed{WalletID: 1, Version: 1, BankTotal: dollars(1)}},
			"day":   {wallet.Reconciliation{WalletID: 1, Day: "2026-11-21", Version: 1, BankIn: dollars(1)}},
			"difference": {wallet.Reconciliation{
				WalletID: 1, Day: "2026-11-21", Version: 1, Differences: []wallet.Difference{{Ours: lira(1), Theirs: dollars(1)}},
			}},
		} {
			if err := s.Commit(t.Context(), change); !fault.Is(err, fault.Internal) {
				t.Errorf("a %s took dollars: %v", what, err)
			}
		}
		wantHeld(t, s, w, 1_000_000_000)
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
