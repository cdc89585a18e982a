package bunstore

import (
	"context"
	"slices"
	"strings"

	"github.com/uptrace/bun"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
)

// lastAnswer is the HTTP status of a callback's last attempt: 0 where there was no answer, null where there is no attempt.
const lastAnswer = ", (SELECT a.http_status FROM attempts AS a WHERE a.callback_id = c.id ORDER BY a.id DESC LIMIT 1) AS answer"

// answers are the conditions of what was answered.
var answers = map[report.CallbackAnswer]string{
	report.AnsweredWell: "d.answer BETWEEN 100 AND 299", report.AnsweredMoved: "d.answer BETWEEN 300 AND 399",
	report.AnsweredNo: "d.answer BETWEEN 400 AND 499", report.AnsweredBroken: "d.answer >= 500",
	report.Unanswered: "d.answer = 0", report.Untried: "d.answer IS NULL",
}

// callbackWay is how callbacks are looked for: along an index that has them in the list's order, or along several that are put together,
// of which at most so many rows are looked at, and then by the rest.
type callbackWay struct {
	parts [][]condition
	rest  []condition
	most  int
}

// callbackWayOf finds the narrowest index. The words of partial indexes are repeated as they are there.
func callbackWayOf(q report.CallbackQuery) callbackWay {
	w := callbackWay{most: maxLooked}
	var owner []condition
	if q.ProviderID != 0 {
		owner = append(owner, is("provider_id = ?", q.ProviderID))
	}
	if q.DealerID != 0 {
		owner = append(owner, is("dealer_id <> 0 AND dealer_id = ?", q.DealerID))
	}
	isGivenUp := func(s payment.CallbackStatus) bool { return s == payment.Undeliverable || s == payment.Skipped }
	isHeld := q.IsReplaced != nil && !*q.IsReplaced
	statuses := slices.Compact(slices.Sorted(slices.Values(q.Statuses)))
	switch {
	case len(q.IDs) > 0:
		w.parts, w.rest = [][]condition{{is("id IN (?)", bun.List(q.IDs))}}, owner
	case isHeld && len(statuses) > 0 && !slices.ContainsFunc(statuses, func(s payment.CallbackStatus) bool { return !isGivenUp(s) }):
		for _, s := range statuses {
			part := is("state IN ('failed', 'skipped') AND superseded_at IS NULL AND state = ?", s)
			w.parts = append(w.parts, append([]condition{part}, owner...))
		}
		statuses, q.IsReplaced = nil, nil
	case slices.Equal(statuses, []payment.CallbackStatus{payment.Waiting}):
		w.parts, w.rest = [][]condition{{is("state = 'waiting'")}}, owner
		statuses = nil
	default:
		w.parts = [][]condition{owner}
		if len(owner) > 0 {
			w.most = maxLookedByOwner
		}
	}
	w.rest = append(w.rest, callbackRest(q, statuses)...)
	if len(q.Answers) > 0 {
		w.most = min(w.most, maxLookedUp)
	}
	return w
}

// callbackRest is what is asked for beside owners.
func callbackRest(q report.CallbackQuery, statuses []payment.CallbackStatus) (rest []condition) {
	add := func(isAsked bool, sql string, args ...any) {
		if isAsked {
			rest = append(rest, is(sql, args...))
		}
	}
	add(len(statuses) > 0, "state IN (?)", bun.List(statuses))
	add(q.IsReplaced != nil && *q.IsReplaced, "superseded_at IS NOT NULL")
	add(q.IsReplaced != nil && !*q.IsReplaced, "superseded_at IS NULL")
	add(q.SiteID != 0, "site_id = ?", q.SiteID)
	add(!q.CreatedFrom.IsZero(), "created_at >= ?", timestamp(q.CreatedFrom))
	add(!q.CreatedUntil.IsZero(), "created_at < ?", timestamp(q.CreatedUntil))
	var any []string
	for _, a := range q.Answers {
		any = append(any, answers[a])
	}
	add(len(any) > 0, "("+strings.Join(any, " OR ")+")")
	return rest
}

// callbacksBetween bounds the ID by the page's places, and by what is asked of the time.
func callbacksBetween(q report.CallbackQuery) (bounds []condition) {
	if q.After != "" {
		bounds = append(bounds, is("id < ?", q.After))
	}
	if q.Before != "" {
		bounds = append(bounds, is("id > ?", q.Before))
	}
	if id, ok := firstIDAt(q.CreatedFrom.Add(-maxPaymentDrift)); ok && !q.CreatedFrom.IsZero() {
		bounds = append(bounds, is("id >= ?", id))
	}
	if id, ok := firstIDAt(q.CreatedUntil.Add(maxPaymentDrift)); ok && !q.CreatedUntil.IsZero() {
		bounds = append(bounds, is("id < ?", id))
	}
	return bounds
}

// CallbacksIn implements ports.Callbacks.
func (s *Store) CallbacksIn(ctx context.Context, q report.CallbackQuery) (found report.CallbackPage, err error) {
	const op = "bunstore.CallbacksIn"
	if q.Paging = q.Bounded(); q.Limit < 1 {
		return found, nil
	}
	w := callbackWayOf(q)
	if len(w.rest) == 0 {
		w.most = q.Limit
	}
	err = s.inSnapshot(ctx, func(s *Store) error {
		found, err = s.callbacksAlong(ctx, q, w)
		return err
	})
	if q.IsLast {
		slices.Reverse(found.Callbacks)
	}
	return found, fail(op, err)
}

func (s *Store) callbacksAlong(ctx context.Context, q report.CallbackQuery, w callbackWay) (found report.CallbackPage, err error) {
	order := newestFirst.sql(q.IsLast)
	answered := ""
	if len(q.Answers) > 0 {
		answered = lastAnswer
	}
	looked := func(t *query) {
		t.add("SELECT * FROM (")
		for i, part := range w.parts {
			t.union(i == 0)
			t.add("SELECT * FROM (SELECT id, provider_id, dealer_id, site_id, state, superseded_at, created_at" + answered + " FROM callbacks AS c")
			t.where(part, callbacksBetween(q))
			t.add(" ORDER BY "+order+" LIMIT ?) AS part", w.most)
		}
		t.add(") AS parts ORDER BY "+order+" LIMIT ?", w.most)
	}
	var list query
	list.add("SELECT c.* FROM (SELECT d.id FROM (")
	looked(&list)
	list.add(") AS d")
	list.where(w.rest)
	list.add(" ORDER BY "+order+" LIMIT ?) AS f JOIN callbacks AS c ON c.id = f.id ORDER BY c."+order, q.Limit)
	var rows []callbackRow
	if err := list.scan(ctx, s, &rows); err != nil {
		return found, err
	}
	if found.Callbacks, err = openAll(ctx, s, "bunstore.CallbacksIn", callbackRow.callback, rows); err != nil {
		return found, err
	}
	if len(w.rest) == 0 || len(rows) == q.Limit {
		return found, nil
	}
	var last query
	last.add("SELECT id FROM (")
	looked(&last)
	last.add(") AS d ORDER BY "+order+" LIMIT 1 OFFSET ?", w.most-1)
	var stops []core.ID
	if err := last.scan(ctx, s, &stops); err != nil || len(stops) == 0 {
		return found, err
	}
	found.Stop = &stops[0]
	return found, nil
}
