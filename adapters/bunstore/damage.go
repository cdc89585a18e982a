package bunstore

import (
	"context"
	"log/slog"
	"sync"

	"github.com/uptrace/bun"

	"github.com/vezne/vezne/core"
)

const (
	// maxDamaged is how many damaged rows are told apart, and how many one claim leaves out before it gives up.
	maxDamaged = 1_000
)

// damage remembers which rows cannot be opened: they were written by somebody else, or with another key. Each is logged and
// counted once by a process, however often its workers come across it.
type damage struct {
	log  *slog.Logger
	told func(table string) // nil: nobody is told

	mu    sync.Mutex
	known map[string]bool
}

// add takes in a row that cannot be opened.
func (d *damage) add(ctx context.Context, table, id string, err error) {
	d.mu.Lock()
	key := table + "/" + id
	isKnown := d.known[key]
	if len(d.known) >= maxDamaged && !isKnown {
		clear(d.known)
	}
	if d.known == nil {
		d.known = map[string]bool{}
	}
	d.known[key] = true
	d.mu.Unlock()
	if isKnown {
		return
	}
	d.log.ErrorContext(ctx, "A ROW CANNOT BE OPENED; workers pass over it until it is repaired",
		slog.String("table", table), slog.String("id", id), slog.Any("error", err))
	if d.told != nil {
		d.told(table)
	}
}

// opener opens rows that workers ask for. What it cannot open is left out, so that it holds up nothing else.
type opener[R, T any] struct {
	table string
	turn  func(R) (T, error)
	name  func(R) string // what an operator finds the row by
}

// open returns what could be opened, in the order of the rows. It never fails, as personalOpener's does.
func (o opener[R, T]) open(ctx context.Context, s *Store, rows []R) ([]T, error) { //nolint:unparam // see above
	var list []T
	for _, row := range rows {
		item, err := o.turn(row)
		if err != nil {
			s.damage.add(ctx, o.table, o.name(row), err)
			continue
		}
		list = append(list, item)
	}
	return list, nil
}

// duePage reads a page of what is due behind a cursor: at most limit rows of the query.
func duePage[R, T any](
	ctx context.Context, s *Store, op string, q *bun.SelectQuery, after core.DueCursor, limit int,
	open func(context.Context, *Store, []R) ([]T, error), at func(R) core.DueCursor,
) (page core.DuePage[T], err error) {
	if limit < 1 {
		return page, nil
	}
	if after.ID != "" {
		q = q.Where("(expires_at, id) > (?, ?)", timestamp(after.At), after.ID)
	}
	var rows []R
	if err := q.Model(&rows).OrderExpr("expires_at, id").Limit(int64(limit)).Scan(ctx); err != nil {
		return page, fail(op, err)
	}
	if page.Rows, err = open(ctx, s, rows); err != nil {
		return page, fail(op, err)
	}
	page.HasNext = len(rows) == limit
	if page.HasNext {
		page.Next = at(rows[limit-1])
	}
	return page, nil
}
