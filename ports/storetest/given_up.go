package storetest

import (
	"slices"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/payment"
)

func givenUpCallbacks(w *world) {
	var change core.Changeset
	var all []payment.Callback
	for i := range 24 {
		p := w.payment()
		c := w.callback(p.ID, "receiver")
		c.Status = payment.CallbackStatuses()[i%5]
		c.ProviderID, c.DealerID = int64(11+i%2), int64(1+i%3)
		if c.SupersededAt = (time.Time{}); c.Status == payment.Superseded || i%4 == 3 && c.Status != payment.Waiting {
			c.SupersededAt = epoch
		}
		change = append(change, p, c)
		all = append(all, c)
	}
	w.commit(change)
	for _, scope := range []core.Scope{{}, {ProviderID: 11}, {DealerID: 2}, {DealerID: core.Nobody}} {
		for _, asked := range [][]payment.CallbackStatus{nil, {payment.Skipped}, {payment.Skipped, payment.Undeliverable}} {
			var want []core.ID
			for _, c := range slices.Backward(all) {
				isAsked := slices.Contains(asked, c.Status) || len(asked) == 0 && slices.Contains(payment.GivenUpStatuses(), c.Status)
				if isAsked && c.SupersededAt.IsZero() && scope.Has(c.DealerID, c.ProviderID) {
					want = append(want, c.ID)
				}
			}
			read := func(p core.Paging[core.ID]) []core.ID {
				found, err := w.store.GivenUpCallbacks(w.ctx, payment.GivenUpQuery{Scope: scope, Statuses: asked, Paging: p})
				w.no(err)
				return callbackIDs(found)
			}
			w.same(want, read(core.Paging[core.ID]{Limit: core.MaxPage}))
			if len(want) > 2 {
				w.same(want[1:3], read(core.Paging[core.ID]{Limit: 2, After: want[0]}))
				w.same(want[len(want)-2:], read(core.Paging[core.ID]{Limit: 2, IsLast: true}))
			}
		}
	}
}
