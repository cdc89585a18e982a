package storetest

import (
	"context"
	"slices"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/wallet"
)

func pagesOfSeveral(w *world) {
	var ids []core.ID
	var change core.Changeset
	for i := range 4 {
		p := w.payment()
		ids = append(ids, p.ID)
		change = append(change, p)
		for range i {
			c := w.callback(p.ID, "site/1/deposit")
			change = append(change, c)
			for range i - 1 {
				change = append(change, w.attempt(c.ID))
			}
			change = append(change, w.move(p.ID))
			change = append(change, w.operation(p.ID))
			change = append(change, w.discrepancy(p.ID))
			line := w.bankLine(7)
			line.Direction, line.PaymentID = gateway.Incoming, p.ID
			change = append(change, line)
		}
	}
	change = append(change, w.walletOf(7))
	w.commit(change)
	asked := append(slices.Clone(ids[:3]), "01ARZ3NDEKTSV4RRFFQ69G5FAV")
	var moves []payment.Transition
	var logs []payment.CallbackLog
	var operations []operation.Operation
	var discrepancies []discrepancy.Discrepancy
	var lines []wallet.BankLine
	for _, id := range ids[:3] {
		moves = append(moves, read(w, w.movesOf, []core.ID{id})...)
		for _, c := range each(w, w.store.CallbacksOf, id) {
			logs = append(logs, payment.CallbackLog{Callback: c, Attempts: w.attemptsOf(c)})
		}
		operations = append(operations, each(w, w.store.OperationsOf, id)...)
		discrepancies = append(discrepancies, each(w, w.store.DiscrepanciesOf, id)...)
		lines = append(lines, each(w, w.store.LinesOf, id)...)
	}
	w.same(moves, read(w, w.movesOf, asked))
	w.same(logs, each(w, w.store.CallbackLogs, asked...))
	w.same(operations, each(w, w.store.OperationsOf, asked...))
	w.same(discrepancies, each(w, w.store.DiscrepanciesOf, asked...))
	w.same(lines, each(w, w.store.LinesOf, asked...))
	w.same(ids[:3], paymentIDs(read(w, w.store.PaymentsByID, asked)))
}

func (w *world) movesOf(ctx context.Context, payments []core.ID) ([]payment.Transition, error) {
	return w.store.MovesOf(ctx, payments, core.Paging[core.ID]{Limit: core.MaxPage})
}

// pagesOfEachOfSeveral asks for the pages of all of them at once, from every place in one.
func pagesOfEachOfSeveral(w *world) {
	var ids []core.ID
	var change core.Changeset
	moves, discrepancies := map[core.ID][]payment.Transition{}, map[core.ID][]discrepancy.Discrepancy{}
	for i := range 4 {
		p := w.payment()
		ids = append(ids, p.ID)
		for range 2 * i {
			moves[p.ID] = append(moves[p.ID], w.move(p.ID))
			discrepancies[p.ID] = append(discrepancies[p.ID], w.discrepancy(p.ID))
		}
		change = append(change, p)
		change = change.Merge(core.Rows(moves[p.ID])).Merge(core.Rows(discrepancies[p.ID]))
	}
	w.commit(change)
	asked := append(slices.Clone(ids), ids[2], "01ARZ3NDEKTSV4RRFFQ69G5FAV")
	for _, page := range pagesFrom(moves[ids[3]], func(m payment.Transition) core.ID { return m.ID }) {
		found, err := w.store.MovesOf(w.ctx, asked, page)
		w.no(err)
		w.same(pageOfEach(ids, moves, page, func(m payment.Transition) core.ID { return m.ID }), found)
	}
	for _, page := range pagesFrom(discrepancies[ids[3]], func(d discrepancy.Discrepancy) core.ID { return d.ID }) {
		found, err := w.store.DiscrepancyPages(w.ctx, asked, page)
		w.no(err)
		w.same(pageOfEach(ids, discrepancies, page, func(d discrepancy.Discrepancy) core.ID { return d.ID }), found)
	}
}

