package bunstore_test

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/vezne/vezne/adapters/bunstore"
	"github.com/vezne/vezne/core/fault"
)

func TestMigrateUpDownUp(t *testing.T) {
	t.Parallel()
	forEachEmpty(t, func(t *testing.T, cfg bunstore.Config) {
		s := openStore(t, cfg)
		all := len(migrationNames(t, s, false))
		if all == 0 {
			t.Fatal("there are no migrations")
		}
		up := func() {
			names, err := bunstore.MigrateUp(t.Context(), cfg)
			if err != nil || len(names) != all {
				t.Fatalf("up: %v, %v", names, err)
			}
			if again, err := bunstore.MigrateUp(t.Context(), cfg); err != nil || len(again) != 0 {
				t.Fatalf("up again: %v, %v", again, err)
			}
			expectPending(t, s, 0)
		}
		up()
		names := migrationNames(t, s, true)
		last, err := bunstore.MigrateDown(t.Context(), cfg, 1)
		if err != nil || !slices.Equal(last, names[all-1:]) {
			t.Fatalf("one down: %v, %v", last, err)
		}
		expectPending(t, s, 1)
		if _, err := bunstore.MigrateUp(t.Context(), cfg); err != nil {
			t.Fatal(err)
		}
		down, err := bunstore.MigrateDown(t.Context(), cfg, all+1)
		slices.Reverse(down)
		if err != nil || !slices.Equal(down, names) {
			t.Fatalf("all down: %v, %v", down, err)
		}
		expectPending(t, s, all)
		up()
		if err := s.Commit(t.Context(), newDeposit(t)); err != nil {
			t.Fatalf("a store after up, down, up: %v", err)
		}
	})
}

func migrationNames(t *testing.T, s *bunstore.Store, areApplied bool) []string {
	t.Helper()
	list, err := s.Migrations(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, m := range list {
		if m.AppliedAt.IsZero() == areApplied {
			t.Fatalf("%s: applied at %v", m.Name, m.AppliedAt)
		}
		names = append(names, m.Name)
	}
	return names
}

func expectPending(t *testing.T, s *bunstore.Store, want int) {
	t.Helper()
	if got, err := s.Pending(t.Context()); err != nil || got != want {
		t.Fatalf("%d pending (%v), want %d", got, err, want)
	}
}

func TestMigratorsTakeTurns(t *testing.T) {
	t.Parallel()
	forEachEmpty(t, func(t *testing.T, cfg bunstore.Config) {
		const migrators = 6
		var (
			all  sync.WaitGroup
			errs [migrators]error
			made [migrators]int
		)
		for i := range migrators {
			all.Go(func() {
				var names []string
				names, errs[i] = bunstore.MigrateUp(t.Context(), cfg)
				made[i] = len(names)
			})
		}
		all.Wait()
		steps := len(migrationNames(t, openStore(t, cfg), true))
		total := 0
		for i := range migrators {
			if errs[i] != nil {
				t.Errorf("migrator %d: %v", i, errs[i])
			}
			total += made[i]
		}
		if total != steps {
			t.Errorf("%d steps were applied, there are %d", total, steps)
		}
	})
}

// TestADatabaseOfOtherMigrationsIsRefused, and nothing in it is touched; steps that come after all that are known are a newer
// Vezne's, which shares the database.
func TestADatabaseOfOtherMigrationsIsRefused(t *testing.T) {
	t.Parallel()
	forEachOwn(t, func(t *testing.T, cfg bunstore.Config) {
		s, db := openStore(t, cfg), rawDatabase(t, cfg)
		execute(t, db, "INSERT INTO vezne_migrations (name, group_id) VALUES ('29990101000001', 2)")
		if names, err := bunstore.MigrateUp(t.Context(), cfg); err != nil || len(names) > 0 {
			t.Errorf("beside a newer Vezne: %v, %v", names, err)
		}
		expectPending(t, s, 0)
		execute(t, db, "INSERT INTO vezne_migrations (name, group_id) VALUES ('20261121000001', 1)")
		_, pending := s.Pending(t.Context())
		_, up := bunstore.MigrateUp(t.Context(), cfg)
		_, down := bunstore.MigrateDown(t.Context(), cfg, 1)
		for _, err := range []error{pending, up, down} {
			if err == nil || !strings.Contains(err.Error(), "20261121000001") {
				t.Errorf("of a database that other migrations have made: %v", err)
			}
		}
		if err := s.Commit(t.Context(), newDeposit(t)); err != nil {
			t.Errorf("its tables: %v", err)
		}
	})
}

func TestUnmigratedDatabaseIsNotAFault(t *testing.T) {
	t.Parallel()
	forEachEmpty(t, func(t *testing.T, cfg bunstore.Config) {
		s := openStore(t, cfg)
		if err := s.Ping(t.Context()); err != nil {
			t.Error(err)
		}
		if err := s.Commit(t.Context(), newDeposit(t)); !fault.Is(err, fault.Internal) {
			t.Errorf("a commit without tables: %v", err)
		}
	})
}
