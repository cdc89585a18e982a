package bunstore

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/uptrace/bun"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/notification"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/payment"
)

// Discrepancies implements ports.Operations.
func (s *Store) Discrepancies(ctx context.Context, query discrepancy.Query) ([]discrepancy.Discrepancy, error) {
	return listByState(ctx, s, stateList[discrepancyRow, discrepancy.Discrepancy, discrepancy.Status]{
		op: "bunstore.Discrepancies", turn: discrepancyRow.discrepancy, page: query.Paging,
		asked: query.Statuses, all: discrepancy.Statuses(), isIndexed: query.Scope != core.Scope{} && len(query.IDs) == 0,
		where: func(q *bun.SelectQuery) *bun.SelectQuery {
			q = whereIn(q, query.Scope)
			q = whereSet(q, "gateway_id = ?", query.GatewayID)
			q = whereSet(whereAmong(q, "kind", query.Kinds), "id = ?", query.ID)
			if !query.CreatedFrom.IsZero() {
				q = q.Where("created_at >= ?", timestamp(query.CreatedFrom))
			}
			if !query.CreatedUntil.IsZero() {
				q = q.Where("created_at < ?", timestamp(query.CreatedUntil))
			}
			return whereAmong(q, "id", query.IDs)
		},
	})
}

// whereSet narrows by a value unless it is zero.
func whereSet[V comparable](q *bun.SelectQuery, condition string, value V) *bun.SelectQuery {
	var zero V
	if value == zero {
		return q
	}
	return q.Where(condition, value)
}

// whereIn narrows to what a scope may see.
func whereIn(q *bun.SelectQuery, scope core.Scope) *bun.SelectQuery {
	return whereSet(whereSet(q, "dealer_id = ?", scope.DealerID), "provider_id = ?", scope.ProviderID)
}

// alsoIn narrows what other conditions find by an index to what a scope may see.
func (s *Store) alsoIn(q *bun.SelectQuery, scope core.Scope) *bun.SelectQuery {
	q = whereSet(q, s.dialect.unindexed("dealer_id")+" = ?", scope.DealerID)
	return whereSet(q, s.dialect.unindexed("provider_id")+" = ?", scope.ProviderID)
}

// whereAmong narrows by a list of values unless it is empty.
func whereAmong[V any](q *bun.SelectQuery, column string, values []V) *bun.SelectQuery {
	if len(values) == 0 {
		return q
	}
	return q.Where(column+" IN (?)", bun.List(values))
}

// whereFlag narrows to where a condition holds, or to where its opposite does, unless nothing is asked.
func whereFlag(q *bun.SelectQuery, is *bool, condition, opposite string, values ...any) *bun.SelectQuery {
	switch {
	case is == nil:
		return q
	case *is:
		return q.Where(condition, values...)
	default:
		return q.Where(opposite, values...)
	}
}

// stateList is a list of rows that have a state, newest first.
type stateList[R, T any, S ~string] struct {
	op         string
	turn       func(R) (T, error)
	where      func(*bun.SelectQuery) *bun.SelectQuery
	asked, all []S
	isIndexed  bool                                      // by a column before the state: without asked states, all are read one by one
	among      []func(*bun.SelectQuery) *bun.SelectQuery // when set, the list is parted by these, too
	page       core.Paging[core.ID]
}

// listByState puts a list together from parts that are each the end of one index, as ListPayments does.
func listByState[R, T any, S ~string](ctx context.Context, s *Store, l stateList[R, T, S]) ([]T, error) {
	if l.page.Limit < 1 {
		return nil, nil
	}
	states := []S{""} // one part of any state
	if len(l.asked) > 0 || l.isIndexed {
		states = orAll(l.asked, l.all)
	}
	among := l.among
	if len(among) == 0 {
		among = []func(*bun.SelectQuery) *bun.SelectQuery{func(q *bun.SelectQuery) *bun.SelectQuery { return q }}
	}
	var parts []any
	for _, state := range states {
		for _, is := range among {
			part := whereSet(is(l.where(s.reads.NewSelect().Model((*R)(nil)))), "state = ?", state)
			parts = append(parts, newestFirst.page(part, l.page))
		}
	}
	rows, err := together(ctx, s, l.op, l.turn, parts, newestFirst.sql(l.page.IsLast), l.page.Bounded().Limit)
	if l.page.IsLast {
		slices.Reverse(rows)
	}
	return rows, err
}

