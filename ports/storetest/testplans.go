package storetest

import (
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/testplan"
)

func dueTestPlans(w *world) {
	plan := func(dueAt time.Time) testplan.Plan {
		p := testplan.Plan{PaymentID: w.payment().ID, Version: 1, Outcome: testplan.Completed, DueAt: dueAt}
		w.commit(core.Changeset{p})
		return p
	}
	late, early, never, future := plan(epoch), plan(epoch.Add(-time.Microsecond)), plan(time.Time{}), plan(epoch.Add(time.Microsecond))
	due := func(limit int, now time.Time) (ids []core.ID) {
		plans, err := w.store.DueTestPlans(w.ctx, now, limit)
		if err != nil {
			w.t.Fatal(err)
		}
		for _, p := range plans {
			ids = append(ids, p.PaymentID)
		}
		return ids
	}
	w.same([]core.ID{early.PaymentID, late.PaymentID}, due(10, epoch))
	w.same([]core.ID{early.PaymentID}, due(1, epoch))
	w.same([]core.ID{early.PaymentID, late.PaymentID, future.PaymentID}, due(10, epoch.Add(time.Hour)))
	w.commit(core.Changeset{early.Ended()})
	w.same([]core.ID{late.PaymentID}, due(10, epoch))
	w.same(fault.Conflict, fault.CodeOf(w.store.Commit(w.ctx, core.Changeset{early.Ended()})))
	found, err := w.store.TestPlan(w.ctx, never.PaymentID)
	w.same([]any{never, nil}, []any{found, err})
	_, err = w.store.TestPlan(w.ctx, w.payment().ID)
	w.same(fault.NotFound, fault.CodeOf(err))
}
