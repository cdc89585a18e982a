package storetest

import (
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/payment"
)

func idempotencySentences() []sentence {
	return []sentence{
		{"a key that exists is a duplicate and nothing of the changeset stays", duplicateLeavesNothing},
		{"a key belongs to its caller and endpoint", keysAreApart},
		{"a record older than ReplacesBefore is replaced", oldIsReplaced},
		{"a changeset that fails otherwise does not use up its key", failedKeyIsFree},
		{"forgetting deletes at most limit records created before a moment", forgetsOld},
	}
}

// stored is a record as it is read: ReplacesBefore is the commit's, not the record's.
func stored(r payment.IdempotencyRecord) payment.IdempotencyRecord {
	r.ReplacesBefore = time.Time{}
	return r
}

func (w *world) answerIs(want payment.IdempotencyRecord) {
	w.t.Helper()
	w.same(stored(want), stored(w.firstAnswer(want.IdempotencyKey)))
}

func duplicateLeavesNothing(w *world) {
	first, second, p := w.record(), w.record(), w.payment()
	second.IdempotencyKey = first.IdempotencyKey
	w.commit(core.Changeset{first})
	w.refused(fault.Duplicate, core.Changeset{p, second})
	_, err := w.store.PaymentByTrackingCode(w.ctx, p.TrackingCode)
	w.fails(fault.NotFound, err)
	w.answerIs(first)
}

func keysAreApart(w *world) {
	one := w.record()
	others := []payment.IdempotencyKey{
		{Caller: one.Caller + "0", Endpoint: one.Endpoint, Key: one.Key},
		{Caller: one.Caller, Endpoint: "E4", Key: one.Key},
		{Caller: one.Caller, Endpoint: one.Endpoint, Key: one.Key + " "},
		{Caller: one.Caller, Endpoint: one.Endpoint, Key: "a"},
		{Caller: one.Caller, Endpoint: one.Endpoint, Key: "A"},
	}
	w.commit(core.Changeset{one})
	for _, key := range others {
		r := w.record()
		r.IdempotencyKey = key
		w.commit(core.Changeset{r})
		w.answerIs(r)
	}
	w.answerIs(one)
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

func failedKeyIsFree(w *world) {
	p, r := w.payment(), w.record()
	w.commit(core.Changeset{p})
	w.refused(fault.Conflict, core.Changeset{p, r})
	w.commit(core.Changeset{r})
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
		forgotten, err := w.store.ForgetAnswers(w.ctx, before, 2)
		w.no(err)
		w.same(want, forgotten)
	}
	for i, r := range records {
		_, err := w.store.FirstAnswer(w.ctx, r.IdempotencyKey)
		if i < 3 {
			w.fails(fault.NotFound, err)
		} else {
			w.no(err)
		}
	}
}
