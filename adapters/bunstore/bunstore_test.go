package bunstore_test

import (
	"context"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/vezne/vezne/adapters/bunstore"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/ports"
	"github.com/vezne/vezne/ports/storetest"
)

// TestPostgresStore also looks at the statements: those about rows of dealers name the dealer, but for those that have a reason not to.
func TestPostgresStore(t *testing.T) {
	t.Parallel()
	seen := &statementsSeen{of: map[string]string{}}
	t.Cleanup(func() {
		if !t.Failed() {
			seen.areKnown(t)
		}
	})
	storetest.Run(t, func(t *testing.T) storetest.Store {
		s := openStore(t, postgresConfig(t))
		t.Cleanup(func() { seen.prepared(s) })
		return storetest.Of(s.Spied(seen))
	})
}

func TestSQLiteStore(t *testing.T) {
	t.Parallel()
	storetest.Run(t, func(t *testing.T) storetest.Store { return storetest.Of(openStore(t, sqliteConfig(t))) })
}

// TestDatabasesAgree: random changesets and claims give the same faults and reads on both.
func TestDatabasesAgree(t *testing.T) {
	t.Parallel()
	storetest.Agree(t, storetest.Of(openStore(t, postgresConfig(t))), storetest.Of(openStore(t, sqliteConfig(t))))
}

// TestTwoStoresOnOneDatabase: two processes that commit by turns keep what one keeps.
func TestTwoStoresOnOneDatabase(t *testing.T) {
	t.Parallel()
	for name, config := range databases() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			storetest.Run(t, func(t *testing.T) storetest.Store {
				cfg := config(t)
				s := openStore(t, cfg)
				return storetest.Of(s, &byTurns{stores: []ports.Committer{s, openStore(t, cfg)}})
			}, "concurrency")
		})
	}
}

// byTurns commits with each of several stores.
type byTurns struct {
	stores []ports.Committer
	turn   atomic.Int64
}

func (b *byTurns) Commit(ctx context.Context, change core.Changeset) error {
	return b.stores[b.turn.Add(1)%int64(len(b.stores))].Commit(ctx, change)
}

// TestTheKitKnowsEveryKindOfRow that there is a table for.
func TestTheKitKnowsEveryKindOfRow(t *testing.T) {
	t.Parallel()
	known := storetest.Kinds()
	for _, kind := range bunstore.Kinds() {
		if !slices.Contains(known, kind) {
			t.Errorf("ports/storetest has no %s", kind)
		}
	}
}
