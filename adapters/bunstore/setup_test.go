package bunstore_test

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"database/sql"
	"encoding/base64"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/uptrace/bun/driver/pgdriver"

	"github.com/vezne/vezne/adapters/bunstore"
)

// databases are the configurations that every test of this package runs with.
func databases() map[string]func(testing.TB) bunstore.Config {
	return map[string]func(testing.TB) bunstore.Config{"postgres": postgresConfig, "sqlite": sqliteConfig}
}

// forEach runs a test on a fresh database of each kind.
func forEach(t *testing.T, test func(t *testing.T, cfg bunstore.Config)) {
	t.Helper()
	for name, config := range databases() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, config(t))
		})
	}
}

// postgresConfig makes a schema that nobody else uses.
func postgresConfig(t testing.TB) bunstore.Config {
	t.Helper()
	base := os.Getenv("VEZNE_TEST_DATABASE_URL")
	if base == "" {
		t.Fatal("VEZNE_TEST_DATABASE_URL is not set: run the tests through cmd/testenv")
	}
	schema := "t_" + strings.ToLower(rand.Text())
	admin := sql.OpenDB(pgdriver.NewConnector(pgdriver.WithDSN(base)))
	execute(t, admin, "CREATE SCHEMA "+schema)
	t.Cleanup(func() {
		execute(t, admin, "DROP SCHEMA "+schema+" CASCADE")
		_ = admin.Close()
	})
	u, err := url.Parse(base)
	if err != nil {
		t.Fatal(err)
	}
	query := u.Query()
	query.Set("search_path", schema)
	u.RawQuery = query.Encode()
	return bunstore.Config{DatabaseURL: u.String(), Sealer: newSealer(t)}
}

func sqliteConfig(t testing.TB) bunstore.Config {
	t.Helper()
	return bunstore.Config{Path: filepath.Join(t.TempDir(), "vezne.db"), Sealer: newSealer(t)}
}

func execute(t testing.TB, db *sql.DB, query string) {
	t.Helper()
	if _, err := db.ExecContext(context.Background(), query); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
}

// openStore migrates and opens.
func openStore(t testing.TB, cfg bunstore.Config) *bunstore.Store {
	t.Helper()
	if _, err := bunstore.MigrateUp(t.Context(), cfg); err != nil {
		t.Fatal(err)
	}
	return reopen(t, cfg)
}

func reopen(t testing.TB, cfg bunstore.Config) *bunstore.Store {
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
		db, err = sql.OpenDB(pgdriver.NewConnector(pgdriver.WithDSN(cfg.DatabaseURL))), nil
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}
