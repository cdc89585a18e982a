package bunstore_test

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"database/sql"
	"database/sql/driver"
	"encoding/base64"
	"net/url"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/uptrace/bun/driver/pgdriver"
	"modernc.org/sqlite"

	"github.com/vezne/vezne/adapters/bunstore"
)

// databases are the configurations that every test of this package runs with.
func databases() map[string]func(testing.TB) bunstore.Config {
	return map[string]func(testing.TB) bunstore.Config{"postgres": postgresConfig, "sqlite": sqliteConfig}
}

// ownDatabases are the same, and nobody had them before.
func ownDatabases() map[string]func(testing.TB) bunstore.Config {
	return map[string]func(testing.TB) bunstore.Config{"postgres": ownPostgresConfig, "sqlite": sqliteConfig}
}

// emptyDatabases are the same without any tables.
func emptyDatabases() map[string]func(testing.TB) bunstore.Config {
	return map[string]func(testing.TB) bunstore.Config{"postgres": emptyPostgresConfig, "sqlite": emptySQLiteConfig}
}

// forEach runs a test on a fresh database of each kind.
func forEach(t *testing.T, test func(t *testing.T, cfg bunstore.Config)) {
	t.Helper()
	forEachOf(t, databases(), test)
}

// forEachOwn runs a test that changes tables, or looks at how statements are planned, on a database of each kind.
func forEachOwn(t *testing.T, test func(t *testing.T, cfg bunstore.Config)) {
	t.Helper()
	forEachOf(t, ownDatabases(), test)
}

// forEachEmpty runs a test on a database of each kind that has no tables.
func forEachEmpty(t *testing.T, test func(t *testing.T, cfg bunstore.Config)) {
	t.Helper()
	forEachOf(t, emptyDatabases(), test)
}

func forEachOf(
	t *testing.T, databases map[string]func(testing.TB) bunstore.Config, test func(t *testing.T, cfg bunstore.Config),
) {
	t.Helper()
	for name, config := range databases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, config(t))
		})
	}
}

// postgresConfig is a schema that nobody else uses, and that is empty but for its tables.
func postgresConfig(t testing.TB) bunstore.Config {
	t.Helper()
	return schemas.lend(t)
}

// ownPostgresConfig is the same, and nobody had it before: for tests that change tables, or look at how statements are planned.
func ownPostgresConfig(t testing.TB) bunstore.Config {
	t.Helper()
	s := newMigratedSchema(t)
	dropLater(t, s)
	return s.config(t)
}

// emptyPostgresConfig is a schema with nothing in it.
func emptyPostgresConfig(t testing.TB) bunstore.Config {
	t.Helper()
	s := newSchema(t)
	dropLater(t, s)
	return s.config(t)
}

func dropLater(t testing.TB, s *schema) {
	t.Helper()
	t.Cleanup(func() {
		if err := s.drop(); err != nil {
			t.Error(err)
		}
	})
}

// sqliteConfig is a file that nobody else uses, and that is empty but for its tables.
func sqliteConfig(t testing.TB) bunstore.Config {
	t.Helper()
	cfg := emptySQLiteConfig(t)
	migrated, err := migratedFile()
	if err == nil {
		err = os.WriteFile(cfg.Path, migrated, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	return cfg
}

// emptySQLiteConfig is a file that is not there yet.
func emptySQLiteConfig(t testing.TB) bunstore.Config {
	t.Helper()
	return bunstore.Config{Path: filepath.Join(t.TempDir(), "vezne.db"), Sealer: newSealer(t)}
}

func execute(t testing.TB, db *sql.DB, query string) {
	t.Helper()
	if _, err := db.ExecContext(context.Background(), query); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
}

// openStore opens a database that has its tables.
func openStore(t testing.TB, cfg bunstore.Config) *bunstore.Store {
	t.Helper()
	s, err := bunstore.Open(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// sealer is AES-256-GCM under a key that only this test knows.
type sealer struct{ aead cipher.AEAD }

func newSealer(t testing.TB) sealer {
	t.Helper()
	key := make([]byte, 32)
	if _, err := rand.Read(key); err != nil {
		t.Fatal(err)
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		t.Fatal(err)
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		t.Fatal(err)
	}
	return sealer{aead}
}

func (s sealer) Seal(plain, context string) (string, error) {
	return base64.StdEncoding.EncodeToString(s.aead.Seal(nil, nil, []byte(plain), []byte(context))), nil
}

func (s sealer) Open(sealed, context string) (string, error) {
	raw, err := base64.StdEncoding.DecodeString(sealed)
	if err != nil {
		return "", err
	}
	plain, err := s.aead.Open(nil, nil, raw, []byte(context))
	return string(plain), err
}

// rawDatabase is a way to a test's database around the store.
func rawDatabase(t testing.TB, cfg bunstore.Config) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", cfg.Path+"?_pragma=busy_timeout(5000)")
	if cfg.DatabaseURL != "" {
		db, err = sql.OpenDB(pgdriver.NewConnector(pgdriver.WithDSN(cfg.DatabaseURL), pgdriver.WithTimeout(5*time.Minute))), nil
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// sqliteWith leads to a file of SQLite with a further setting of each connection.
func sqliteWith(t testing.TB, path, pragma string) driver.Connector {
	t.Helper()
	options := url.Values{"_txlock": {"immediate"}, "_pragma": {"busy_timeout(5000)", "journal_mode(WAL)", pragma}}
	file := url.URL{Scheme: "file", OmitHost: true, Path: path, RawQuery: options.Encode()}
	connector, err := sqlite.NewConnector(file.String())
	if err != nil {
		t.Fatal(err)
	}
	return connector
}
