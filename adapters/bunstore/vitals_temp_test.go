package bunstore_test

import (
	"crypto/rand"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/adapters/bunstore"
)

// roleWithoutTemp is a database of its own, as a role sees it that may make no temporary tables there.
func roleWithoutTemp(t *testing.T) bunstore.Config {
	t.Helper()
	u, err := url.Parse(os.Getenv("VEZNE_TEST_DATABASE_URL"))
	if err != nil {
		t.Fatal(err)
	}
	name, password := "temp_"+strings.ToLower(rand.Text()), rand.Text()
	execute(t, admin(), "CREATE DATABASE "+name)
	t.Cleanup(func() { execute(t, admin(), "DROP DATABASE "+name+" WITH (FORCE)") })
	u.Path = "/" + name
	cfg := bunstore.Config{DatabaseURL: u.String(), Sealer: newSealer(t)}
	if _, err := bunstore.MigrateUp(t.Context(), cfg); err != nil {
		t.Fatal(err)
	}
	owner := rawDatabase(t, cfg)
	t.Cleanup(func() { execute(t, admin(), "DROP ROLE "+name) }) // runs before the database is dropped
	t.Cleanup(func() { execute(t, owner, "DROP OWNED BY "+name) })
	execute(t, owner, "CREATE ROLE "+name+" LOGIN PASSWORD '"+password+"'")
	execute(t, owner, "GRANT ALL ON ALL TABLES IN SCHEMA public TO "+name)
	execute(t, owner, "GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO "+name)
	execute(t, owner, "REVOKE TEMP ON DATABASE "+name+" FROM PUBLIC")
	u.User = url.UserPassword(name, password)
	cfg.DatabaseURL = u.String()
	return cfg
}

// TestARoleThatMayMakeNoTemporaryTablesProvesWrites without a look for space, and forgets those who have not for long.
func TestARoleThatMayMakeNoTemporaryTablesProvesWrites(t *testing.T) {
	t.Parallel()
	cfg := roleWithoutTemp(t)
	db := rawDatabase(t, cfg)
	_, denied := db.ExecContext(t.Context(), "CREATE TEMPORARY TABLE mine ()")
	if denied == nil || !strings.Contains(denied.Error(), "permission denied") {
		t.Fatalf("the role's temporary table: %v", denied)
	}
	s := openStore(t, cfg)
	now := time.Unix(1_800_000_000, 0)
	if err := s.ProveWrite(t.Context(), "of the day before", now.Add(-25*time.Hour), true); err != nil {
		t.Error(err)
	}
	if err := s.ProveWrite(t.Context(), "this", now, true); err != nil {
		t.Error(err)
	}
	var known string
	const all = "SELECT string_agg(id, ', ') FROM processes"
	if err := db.QueryRowContext(t.Context(), all).Scan(&known); err != nil || known != "this" {
		t.Errorf("known are: %s (%v)", known, err)
	}
}