// GatewayCalls implements ports.Operations.
func (s *Store) GatewayCalls(ctx context.Context, query operation.GatewayCallQuery) ([]operation.GatewayCall, error) {
	limit := min(query.Limit, core.MaxPage+1)
	if limit < 1 {
		return nil, nil
	}
	switch {
	case len(query.Payments) > 0:
		return s.callsOfAll(ctx, query.Payments, limit)
	case len(query.Gateways) > 0:
		return s.callsOfGateways(ctx, query.Gateways, limit)
	default:
		return nil, nil
	}
}

// ClaimNotifications implements ports.Operations.
func (s *Store) ClaimNotifications(
	ctx context.Context, now, leaseUntil time.Time, limit int,
) ([]notification.Notification, error) {
	c := claim[notificationRow, notification.Notification]{
		opener: opener[notificationRow, notification.Notification]{
			table: "notifications", turn: s.notification, name: func(r notificationRow) string { return string(r.ID) },
		},
		op: "bunstore.ClaimNotifications", key: "id", order: "id",
		compare: func(a, b notificationRow) int { return cmp.Compare(a.ID, b.ID) },
	}
	return c.due(ctx, s, leaseUntil, limit, "state = 'waiting' AND "+isFree, timestamp(now))
}

// Notifications implements ports.Operations.
func (s *Store) Notifications(ctx context.Context, query notification.Query) ([]notification.Notification, error) {
	return listByState(ctx, s, stateList[notificationRow, notification.Notification, notification.Status]{
		op: "bunstore.Notifications", turn: s.notification, page: query.Paging,
		asked: query.Statuses, all: notification.Statuses(), isIndexed: query.GatewayID != 0,
		where: func(q *bun.SelectQuery) *bun.SelectQuery {
			return whereSet(q, "gateway_id = ?", query.GatewayID)
		},
	})
}

// DiscrepanciesOf implements ports.Operations.
func (s *Store) DiscrepanciesOf(ctx context.Context, payments ...payment.Key) ([]discrepancy.Discrepancy, error) {
	return ofPayments(ctx, s, "bunstore.DiscrepanciesOf", discrepancyRow.discrepancy, payments, "id")
}

// DiscrepancyPages implements ports.Operations.
func (s *Store) DiscrepancyPages(
	ctx context.Context, payments []payment.Key, page core.Paging[core.ID],
) ([]discrepancy.Discrepancy, error) {
	ids, dealers := apart(payments)
	whose := fmt.Sprintf(" AND %s IN (%s)", s.dialect.unindexed("dealer_id"), strings.Join(dealers, ", "))
	return pageOfEach(ctx, s, "bunstore.DiscrepancyPages", discrepancyRow.discrepancy, "discrepancies", whose, oldestFirst, ids, page)
}

// callsOfAll returns the newest calls of each payment.
func (s *Store) callsOfAll(ctx context.Context, payments []core.ID, most int) ([]operation.GatewayCall, error) {
	last := core.Paging[core.ID]{IsLast: true, Limit: most}
	calls, err := pageOfEach(ctx, s, "bunstore.callsOfAll", gatewayCallRow.call, "gateway_calls", "", oldestFirst, payments, last)
	slices.SortFunc(calls, func(a, b operation.GatewayCall) int { return cmp.Compare(b.ID, a.ID) })
	return calls, err
}

// callsOfGateways returns the newest calls of each gateway account, each from the end of the index.
func (s *Store) callsOfGateways(ctx context.Context, gateways []int64, most int) ([]operation.GatewayCall, error) {
	var parts []any
	for _, id := range gateways {
		part := s.reads.NewSelect().Model((*gatewayCallRow)(nil)).Where("gateway_id = ?", id)
		parts = append(parts, part.OrderExpr("id DESC").Limit(int64(most)))
	}
	return together(ctx, s, "bunstore.callsOfGateways", gatewayCallRow.call, parts, newestFirst.sql(false), len(parts)*most)
}
