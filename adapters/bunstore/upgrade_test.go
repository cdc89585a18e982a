package bunstore_test

import (
	"slices"
	"testing"
	"time"

	"github.com/vezne/vezne/adapters/bunstore"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
)

// before and withoutWallets are how many migrations end at the schema without gateways and at that without wallets.
const (
	before         = 6
	withoutWallets = 8
)

// backToBefore takes the schema back to what it was before gateways.
func backToBefore(t *testing.T, cfg bunstore.Config, s *bunstore.Store) {
	t.Helper()
	all, err := s.Migrations(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := bunstore.MigrateDown(t.Context(), cfg, len(all)-before); err != nil {
		t.Fatal(err)
	}
	expectPending(t, s, len(all)-before)
}

// TestPaymentsOutliveTheUpgrade takes payments of every status and kind of the older schema there and back.
func TestPaymentsOutliveTheUpgrade(t *testing.T) {
	t.Parallel()
	forEachOwn(t, func(t *testing.T, cfg bunstore.Config) {
		s := openStore(t, cfg)
		old := core.Changeset{}
		for i, status := range core.Statuses()[:8] {
			change := newDeposit(t)
			p := &change.Payments[0]
			p.Status, p.Reason, p.IsIBANSuspect, p.UpdatedAt = status, "İ'\\", i%2 == 0, time.UnixMicro(1_800_000_000_000_001)
			p.Account = core.OfferedAccount{AccountID: int64(i), Held: p.Amount}
			old = old.Merge(change)
		}
		if err := s.Commit(t.Context(), old); err != nil {
			t.Fatal(err)
		}
		want := listed(t, s)
		backToBefore(t, cfg, s)
		if _, err := bunstore.MigrateUp(t.Context(), cfg); err != nil {
			t.Fatal(err)
		}
		if got := listed(t, s); len(got) != 8 || !slices.Equal(got, want) {
			t.Errorf("after down and up:\n%+v\nwant\n%+v", got, want)
		}
		due, err := s.DuePayments(t.Context(), time.Now().AddDate(1, 0, 0), core.DueCursor{}, 10)
		if err != nil || len(due.Rows) != 2 {
			t.Errorf("%d payments are due, %v; want the showing and the pending one", len(due.Rows), err)
		}
		if err := s.Commit(t.Context(), old); !fault.Is(err, fault.Conflict) { // the indexes are there again
			t.Errorf("committed again: %v", err)
		}
	})
}

func listed(t *testing.T, s *bunstore.Store) []core.Payment {
	t.Helper()
	list, err := s.ListPayments(t.Context(), core.PaymentQuery{Limit: core.MaxPage})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestTheWayBackLeavesOutWhatTheOlderSchemaHasNoWordFor(t *testing.T) {
	t.Parallel()
	forEachOwn(t, func(t *testing.T, cfg bunstore.Config) {
		s := openStore(t, cfg)
		kept, lost := newDeposit(t), newDeposit(t)
		lost.Payments[0].Status = core.Success
		if err := s.Commit(t.Context(), kept.Merge(lost)); err != nil {
			t.Fatal(err)
		}
		backToBefore(t, cfg, s)
		if _, err := bunstore.MigrateUp(t.Context(), cfg); err != nil {
			t.Fatal(err)
		}
		if list := listed(t, s); len(list) != 1 || list[0].ID != kept.Payments[0].ID {
			t.Errorf("there are %+v", list)
		}
	})
}

// TestCallbacksOutliveTheWallets takes the outbox to the schema without dealers' payments and back.
func TestCallbacksOutliveTheWallets(t *testing.T) {
	t.Parallel()
	forEachOwn(t, func(t *testing.T, cfg bunstore.Config) {
		s := openStore(t, cfg)
		at := time.UnixMicro(1_800_000_000_000_001).UTC()
		want := core.Callback{
			ID: "C1", Version: 1, PaymentID: "P1", Sequence: 1, ProviderID: 1, State: core.Waiting, NextAttemptAt: at, CreatedAt: at,
			Receiver: "İ'\\",
		}
		if err := s.Commit(t.Context(), core.Changeset{Callbacks: []core.Callback{want}}); err != nil {
			t.Fatal(err)
		}
		all, err := s.Migrations(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := bunstore.MigrateDown(t.Context(), cfg, len(all)-withoutWallets); err != nil {
			t.Fatal(err)
		}
		if _, err := bunstore.MigrateUp(t.Context(), cfg); err != nil {
			t.Fatal(err)
		}
		if got, err := s.CallbacksOf(t.Context(), "P1"); err != nil || !slices.Equal(got, []core.Callback{want}) {
			t.Errorf("%+v, %v; want %+v", got, err, want)
		}
	})
}
