package sqlitetest

import (
	"context"
	"database/sql/driver"
	"encoding/hex"
	"errors"
	"strconv"
	"strings"
)

// Conn is a connection on which a statement is prepared once, whichever values are in its text: most of a short
// statement's time is its preparation.
type Conn struct {
	sqliteConn
	known map[string]*prepared
}

// sqliteConn is a connection of the driver, as far as it is used.
type sqliteConn interface {
	driver.Conn
	driver.ConnBeginTx
	driver.ConnPrepareContext
	driver.ExecerContext
	driver.QueryerContext
	driver.SessionResetter
	driver.Validator
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

// Connect opens a connection.
func Connect(ctx context.Context, connector driver.Connector) (*Conn, error) {
	conn, err := connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	known, ok := conn.(sqliteConn)
	if !ok {
		return nil, errors.Join(errors.New("the driver of SQLite is another one"), conn.Close())
	}
	return &Conn{known, map[string]*prepared{}}, nil
}

// Close implements driver.Conn.
func (c *Conn) Close() error {
	c.forget()
	return c.sqliteConn.Close()
}

// ExecContext implements driver.ExecerContext.
func (c *Conn) ExecContext(ctx context.Context, text string, args []driver.NamedValue) (driver.Result, error) {
	s, given := c.prepare(ctx, text, args)
	if s == nil {
		return c.sqliteConn.ExecContext(ctx, text, args)
	}
	return s.Stmt.(driver.StmtExecContext).ExecContext(ctx, given)
}

// QueryContext implements driver.QueryerContext.
func (c *Conn) QueryContext(ctx context.Context, text string, args []driver.NamedValue) (driver.Rows, error) {
	s, given := c.prepare(ctx, text, args)
	if s == nil {
		return c.sqliteConn.QueryContext(ctx, text, args)
	}
	rows, err := s.Stmt.(driver.StmtQueryContext).QueryContext(ctx, given)
	if err != nil {
		return nil, err
	}
	s.isInUse = true
	return &preparedRows{rows.(sqliteRows), s}, nil
}

// prepare finds the statement of a text, or prepares it. Nil: it has to be run as it is.
func (c *Conn) prepare(ctx context.Context, text string, args []driver.NamedValue) (*prepared, []driver.NamedValue) {
	if strings.Contains(text, ";") { // it may be several
		return nil, nil
	}
	if len(args) == 0 {
		text, args = parameters(text)
	}
	s, isKnown := c.known[text]
	if !isKnown {
		if len(c.known) >= maxPrepared {
			c.forget()
		}
		if stmt, err := c.PrepareContext(ctx, text); err == nil {
			s = &prepared{Stmt: stmt}
		}
		c.known[text] = s // nil: with parameters it can't be prepared, say for a partial index
	}
	if s == nil || s.isInUse {
		return nil, nil
	}
	return s, args
}

func (c *Conn) forget() {
	for text, s := range c.known {
		switch {
		case s == nil:
		case s.isInUse:
			continue
		default:
			_ = s.Close()
		}
		delete(c.known, text)
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
