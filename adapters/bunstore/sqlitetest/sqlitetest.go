// Package sqlitetest opens the store of one test: SQLite, empty but for its tables.
package sqlitetest

import (
	"context"
	"database/sql/driver"
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

// Make fills a new store, closes it and returns the file that is left.
func Make(fill func(*bunstore.Store)) ([]byte, error) {
	data, err := migrated()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "vezne-made-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	path := filepath.Join(dir, "vezne.db")
	store, err := open(path, data)
	if err != nil {
		return nil, err
	}
	func() {
		defer func() { err = store.Close() }()
		fill(store)
	}()
	if err != nil {
		return nil, err
	}
	return os.ReadFile(path)
}

// Open opens a store that the end of the test closes. It is a file as in production, with a log and several readers, but
// for that nothing of it is flushed to the disk.
func Open(t TB) *bunstore.Store {
	t.Helper()
	data, err := migrated()
	if err != nil {
		t.Fatal(err)
	}
	return OpenCopy(t, data)
}

// OpenCopy is Open with a copy of a file that Make made.
func OpenCopy(t TB, data []byte) *bunstore.Store {
	t.Helper()
	dir, err := os.MkdirTemp("", "vezne-test-")
	if err != nil {
		t.Fatal(err)
	}
	store, err := open(filepath.Join(dir, "vezne.db"), data)
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

func open(path string, data []byte) (*bunstore.Store, error) {
	if err := os.WriteFile(path, data, 0o600); err != nil {
		return nil, err
	}
	options := url.Values{"_txlock": {"immediate"}, "_pragma": {
		"busy_timeout(30000)", "journal_mode(WAL)", "synchronous(OFF)", "foreign_keys(ON)", "temp_store(MEMORY)",
	}}
	file := url.URL{Scheme: "file", OmitHost: true, Path: path, RawQuery: options.Encode()}
	connector, err := sqlite.NewConnector(file.String())
	if err != nil {
		return nil, err
	}
	return bunstore.Open(context.Background(), bunstore.Config{SQLite: preparing{connector}, Sealer: Sealer{}})
}

// preparing makes connections that prepare each statement once.
type preparing struct{ driver.Connector }

// Connect implements driver.Connector.
func (p preparing) Connect(ctx context.Context) (driver.Conn, error) {
	return Connect(ctx, p.Connector)
}
