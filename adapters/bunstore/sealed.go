package bunstore

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/schema"

	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/ports"
)

// SealedColumn is a column that holds sealed text.
type SealedColumn struct{ Table, Column string }

// SealedColumns lists every column that holds sealed text, by table and in the order of its columns. They follow from the types of
// the tables' rows.
func SealedColumns() []SealedColumn {
	var list []SealedColumn
	for _, t := range sealedTables(sqliteDialect()) {
		for _, c := range t.columns {
			list = append(list, SealedColumn{t.name, c})
		}
	}
	return list
}

// sealedTable is a table with columns of sealed text.
type sealedTable struct {
	name    string
	keys    []string // the columns that name a row, as what is sealed in it does
	columns []string
}

// sealedTables finds the columns of the type sealedText in the rows of all tables.
func sealedTables(d schema.Dialect) []sealedTable {
	var list []sealedTable
	for _, t := range tables() {
		if t.columns == nil {
			continue
		}
		row := d.Tables().Get(t.columns)
		found := sealedTable{name: row.Name}
		for _, f := range row.PKs {
			if f.Name != dealerColumn {
				found.keys = append(found.keys, f.Name)
			}
		}
		for _, f := range row.Fields {
			if f.IndirectType == reflect.TypeFor[sealedText]() {
				found.columns = append(found.columns, f.Name)
			}
		}
		if len(found.columns) > 0 {
			list = append(list, found)
		}
	}
	return list
}

// SealedCounts are how many values of each column are sealed under each key, by the key's id. What no key has sealed, though it
// should, has none.
type SealedCounts map[SealedColumn]map[string]int

func (c SealedCounts) add(column SealedColumn, key string, n int) {
	if c[column] == nil {
		c[column] = map[string]int{}
	}
	c[column][key] += n
}

// Keys lists the ids of all keys that have sealed something.
func (c SealedCounts) Keys() []string {
	ids := map[string]bool{}
	for _, byKey := range c {
		for id := range byKey {
			ids[id] = true
		}
	}
	return slices.Sorted(maps.Keys(ids))
}

// Under lists the columns in which a key has sealed something.
func (c SealedCounts) Under(key string) []SealedColumn {
	var list []SealedColumn
	for column, byKey := range c {
		if byKey[key] > 0 {
			list = append(list, column)
		}
	}
	slices.SortFunc(list, func(a, b SealedColumn) int {
		return strings.Compare(a.Table+"."+a.Column, b.Table+"."+b.Column)
	})
	return list
}

var errNoKeyring = errors.New("the sealer has no keys to tell apart")

func (s *Store) keyring() (ports.Keyring, error) {
	ring, ok := s.sealer.(ports.Keyring)
	if !ok {
		return nil, errNoKeyring
	}
	return ring, nil
}

// sealedRow is a row of a table with sealed columns, as far as it is looked at.
type sealedRow struct {
	key   []any    // as the database has it
	texts []string // of the columns, or their beginnings
	bytes int      // of all the whole texts
}

// id is the row's part of the context that its texts are sealed for.
func (r sealedRow) id() []string {
	parts := make([]string, len(r.key))
	for i, k := range r.key {
		parts[i] = fmt.Sprint(k)
	}
	return parts
}

// sealedEnd is an end of a table in the order of its primary key.
type sealedEnd bool

const (
	oldestSealed sealedEnd = false
	newestSealed sealedEnd = true
)

// sealedPage reads the beginnings of a table's sealed texts, at most sealedPageRows of them behind a row, or from an end.
func (s *Store) sealedPage(
	ctx context.Context, t sealedTable, from sealedEnd, after *sealedRow,
) ([]sealedRow, error) {
	keys := strings.Join(t.keys, ", ")
	q := s.reads.NewSelect().TableExpr(t.name).ColumnExpr(keys)
	sizes := make([]string, len(t.columns))
	for i, c := range t.columns {
		q = q.ColumnExpr("substr("+c+", 1, ?)", ports.MaxKeyPrefix)
		sizes[i] = "octet_length(" + c + ")"
	}
	q = q.ColumnExpr(strings.Join(sizes, " + "))
	direction, sign := "", " > "
	if from == newestSealed {
		direction, sign = " DESC", " < "
	}
	if after != nil {
		q = q.Where("("+keys+")"+sign+"?", bun.Tuple(after.key))
	}
	q = q.OrderExpr(strings.Join(t.keys, direction+", ") + direction).Limit(sealedPageRows)
	return s.sealedRows(ctx, t, q, true)
}

