package bunstore

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect/sqlitedialect"
	"github.com/uptrace/bun/schema"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/migrations"
)

// sqliteFile is SQLite in one file: one connection writes, several read.
type sqliteFile struct{ prepared *prepared }

const (
	sqliteReaders    = 4
	sqliteBusyMillis = 5000 // another process, such as an operator's command, may be writing
	sqliteCacheKiB   = 16 << 10
)

func (sqliteFile) migrations() string { return migrations.SQLite }

func (d sqliteFile) open(cfg Config) (pools, error) {
	writer, err := d.pool(cfg, 1)
	if err != nil {
		return pools{}, err
	}
	readers, err := d.pool(cfg, sqliteReaders)
	return pools{commits: writer, reads: readers, keyed: readers, writes: writer, background: writer, proofs: writer, prepared: d.prepared, committers: 1}, err
}

// sqliteDialect is one for all pools, as pgDialect is.
var sqliteDialect = sync.OnceValue(func() schema.Dialect { return texts{sqlitedialect.New()} })

// pool opens the file with a write-ahead log and FULL synchronization: a commit that was acknowledged has been
// written through to the disk. Transactions take the write lock when they begin, so that none fails half way.
func (d sqliteFile) pool(cfg Config, conns int) (*bun.DB, error) {
	connector, err := sqliteConnector(cfg)
	if err != nil {
		return nil, err
	}
	if d.prepared != nil {
		connector = executingConnector{connector, d.prepared}
	}
	db := sql.OpenDB(connector)
	db.SetMaxOpenConns(conns)
	db.SetMaxIdleConns(conns)
	return rowsOf(db, sqliteDialect()), nil
}

func sqliteConnector(cfg Config) (driver.Connector, error) {
	if cfg.SQLite != nil {
		return cfg.SQLite, nil
	}
	if err := makePrivate(cfg.Path); err != nil {
		return nil, err
	}
	options := url.Values{
		"_txlock": {"immediate"},
		"_pragma": {
			"busy_timeout(" + strconv.Itoa(sqliteBusyMillis) + ")", "journal_mode(WAL)", "synchronous(FULL)",
			"foreign_keys(ON)", "cache_size(-" + strconv.Itoa(sqliteCacheKiB) + ")",
			"temp_store(MEMORY)", // where a statement keeps what it may have to undo
		},
	}
	absolute, err := filepath.Abs(cfg.Path)
	if err != nil {
		return nil, err
	}
	file := url.URL{Scheme: "file", OmitHost: true, Path: absolute, RawQuery: options.Encode()}
	connector, err := sqlite.NewConnector(file.String())
	return patientConnector{connector}, err
}

// patientConnector waits while the file is locked. The library's own waiting leaves out the one moment in which a new file
// gets its write-ahead log: whoever opens it just then is refused at once.
type patientConnector struct{ driver.Connector }

// Connect implements driver.Connector.
func (c patientConnector) Connect(ctx context.Context) (driver.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, sqliteBusyMillis*time.Millisecond)
	defer cancel()
	for {
		conn, err := c.Connector.Connect(ctx)
		if busy := (*sqlite.Error)(nil); !errors.As(err, &busy) || busy.Code()&0xff != sqlite3.SQLITE_BUSY {
			return conn, err
		}
		select {
		case <-ctx.Done():
			return nil, err
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// makePrivate makes the file if it does not exist: for its owner's eyes only, as SQLite's own files beside it will be.
func makePrivate(path string) error {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600) //nolint:gosec // the operator's own path
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return file.Close()
}

func (d sqliteFile) run(ctx context.Context, db *bun.DB, batch []statement) error {
	tx, err := db.DB.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // after a commit there is nothing to roll back
	for _, s := range batch {
		text := d.text(s)
		if !s.isCounted {
			if _, err := tx.ExecContext(ctx, text); err != nil {
				return err
			}
			continue
		}
		got, err := countRows(ctx, tx, text)
		if err != nil {
			return err
		}
		if got != s.wanted {
			return fault.New("bunstore.expect", s.lost)
		}
	}
	return tx.Commit()
}

// text is a statement of a batch as it is sent.
func (d sqliteFile) text(s statement) string {
	if execution, ok := d.execution(s); ok {
		return execution
	}
	var text strings.Builder
	s.write(&text)
	return text.String()
}

func countRows(ctx context.Context, tx *sql.Tx, query string) (n int, err error) {
	rows, err := tx.QueryContext(ctx, query)
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	for rows.Next() {
		n++
	}
	return n, rows.Err()
}

func (sqliteFile) typedNulls([]*schema.Field) string { return "" }

func (sqliteFile) unindexed(column string) string { return "+" + column }

func (sqliteFile) byIndex(name string) string { return " INDEXED BY " + name }

func (sqliteFile) paymentOf(id string) string { return "payments AS p ON p.id = " + id }

func (sqliteFile) ofEach(q *query, part string, columns []string, rows [][]any) {
	isBrace := func(r rune) bool { return r == '{' || r == '}' }
	for i, row := range rows {
		q.union(i == 0)
		q.add("SELECT * FROM (")
		for j, piece := range strings.FieldsFunc(part, isBrace) {
			if j%2 == 0 {
				q.add(piece)
			} else {
				q.add("?", row[slices.Index(columns, piece)])
			}
		}
		q.add(") AS part")
	}
}

func (sqliteFile) rowID() string { return "rowid" }

func (sqliteFile) joined(column string) string { return "group_concat(" + column + ", ' ')" }

func (sqliteFile) empty(table string) string { return "DELETE FROM " + table } // without a condition it is quick

func (sqliteFile) lockClaimed() string { return "" }

func (sqliteFile) lock() string { return "" } // there is one writer

func (sqliteFile) openForMigration(cfg Config) (*bun.DB, error) {
	connector, err := sqliteConnector(cfg)
	if err != nil {
		return nil, err
	}
	db := sql.OpenDB(&onceConnector{Connector: connector})
	db.SetMaxOpenConns(1)
	return rowsOf(db, sqliteDialect()), nil
}

func (sqliteFile) beginMigration() string { return "BEGIN IMMEDIATE" } // one writer: whoever has begun is alone

func (sqliteFile) takeTurn() string { return "SELECT true" }

func (sqliteFile) boundLocks(time.Duration) string { return "" }

func (sqliteFile) clock() string { return "SELECT CAST(unixepoch('subsec') * 1000000 AS INTEGER)" }

func (sqliteFile) findTable() string { return "SELECT count(*) FROM sqlite_master WHERE name = ?" }

func (sqliteFile) countTables() string {
	return "SELECT count(*) FROM sqlite_master WHERE type = 'table'"
}

func (sqliteFile) findColumns() string {
	return `SELECT t.name AS "table", c.name AS "column" FROM sqlite_master AS t JOIN pragma_table_info(t.name) AS c
		WHERE t.type = 'table' ORDER BY t.rowid, c.cid`
}

func (sqliteFile) findBackend() string { return "" }

func (sqliteFile) findSessions() string { return "" }

func (sqliteFile) findAnnounced() string { return "" }
