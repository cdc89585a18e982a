package bunstore

import (
	"context"
	"database/sql"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/report"
)

// Bounds of one search, for a page within 100 ms of ten million payments, most of which were not read for long. What an
// index alone tells costs 1 µs. A row costs 3 µs in the order that the table was written in, nearly as little by when it was
// changed, and ten to fifty times that where it may be anywhere.
const (
	maxCovered        = 12_000 // judged by an index alone
	maxLooked         = 12_000 // read in the list's order, until the page is full
	maxLookedByUpdate = 8_000
	maxLookedByAmount = 1_500
	maxLookedByOwner  = 3_000
	maxGathered       = 1_500 // read in another order, and sorted
	maxLookedUp       = 2_000 // looked up in another table
	maxLookedByWords  = 240   // the same, of rows that may be anywhere
)

// maxLooked is how many payments may be looked at along the path, to be judged by the rest.
func (w path) maxLooked(rest []condition) int {
	switch {
	case w.judges(rest):
		return maxCovered
	case w.order.key == amountColumn:
		return maxLookedByAmount
	case w.order.key != "":
		return maxLookedByUpdate
	case w.index != "":
		return maxLookedByOwner
	default:
		return maxLooked
	}
}

// maxGathered is how many payments may be read of the path to be sorted in another order.
func (w path) maxGathered(rest []condition, wanted order) int {
	if w.judges(append(slices.Clone(rest), is(wanted.keyColumn()))) {
		return maxCovered
	}
	return maxGathered
}

// SearchPayments implements ports.Reports. A list in which an index has everything that is asked for, in the list's
// order, is the end of that index, however many payments there are. Otherwise the shortest of several ways is taken: what
// one filter leaves is gathered and sorted where that is little; where it is much, what is asked for should soon be met
// along the index that has the list's order, and the search stops if it is not.
func (s *Store) SearchPayments(ctx context.Context, q report.PaymentQuery) (report.Page, error) {
	const op = "bunstore.SearchPayments"
	if q.Paging = q.Bounded(); q.Limit < 1 {
		return report.Page{}, nil
	}
	isLast := q.IsLast
	if isLast { // the first ones of the opposite order
		q.Sort, q.After, q.Before, q.IsLast = q.Sort.Reversed(), q.Before, q.After, false
	}
	found, err := s.search(ctx, q)
	if isLast {
		slices.Reverse(found.Payments)
	}
	return found, fail(op, err)
}

func (s *Store) search(ctx context.Context, q report.PaymentQuery) (found report.Page, err error) {
	filters := filtersOf(q)
	lookups, err := s.blinded(ctx, q.Lookups())
	if err != nil {
		return found, err
	}
	if isOfUser(q) {
		lookups = nil // it is one of the filters
	}
	ways := pathsOf(q, filters)
	if len(q.IDs)+len(lookups)+len(ways[0].rest(filters)) == 0 {
		return s.scan(ctx, q, ways[0], nil, q.Limit)
	}
	err = s.inSnapshot(ctx, func(s *Store) error {
		switch {
		case len(q.IDs) > 0:
			found, err = s.among(ctx, q, filters, lookups)
		case len(lookups) > 0 && orderOf(q.Sort).isByID():
			found, err = s.lookUp(ctx, q, filters, lookups)
		default:
			found, err = s.choose(ctx, q, ways, filters, lookups)
		}
		return err
	})
	return found, err
}

// inSnapshot reads with a store that sees the database as it was at one moment, in however many statements: a row that
// moves meanwhile is in one place of a list, and what was counted is what is read. The transaction's beginning and end are
// no statements of a page: they cost a round trip each.
func (s *Store) inSnapshot(ctx context.Context, read func(s *Store) error) error {
	tx, err := s.reads.DB.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true})
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // it has written nothing
	view := *s
	view.snapshot = tx
	return read(&view)
}

// choose takes the shortest of several ways.
func (s *Store) choose(
	ctx context.Context, q report.PaymentQuery, ways []path, filters map[filter][]condition, lookups [][]lookup,
) (report.Page, error) {
	vocabulary, err := s.vocabulary(ctx, lookups)
	if err != nil {
		return report.Page{}, err
	}
	seen, err := s.survey(ctx, q, ways[1:], filters, lookups, vocabulary)
	if err != nil {
		return report.Page{}, err
	}
	if seen.isLookUp() {
		return s.found(ctx, q, filters, lookups, seen.vocabulary, maxTerms) // it comes to few, which are sorted
	}
	var named []condition
	for _, any := range lookups {
		named = append(named, anyOf(any, seen.vocabulary))
	}
	if short, most := seen.shortest(); short != nil {
		return s.gather(ctx, q, *short, append(short.rest(filters), named...), most)
	}
	rest := ways[0].rest(filters)
	most := ways[0].maxLooked(rest)
	switch {
	case len(named) > 0 && ways[0].order.key == amountColumn:
		most = maxLookedByWords / seen.terms()
	case len(named) > 0:
		most = min(most, maxLookedUp/seen.terms())
	}
	return s.scan(ctx, q, ways[0], append(rest, named...), bounded(q, most))
}

func bounded(q report.PaymentQuery, most int) int {
	if q.MaxLooked > 0 {
		return q.MaxLooked
	}
	return most
}

