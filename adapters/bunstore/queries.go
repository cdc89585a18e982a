package bunstore

import (
	"context"
	"reflect"
	"slices"
	"strings"

	"github.com/uptrace/bun"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/payment"
)

// one reads the row for which a condition holds into what it stands for; NotFound when there is none.
func one[R, T any](
	ctx context.Context, s *Store, op string, turn func(R) (T, error), condition string, values ...any,
) (T, error) {
	var row R
	if err := s.readKeyed(ctx, keyedRead{row: reflect.TypeFor[R](), condition: condition, isOne: true}, &row, values); err != nil {
		var none T
		return none, fail(op, err)
	}
	return made(op, turn, row)
}

// first reads the first row of a query.
func first[R, T any](
	ctx context.Context, op string, turn func(R) (T, error), query *bun.SelectQuery,
) (T, error) {
	var (
		row  R
		none T
	)
	if err := query.Model(&row).Limit(1).Scan(ctx); err != nil {
		return none, fail(op, err)
	}
	return made(op, turn, row)
}

// many reads the rows for which a condition holds, in an order.
func many[R, T any](
	ctx context.Context, s *Store, op string, turn func(R) (T, error), order, condition string, values ...any,
) ([]T, error) {
	var rows []R
	if err := s.readKeyed(ctx, keyedRead{row: reflect.TypeFor[R](), condition: condition, order: order}, &rows, values); err != nil {
		return nil, fail(op, err)
	}
	return all(op, turn, rows)
}

// queried reads rows in the query's order.
func queried[R, T any](
	ctx context.Context, op string, turn func(R) (T, error), query *bun.SelectQuery,
) ([]T, error) {
	var rows []R
	if err := query.Model(&rows).Scan(ctx); err != nil {
		return nil, fail(op, err)
	}
	return all(op, turn, rows)
}

// raw reads the rows of a statement.
func raw[R, T any](
	ctx context.Context, s *Store, op string, turn func(R) (T, error), statement string, values ...any,
) ([]T, error) {
	var rows []R
	if err := s.reads.NewRaw(statement, values...).Scan(ctx, &rows); err != nil {
		return nil, fail(op, err)
	}
	return all(op, turn, rows)
}

func all[R, T any](op string, turn func(R) (T, error), rows []R) ([]T, error) {
	var list []T
	for _, row := range rows {
		item, err := made(op, turn, row)
		if err != nil {
			return nil, err
		}
		list = append(list, item)
	}
	return list, nil
}

// made turns a row; one that can't be turned was written by somebody else or with another key.
func made[R, T any](op string, turn func(R) (T, error), row R) (T, error) {
	item, err := turn(row)
	if err != nil {
		return item, fault.E(op, fault.Internal, err)
	}
	return item, nil
}

// ofPayments reads the rows of payments, in an order. Of none there are none.
func ofPayments[R, T any](
	ctx context.Context, s *Store, op string, turn func(R) (T, error), payments []payment.Key, order string, also ...string,
) ([]T, error) {
	if len(payments) == 0 {
		return nil, nil
	}
	q := s.wherePayments(payments)
	for _, condition := range also {
		q = q.Where(condition)
	}
	return queried(ctx, op, turn, q.OrderExpr(order))
}

// wherePayments narrows to rows of payments, which their dealers' have: the payment leads to them, the dealer to their node.
func (s *Store) wherePayments(payments []payment.Key) *bun.SelectQuery {
	ids, dealers := apart(payments)
	return s.reads.NewSelect().Where("payment_id IN (?)", bun.List(ids)).
		Where(s.dialect.unindexed("dealer_id")+" IN (?)", bun.Safe(strings.Join(dealers, ", ")))
}

// apart are the IDs of payments, and the dealers whose they are, as they are written, each once.
func apart(payments []payment.Key) (ids []core.ID, dealers []string) {
	for _, p := range payments {
		ids = append(ids, p.ID)
		if dealer := number(p.DealerID); !slices.Contains(dealers, dealer) {
			dealers = append(dealers, dealer)
		}
	}
	return ids, dealers
}

// ofAll reads the rows of all that is named, in an order. Of nothing there are none.
func ofAll[K, R, T any](
	ctx context.Context, s *Store, op string, turn func(R) (T, error), where string, named []K, order string,
) ([]T, error) {
	if len(named) == 0 {
		return nil, nil
	}
	return queried(ctx, op, turn, s.reads.NewSelect().Where(where, bun.List(named)).OrderExpr(order))
}
