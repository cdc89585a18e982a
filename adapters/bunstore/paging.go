package bunstore

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/uptrace/bun"

	"github.com/vezne/vezne/core"
)

// listOrder is the order of a list: by columns that are all of one direction, and whose values a cursor has.
type listOrder[C comparable] struct {
	columns      []string
	isDescending bool
	values       func(C) []any // of the columns; nil: the cursor is the value of the only one
}

// The orders of rows with an ID, which is in the order of their creation, and of rows with a number.
var (
	newestFirst = listOrder[core.ID]{columns: []string{"id"}, isDescending: true}
	oldestFirst = listOrder[core.ID]{columns: []string{"id"}}
	byNumber    = listOrder[int64]{columns: []string{"id"}}
)

// pageOf reads a page of the list of a query's rows.
func pageOf[R, T any, C comparable](
	ctx context.Context, op string, turn func(R) (T, error), o listOrder[C], p core.Paging[C],
	q *bun.SelectQuery,
) ([]T, error) {
	if p.Limit < 1 {
		return nil, nil
	}
	rows, err := queried(ctx, op, turn, o.page(q, p))
	if p.IsLast {
		slices.Reverse(rows)
	}
	return rows, err
}

// page narrows a query to a page, whose rows come in the list's order, or where the last are asked for from its end.
func (o listOrder[C]) page(q *bun.SelectQuery, p core.Paging[C]) *bun.SelectQuery {
	p = p.Bounded()
	q = o.beyond(o.beyond(q, p.After, false), p.Before, true)
	return q.OrderExpr(o.sql(p.IsLast)).Limit(int64(p.Limit))
}

// beyond narrows a query to the rows behind a place, or ahead of it.
func (o listOrder[C]) beyond(q *bun.SelectQuery, place C, isAhead bool) *bun.SelectQuery {
	var none C
	if place == none {
		return q
	}
	values := []any{place}
	if o.values != nil {
		values = o.values(place)
	}
	sign := " > "
	if o.isDescending != isAhead {
		sign = " < "
	}
	if len(values) == 1 {
		return q.Where(o.columns[0]+sign+"?", values...)
	}
	marks := strings.TrimSuffix(strings.Repeat("?, ", len(values)), ", ")
	return q.Where("("+strings.Join(o.columns, ", ")+")"+sign+"("+marks+")", values...)
}

// sql is what follows ORDER BY.
func (o listOrder[C]) sql(isReversed bool) string {
	if o.isDescending == isReversed {
		return strings.Join(o.columns, ", ")
	}
	return strings.Join(o.columns, " DESC, ") + " DESC"
}

// pageOfEach reads a page of the rows of each payment that is named: by payment, and then in the list's order. The table has an index
// of payments and that order, of which no more is read for a payment than its page. Whose is a further condition on the rows, or empty.
func pageOfEach[R, T any, C comparable](
	ctx context.Context, s *Store, op string, turn func(R) (T, error), table, whose string, o listOrder[C], payments []core.ID, p core.Paging[C],
) ([]T, error) {
	if p = p.Bounded(); p.Limit < 1 || len(payments) == 0 {
		return nil, nil
	}
	payments = slices.Compact(slices.Sorted(slices.Values(payments)))
	names, values := []string{"payment", "most"}, []any{"", p.Limit}
	part := "SELECT " + columns(s.reads.Dialect().Tables().Get(rowType[R]()).Fields) + " FROM " + table + " WHERE payment_id = {payment}"
	for _, bound := range []struct {
		name, sign string
		place      C
	}{{"after", ">", p.After}, {"before", "<", p.Before}} {
		condition, of := o.between(bound.name, bound.sign, bound.place)
		part += condition
		for i, value := range of {
			names, values = append(names, bound.name+strconv.Itoa(i)), append(values, value)
		}
	}
	part += whose + madeBetween(payments) + " ORDER BY " + o.sql(p.IsLast) + " LIMIT {most}"
	var asked [][]any
	for _, id := range payments {
		asked = append(asked, append([]any{id}, values[1:]...))
	}
	var list query
	list.add("SELECT * FROM (")
	s.dialect.ofEach(&list, part, names, asked)
	list.add(") AS page ORDER BY payment_id, " + o.sql(false))
	return raw(ctx, s, op, turn, list.text.String(), list.args...)
}

// madeBetween is a condition that holds for all of some payments, in the order of their IDs: when the first and the last were made. Its
// constants are what a table with partitions of payments is planned by: the others' partitions, of which there may be many, are left out.
func madeBetween(payments []core.ID) string {
	first, isFirst := payments[0].Time()
	last, isLast := payments[len(payments)-1].Time()
	if !isFirst || !isLast {
		return "" // it is no payment's
	}
	return fmt.Sprintf(" AND payment_id >= '%s' AND payment_id < '%s'", core.FirstID(first), core.FirstID(last.Add(time.Millisecond)))
}

// between is a condition on the rows beyond a place of an ascending list, with the values that it names. A moment among them says what
// it is: a row of values does not.
func (o listOrder[C]) between(name, sign string, place C) (condition string, values []any) {
	var none C
	if place == none {
		return "", nil
	}
	values = []any{place}
	if o.values != nil {
		values = o.values(place)
	}
	marks := make([]string, len(values))
	for i, value := range values {
		if marks[i] = "{" + name + strconv.Itoa(i) + "}"; isMoment(value) {
			marks[i] = "CAST(" + marks[i] + " AS timestamptz)"
		}
	}
	return " AND (" + strings.Join(o.columns, ", ") + ") " + sign + " (" + strings.Join(marks, ", ") + ")", values
}

func isMoment(value any) bool {
	_, is := value.(timestamp)
	return is
}
