package operations_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/vezne/vezne/e2e/harness"
)

// TestARealDatabaseIsNotMadeADemos: neither demo nor seed touches a database that somebody works with, whatever else it is; not
// even its schema.
func TestARealDatabaseIsNotMadeADemos(t *testing.T) {
	t.Parallel()
	forEachEmpty(t, func(t *testing.T, in *harness.Installation) {
		in.Env = append(in.Env, "VEZNE_MASTER_KEY=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=", "VEZNE_STAFF_PASSWORD=correct horse battery")
		in.Succeed("migrate", "up")
		in.Succeed("staff", "create", "--email", "admin@demo.vezne.local", "--role", "admin") // the demo's own name is no proof
		refuse := func() {
			t.Helper()
			before := state(t, in)
			for _, args := range [][]string{{"demo", "--listen", "127.0.0.1:0"}, {"seed", "--transactions", "10"}} {
				harness.Launch{Args: args, Env: in.Env}.ExpectFailure(t, "neither empty nor marked as a demo's")
			}
			if after := state(t, in); after != before {
				t.Errorf("a refusal leaves %s, before it was %s", after, before)
			}
			if _, err := os.Stat(filepath.Join(in.Dir, "demo.json")); !os.IsNotExist(err) {
				t.Errorf("a refused demo has written its keys (%v)", err)
			}
		}
		refuse()
		in.Succeed("migrate", "down", "--yes") // an older schema, which has no mark yet
		refuse()
	})
}

// state is what a refusal must not change: migrations, numbers given out, and members of staff.
func state(t *testing.T, in *harness.Installation) string {
	t.Helper()
	db := in.OpenDatabase()
	counts := make([]int64, 3)
	for i, query := range []string{
		"SELECT count(*) FROM vezne_migrations", "SELECT COALESCE(sum(value), 0) FROM sequences", "SELECT count(*) FROM staff",
	} {
		if err := db.QueryRowContext(t.Context(), query).Scan(&counts[i]); err != nil {
			t.Fatal(err)
		}
	}
	return fmt.Sprint(counts)
}

// TestADemosDatabaseStaysOne: it may be filled again and again, and by another demo.
func TestADemosDatabaseStaysOne(t *testing.T) {
	t.Parallel()
	forEachEmpty(t, func(t *testing.T, in *harness.Installation) {
		in.Succeed("seed", "--transactions", "10", "--bare")
		in.Seed().Stop(t)
		in.Succeed("seed", "--transactions", "10")
		in.Demo().Stop(t)
	})
}

// TestAnotherServicesDatabaseIsLeftAlone: tables that are not Vezne's are somebody's.
func TestAnotherServicesDatabaseIsLeftAlone(t *testing.T) {
	t.Parallel()
	in := harness.NewEmpty(t, "VEZNE_DATABASE_URL="+harness.NewDatabase(t, ""), "VEZNE_REDIS_URL="+harness.NewQueue(t))
	if err := in.Tamper("CREATE TABLE invoices (id bigint)"); err != nil {
		t.Fatal(err)
	}
	harness.Launch{Args: []string{"demo", "--listen", "127.0.0.1:0"}, Env: in.Env}.ExpectFailure(t, "neither empty nor marked as a demo's")
	var tables int
	err := in.OpenDatabase().QueryRowContext(t.Context(), "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'").Scan(&tables)
	if err != nil || tables != 1 {
		t.Errorf("the refused demo leaves %d tables (%v)", tables, err)
	}
}

func forEachEmpty(t *testing.T, test func(t *testing.T, in *harness.Installation)) {
	t.Helper()
	t.Run("embedded", func(t *testing.T) { t.Parallel(); test(t, harness.NewEmpty(t)) })
	t.Run("servers", func(t *testing.T) {
		t.Parallel()
		test(t, harness.NewEmpty(t, "VEZNE_DATABASE_URL="+harness.NewDatabase(t, ""), "VEZNE_REDIS_URL="+harness.NewQueue(t)))
	})
}
