package bunstore_test

import (
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

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

// TestANewerDatabaseIsRefused, and nothing in it is touched: neither is it used, nor brought up, nor taken back.
func TestANewerDatabaseIsRefused(t *testing.T) {
	t.Parallel()
	refuseDatabaseWith(t, "29990101000001", "belongs to a newer Vezne")
}

// TestADatabaseOfOtherMigrationsIsRefused, and nothing in it is touched.
func TestADatabaseOfOtherMigrationsIsRefused(t *testing.T) {
	t.Parallel()
	refuseDatabaseWith(t, "20261121000001", "from before the first release")
}

func refuseDatabaseWith(t *testing.T, migration, reason string) {
	t.Helper()
	forEachOwn(t, func(t *testing.T, cfg bunstore.Config) {
		s, db := openStore(t, cfg), rawDatabase(t, cfg)
		execute(t, db, "INSERT INTO vezne_migrations (name, group_id) VALUES ('"+migration+"', 2)")
		_, pending := s.Pending(t.Context())
		_, up := bunstore.MigrateUp(t.Context(), cfg)
		_, plan := bunstore.PlanDown(t.Context(), cfg, 1)
		_, down := bunstore.MigrateDown(t.Context(), cfg, 1)
		for _, err := range []error{pending, up, plan, down} {
			if err == nil || !strings.Contains(err.Error(), migration) || !strings.Contains(err.Error(), reason) {
				t.Errorf("of a database with migration %s: %v", migration, err)
			}
		}
		if err := s.Commit(t.Context(), newDeposit(t)); err != nil {
			t.Errorf("its tables: %v", err)
		}
	})
}

// TestANewerMigrationIsListed with those that are known.
func TestANewerMigrationIsListed(t *testing.T) {
	t.Parallel()
	forEachOwn(t, func(t *testing.T, cfg bunstore.Config) {
		s, db := openStore(t, cfg), rawDatabase(t, cfg)
		known := len(migrationNames(t, s, true))
		execute(t, db, "INSERT INTO vezne_migrations (name, group_id) VALUES ('29990101000002', 3), ('29990101000001', 2)")
		list, err := s.Migrations(t.Context())
		if err != nil || len(list) != known+2 {
			t.Fatalf("%v, %v", list, err)
		}
		for i, m := range list {
			if m.IsUnknown != (i >= known) {
				t.Errorf("%+v", m)
			}
		}
		if last := list[known+1].Name; last != "29990101000002" {
			t.Errorf("the last is %s", last)
		}
	})
}

// TestAPlanOfGoingBackSaysWhatIsLost, row by row, and takes nothing back itself.
func TestAPlanOfGoingBackSaysWhatIsLost(t *testing.T) {
	t.Parallel()
	forEachOwn(t, func(t *testing.T, cfg bunstore.Config) {
		s, db := openStore(t, cfg), rawDatabase(t, cfg)
		names := migrationNames(t, s, true)
		for _, add := range []string{
			"CREATE TABLE lost (id bigint, name text)", "INSERT INTO lost VALUES (1, 'a'), (2, 'b'), (3, NULL)",
			"ALTER TABLE sequences ADD COLUMN lost text", "INSERT INTO sequences (name, value, lost) VALUES ('a', 1, 'x'), ('b', 1, NULL)",
		} {
			execute(t, db, add)
		}
		if err := s.MarkDemo(t.Context(), time.Unix(1_800_000_000, 0)); err != nil {
			t.Fatal(err)
		}
		plan, err := bunstore.PlanDown(t.Context(), cfg, len(names))
		slices.Reverse(names)
		if err != nil || !slices.Equal(plan.Steps, names) {
			t.Fatalf("%v, %v", plan.Steps, err)
		}
		for _, want := range []bunstore.Loss{{Table: "installation", Rows: 1}, {Table: "sequences", Rows: 2}, {Table: "payments"}} {
			if !slices.Contains(plan.Losses, want) {
				t.Errorf("the plan has no %+v: %+v", want, plan.Losses)
			}
		}
		if slices.ContainsFunc(plan.Losses, func(l bunstore.Loss) bool { return l.Table == "lost" || l.Column != "" }) {
			t.Errorf("the plan has what stays: %+v", plan.Losses)
		}
		expectPending(t, s, 0)
		if isDemo, err := s.IsDemo(t.Context()); err != nil || !isDemo {
			t.Errorf("planning has taken the rows: %v", err)
		}
	})
}

// TestOnADatabaseWithoutTables there is nothing to be asked for, which is no fault; tables of another service are somebody's.
func TestOnADatabaseWithoutTables(t *testing.T) {
	t.Parallel()
	forEachEmpty(t, func(t *testing.T, cfg bunstore.Config) {
		s := openStore(t, cfg)
		isDemo, err := s.IsDemo(t.Context())
		isEmpty, failed := s.IsEmpty(t.Context())
		if err := errors.Join(err, failed); err != nil || isDemo || !isEmpty {
			t.Errorf("a demo's: %t, empty: %t, %v", isDemo, isEmpty, err)
		}
		execute(t, rawDatabase(t, cfg), "CREATE TABLE invoices (id bigint)")
		if isEmpty, err := s.IsEmpty(t.Context()); err != nil || isEmpty {
			t.Errorf("with another service's tables it is empty: %t, %v", isEmpty, err)
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
