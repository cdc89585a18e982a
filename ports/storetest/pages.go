package storetest

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/owner"
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
			c, d := w.callback(p.ID, "site/1/deposit"), w.discrepancy(p.ID)
			c.DealerID, d.DealerID = 7, 7
			change = append(change, c)
			for range i - 1 {
				change = append(change, w.attempt(c.ID))
			}
			change = append(change, w.move(p.ID))
			change = append(change, w.operation(p.ID))
			change = append(change, d)
			line := w.bankLine(7)
			line.Direction, line.PaymentID = gateway.Incoming, p.ID
			change = append(change, line)
		}
	}
	change = append(change, w.walletOf(7))
	w.commit(change)
	asked := append(slices.Clone(ids[:3]), "01ARZ3NDEKTSV4RRFFQ69G5FAV")
	var keys []payment.Key
	for _, id := range asked {
		keys = append(keys, payment.Key{ID: id, DealerID: 7})
	}
	var moves []payment.Transition
	var logs []payment.CallbackLog
	var operations []operation.Operation
	var discrepancies []discrepancy.Discrepancy
	var lines []wallet.BankLine
	for i, id := range ids[:3] {
		moves = append(moves, read(w, w.movesOf, []core.ID{id})...)
		for _, c := range each(w, w.store.CallbacksOf, id) {
			logs = append(logs, payment.CallbackLog{Callback: c, Attempts: w.attemptsOf(c)})
		}
		operations = append(operations, each(w, w.store.OperationsOf, id)...)
		discrepancies = append(discrepancies, each(w, w.store.DiscrepanciesOf, keys[i])...)
		lines = append(lines, each(w, w.store.LinesOf, id)...)
	}
	w.same(moves, read(w, w.movesOf, asked))
	w.same(logs, each(w, w.store.CallbackLogs, asked...))
	w.same(operations, each(w, w.store.OperationsOf, asked...))
	w.same(discrepancies, each(w, w.store.DiscrepanciesOf, keys...))
	w.same(lines, each(w, w.store.LinesOf, asked...))
	found, err := w.store.PaymentsByID(w.ctx, core.Scope{}, asked)
	w.no(err)
	w.same(ids[:3], paymentIDs(found))
	first := found[0]
	for scope, want := range map[core.Scope][]core.ID{
		{DealerID: first.DealerID}: ids[:1], {ProviderID: first.ProviderID}: ids[:1], {DealerID: core.Nobody}: nil,
		{DealerID: first.DealerID, ProviderID: found[1].ProviderID}: nil,
	} {
		found, err := w.store.PaymentsByID(w.ctx, scope, asked)
		w.no(err)
		w.same(want, paymentIDs(found))
	}
}

func (w *world) movesOf(ctx context.Context, payments []core.ID) ([]payment.Transition, error) {
	return w.store.MovesOf(ctx, payments, core.Paging[payment.TransitionID]{Limit: core.MaxPage})
}

// paged is what payments have lists of.
type paged[R any, C comparable] struct {
	read    func(context.Context, []core.ID, core.Paging[C]) ([]R, error)
	place   func(R) C
	compare func(a, b C) int
}

// pagesOfEachOfSeveral asks for the pages of all of them at once, from every place in one.
func pagesOfEachOfSeveral(w *world) {
	var ids []core.ID
	var change core.Changeset
	moves, discrepancies := map[core.ID][]payment.Transition{}, map[core.ID][]discrepancy.Discrepancy{}
	dealers, anothers := map[core.ID]int64{}, []payment.Key{}
	for i := range 4 {
		p := w.payment()
		ids = append(ids, p.ID)
		change = append(change, p)
		dealers[p.ID], anothers = p.DealerID, append(anothers, payment.Key{ID: p.ID, DealerID: -p.DealerID})
		for k := range 2 * i {
			m, d := w.move(p.ID), w.discrepancy(p.ID)
			d.DealerID = p.DealerID
			m.At = epoch.Add(time.Duration(10-k/2) * time.Microsecond) // two in each moment, and the later ones earlier
			moves[p.ID], discrepancies[p.ID] = append(moves[p.ID], m), append(discrepancies[p.ID], d)
			change = append(change, m, d)
		}
	}
	w.commit(change)
	arePaged(w, ids, moves, paged[payment.Transition, payment.TransitionID]{
		w.store.MovesOf, payment.Transition.Place,
		func(a, b payment.TransitionID) int { return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.ID, b.ID)) },
	})
	arePaged(w, ids, discrepancies, paged[discrepancy.Discrepancy, core.ID]{
		func(ctx context.Context, ids []core.ID, page core.Paging[core.ID]) ([]discrepancy.Discrepancy, error) {
			var keys []payment.Key
			for _, id := range ids {
				keys = append(keys, payment.Key{ID: id, DealerID: dealers[id]})
			}
			return w.store.DiscrepancyPages(ctx, keys, page)
		}, func(d discrepancy.Discrepancy) core.ID { return d.ID }, cmp.Compare[core.ID],
	})
	none, err := w.store.DiscrepancyPages(w.ctx, anothers, core.Paging[core.ID]{Limit: 9})
	w.no(err)
	w.same(0, len(none))
}

// arePaged holds the pages of all lists against the lists. The last one is the longest.
func arePaged[R any, C comparable](w *world, ids []core.ID, lists map[core.ID][]R, p paged[R, C]) {
	w.t.Helper()
	var start C
	places := []C{start}
	for _, id := range ids {
		slices.SortFunc(lists[id], func(a, b R) int { return p.compare(p.place(a), p.place(b)) })
	}
	for _, r := range lists[ids[len(ids)-1]] {
		places = append(places, p.place(r))
	}
	asked := append(slices.Clone(ids), ids[2], "01ARZ3NDEKTSV4RRFFQ69G5FAV")
	for _, after := range places {
		for _, before := range places {
			for _, limit := range []int{0, 1, 2, core.MaxPage} {
				for _, isLast := range []bool{false, true} {
					page := core.Paging[C]{After: after, Before: before, Limit: limit, IsLast: isLast}
					found, err := p.read(w.ctx, asked, page)
					w.no(err)
					w.same(p.pages(ids, lists, page), found)
				}
			}
		}
	}
}

// pages returns the page of each list.
func (p paged[R, C]) pages(ids []core.ID, lists map[core.ID][]R, page core.Paging[C]) (all []R) {
	var none C
	for _, id := range ids {
		rows := slices.DeleteFunc(slices.Clone(lists[id]), func(r R) bool {
			at := p.place(r)
			return page.After != none && p.compare(at, page.After) <= 0 || page.Before != none && p.compare(at, page.Before) >= 0
		})
		if page.IsLast {
			all = append(all, rows[max(len(rows)-page.Limit, 0):]...)
		} else {
			all = append(all, rows[:min(len(rows), page.Limit)]...)
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
					Account: owner.AccountKey{ID: int64(4 + i%3), DealerID: 7}, From: tomorrowAt(9).Add(time.Duration(from) * time.Minute),
					Until: tomorrowAt(9).Add(time.Duration(until) * time.Minute), Limit: limit,
				})
			}
		}
	}
	queries = append(queries, wallet.CandidateQuery{Until: tomorrowAt(20), Limit: 5}, queries[len(queries)-1],
		wallet.CandidateQuery{Account: owner.AccountKey{ID: 6, DealerID: 7}, Until: tomorrowAt(20), Limit: 2})
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
