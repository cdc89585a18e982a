package migrations_test

import (
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/vezne/vezne/migrations"
)

func names(t *testing.T, dialect string) []string {
	t.Helper()
	files, err := migrations.For(dialect)
	if err != nil {
		t.Fatal(err)
	}
	names, err := fs.Glob(files, "*")
	if err != nil {
		t.Fatal(err)
	}
	return names
}

func TestBothDialectsHaveTheSameSteps(t *testing.T) {
	t.Parallel()
	postgres, sqlite := names(t, migrations.Postgres), names(t, migrations.SQLite)
	if len(postgres) == 0 || !slices.Equal(postgres, sqlite) {
		t.Errorf("the steps differ:\npostgres %v\nsqlite   %v", postgres, sqlite)
	}
}

func TestEveryStepHasAWayBack(t *testing.T) {
	t.Parallel()
	all := names(t, migrations.Postgres)
	for _, name := range all {
		step, isUp := strings.CutSuffix(name, ".up.sql")
		if isUp && !slices.Contains(all, step+".down.sql") {
			t.Errorf("%s has no way down", name)
		}
		if step, isDown := strings.CutSuffix(name, ".down.sql"); isDown && !slices.Contains(all, step+".up.sql") {
			t.Errorf("%s has no way up", step)
		}
	}
}

func TestUnknownDialect(t *testing.T) {
	t.Parallel()
	if _, err := migrations.For("mysql"); err == nil {
		t.Error("migrations for a database that has none")
	}
}
