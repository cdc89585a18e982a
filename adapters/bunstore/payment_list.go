package bunstore

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/uptrace/bun"

	"github.com/vezne/vezne/core"
)

// ListPayments implements ports.Payments. The list is put together from parts that are each the end of one index, so
// that it stays flat as the table grows. Only amounts and methods are compared row by row.
func (s *Store) ListPayments(ctx context.Context, query core.PaymentQuery) ([]core.Payment, error) {
	const op = "bunstore.ListPayments"
	limit := min(query.Limit, core.MaxPage+1)
	if limit < 1 {
		return nil, nil
	}
	by := indexFor(query)
	var parts []any
	for _, status := range by.statuses(query) {
		parts = append(parts, s.listPart(query, by, status).OrderExpr("id DESC").Limit(int64(limit)))
	}
	return newest(ctx, s, op, paymentRow.payment, parts, limit)
}

// newest puts queries of a table together, each of which gives at most limit rows and the newest first.
func newest[R, T any](
	ctx context.Context, s *Store, op string, turn func(R) (T, error), parts []any, limit int,
) ([]T, error) {
	var rows []R
	union := strings.TrimSuffix(strings.Repeat("SELECT * FROM (?) AS part UNION ALL ", len(parts)), " UNION ALL ")
	err := s.reads.NewRaw("SELECT * FROM ("+union+") AS parts ORDER BY id DESC LIMIT ?", append(parts, limit)...).
		Scan(ctx, &rows)
	if err != nil {
		return nil, fail(op, err)
	}
	return all(op, turn, rows)
}

// index is the one by which a list is read: its first column, and whether the status comes next.
type index struct {
	column    string
	hasStatus bool
}

// statuses are those of the parts; the empty one is for a list of one part.
func (i index) statuses(query core.PaymentQuery) []core.Status {
	switch {
	case !i.hasStatus:
		return []core.Status{""}
	case len(query.Statuses) == 0:
		return core.Statuses()
	default:
		return slices.Compact(slices.Sorted(slices.Values(query.Statuses)))
	}
}

// indexFor picks the column that narrows most. PostgreSQL would find it by its statistics; SQLite has none.
func indexFor(query core.PaymentQuery) index {
	switch {
	case len(query.IDs) > 0:
		return index{column: "id"}
	case query.TrackingCode != "":
		return index{column: "tracking_code"}
	case query.UserID != "":
		return index{column: "user_id"}
	case query.SiteID != 0:
		return index{column: "site_id", hasStatus: true}
	case query.ProviderID != 0:
		return index{column: "provider_id", hasStatus: true}
	case query.Scope.ProviderID != 0:
		return index{column: "provider_id", hasStatus: true}
	case query.DealerID != 0:
		return index{column: "dealer_id", hasStatus: true}
	default:
		return index{column: "id", hasStatus: len(query.Statuses) > 0}
	}
}

// listPart gives the payments of one status, or of those that the query names.
func (s *Store) listPart(query core.PaymentQuery, by index, status core.Status) *bun.SelectQuery {
	q := s.reads.NewSelect().Model((*paymentRow)(nil))
	equal := func(column string, isAsked bool, value any) {
		if !isAsked {
			return
		}
		if column != by.column {
			column = s.dialect.unindexed(column)
		}
		q = q.Where(column+" = ?", value)
	}
	equal("tracking_code", query.TrackingCode != "", query.TrackingCode)
	equal("user_id", query.UserID != "", query.UserID)
	equal("site_id", query.SiteID != 0, query.SiteID)
	equal("provider_id", query.ProviderID != 0, query.ProviderID)
	equal("provider_id", query.Scope.ProviderID != 0, query.Scope.ProviderID)
	equal("dealer_id", query.DealerID != 0, query.DealerID)
	switch {
	case status != "":
		q = q.Where("status = ?", status)
	case len(query.Statuses) > 0:
		q = q.Where(s.dialect.unindexed("status")+" IN (?)", bun.List(query.Statuses))
	}
	if query.TrackingCode != "" {
		q = q.Where("tracking_code <> ''") // as the index says
	}
	return whereBetween(q, query)
}

func whereBetween(q *bun.SelectQuery, query core.PaymentQuery) *bun.SelectQuery {
	if len(query.IDs) > 0 {
		q = q.Where("id IN (?)", bun.List(query.IDs))
	}
	if len(query.Methods) > 0 {
		q = q.Where("method IN (?)", bun.List(query.Methods))
	}
	if !query.MinAmount.IsZero() {
		q = q.Where("amount_minor >= ?", query.MinAmount.Minor())
	}
	if !query.MaxAmount.IsZero() {
		q = q.Where("amount_minor <= ?", query.MaxAmount.Minor())
	}
	if query.After != "" {
		q = q.Where("id < ?", query.After)
	}
	return whereCreated(q, query)
}

// maxIDDrift is how far the moment in a payment's ID may be from its CreatedAt. The two are one moment in all that the
// core decides; the store only relies on them being near.
const maxIDDrift = 24 * time.Hour

// whereCreated compares the times, and bounds the IDs so that a time long past is found without reading what came since.
func whereCreated(q *bun.SelectQuery, query core.PaymentQuery) *bun.SelectQuery {
	if at := query.CreatedFrom; !at.IsZero() {
		q = q.Where("created_at >= ?", stamp(at))
		if id, ok := firstIDAt(at.Add(-maxIDDrift)); ok {
			q = q.Where("id >= ?", id)
		}
	}
	if at := query.CreatedUntil; !at.IsZero() {
		q = q.Where("created_at < ?", stamp(at))
		if id, ok := firstIDAt(at.Add(maxIDDrift)); ok {
			q = q.Where("id < ?", id)
		}
	}
	return q
}

// firstIDAt is the smallest ID of a moment; ok is false where no ID has such a moment.
func firstIDAt(at time.Time) (id core.ID, ok bool) {
	if ms := at.UnixMilli(); ms < 0 || ms >= 1<<48 {
		return "", false
	}
	ids, err := core.NewIDs(at, bytes.NewReader(make([]byte, 16)))
	if err != nil {
		return "", false
	}
	return ids.Next(), true
}
