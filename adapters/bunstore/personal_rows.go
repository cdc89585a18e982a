package bunstore

import (
	"context"
	"reflect"

	"github.com/uptrace/bun"

	"github.com/vezne/vezne/core/fault"
)

// personalRow is a row with personal data: it is opened with the key that it names, or none.
type personalRow interface{ keyID() string }

// openAll opens rows with their keys, which are read in one statement where they are not remembered.
func openAll[R personalRow, T any](
	ctx context.Context, s *Store, op string, turn func(R, dataKey) (T, error), rows []R,
) ([]T, error) {
	keys, err := keysOfRows(ctx, s, rows)
	if err != nil {
		return nil, fault.E(op, "", err)
	}
	return all(op, func(r R) (T, error) { return turn(r, keys[r.keyID()]) }, rows)
}

func keysOfRows[R personalRow](ctx context.Context, s *Store, rows []R) (map[string]dataKey, error) {
	ids := make([]string, len(rows))
	for i, r := range rows {
		ids[i] = r.keyID()
	}
	return s.keysOf(ctx, ids)
}

// queriedPersonal reads rows with personal data in the query's order.
func queriedPersonal[R personalRow, T any](
	ctx context.Context, s *Store, op string, turn func(R, dataKey) (T, error), query *bun.SelectQuery,
) ([]T, error) {
	var rows []R
	if err := query.Model(&rows).Scan(ctx); err != nil {
		return nil, fail(op, err)
	}
	return openAll(ctx, s, op, turn, rows)
}

// onePersonal reads the row with personal data for which a condition holds; NotFound when there is none.
func onePersonal[R personalRow, T any](
	ctx context.Context, s *Store, op string, turn func(R, dataKey) (T, error), condition string, values ...any,
) (T, error) {
	var (
		row  R
		none T
	)
	if err := s.readKeyed(ctx, keyedRead{row: reflect.TypeFor[R](), condition: condition, isOne: true}, &row, values); err != nil {
		return none, fail(op, err)
	}
	list, err := openAll(ctx, s, op, turn, []R{row})
	if err != nil {
		return none, err
	}
	return list[0], nil
}

// personalOpener opens rows with personal data that workers ask for, as opener does.
type personalOpener[R personalRow, T any] struct {
	table string
	turn  func(R, dataKey) (T, error)
	name  func(R) string
}

func (o personalOpener[R, T]) open(ctx context.Context, s *Store, rows []R) ([]T, error) {
	keys, err := keysOfRows(ctx, s, rows)
	if err != nil {
		return nil, err
	}
	plain := opener[R, T]{
		table: o.table, name: o.name, turn: func(r R) (T, error) { return o.turn(r, keys[r.keyID()]) },
	}
	return plain.open(ctx, s, rows)
}

// asItIs leaves a row as it is, to be opened with others.
func asItIs[R any](r R) (R, error) { return r, nil }
