package main

import (
	"context"
	"database/sql/driver"
	"errors"
	"sync"

	"modernc.org/sqlite"

	"github.com/vezne/vezne/adapters/bunstore"
	"github.com/vezne/vezne/adapters/bunstore/sqlitetest"
)

// database is SQLite in memory, on one connection that everybody shares: in a world one thing happens at a time. Each
// world is one transaction, which is taken back when its story ends, and the store's own transactions are savepoints in it.
// What was prepared for one world is used again in the next.
type database struct {
	mu    sync.Mutex
	conn  *sqlitetest.Conn
	store *bunstore.Store
}

// openDatabase opens an empty database, or one as it was.
func openDatabase(ctx context.Context, data []byte) (*database, error) {
	connector, err := sqlite.NewConnector("file::memory:?_pragma=temp_store(MEMORY)")
	if err != nil {
		return nil, err
	}
	conn, err := sqlitetest.Connect(ctx, connector)
	if err != nil {
		return nil, err
	}
	db := &database{conn: conn}
	if data != nil {
		err = db.conn.Deserialize(data)
	}
	if err == nil {
		err = db.do(ctx, "PRAGMA foreign_keys = ON")
	}
	if err == nil {
		db.store, err = bunstore.Open(ctx, db.config())
	}
	return db, err
}

func (d *database) config() bunstore.Config {
	return bunstore.Config{SQLite: d, Sealer: sqlitetest.Sealer{}, IsUnprepared: true} // the connection sees to that itself
}

func (d *database) close() error {
	return errors.Join(d.store.Close(), d.conn.Close())
}

// begin begins a world, and end takes all back that happened in it.
func (d *database) begin(ctx context.Context) error { return d.do(ctx, "BEGIN") }

func (d *database) end(ctx context.Context) error { return d.do(ctx, "ROLLBACK") }

func (d *database) do(ctx context.Context, statements ...string) error {
	for _, text := range statements {
		if _, err := d.exec(ctx, text, nil); err != nil {
			return err
		}
	}
	return nil
}

func (d *database) exec(ctx context.Context, text string, args []driver.NamedValue) (driver.Result, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.conn.ExecContext(ctx, text, args)
}

func (d *database) query(ctx context.Context, text string, args []driver.NamedValue) (driver.Rows, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.conn.QueryContext(ctx, text, args)
}

// Connect implements driver.Connector.
func (d *database) Connect(context.Context) (driver.Conn, error) { return (*shared)(d), nil }

// Driver implements driver.Connector.
func (d *database) Driver() driver.Driver { return nil }

// shared is the one connection as each of a store's pools has it.
type shared database

func (c *shared) database() *database { return (*database)(c) }

// Close implements driver.Conn: the connection is there for the next world.
func (c *shared) Close() error { return nil }

// Prepare implements driver.Conn.
func (c *shared) Prepare(text string) (driver.Stmt, error) { return c.conn.Prepare(text) }

// Begin implements driver.Conn.
func (c *shared) Begin() (driver.Tx, error) {
	return c.BeginTx(context.Background(), driver.TxOptions{})
}

// BeginTx implements driver.ConnBeginTx.
func (c *shared) BeginTx(ctx context.Context, _ driver.TxOptions) (driver.Tx, error) {
	return savepoint{c.database()}, c.database().do(ctx, "SAVEPOINT tx")
}

// ExecContext implements driver.ExecerContext. It does not watch for the end of ctx: a world sees to that between steps.
func (c *shared) ExecContext(ctx context.Context, text string, args []driver.NamedValue) (driver.Result, error) {
	return c.database().exec(context.WithoutCancel(ctx), text, args)
}

// QueryContext implements driver.QueryerContext.
func (c *shared) QueryContext(ctx context.Context, text string, args []driver.NamedValue) (driver.Rows, error) {
	return c.database().query(context.WithoutCancel(ctx), text, args)
}

// savepoint is a transaction within that of a world.
type savepoint struct{ *database }

// Commit implements driver.Tx.
func (s savepoint) Commit() error { return s.do(context.Background(), "RELEASE tx") }

// Rollback implements driver.Tx.
func (s savepoint) Rollback() error {
	return s.do(context.Background(), "ROLLBACK TO tx", "RELEASE tx")
}
