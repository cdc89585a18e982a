package storetest

import (
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/wallet"
)

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
