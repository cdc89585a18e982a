package bunstore

import (
	"context"
	"database/sql/driver"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// maxPreparedRows is how many rows a statement of a commit has at most that is prepared: a payment alone, with the words of its
// customer's name. Each number of rows is a statement of its own. Planning many rows at once takes no longer than executing them
// one by one would.
const maxPreparedRows = 4

// execution is the EXECUTE of a statement of a commit; false: it is sent as it is.
func (d sqliteFile) execution(s statement) (text string, ok bool) {
	if d.prepared == nil || s.rows > maxPreparedRows {
		return "", false
	}
	perRow := len(s.fields)
	number := d.prepared.number(preparedWrite{s.template, s.rows}, func() string {
		var marks tuples
		for n := range s.rows {
			marks.add(perRow, func(sql []byte, i int) []byte { return append(sql, d.prepared.mark+strconv.Itoa(n*perRow+i+1)...) })
		}
		var made strings.Builder
		statement{template: s.template, tuples: []tuples{marks}}.write(&made)
		return made.String()
	})
	var values strings.Builder
	for i, t := range s.tuples {
		if i > 0 {
			values.WriteByte(',')
		}
		t.values(&values, perRow)
	}
	return executes(number) + "EXECUTE " + preparedName(number) + "(" + values.String() + ")", true
}

// executingConnector makes connections to SQLite that know EXECUTE: a statement that it names is prepared when it first comes.
type executingConnector struct {
	driver.Connector
	prepared *prepared
}

// sqliteConn is a connection of SQLite's driver, as far as it is used.
type sqliteConn interface {
	driver.Conn
	driver.ConnBeginTx
	driver.ConnPrepareContext
	driver.ExecerContext
	driver.QueryerContext
	driver.SessionResetter
	driver.Validator
}

// Connect implements driver.Connector.
func (c executingConnector) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := c.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	known, ok := conn.(sqliteConn)
	if !ok {
		return nil, errors.Join(fmt.Errorf("bunstore: a connection of SQLite's driver is a %T", conn), conn.Close())
	}
	return &executingConn{sqliteConn: known, prepared: c.prepared, known: map[int]executable{}}, nil
}

// executable is a prepared statement of SQLite.
type executable interface {
	driver.Stmt
	driver.StmtExecContext
	driver.StmtQueryContext
}

// executingConn is one connection, and what is prepared on it. It ends with the connection. Whoever reads rows of a statement has
// the connection for themselves until all are read: no statement is executed twice at once.
type executingConn struct {
	sqliteConn
	prepared *prepared
	known    map[int]executable
}

// Close implements driver.Conn.
func (c *executingConn) Close() error {
	for _, s := range c.known {
		_ = s.Close() // what it could say, it has said to whoever executed it
	}
	clear(c.known)
	return c.sqliteConn.Close()
}

// ExecContext implements driver.ExecerContext.
func (c *executingConn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	s, values, err := c.find(ctx, query)
	switch {
	case err != nil:
		return nil, err
	case s == nil:
		return c.sqliteConn.ExecContext(ctx, query, args)
	default:
		return s.ExecContext(ctx, values)
	}
}

// QueryContext implements driver.QueryerContext.
func (c *executingConn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	s, values, err := c.find(ctx, query)
	switch {
	case err != nil:
		return nil, err
	case s == nil:
		return c.sqliteConn.QueryContext(ctx, query, args)
	default:
		return s.QueryContext(ctx, values)
	}
}

// find returns the statement that an EXECUTE names, and its values; nil: the query is none.
func (c *executingConn) find(ctx context.Context, query string) (executable, []driver.NamedValue, error) {
	list, isExecute := strings.CutPrefix(query, executesBegin)
	if !isExecute {
		return nil, nil, nil
	}
	number, call, _ := strings.Cut(list, executesEnd)
	n, err := strconv.Atoi(number)
	if err != nil {
		return nil, nil, err
	}
	written, isNamed := strings.CutPrefix(call, "EXECUTE "+preparedName(n))
	if !isNamed {
		return nil, nil, errors.New("bunstore: a message for SQLite executes one statement that it names")
	}
	values, err := literals(strings.TrimSuffix(strings.TrimPrefix(written, "("), ")"))
	if err != nil {
		return nil, nil, err
	}
	s, ok := c.known[n]
	if !ok {
		text, _ := c.prepared.text(n)
		made, err := c.PrepareContext(ctx, text)
		if err != nil {
			return nil, nil, err
		}
		if s, ok = made.(executable); !ok {
			return nil, nil, fmt.Errorf("bunstore: a statement of SQLite's driver is a %T", made)
		}
		c.known[n] = s
	}
	return s, values, nil
}

// literals reads the values of an EXECUTE as bun writes them for SQLite: texts, whole numbers, bytes, truth values and NULL.
func literals(list string) (values []driver.NamedValue, err error) {
	for rest := list; rest != ""; {
		var value driver.Value
		size := 0
		switch {
		case rest[0] == '\'':
			size = quotation(rest)
			if size < 2 {
				return nil, errLiteral(values)
			}
			value = strings.ReplaceAll(rest[1:size-1], "''", "'")
		case strings.HasPrefix(rest, "X'"):
			size = 1 + quotation(rest[1:])
			if size < 3 {
				return nil, errLiteral(values)
			}
			if value, err = hex.DecodeString(rest[2 : size-1]); err != nil {
				return nil, errLiteral(values)
			}
		default:
			word, _, _ := strings.Cut(rest, ",")
			size = len(word)
			switch word {
			case "NULL":
			case "TRUE":
				value = int64(1)
			case "FALSE":
				value = int64(0)
			default:
				if value, err = strconv.ParseInt(word, 10, 64); err != nil {
					return nil, errLiteral(values)
				}
			}
		}
		values = append(values, driver.NamedValue{Ordinal: len(values) + 1, Value: value})
		if rest = rest[size:]; rest == "" {
			break
		}
		next, isNext := strings.CutPrefix(rest, ",")
		if next = strings.TrimPrefix(next, " "); !isNext || next == "" {
			return nil, errLiteral(values)
		}
		rest = next
	}
	return values, nil
}

// errLiteral does not say what is written there: it may be somebody's name.
func errLiteral(before []driver.NamedValue) error {
	return fmt.Errorf("bunstore: value %d of an EXECUTE is written as none is", len(before)+1)
}

// quotation is the length of the quoted text that a text begins with; 0: it does not end.
func quotation(text string) int {
	for i := 1; i < len(text); i++ {
		if text[i] != '\'' {
			continue
		}
		if i+1 == len(text) || text[i+1] != '\'' {
			return i + 1
		}
		i++
	}
	return 0
}
