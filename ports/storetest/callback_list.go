package storetest

import (
	"slices"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
)

// callbackList asks for callbacks in many ways, either way: what is found is what a model of the list has.
func callbackList(w *world) {
	var change core.Changeset
	var all []payment.Callback
	answer := map[core.ID]report.CallbackAnswer{}
	for i := range 40 {
		p := w.payment()
		c := w.callback(p.ID, "receiver")
		c.Status = payment.CallbackStatuses()[i%5]
		c.ProviderID, c.DealerID, c.SiteID = int64(11+i%2), int64(i%3), int64(1+i%4)
		c.CreatedAt = epoch.Add(time.Duration(i) * time.Minute)
		if c.SupersededAt = (time.Time{}); c.Status == payment.Superseded || i%4 == 3 && c.Status != payment.Waiting {
			c.SupersededAt = epoch
		}
		change = append(change, p, c)
		all = append(all, c)
		answer[c.ID] = report.Untried
		for n, status := range [][]int{{}, {500, 200}, {302}, {404}, {200, 0}, {503}}[i%6] {
			a := w.attempt(c.ID)
			a.Number, a.HTTPStatus = n+1, status
			change = append(change, a)
			answer[c.ID] = report.AnswerOf([]payment.Attempt{a})
		}
	}
	w.commit(change)
	queries := []report.CallbackQuery{
		{},
		{Scope: core.Scope{ProviderID: 11}},
		{Scope: core.Scope{DealerID: 2}},
		{Scope: core.Scope{DealerID: core.Nobody}},
		{Scope: core.Scope{DealerID: 1, ProviderID: 12}},
		{SiteID: 3},
		{IDs: []core.ID{all[3].ID, all[8].ID}},
		{CreatedFrom: all[7].CreatedAt, CreatedUntil: all[21].CreatedAt},
		{Scope: core.Scope{ProviderID: 12}, Statuses: []payment.CallbackStatus{payment.Waiting}},
		{Statuses: []payment.CallbackStatus{payment.Waiting, payment.Delivered}, IsReplaced: new(false)},
		{IsReplaced: new(true)},
		{Scope: core.Scope{ProviderID: 11}, Statuses: []payment.CallbackStatus{payment.Skipped, payment.Undeliverable}, IsReplaced: new(false)},
		{Statuses: []payment.CallbackStatus{payment.Undeliverable}, Answers: []report.CallbackAnswer{report.AnsweredNo}, IsReplaced: new(false)},
	}
	for _, a := range report.CallbackAnswers() {
		queries = append(queries, report.CallbackQuery{Answers: []report.CallbackAnswer{a}})
	}
	for _, q := range queries {
		var want []core.ID
		for _, c := range slices.Backward(all) {
			if q.Holds(&c) && (len(q.Answers) == 0 || slices.Contains(q.Answers, answer[c.ID])) {
				want = append(want, c.ID)
			}
		}
		read := func(p core.Paging[core.ID]) []core.ID {
			q.Paging = p
			found, err := w.store.CallbacksIn(w.ctx, q)
			w.no(err)
			if found.Stop != nil {
				w.t.Errorf("a search of %d callbacks gives up", len(all))
			}
			return callbackIDs(found.Callbacks)
		}
		w.same(want, read(core.Paging[core.ID]{Limit: core.MaxPage}))
		if len(want) > 2 {
			w.same(want[1:3], read(core.Paging[core.ID]{Limit: 2, After: want[0]}))
			w.same(want[len(want)-2:], read(core.Paging[core.ID]{Limit: 2, IsLast: true}))
		}
	}
}
