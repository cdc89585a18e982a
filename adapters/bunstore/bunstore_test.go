package bunstore_test

import (
	"testing"

	"github.com/vezne/vezne/ports/storetest"
)

func TestPostgresStore(t *testing.T) {
	t.Parallel()
	storetest.Run(t, func(t *testing.T) storetest.Store { return storetest.Of(openStore(t, postgresConfig(t))) })
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