// sealedRows reads the keys and texts of a query, and the size behind them where it has one.
func (s *Store) sealedRows(ctx context.Context, t sealedTable, q *bun.SelectQuery, hasSize bool) ([]sealedRow, error) {
	rows, err := q.Rows(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	var list []sealedRow
	for rows.Next() {
		r := sealedRow{key: make([]any, len(t.keys)), texts: make([]string, len(t.columns))}
		var into []any
		for i := range r.key {
			into = append(into, &r.key[i])
		}
		for i := range r.texts {
			into = append(into, &r.texts[i])
		}
		if hasSize {
			into = append(into, &r.bytes)
		}
		if err := rows.Scan(into...); err != nil {
			return nil, err
		}
		for i, k := range r.key {
			if raw, ok := k.([]byte); ok {
				r.key[i] = string(raw)
			}
		}
		list = append(list, r)
	}
	return list, rows.Err()
}

// CountSealed reads every sealed value's beginning and counts them by key.
func (s *Store) CountSealed(ctx context.Context) (SealedCounts, error) {
	const op = "bunstore.CountSealed"
	ring, err := s.keyring()
	if err != nil {
		return nil, fail(op, err)
	}
	counts := SealedCounts{}
	for _, t := range sealedTables(s.reads.Dialect()) {
		var last *sealedRow
		for {
			rows, err := s.sealedPage(ctx, t, newestSealed, last)
			if err != nil {
				return nil, fail(op, err)
			}
			counts.tally(ring, t, rows)
			if len(rows) < sealedPageRows {
				break
			}
			last = &rows[len(rows)-1]
		}
	}
	return counts, nil
}

func (c SealedCounts) tally(ring ports.Keyring, t sealedTable, rows []sealedRow) {
	for _, r := range rows {
		for i, text := range r.texts {
			if text != "" {
				c.add(SealedColumn{t.name, t.columns[i]}, ring.KeyIDOf(text), 1)
			}
		}
	}
}

// SampleSealed counts at both ends of each table, where it finds what an interrupted Rekey has left, which goes from the newest
// rows to the oldest, and what another process has sealed just now. isWhole reports whether it has seen every row.
func (s *Store) SampleSealed(ctx context.Context) (counts SealedCounts, isWhole bool, err error) {
	const op = "bunstore.SampleSealed"
	ring, err := s.keyring()
	if err != nil {
		return nil, false, fail(op, err)
	}
	counts, isWhole = SealedCounts{}, true
	for _, t := range sealedTables(s.reads.Dialect()) {
		rows, err := s.sealedPage(ctx, t, oldestSealed, nil)
		if err == nil && len(rows) == sealedPageRows {
			counts.tally(ring, t, rows)
			isWhole = false
			rows, err = s.sealedPage(ctx, t, newestSealed, nil)
		}
		if err != nil {
			return nil, false, fail(op, err)
		}
		counts.tally(ring, t, rows)
	}
	return counts, isWhole, nil
}

// checkKeys fails where something was sealed under a key that is not there.
func (s *Store) checkKeys(ctx context.Context) error {
	const op = "bunstore.checkKeys"
	ring, ok := s.sealer.(ports.Keyring)
	if !ok {
		return nil // with one key there is nothing to tell apart
	}
	counts, _, err := s.SampleSealed(ctx)
	if err != nil {
		return err
	}
	for _, key := range counts.Keys() {
		if key != "" && !slices.Contains(ring.KeyIDs(), key) {
			at := counts.Under(key)[0]
			return fault.E(op, fault.Internal, fmt.Errorf(
				"%s.%s has texts sealed under master key %s, which is not among the configured ones", at.Table, at.Column, key))
		}
	}
	return nil
}
