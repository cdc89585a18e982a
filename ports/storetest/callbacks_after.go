package storetest

import (
	"slices"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/payment"
)

func callbacksAfter(w *world) {
	var change core.Changeset
	of := map[payment.ReferenceOwner][]core.ID{}
	for i := range 20 {
		p := w.payment()
		c := w.callback(p.ID, "receiver")
		c.Status = payment.CallbackStatuses()[i%5]
		if c.SupersededAt = (time.Time{}); c.Status == payment.Superseded {
			c.SupersededAt = epoch
		}
		whose := []payment.ReferenceOwner{{ProviderID: 11}, {ProviderID: 12}, {DealerID: 11}}[i%3]
		c.ProviderID, c.DealerID = whose.ProviderID, whose.DealerID
		of[whose] = append(of[whose], c.ID)
		change = append(change, p, c)
	}
	w.commit(change)
	read := func(o payment.ReferenceOwner, after core.ID, limit int) []core.ID {
		found, err := w.store.CallbacksAfter(w.ctx, o, after, limit)
		w.no(err)
		return callbackIDs(found)
	}
	for whose, ids := range of {
		slices.Sort(ids)
		w.same(ids, read(whose, "", core.MaxPage))
		w.same(ids[:2], read(whose, "", 2))
		w.same(ids[3:], read(whose, ids[2], core.MaxPage))
		w.same([]core.ID(nil), read(whose, ids[len(ids)-1], core.MaxPage))
		w.same([]core.ID(nil), read(whose, "", 0))
	}
	w.same([]core.ID(nil), read(payment.ReferenceOwner{ProviderID: 11, DealerID: 11}, "", core.MaxPage))
}
