package storetest

import (
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/payment"
)

// answerIs compares what is kept of a record: ReplacesBefore is its commit's.
func (w *world) answerIs(want payment.IdempotencyRecord) {
	w.t.Helper()
	found := read(w, w.store.FirstAnswer, want.IdempotencyKey)
	found.ReplacesBefore = want.ReplacesBefore
	w.same(want, found)
}

func oldIsReplaced(w *world) {
	old, fresh := w.record(), w.record()
	fresh.IdempotencyKey, fresh.RequestHash, fresh.Status = old.IdempotencyKey, "cd", 409
	w.commit(core.Changeset{old})
	fresh.ReplacesBefore = old.CreatedAt
	w.refused(fault.Duplicate, core.Changeset{fresh})
	w.answerIs(old)
	fresh.ReplacesBefore = old.CreatedAt.Add(time.Microsecond)
	w.commit(core.Changeset{fresh})
	w.answerIs(fresh)
	w.refused(fault.Duplicate, core.Changeset{fresh})
}

func oddKey(w *world) {
	r := w.record()
	r.Key = "a\x00b\xffc"
	w.commit(core.Changeset{r})
	w.same(r.Body, read(w, w.store.FirstAnswer, r.IdempotencyKey).Body)
}

func forgetsOld(w *world) {
	var records []payment.IdempotencyRecord
	for i := range 5 {
		r := w.record()
		r.CreatedAt = epoch.Add(time.Duration(i) * time.Hour)
		records = append(records, r)
		w.commit(core.Changeset{r})
	}
	before := epoch.Add(3 * time.Hour) // the fourth was created at this moment, not before
	for _, want := range []int{2, 1, 0} {
		forgotten, err := w.store.Prune(w.ctx, core.IdempotencyRecords, before, 2)
		w.no(err)
		w.same(want, forgotten)
	}
	for i, r := range records {
		if i < 3 {
			w.nothingThere(r)
		} else {
			w.answerIs(r)
		}
	}
}
