package bunstore

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/uptrace/bun"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
)

// condition is a part of a WHERE about the payments that are called p.
type condition struct {
	sql  string
	args []any
}

func is(sql string, args ...any) condition { return condition{sql, args} }

// filter is what a query narrows one thing to.
type filter string

const (
	byID       filter = "id"
	bySite     filter = "site"
	byGateway  filter = "gateway"
	byProvider filter = "provider"
	byDealer   filter = "dealer"
	byStatus   filter = "status"
	byMethod   filter = "method"
	byCreated  filter = "created"
	byUpdated  filter = "updated"
	byFinished filter = "finished"
	byAmount   filter = "amount"
	byUser     filter = "user"
)

// filtersOf are the conditions of all filters that the query sets, but look-ups.
func filtersOf(q report.PaymentQuery) map[filter][]condition {
	all := map[filter][]condition{}
	add := func(f filter, isAsked bool, sql string, value any) {
		if isAsked {
			all[f] = append(all[f], is(sql, value))
		}
	}
	add(byID, len(q.IDs) > 0, "p.id IN (?)", bun.List(q.IDs))
	add(byUser, isOfUser(q), "p.user_id = ?", q.UserID)
	add(bySite, q.SiteID != 0, "p.site_id = ?", q.SiteID)
	add(byGateway, q.GatewayID != 0, "p.gateway_id = ?", q.GatewayID)
	add(byProvider, q.ProviderID != 0, "p.provider_id = ?", q.ProviderID)
	add(byProvider, q.Scope.ProviderID != 0, "p.provider_id = ?", q.Scope.ProviderID)
	add(byDealer, q.DealerID != 0, "p.dealer_id = ?", q.DealerID)
	add(byStatus, len(q.Statuses) > 0, "p.status IN (?)", bun.List(q.Statuses))
	add(byMethod, len(q.Methods) > 0, "p.method IN (?)", bun.List(q.Methods))
	between := func(f filter, column string, from, until time.Time) {
		add(f, !from.IsZero(), "p."+column+" >= ?", timestamp(from))
		add(f, !until.IsZero(), "p."+column+" < ?", timestamp(until))
	}
	between(byCreated, "created_at", q.CreatedFrom, q.CreatedUntil)
	between(byUpdated, "updated_at", q.UpdatedFrom, q.UpdatedUntil)
	between(byFinished, "finished_at", q.FinishedFrom, q.FinishedUntil)
	add(byUpdated, !q.FinishedFrom.IsZero(), "p.updated_at >= ?", timestamp(q.FinishedFrom))
	add(byAmount, !q.MinAmount.IsZero(), amountColumn+" >= ?", q.MinAmount.Minor())
	add(byAmount, !q.MaxAmount.IsZero(), amountColumn+" <= ?", q.MaxAmount.Minor())
	return all
}

// amountColumn is what amounts are compared and sorted by; an index has it.
const amountColumn = "COALESCE(p.amount_minor, 0)"

// How far the moment in a row's ID may be from when it was made. The two are one moment in all that the core decides; the
// store only relies on them being near, and reads what may be within.
const (
	maxPaymentDrift = time.Hour
	maxIDDrift      = 24 * time.Hour // of other rows, of which there are fewer
)

// idRange bounds the column of a payment's ID by what the query says of the time: a time long past is found without
// reading what came since.
func idRange(q report.PaymentQuery, column string) []condition {
	var bounds []condition
	if id, ok := firstIDAt(q.CreatedFrom.Add(-maxPaymentDrift)); ok && !q.CreatedFrom.IsZero() {
		bounds = append(bounds, is(column+" >= ?", id))
	}
	until := q.CreatedUntil
	for _, at := range []time.Time{q.FinishedUntil, q.UpdatedUntil} { // nothing ends or changes before it begins
		if !at.IsZero() && (until.IsZero() || at.Before(until)) {
			until = at
		}
	}
	if id, ok := firstIDAt(until.Add(maxPaymentDrift)); ok && !until.IsZero() {
		bounds = append(bounds, is(column+" < ?", id))
	}
	return bounds
}

// firstIDAt is the smallest ID of a moment; ok is false where no ID has such a moment.
func firstIDAt(at time.Time) (id core.ID, ok bool) {
	if ms := at.UnixMilli(); ms < 0 || ms >= 1<<48 {
		return "", false
	}
	return core.FirstID(at), true
}

// order is what a list is sorted by.
type order struct {
	key      string // the column before the ID; empty: none
	isRising bool
}

func orderOf(s report.PaymentSort) order {
	o := order{isRising: s.IsRising()}
	switch s {
	case report.LastChanged, report.LongestAsItIs:
		o.key = "p.updated_at"
	case report.GreatestAmounts, report.SmallestAmounts:
		o.key = amountColumn
	default:
	}
	return o
}

func (o order) isByID() bool { return o.key == "" }

// sql is what follows ORDER BY.
func (o order) sql() string {
	way := " DESC"
	if o.isRising {
		way = " ASC"
	}
	if o.isByID() {
		return "p.id" + way
	}
	return o.key + way + ", p.id" + way
}

// outside is the same of rows that carry their key as at_key: an expression is not known again outside of its subquery,
// and would be sorted by once more.
func (o order) outside() string {
	if o.isByID() {
		return o.sql()
	}
	return strings.ReplaceAll(o.sql(), o.key, "p.at_key")
}

// keyColumn is what at_key is.
func (o order) keyColumn() string {
	if o.isByID() {
		return "NULL"
	}
	return o.key
}

// between is the conditions of what is between the query's places in the list.
func (o order) between(q report.PaymentQuery) []condition {
	return append(o.beyond(q.After, o.isRising), o.beyond(q.Before, !o.isRising)...)
}

