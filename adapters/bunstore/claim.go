package bunstore

import (
	"context"
	"slices"
	"time"

	"github.com/uptrace/bun"
)

// claim is how workers lease the due rows of a table.
type claim[R, T any] struct {
	opener[R, T]
	// unseal, where set, takes the place of the opener's open.
	unseal  func(ctx context.Context, s *Store, rows []R) ([]T, error)
	op      string
	key     string           // the column of the primary key
	order   string           // what is due first
	compare func(a, b R) int // the same of rows: RETURNING promises no order
}

// leaseDue leases due rows in one statement: on PostgreSQL rows that another worker is claiming are passed over, on SQLite
// there is one writer. The rows are chosen once, before the update: a plan that looked again would take more than asked.
const leaseDue = `WITH due AS MATERIALIZED (
	SELECT ?0 FROM ?1 WHERE ?2 ORDER BY ?3 LIMIT ?4 ?5
) UPDATE ?1 SET version = version + 1, lease_until = ?6 WHERE ?0 IN (SELECT ?0 FROM due) RETURNING ?7`

// isFree holds for a row that nobody has at the moment ?0.
const isFree = "(lease_until IS NULL OR lease_until <= ?0)"

// due leases rows for which a condition holds until there are as many as are asked for that can be opened, or no more are
// due. They come in their order. Rows that were leased are returned whatever becomes of leasing more.
func (c claim[R, T]) due(
	ctx context.Context, s *Store, until time.Time, limit int, condition string, values ...any,
) ([]T, error) {
	var list []T
	open := c.open
	if c.unseal != nil {
		open = c.unseal
	}
	for damaged := 0; len(list) < limit && damaged < maxDamaged; {
		asked := limit - len(list)
		var rows []R
		err := c.lease(s, condition, values, asked, timestamp(until)).Scan(ctx, &rows)
		if err != nil && len(list) == 0 {
			return nil, fail(c.op, err)
		}
		slices.SortFunc(rows, c.compare)
		opened, unopened := open(ctx, s, rows)
		if unopened != nil && len(list) == 0 {
			return nil, fail(c.op, unopened)
		}
		list = append(list, opened...)
		if unopened != nil || err != nil || len(rows) < asked || len(opened) == len(rows) {
			break
		}
		damaged += len(rows) - len(opened)
	}
	return list, nil
}

// claimStatement names a claim's statement.
type claimStatement struct{ table, condition string }

func (c claim[R, T]) lease(s *Store, condition string, values []any, limit int, until timestamp) *bun.RawQuery {
	fields := s.writes.Dialect().Tables().Get(rowType[R]()).Fields
	statement := func(values []any, limit, until any) *bun.RawQuery {
		return s.writes.NewRaw(leaseDue, bun.Safe(c.key), bun.Safe(c.table), bun.SafeQuery(condition, values...), bun.Safe(c.order),
			limit, bun.Safe(s.dialect.lockClaimed()), until, bun.Safe(columns(fields)))
	}
	if s.prepared == nil {
		return statement(values, limit, until)
	}
	n := s.prepared.number(claimStatement{c.table, condition}, func() string {
		p := s.prepared.parameters(len(values) + 2)
		return statement(p[2:], p[0], p[1]).String()
	})
	return s.execute(s.writes, n, append([]any{limit, until}, values...))
}

func (t timestamp) compare(other timestamp) int { return time.Time(t).Compare(time.Time(other)) }
