package sqlitetest_test

import (
	"testing"
	"time"

	"github.com/vezne/vezne/adapters/bunstore/sqlitetest"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/wallet"
	"github.com/vezne/vezne/ports"
)

func TestAHolidayComesBackAsItWasSaved(t *testing.T) {
	store := sqlitetest.Open(t)
	var wallets ports.Wallets = store
	holiday := wallet.Holiday{Day: "2026-04-23", Version: 1, Name: "Bayram", UpdatedAt: time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)}
	for range 2 {
		if err := store.Commit(t.Context(), core.Changeset{holiday}); err != nil {
			t.Fatal(err)
		}
		if got, err := wallets.Holiday(t.Context(), holiday.Day); err != nil || got != holiday {
			t.Fatalf("%+v, %v, want %+v", got, err, holiday)
		}
		if err := store.Commit(t.Context(), core.Changeset{holiday}); !fault.Is(err, fault.Conflict) {
			t.Fatalf("saved against the same version: %v", err)
		}
		holiday.Version, holiday.Name = 2, "Çocuk Bayramı"
	}
}
