package conformance

import (
	"encoding/json"
	"fmt"

	"github.com/vezne/vezne/core/gateway"
)

// query is a call that only asks, and must change nothing.
type query struct {
	name string
	ask  func(w *world) (answer string, err error)
}

// newQuery makes a query of a call. Its answer is the call's report as JSON.
func newQuery[R any](name string, ask func(w *world) (R, error)) query {
	return query{name, func(w *world) (string, error) {
		report, err := ask(w)
		if err != nil {
			return "", err
		}
		text, err := json.Marshal(report)
		return string(text), err
	}}
}

// queryCases holds queries to what must be true when they fail. Prepare makes what there is to ask for.
func queryCases(what string, prepare func(w *world) []query) []testCase {
	var list []testCase
	for _, m := range failureModes() {
		name := fmt.Sprintf("%s that meets %s is an error and no answer", what, m.name)
		list = append(list, testCase{name, func(w *world) { w.queriesFail(prepare(w), m) }})
	}
	return append(list,
		testCase{what + " ends with its context", func(w *world) {
			for _, q := range prepare(w) {
				do := func(w *world) error { return errorOf(q.ask(w)) }
				w.endsWithContext(q.name, do)
				_ = w.stopsBeforeCall(q.name, do) // what needs no call may well answer
			}
		}},
		testCase{what + " changes nothing", func(w *world) {
			for _, q := range prepare(w) {
				before := w.fake.Mutations()
				_, err := q.ask(w)
				w.check(err == nil, "%s failed: %v", q.name, err)
				w.unchanged(before, "%s changed something at the gateway: it may be asked at any time, and any number of times",
					q.name)
			}
		}},
	)
}

// queriesFail asks each query while calls fail in a mode.
func (w *world) queriesFail(all []query, m failureMode) {
	for _, q := range all {
		before := w.transport.count()
		w.meet(m, nil)
		_, err := q.ask(w)
		w.transport.restore()
		if w.transport.count() > before {
			w.checkFailure(q.name, err, m)
		}
	}
}

// errorOf drops the report of a call whose error is all that matters.
func errorOf[R any](_ R, err error) error { return err }

// allQueries is the queries of all groups.
func (w *world) allQueries() []query {
	var all []query
	for _, t := range w.orderTypes() {
		all = append(all, t.queries(w)...)
	}
	if w.d.Deposit != nil {
		all = append(all, depositQueries(w)...)
	}
	if w.d.Account != nil {
		all = append(all, accountQueries(w)...)
	}
	return all
}

// depositQueries asks for deposits in other situations, and for whatever else there is to ask about deposits.
func depositQueries(w *world) []query {
	var list []query
	for _, s := range []Situation{IsWaiting, IsUnlisted} {
		d := w.start()
		w.set(d.order.Ref, s)
		list = append(list, newQuery("ReadDeposit", func(w *world) (gateway.Observation, error) { return w.readDeposit(d.key()) }))
	}
	if w.has(gateway.CanListDeposits) {
		span := gateway.Window{From: Opening.AddDate(0, 0, -1), To: Opening.AddDate(0, 0, 1)}
		list = append(list, newQuery("ListDeposits", func(w *world) (gateway.ObservationPage, error) {
			return w.listDeposits(span, "")
		}))
	}
	if w.has(gateway.CanListOptions) {
		list = append(list, newQuery("ListOptions", (*world).listOptions))
	}
	if w.has(gateway.CanQuote) {
		q := gateway.QuoteRequest{From: lira(w.usual()), To: w.quotedAsset()}
		list = append(list, newQuery("Quote", func(w *world) (gateway.Quote, error) { return w.quote(q) }))
	}
	return list
}
