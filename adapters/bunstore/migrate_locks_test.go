package bunstore_test

import (
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/vezne/vezne/adapters/bunstore"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/migrations"
)

// stepsOf are migrations of a few statements, numbered in order.
func stepsOf(sql ...string) fstest.MapFS {
	files := fstest.MapFS{}
	for i, text := range sql {
		name := fmt.Sprintf("2026010100000%d_step", i+1)
		files[name+".up.sql"] = &fstest.MapFile{Data: []byte(text)}
		files[name+".down.sql"] = &fstest.MapFile{Data: []byte("SELECT 1")}
	}
	return files
}

// await asks until the answer is true.
func await(t *testing.T, db *sql.DB, query string) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); ; {
		var is bool
		if err := db.QueryRowContext(t.Context(), query).Scan(&is); err != nil {
			t.Fatal(err)
		}
		if is {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("never: %s", query)
		}
	}
}

// isWaiting asks whether somebody waits for a lock on a table.
func isWaiting(table string) string {
	return "SELECT EXISTS (SELECT 1 FROM pg_locks WHERE relation = '" + table + "'::regclass AND NOT granted)"
}

// TestAStepThatWaitsLetsOthersPass: whoever comes after a migration that waits for a lock waits behind it, however short the lock would
// be. A transaction that is as long as it likes holds the migration up, and nobody else.
func TestAStepThatWaitsLetsOthersPass(t *testing.T) {
	t.Parallel()
	cfg := emptyPostgresConfig(t)
	db := rawDatabase(t, cfg)
	first := bunstore.WithSteps(cfg, stepsOf("CREATE TABLE busy (id bigint)"))
	if _, err := bunstore.MigrateUp(t.Context(), first); err != nil {
		t.Fatal(err)
	}
	long, err := db.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := long.ExecContext(t.Context(), "SELECT FROM busy"); err != nil {
		t.Fatal(err)
	}
	second := bunstore.WithSteps(cfg, stepsOf("CREATE TABLE busy (id bigint)", "ALTER TABLE busy ADD COLUMN name text", "CREATE TABLE late (id bigint)"))
	var (
		migrating sync.WaitGroup
		names     []string
		failed    error
	)
	migrating.Go(func() { names, failed = bunstore.MigrateUp(t.Context(), second) })
	for range 2 { // it tries again
		await(t, db, isWaiting("busy"))
		execute(t, db, "SELECT count(*) FROM busy") // behind it: this returns when the migration has given up
	}
	if err := long.Rollback(); err != nil {
		t.Fatal(err)
	}
	migrating.Wait()
	if failed != nil || len(names) != 2 {
		t.Fatalf("%v, %v", names, failed)
	}
	execute(t, db, "SELECT name FROM busy CROSS JOIN late")
}

// TestAStepThatFailsKeepsThoseBeforeIt, says so, and is tried anew by the next migrator.
func TestAStepThatFailsKeepsThoseBeforeIt(t *testing.T) {
	t.Parallel()
	cfg := emptyPostgresConfig(t)
	names, err := bunstore.MigrateUp(t.Context(), bunstore.WithSteps(cfg, stepsOf("CREATE TABLE a (id bigint)", "CREATE TABLE b (id bigint); SELECT 1 / 0")))
	if err == nil || len(names) != 1 || !strings.Contains(err.Error(), "20260101000002_step") {
		t.Fatalf("%v, %v", names, err)
	}
	again := bunstore.WithSteps(cfg, stepsOf("SELECT 1 / 0", "CREATE TABLE b (id bigint)"))
	if names, err = bunstore.MigrateUp(t.Context(), again); err != nil || !slices.Equal(names, []string{"20260101000002_step"}) {
		t.Fatalf("%v, %v", names, err)
	}
}

// TestAnIndexThatWasBrokenOffIsMadeAnew, and one that was made before the step was noted is not made twice. Other migrators, who wait for
// their turn, hold the making of an index up no more than writes do.
func TestAnIndexThatWasBrokenOffIsMadeAnew(t *testing.T) {
	t.Parallel()
	cfg := emptyPostgresConfig(t)
	db := rawDatabase(t, cfg)
	cfg = bunstore.WithSteps(cfg, stepsOf(
		"CREATE TABLE busy (id bigint, name text); INSERT INTO busy VALUES (1, 'a'), (1, 'b')",
		"CREATE INDEX CONCURRENTLY IF NOT EXISTS busy_name ON busy (name);\nCREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS busy_id ON busy (id);",
	))
	if names, err := bunstore.MigrateUp(t.Context(), cfg); !fault.Is(err, fault.Conflict) || len(names) != 1 {
		t.Fatalf("of rows that are twice there: %v, %v", names, err)
	}
	const valid = "SELECT count(*) = %d FROM pg_index WHERE indrelid = 'busy'::regclass AND indisvalid = %t"
	await(t, db, fmt.Sprintf(valid, 1, false))
	execute(t, db, "DELETE FROM busy WHERE name = 'b'")
	const migrators = 3
	var (
		all  sync.WaitGroup
		made [migrators][]string
		errs [migrators]error
	)
	for i := range migrators {
		all.Go(func() { made[i], errs[i] = bunstore.MigrateUp(t.Context(), cfg) })
	}
	all.Wait()
	steps := 0
	for i := range migrators {
		if errs[i] != nil {
			t.Error(errs[i])
		}
		steps += len(made[i])
	}
	if steps != 1 {
		t.Errorf("the step was applied %d times", steps)
	}
	await(t, db, fmt.Sprintf(valid, 2, true))
	await(t, db, fmt.Sprintf(valid, 0, false))
}

// TestThePlanOfGoingUpSaysWhoWaits, with what is there now, and changes nothing.
func TestThePlanOfGoingUpSaysWhoWaits(t *testing.T) {
	t.Parallel()
	cfg := emptyPostgresConfig(t)
	const first = "CREATE TABLE busy (id bigint); INSERT INTO busy SELECT generate_series(1, 1000); CREATE INDEX busy_id ON busy (id); ANALYZE busy"
	if _, err := bunstore.MigrateUp(t.Context(), bunstore.WithSteps(cfg, stepsOf(first))); err != nil {
		t.Fatal(err)
	}
	cfg = bunstore.WithSteps(cfg, stepsOf(first, "DROP INDEX busy_id; CREATE TABLE late (id bigint); CREATE INDEX late_id ON late (id)"))
	plan, err := bunstore.PlanUp(t.Context(), cfg)
	if err != nil || len(plan) != 1 || plan[0].Name != "20260101000002_step" || len(plan[0].Statements) != 3 {
		t.Fatalf("%+v, %v", plan, err)
	}
	for i, want := range []int{1, 0, 0} {
		if s := plan[0].Statements[i]; len(s.Locks) != want {
			t.Errorf("%s takes %+v", s.SQL, s.Locks)
		}
	}
	l := plan[0].Statements[0].Locks[0]
	if l.Table != "busy" || l.Mode != "ACCESS EXCLUSIVE" || l.Waits != migrations.Everybody || l.Rows != 1000 || l.Bytes < 8192 {
		t.Errorf("%+v", l)
	}
	if names, err := bunstore.MigrateUp(t.Context(), cfg); err != nil || len(names) != 1 {
		t.Errorf("after the plan: %v, %v", names, err)
	}
}
