package bunstore

import (
	"bufio"
	"context"
	"database/sql/driver"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"sync"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/driver/pgdriver"
)

// prepared are the statements that a database plans once for each connection instead of each time: planning a read by a key takes
// four times as long as running it. They are PREPARE and, but for commits, EXECUTE of SQL, so that any number of them is still one
// message, one round trip and one transaction; SQLite, which has no such statements, learns them by executingConn. A nil *prepared has
// none: each statement is sent as it is.
type prepared struct {
	mark string // of a parameter, before its number

	mu      sync.RWMutex
	texts   []string
	numbers map[any]int
}

func preparedByPostgres() *prepared {
	return &prepared{mark: "$", numbers: map[any]int{}}
}

func preparedBySQLite() *prepared {
	return &prepared{mark: "?", numbers: map[any]int{}}
}

// number returns the number of the statement that a key stands for. Text writes it, once.
func (p *prepared) number(key any, text func() string) int {
	p.mu.RLock()
	n, ok := p.numbers[key]
	p.mu.RUnlock()
	if ok {
		return n
	}
	made := text()
	p.mu.Lock()
	defer p.mu.Unlock()
	if n, ok := p.numbers[key]; ok {
		return n
	}
	n = len(p.texts)
	p.texts, p.numbers[key] = append(p.texts, made), n
	return n
}

func (p *prepared) text(n int) (string, bool) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	if n >= len(p.texts) {
		return "", false
	}
	return p.texts[n], true
}

// A message begins by saying which statements it executes, for the connection to prepare those that it does not know yet.
const (
	executesBegin = "/*prepared "
	executesEnd   = "*/"
)

func executes(numbers ...int) string {
	list := make([]string, len(numbers))
	for i, n := range numbers {
		list[i] = strconv.Itoa(n)
	}
	return executesBegin + strings.Join(list, " ") + executesEnd
}

func preparedName(n int) string { return "vezne_" + strconv.Itoa(n) }

// parameters are such as $1, $2, … as bun puts them into a statement.
func (p *prepared) parameters(n int) (list []any) { // of none it is nil: bun warns of a condition that comes with a list and has no place for it
	for i := range n {
		list = append(list, bun.Safe(p.mark+strconv.Itoa(i+1)))
	}
	return list
}

// planned are the settings of connections whose statements are prepared. A plan is made for any values: all of them read by a key.
// It is kept until the table's statistics change, which may be many rows later: what would scan a table that is small today is not
// taken, and what is found by a key is not joined with all of an index.
func planned(params map[string]any) {
	params["plan_cache_mode"] = "force_generic_plan"
	for _, way := range []string{"seqscan", "hashjoin", "mergejoin"} {
		params["enable_"+way] = "off"
	}
}

// preparingConnector makes connections that prepare statements when a message first executes them.
type preparingConnector struct {
	driver.Connector
	prepared *prepared
}

// Connect implements driver.Connector.
func (c preparingConnector) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := c.Connector.Connect(ctx)
	pg, ok := conn.(*pgdriver.Conn)
	if err != nil || !ok {
		return conn, err
	}
	return &preparingConn{Conn: pg, prepared: c.prepared, known: map[int]struct{}{}}, nil
}

// preparingConn is one connection, and what is prepared on it. It ends with the connection.
type preparingConn struct {
	*pgdriver.Conn
	prepared *prepared
	known    map[int]struct{}
	answers  *bufio.Reader // to pipelines; nil: there was none yet
}

// ExecContext implements driver.ExecerContext.
func (c *preparingConn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	statements, text, err := c.prepare(ctx, query)
	if err != nil {
		return nil, err
	}
	if messages, ok := strings.CutPrefix(text, pipelineBegin); ok && statements > 0 {
		return c.pipe(ctx, []byte(messages), statements)
	}
	return c.Conn.ExecContext(ctx, query, args)
}

// QueryContext implements driver.QueryerContext.
func (c *preparingConn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	if _, _, err := c.prepare(ctx, query); err != nil {
		return nil, err
	}
	return c.Conn.QueryContext(ctx, query, args)
}

// prepare prepares the statements that a message executes. It returns how many these are, and the message behind what says that.
func (c *preparingConn) prepare(ctx context.Context, query string) (statements int, text string, err error) {
	list, ok := strings.CutPrefix(query, executesBegin)
	if !ok {
		return 0, query, nil
	}
	list, text, _ = strings.Cut(list, executesEnd)
	for mark := range strings.SplitSeq(list, " ") {
		n, err := strconv.Atoi(mark)
		if err != nil {
			return 0, "", err
		}
		statements++
		if _, ok := c.known[n]; ok {
			continue
		}
		sql, ok := c.prepared.text(n)
		if !ok {
			continue // PostgreSQL will say that there is no such statement
		}
		if _, err := c.Conn.ExecContext(ctx, "PREPARE "+preparedName(n)+" AS "+sql, nil); err != nil {
			return 0, "", err
		}
		c.known[n] = struct{}{}
	}
	return statements, text, nil
}

// keyedRead is a read of the rows for which a condition holds. Condition and order are constants of the code: what is in them is
// planned once, and their values are parameters.
type keyedRead struct {
	row              reflect.Type
	condition, order string
	isOne            bool
}

func (l keyedRead) query(from *bun.DB, model any, values []any) *bun.SelectQuery {
	q := from.NewSelect().Model(model).Where(l.condition, values...)
	if l.order != "" {
		q = q.OrderExpr(l.order)
	}
	if l.isOne {
		q = q.Limit(1)
	}
	return q
}

// readKeyed reads the rows that are asked for into a row, or into a list of them.
func (s *Store) readKeyed(ctx context.Context, l keyedRead, into any, values []any) error {
	if s.prepared == nil {
		return l.query(s.reads, into, values).Scan(ctx)
	}
	n := s.prepared.number(l, func() string {
		return l.query(s.keyed, reflect.New(l.row).Interface(), s.prepared.parameters(len(values))).String()
	})
	return s.execute(s.keyed, n, values).Scan(ctx, into)
}

// execute is the EXECUTE of a prepared statement.
func (s *Store) execute(on *bun.DB, n int, values []any) *bun.RawQuery {
	statement := executes(n) + "EXECUTE " + preparedName(n)
	if len(values) > 0 {
		statement += "(" + strings.TrimSuffix(strings.Repeat("?, ", len(values)), ", ") + ")"
	}
	return on.NewRaw(statement, values...)
}

// preparedWrite names a statement of a commit: of a number of rows that its text is written for, or of any.
type preparedWrite struct {
	template *template
	rows     int
}

const anyRows = 0

// parametrized is the statement with parameters in place of its rows; how many it has to return is one more.
func (s statement) parametrized(isOne bool) string {
	source, array := "SELECT %s", ""
	if !isOne {
		source, array = "SELECT * FROM unnest(%s)", "[]"
	}
	list := make([]string, len(s.fields))
	for i, f := range s.fields {
		list[i] = "$" + strconv.Itoa(i+1) + "::" + f.CreateTableSQLType + array
	}
	var text strings.Builder
	s.writeCounted(&text, func(text *strings.Builder) {
		text.WriteString(s.head + fmt.Sprintf(source, strings.Join(list, ", ")) + s.tail)
	}, "$"+strconv.Itoa(len(list)+1)+"::bigint")
	return text.String()
}