// pagesFrom are pages of some sizes between the places of a list.
func pagesFrom[R any](list []R, place func(R) core.ID) []core.Paging[core.ID] {
	places := []core.ID{""}
	for _, r := range list {
		places = append(places, place(r))
	}
	var pages []core.Paging[core.ID]
	for _, after := range places {
		for _, before := range places {
			for _, limit := range []int{0, 1, 2, core.MaxPage} {
				page := core.Paging[core.ID]{After: after, Before: before, Limit: limit}
				last := page
				last.IsLast = true
				pages = append(pages, page, last)
			}
		}
	}
	return pages
}

// pageOfEach returns the page of each list, oldest first.
func pageOfEach[R any](of []core.ID, lists map[core.ID][]R, p core.Paging[core.ID], place func(R) core.ID) (all []R) {
	for _, id := range of {
		var rows []R
		for _, r := range lists[id] {
			if place(r) > p.After && (p.Before == "" || place(r) < p.Before) {
				rows = append(rows, r)
			}
		}
		if p.IsLast {
			all = append(all, rows[max(len(rows)-p.Limit, 0):]...)
		} else {
			all = append(all, rows[:min(len(rows), p.Limit)]...)
		}
	}
	return all
}

// lastAttempts has callbacks that were sent again more often than is shown.
func lastAttempts(w *world) {
	p := w.payment()
	few, many := w.callback(p.ID, receiver), w.callback(p.ID, receiver)
	change := core.Changeset{p, few, many}
	var ofFew, ofMany []payment.Attempt
	for range payment.MaxLoggedAttempts {
		ofFew = append(ofFew, w.attempt(few.ID))
		ofMany = append(ofMany, w.attempt(many.ID), w.attempt(many.ID))
	}
	w.commit(change.Merge(core.Rows(ofFew)).Merge(core.Rows(ofMany)))
	w.same(ofFew, w.attemptsOf(few))
	w.same(ofMany[payment.MaxLoggedAttempts:], w.attemptsOf(many))
}

func feedsOfSeveral(w *world) {
	feeds := []wallet.Feed{w.feed(6), w.feed(7), w.feed(8), w.feed(9)}
	w.commit(core.Rows(feeds[2:]), core.Rows(feeds[:2]))
	w.same([]wallet.Feed{feeds[0], feeds[2]}, each(w, w.store.FeedsOf, 8, 99, 6, 8))
	w.same(feeds, each(w, w.store.FeedsOf, 9, 8, 7, 6))
}

// candidatesOfSeveral asks for times that lie apart, overlap, hold each other and are the same, of two accounts, so that
// what one query finds is what another leaves out.
func candidatesOfSeveral(w *world) {
	var all []payment.Payment
	for i := range 60 {
		all = append(all, w.deposit(int64(5+i%2), tomorrowAt(9).Add(time.Duration(i*i%17)*time.Minute)))
	}
	w.commit(core.Rows(all))
	var queries []wallet.CandidateQuery
	for _, limit := range []int{0, 1, 3, 50} {
		for _, from := range []int{0, 4, 9} {
			for i, until := range []int{4, 5, 16, 30} {
				queries = append(queries, wallet.CandidateQuery{
					AccountID: int64(4 + i%3), From: tomorrowAt(9).Add(time.Duration(from) * time.Minute),
					Until: tomorrowAt(9).Add(time.Duration(until) * time.Minute), Limit: limit,
				})
			}
		}
	}
	queries = append(queries, wallet.CandidateQuery{Until: tomorrowAt(20), Limit: 5}, queries[len(queries)-1],
		wallet.CandidateQuery{AccountID: 6, Until: tomorrowAt(20), Limit: 2})
	found := each(w, w.store.Candidates, queries...)
	w.same(len(queries), len(found))
	n := 0
	for i, q := range queries {
		w.same(w.candidates(q), found[i])
		n += len(found[i])
	}
	w.same(true, n > 50)
}

// each reads what must be there to be read.
func each[K, R any](w *world, read func(ctx context.Context, of ...K) ([]R, error), of ...K) []R {
	w.t.Helper()
	rows, err := read(w.ctx, of...)
	w.no(err)
	return rows
}
