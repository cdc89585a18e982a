package main

import (
	"context"
	"database/sql/driver"
	"encoding/hex"
	"errors"
	"strconv"
	"strings"
	"sync"

	"modernc.org/sqlite"

	"github.com/vezne/vezne/adapters/bunstore"
	"github.com/vezne/vezne/adapters/bunstore/sqlitetest"
)

// database is SQLite in memory, on one connection that everybody shares: in a world one thing happens at a time. Each
// world is one transaction, which is taken back when its story ends, and the store's own transactions are savepoints in it.
// What was prepared for one world is used again in the next: most of a statement's time is its preparation.
type database struct {
	mu       sync.Mutex
	conn     sqliteConn
	store    *bunstore.Store
	prepared map[string]*prepared
}

// sqliteConn is a connection of the driver, as far as it is used.
type sqliteConn interface {
	driver.Conn
	driver.ConnPrepareContext
	driver.ExecerContext
	driver.QueryerContext
	Serialize() ([]byte, error)
	Deserialize(data []byte) error
}

// prepared is a statement that has been prepared; one whose rows are being read is in use.
type prepared struct {
	driver.Stmt
	isInUse bool
}

// maxPrepared bounds what is kept.
const maxPrepared = 2000

// openDatabase opens an empty database, or one as it was.
func openDatabase(ctx context.Context, data []byte) (*database, error) {
	connector, err := sqlite.NewConnector("file::memory:?_pragma=temp_store(MEMORY)")
	if err != nil {
		return nil, err
	}
	conn, err := connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	known, ok := conn.(sqliteConn)
	if !ok {
		return nil, errors.Join(errors.New("the driver of SQLite is another one"), conn.Close())
	}
	db := &database{conn: known, prepared: map[string]*prepared{}}
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
	return bunstore.Config{SQLite: d, Sealer: sqlitetest.Sealer{}}
}

func (d *database) close() error {
	err := d.store.Close()
	d.forget()
	return errors.Join(err, d.conn.Close())
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
	s, given := d.prepare(ctx, text, args)
	if s == nil {
		return d.conn.ExecContext(ctx, text, args)
	}
	return s.Stmt.(driver.StmtExecContext).ExecContext(ctx, given)
}

func (d *database) query(ctx context.Context, text string, args []driver.NamedValue) (driver.Rows, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	s, given := d.prepare(ctx, text, args)
	if s == nil {
		return d.conn.QueryContext(ctx, text, args)
	}
	rows, err := s.Stmt.(driver.StmtQueryContext).QueryContext(ctx, given)
	if err != nil {
		return nil, err
	}
	s.isInUse = true
	return &preparedRows{rows.(sqliteRows), s}, nil
}

// prepare finds the statement of a text, or prepares it. Nil: it has to be run as it is.
func (d *database) prepare(ctx context.Context, text string, args []driver.NamedValue) (*prepared, []driver.NamedValue) {
	if strings.Contains(text, ";") { // it may be several
		return nil, nil
	}
	if len(args) == 0 {
		text, args = parameters(text)
	}
	s, isKnown := d.prepared[text]
	if !isKnown {
		if len(d.prepared) >= maxPrepared {
			d.forget()
		}
		if stmt, err := d.conn.PrepareContext(ctx, text); err == nil {
			s = &prepared{Stmt: stmt}
		}
		d.prepared[text] = s // nil: with parameters it can't be prepared, say for a partial index
	}
	if s == nil || s.isInUse {
		return nil, nil
	}
	return s, args
}

func (d *database) forget() {
	for text, s := range d.prepared {
		switch {
		case s == nil:
		case s.isInUse:
			continue
		default:
			_ = s.Close()
		}
		delete(d.prepared, text)
	}
}

// sqliteRows are rows as the driver has them.
type sqliteRows interface {
	driver.Rows
	driver.RowsColumnTypeDatabaseTypeName
}

type preparedRows struct {
	sqliteRows
	of *prepared
}

// Close implements driver.Rows.
func (r *preparedRows) Close() error {
	r.of.isInUse = false
	return r.sqliteRows.Close()
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

// parameters takes the values out of a statement that has them in its text, so that it is prepared once for all values. What
// may be more than a value stays: words, which conditions of indexes have, and small numbers, which may be columns.
func parameters(text string) (string, []driver.NamedValue) {
	var out strings.Builder
	out.Grow(len(text))
	var args []driver.NamedValue
	put := func(value any) {
		out.WriteByte('?')
		args = append(args, driver.NamedValue{Ordinal: len(args) + 1, Value: value})
	}
	for i := 0; i < len(text); {
		size := literal(text[i:])
		token := text[i : i+size]
		i += size
		switch c := token[0]; {
		case c == '\'' && !isWord(token[1:size-1]):
			put(strings.ReplaceAll(token[1:size-1], "''", "'"))
		case (c == 'x' || c == 'X') && size > 1 && token[1] == '\'':
			value, err := hex.DecodeString(token[2 : size-1])
			if err != nil {
				return text, nil
			}
			put(value)
		case c >= '0' && c <= '9' && size > 1:
			value, err := strconv.ParseInt(token, 10, 64)
			if err != nil {
				out.WriteString(token)
				continue
			}
			put(value)
		default:
			out.WriteString(token)
		}
	}
	return out.String(), args
}

// literal is the length of the token at the beginning of a text: a value, a name, or anything between them.
func literal(text string) int {
	switch c := text[0]; {
	case c == '\'' || c == '"':
		return quoted(text, 0)
	case (c == 'x' || c == 'X') && len(text) > 1 && text[1] == '\'':
		return quoted(text, 1)
	case nameParts[c]:
		n := 1
		for n < len(text) && (nameParts[text[n]] || text[n] == '.' && c >= '0' && c <= '9') {
			n++
		}
		return n
	default:
		n := 1
		for n < len(text) && text[n] != '\'' && text[n] != '"' && !nameParts[text[n]] {
			n++
		}
		return n
	}
}

// quoted is the length of a text to the end of the quotation that begins at a place.
func quoted(text string, at int) int {
	quote := text[at]
	for i := at + 1; i < len(text); i++ {
		if text[i] != quote {
			continue
		}
		if i+1 == len(text) || text[i+1] != quote {
			return i + 1
		}
		i++
	}
	return len(text)
}

// nameParts are the bytes of which names and numbers are made.
var nameParts = func() (is [256]bool) {
	for _, c := range []byte("_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") {
		is[c] = true
	}
	return is
}()

// isWord reports whether a text looks like one of those that a column has a few of.
func isWord(text string) bool {
	const longest = 24
	return len(text) <= longest && strings.Trim(text, "abcdefghijklmnopqrstuvwxyz_ ") == ""
}
