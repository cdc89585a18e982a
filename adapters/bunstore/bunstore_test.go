package bunstore_test

import (
	"testing"

	"github.com/vezne/vezne/adapters/memory"
	"github.com/vezne/vezne/ports"
	"github.com/vezne/vezne/ports/storetest"
)

func TestPostgresStore(t *testing.T) {
	t.Parallel()
	storetest.Run(t, func(t *testing.T) ports.Store { return openStore(t, postgresConfig(t)) }, memory.NewStore())
}

func TestSQLiteStore(t *testing.T) {
	t.Parallel()
	storetest.Run(t, func(t *testing.T) ports.Store { return openStore(t, sqliteConfig(t)) }, memory.NewStore())
}
