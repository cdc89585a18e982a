package bunstore

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/uptrace/bun/schema"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/ports"
)

// rowKey names a row that a commit changes. Two commits with a key in common never share a transaction.
type rowKey struct {
	table core.Table
	id    string
}

// encoded is a changeset as SQL, ready to be put into a batch.
type encoded struct {
	tuples   []tuples // in the order of their templates
	keys     []rowKey
	changed  []changed // balances: any number of changesets in a batch may share one
	hasLines bool      // it imports bank lines
	size     int       // bytes of all tuples

	ctx context.Context //nolint:containedctx // of the caller, for Config.Batch
}

// tuples are rows of one statement.
type tuples struct {
	at   int    // the plan's template
	sql  []byte // as VALUES has them
	rows int
	ends []int // of each value in sql
}

const (
	valueBytes = 24 // about what a value takes
	usualKinds = 8  // of rows in a changeset, at most
)

// add appends a row of so many values; write appends each.
func (t *tuples) add(values int, write func(sql []byte, i int) []byte) {
	if t.rows > 0 {
		t.sql = append(t.sql, ',')
	}
	t.rows++
	t.sql = append(slices.Grow(t.sql, values*valueBytes), '(')
	t.ends = slices.Grow(t.ends, values)
	for i := range values {
		if i > 0 {
			t.sql = append(t.sql, ',')
		}
		t.sql = write(t.sql, i)
		t.ends = append(t.ends, len(t.sql))
	}
	t.sql = append(t.sql, ')')
}

// value is the literal of a value; what is numbered are all values of all rows, each of which has so many.
func (t *tuples) value(n, perRow int) []byte {
	from := len("(")
	if n > 0 {
		from = t.ends[n-1] + len(",")
		if n%perRow == 0 {
			from += len(")(")
		}
	}
	return t.sql[from:t.ends[n]]
}

// values writes the values of all rows, without the parentheses around each.
func (t *tuples) values(text *strings.Builder, perRow int) {
	for n := range t.ends {
		if n > 0 {
			text.WriteByte(',')
		}
		text.Write(t.value(n, perRow))
	}
}

// encoder turns one changeset into SQL. The first failure stays in err.
type encoder struct {
	encoded
	plan   *plan
	gen    schema.QueryGen
	sealer ports.Sealer
	keysIn *keysIn // of personal data; nil: there is none
	isCopy bool    // rows are written as COPY reads them
	marks  map[lineKey]int64
	err    error
}

func (s *Store) encode(c core.Changeset, keys *keysIn) (*encoded, error) {
	e := &encoder{plan: s.plan, gen: s.gen, sealer: s.sealer, keysIn: keys}
	_ = e.all(c) // the fault stays in e.err
	for _, t := range e.tuples {
		e.size += len(t.sql)
	}
	return &e.encoded, e.err
}

// all encodes a changeset, table by table.
func (e *encoder) all(c core.Changeset) error {
	type tableRows struct {
		table int
		rows  []core.Row
	}
	e.tuples = make([]tuples, 0, usualKinds)
	tables := make([]tableRows, 0, usualKinds)
	for _, row := range c {
		table, ok := e.plan.of[reflect.TypeOf(row)]
		if !ok {
			e.fail(fault.E("bunstore.encode", fault.Internal, fmt.Errorf("there is no table for a %T", row)))
			return e.err
		}
		i, isThere := slices.BinarySearchFunc(tables, table, func(t tableRows, table int) int { return t.table - table })
		if !isThere {
			tables = slices.Insert(tables, i, tableRows{table: table})
		}
		tables[i].rows = append(tables[i].rows, row)
	}
	for _, t := range tables {
		if put := e.plan.tables[t.table].put; put != nil {
			put(e, e.plan.first[t.table], t.rows)
		}
	}
	for _, table := range e.plan.whole {
		e.plan.tables[table].all(e, e.plan.first[table], c)
	}
	slices.SortFunc(e.tuples, func(a, b tuples) int { return a.at - b.at })
	return e.err
}