// beyond is the condition of what is greater than a place, or else less.
func (o order) beyond(place report.Cursor, isGreater bool) []condition {
	if place.ID == "" {
		return nil
	}
	sign := " < "
	if isGreater {
		sign = " > "
	}
	var key any = place.Key
	if o.key == "p.updated_at" {
		key = timestamp(time.UnixMicro(place.Key))
	}
	if o.isByID() {
		return []condition{is("p.id"+sign+"?", place.ID)}
	}
	return []condition{is("("+o.key+", p.id)"+sign+"(?, ?)", key, place.ID)}
}

// isOfUser reports whether the user is the only one of the look-ups that the query names: theirs is a list as an owner's.
func isOfUser(q report.PaymentQuery) bool { return q.UserID != "" && len(q.Lookups()) == 1 }

// path is a way to the payments that a query asks for: each of its parts is one range of one index, in its order.
type path struct {
	order  order
	parts  [][]condition
	covers []filter
	index  filter // whose index it is, which has rows that are anywhere in the table; empty: another one
}

// indexed are the columns that indexes have besides what they are sorted by (migration payments).
var indexed = map[filter][]string{
	byProvider: {"status", "method", "dealer_id", "amount_minor", "created_at", "updated_at"},
	byDealer:   {"status", "method", "provider_id", "amount_minor", "created_at", "updated_at"},
	byUser:     {"status", "method", "amount_minor", "created_at", "updated_at"},
	byAmount:   {"status", "method", "provider_id", "dealer_id", "amount_minor"},
}

// judges reports whether the path's index has all that conditions are about.
func (w path) judges(conditions []condition) bool {
	has := indexed[w.index]
	return has != nil && !slices.ContainsFunc(columnsIn(conditions), func(c string) bool { return !slices.Contains(has, c) })
}

// rest are the conditions that the path leaves to be checked payment by payment.
func (w path) rest(filters map[filter][]condition) []condition {
	var left []condition
	for _, f := range []filter{
		byID, byUser, bySite, byGateway, byProvider, byDealer, byStatus, byMethod, byCreated, byUpdated, byFinished, byAmount,
	} {
		if !slices.Contains(w.covers, f) {
			left = append(left, filters[f]...)
		}
	}
	return left
}

// maxParts bounds a path.
const maxParts = 40

// pathsOf returns the way that is in the query's order first, and others that may be shorter.
func pathsOf(q report.PaymentQuery, filters map[filter][]condition) []path {
	wanted := orderOf(q.Sort)
	byID := order{isRising: wanted.isByID() && wanted.isRising}
	var ways []path
	if has := filters[byUser]; has != nil {
		ways = append(ways, path{parts: [][]condition{has}, covers: []filter{byUser}, index: byUser})
	}
	for _, owner := range []filter{bySite, byGateway, byProvider, byDealer} {
		if has := filters[owner]; has != nil {
			ways = append(ways, ownerPath(q, owner, has))
		}
	}
	if parts := kindParts(q); parts != nil {
		ways = append(ways, path{parts: parts, covers: []filter{byStatus, byMethod}})
	}
	if isTimed := filters[byCreated] != nil; isTimed || len(ways) == 0 && wanted.isByID() {
		ways = append(ways, path{parts: [][]condition{nil}})
	}
	for i := range ways { // all of these are in the order of IDs
		ways[i].order = byID
		ways[i].covers = append(ways[i].covers, byCreated)
		for j := range ways[i].parts {
			ways[i].parts[j] = slices.Concat(ways[i].parts[j], idRange(q, "p.id"), filters[byCreated])
		}
	}
	for _, ranged := range []struct {
		filter filter
		key    string
	}{{byUpdated, "p.updated_at"}, {byAmount, amountColumn}} {
		isWanted := wanted.key == ranged.key
		if !isWanted && filters[ranged.filter] == nil {
			continue
		}
		way := path{parts: [][]condition{filters[ranged.filter]}, covers: []filter{ranged.filter}}
		way.order = order{key: ranged.key, isRising: isWanted && wanted.isRising}
		if ranged.filter == byAmount {
			way.index = byAmount
		}
		if isWanted {
			ways = slices.Insert(ways, 0, way)
		} else {
			ways = append(ways, way)
		}
	}
	return ways
}

// ownerPath reads an owner's payments status by status: its index has the status between the owner and the ID.
func ownerPath(q report.PaymentQuery, owner filter, has []condition) path {
	if owner == byGateway {
		has = append(slices.Clone(has), is("p.gateway_id <> 0")) // as the index says
	}
	way := path{covers: []filter{owner, byStatus}, index: owner}
	for _, s := range orAll(q.Statuses, payment.Statuses()) {
		way.parts = append(way.parts, append(slices.Clone(has), is("p.status = ?", s)))
	}
	return way
}

// kindParts reads everybody's payments status by status and method by method; nil: the query names neither, or so many
// that most payments are of one.
func kindParts(q report.PaymentQuery) [][]condition {
	statuses, methods := orAll(q.Statuses, payment.Statuses()), orAll(q.Methods, payment.Methods())
	if len(q.Statuses)+len(q.Methods) == 0 || len(statuses)*len(methods) > maxParts {
		return nil
	}
	var parts [][]condition
	for _, s := range statuses {
		for _, m := range methods {
			parts = append(parts, []condition{is("p.status = ?", s), is("p.method = ?", m)})
		}
	}
	return parts
}

// orAll returns each value that is asked for once, or all that there are where none is.
func orAll[V cmp.Ordered](asked, all []V) []V {
	if len(asked) == 0 {
		return all
	}
	return slices.Compact(slices.Sorted(slices.Values(asked)))
}