// scan reads along a path that has the list's order, at most so many rows, and keeps those for which the rest holds. Of
// what is looked at it reads only what the rest is about, which an index may have.
func (s *Store) scan(ctx context.Context, q report.PaymentQuery, way path, rest []condition, most int) (report.Page, error) {
	var list query
	list.add("SELECT " + s.paymentColumns() + " FROM (SELECT p.id, p.at_key FROM (")
	list.looked(q, way, columnsIn(rest), most)
	list.add(") AS p")
	list.where(rest)
	list.add(" ORDER BY "+way.order.outside()+" LIMIT ?) AS f JOIN "+s.dialect.paymentOf("f.id"), q.Limit)
	list.add(" ORDER BY " + strings.ReplaceAll(way.order.outside(), "p.", "f."))
	found, err := s.payments(ctx, list)
	if err != nil || len(rest) == 0 || len(found.Payments) == q.Limit {
		return found, err
	}
	var last query
	last.add("SELECT p.id, p.at_key FROM (")
	last.looked(q, way, nil, most)
	last.add(") AS p ORDER BY "+way.order.outside()+" LIMIT 1 OFFSET ?", most-1)
	found.Stop, err = s.place(ctx, last, q)
	return found, err
}

// paymentColumns are those of a payment's row.
func (s *Store) paymentColumns() string {
	return columnsOf("p", s.reads.Dialect().Tables().Get(rowType[paymentRow]()).Fields)
}

// looked writes the rows that are looked at: the first of all parts, put together.
func (t *query) looked(q report.PaymentQuery, way path, columns []string, most int) {
	between := way.order.between(q)
	t.add("SELECT p.* FROM (")
	for i, part := range way.parts {
		t.union(i == 0)
		t.add("SELECT * FROM (SELECT " + selected(columns) + ", " + way.order.keyColumn() + " AS at_key FROM payments AS p")
		t.where(part, between)
		t.add(" ORDER BY "+way.order.sql()+" LIMIT ?) AS part", most)
	}
	t.add(") AS p ORDER BY "+way.order.outside()+" LIMIT ?", most)
}

// gather reads all of a short path, which is at most so long, and sorts what is asked for.
func (s *Store) gather(ctx context.Context, q report.PaymentQuery, way path, rest []condition, most int) (report.Page, error) {
	wanted := orderOf(q.Sort)
	columns := columnsIn(slices.Concat(rest, wanted.between(q), []condition{is(wanted.keyColumn())}))
	var list query
	list.add("SELECT " + s.paymentColumns() + " FROM (SELECT p.id FROM (")
	for i, part := range way.parts {
		list.union(i == 0)
		list.add("SELECT * FROM (SELECT " + selected(columns) + " FROM payments AS p")
		list.where(part)
		list.add(" ORDER BY "+way.order.sql()+" LIMIT ?) AS part", most+1)
	}
	list.add(") AS p")
	list.where(rest, wanted.between(q))
	list.add(" ORDER BY "+wanted.sql()+" LIMIT ?) AS f JOIN "+s.dialect.paymentOf("f.id")+" ORDER BY "+wanted.sql(), q.Limit)
	return s.payments(ctx, list)
}

// column matches a payment's column in a condition.
var column = regexp.MustCompile(`\bp\.([a-z_]+)`)

// columnsIn are the columns that conditions are about, but for the ID.
func columnsIn(conditions []condition) []string {
	var all []string
	for _, c := range conditions {
		for _, named := range column.FindAllStringSubmatch(c.sql, -1) {
			all = append(all, named[1])
		}
	}
	slices.Sort(all)
	return slices.DeleteFunc(slices.Compact(all), func(name string) bool { return name == "id" })
}

func selected(columns []string) string {
	return "p." + strings.Join(append([]string{"id"}, columns...), ", p.")
}

func (s *Store) payments(ctx context.Context, list query) (report.Page, error) {
	var rows []paymentRow
	if err := list.scan(ctx, s, &rows); err != nil {
		return report.Page{}, err
	}
	payments, err := openAll(ctx, s, "bunstore.payments", paymentRow.payment, rows)
	return report.Page{Payments: payments}, err
}

// place reads where a search has stopped; nil: it did not, but has seen everything.
func (s *Store) place(ctx context.Context, last query, q report.PaymentQuery) (*report.Cursor, error) {
	isTime := orderOf(q.Sort).key == "p.updated_at"
	if isTime {
		var rows []struct {
			ID    core.ID
			AtKey timestamp
		}
		if err := last.scan(ctx, s, &rows); err != nil || len(rows) == 0 {
			return nil, err
		}
		return &report.Cursor{Key: time.Time(rows[0].AtKey).UnixMicro(), ID: rows[0].ID}, nil
	}
	var rows []struct {
		ID    core.ID
		AtKey int64
	}
	if err := last.scan(ctx, s, &rows); err != nil || len(rows) == 0 {
		return nil, err
	}
	return &report.Cursor{Key: rows[0].AtKey, ID: rows[0].ID}, nil
}

// query is a statement that is being written.
type query struct {
	text strings.Builder
	args []any
}

func (t *query) add(sql string, args ...any) {
	t.text.WriteString(sql)
	t.args = append(t.args, args...)
}

// where writes the conditions, if there are any.
func (t *query) where(lists ...[]condition) {
	before := t.text.Len()
	t.and(lists...)
	if text := t.text.String(); len(text) > before {
		t.text.Reset()
		t.text.WriteString(text[:before] + " WHERE " + strings.TrimPrefix(text[before:], " AND "))
	}
}

// and adds conditions to those of a WHERE.
func (t *query) and(lists ...[]condition) {
	for _, list := range lists {
		for _, c := range list {
			t.add(" AND "+c.sql, c.args...)
		}
	}
}

func (t *query) scan(ctx context.Context, s *Store, into any) error {
	statement := s.reads.NewRaw(t.text.String(), t.args...)
	if s.snapshot != nil {
		statement.Conn(s.snapshot)
	}
	return statement.Scan(ctx, into)
}
