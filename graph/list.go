package graph

import (
	"context"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/graph/page"
)

// list reads a page of a list that a filter narrows, for the staff member who asks.
func list[N any, C comparable, Q any, P interface {
	*Q
	Ask(page core.Paging[C])
}](
	ctx context.Context, filter P, args page.Args, cursors page.Cursors[C], place func(N) C,
	read func(context.Context, staff.Staff, Q) ([]N, error),
) (*page.Connection[N], error) {
	query := valueOf((*Q)(filter))
	return page.Read(args, cursors, place, func(p core.Paging[C]) ([]N, error) {
		P(&query).Ask(p)
		return read(ctx, staffOf(ctx), query)
	})
}

// listed is a list that is empty, and not null, where it has no rows.
func listed[T any](rows []T, err error) ([]T, error) { return append([]T{}, rows...), err }

// valueOf is what is asked for, or nothing.
func valueOf[T any](v *T) T {
	var none T
	if v == nil {
		return none
	}
	return *v
}
