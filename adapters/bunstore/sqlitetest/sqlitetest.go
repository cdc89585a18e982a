// Package sqlitetest opens the store of one test: SQLite, empty but for its tables.
package sqlitetest

import (
	"context"
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"sync"

	"modernc.org/sqlite"

	"github.com/vezne/vezne/adapters/bunstore"
)

// TB is what is needed of a test.
type TB interface {
	Helper()
	Fatal(args ...any)
	Cleanup(func())
}

// migrated is a SQLite file that is empty but for its tables. Making the tables takes longer than most tests.
var migrated = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "vezne-migrated-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	cfg := bunstore.Config{Path: filepath.Join(dir, "vezne.db")}
	if _, err := bunstore.MigrateUp(context.Background(), cfg); err != nil {
		return nil, err
	}
	return os.ReadFile(cfg.Path) // whoever closes the last connection leaves no log beside it
})

// Open opens a store that the end of the test closes. It is a file as in production, with a log and several readers, but
// for that nothing of it is flushed to the disk.
func Open(t TB) *bunstore.Store {
	t.Helper()
	data, err := migrated()
	if err != nil {
		t.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "vezne-test-")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "vezne.db")
	options := url.Values{"_txlock": {"immediate"}, "_pragma": {
		"busy_timeout(30000)", "journal_mode(WAL)", "synchronous(OFF)", "foreign_keys(ON)", "temp_store(MEMORY)",
	}}
	file := url.URL{Scheme: "file", OmitHost: true, Path: path, RawQuery: options.Encode()}
	var store *bunstore.Store
	connector, err := sqlite.NewConnector(file.String())
	if err == nil {
		err = os.WriteFile(path, data, 0o600)
	}
	if err == nil {
		store, err = bunstore.Open(context.Background(), bunstore.Config{SQLite: connector, Sealer: Sealer{}})
	}
	if err != nil {
		t.Fatal(errors.Join(err, os.RemoveAll(dir)))
	}
	t.Cleanup(func() {
		if err := errors.Join(store.Close(), os.RemoveAll(dir)); err != nil {
			t.Fatal(err)
		}
	})
	return store
}