// of is where the rows of a template go.
func (e *encoder) of(at int) *tuples {
	for i := range e.tuples { // a changeset has few kinds of rows
		if t := &e.tuples[i]; t.at == at {
			return t
		}
	}
	e.tuples = append(e.tuples, tuples{at: at})
	return &e.tuples[len(e.tuples)-1]
}

// fail keeps the first failure.
func (e *encoder) fail(err error) {
	if e.err == nil {
		e.err = err
	}
}

// put appends a row to a statement.
func put[R any](e *encoder, at int, row R, err error) {
	if err != nil {
		e.fail(fault.E("bunstore.encode", fault.Internal, err))
	}
	if e.err != nil {
		return
	}
	if e.isCopy {
		e.copyRow(at, reflect.ValueOf(&row).Elem())
		return
	}
	value, fields := reflect.ValueOf(&row).Elem(), e.plan.templates[at].fields
	e.of(at).add(len(fields), func(sql []byte, i int) []byte { return fields[i].AppendValue(e.gen, sql, value) })
}

// putVersion appends a row with a version: 1 inserts, more replaces the row that has one less. The statement that saves
// follows the one that inserts.
func putVersion[R any](e *encoder, insert int, id core.Identity, row R, err error) {
	at := insert
	if id.Version > 1 {
		at++
	}
	if id.Version < 1 {
		e.fail(fault.E("bunstore.encode", fault.Conflict, fmt.Errorf("version %d", id.Version)))
	}
	e.touch(id.Table, id.Key)
	put(e, at, row, err)
}

func (e *encoder) touch(table core.Table, id string) { e.keys = append(e.keys, rowKey{table, id}) }

// touching is a table whose rows two commits under way must not share.
func touching(t table) table {
	write := t.put
	t.put = func(e *encoder, at int, rows []core.Row) {
		for _, row := range rows {
			id := row.Identity()
			e.touch(id.Table, id.Key)
		}
		write(e, at, rows)
	}
	return t
}

// payments are written with the keys that seal what is personal of them, and the hashes of the words by which they are found.
func payments() table {
	return table{
		rows: kinds[payment.Payment](),
		templates: func(w templateWriter) []template {
			return append(keyTemplates(w), w.insert(rowType[paymentRow](), ""), w.save(rowType[savedPaymentRow]()), w.insert(rowType[termRow](), ""))
		},
		put: func(e *encoder, at int, rows []core.Row) {
			e.putKeys(at, rows)
			for p := range core.Each[payment.Payment](rows) {
				e.payment(at+keyTemplateCount, p)
			}
		},
		kind: payment.Payment{}.Identity().Table,
		read: func(ctx context.Context, s *Store, key string) (core.Row, error) {
			return s.PaymentByID(ctx, core.ID(key))
		},
	}
}

func (e *encoder) payment(at int, p payment.Payment) {
	if p.Version != 1 {
		row, err := savedPaymentRowOf(p)
		putVersion(e, at, p.Identity(), row, err)
		return
	}
	row, err := paymentRowOf(p, e.keysIn.payments[p.ID])
	putVersion(e, at, p.Identity(), row, err)
	for _, term := range e.keysIn.blinding.termsOf(p) {
		put(e, at+2, term, nil)
	}
}

// callbacks are written with what is personal of them sealed; that is never changed.
func callbacks() table {
	return table{
		rows: kinds[payment.Callback](),
		templates: func(w templateWriter) []template {
			return append(keyTemplates(w), w.insert(rowType[callbackRow](), ""), w.save(rowType[savedCallbackRow]()))
		},
		put: func(e *encoder, at int, rows []core.Row) {
			e.putKeys(at, nil)
			for c := range core.Each[payment.Callback](rows) {
				if c.Version != 1 {
					putVersion(e, at+keyTemplateCount, c.Identity(), savedCallbackRowOf(c), nil)
					continue
				}
				row, err := callbackRowOf(c, e.keysIn.payments[c.PaymentID])
				putVersion(e, at+keyTemplateCount, c.Identity(), row, err)
			}
		},
		kind: payment.Callback{}.Identity().Table,
	}
}

func number(id int64) string { return strconv.FormatInt(id, 10) }
