package storetest

import (
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/payment"
)

func versionSentences() []sentence {
	return []sentence{
		{"version 1 of a row that exists is a conflict", forEachVersioned(func(w *world, row versions) {
			w.commit(row(1))
			w.refused(fault.Conflict, row(1))
		})},
		{"a later version of a row that does not exist is a conflict", forEachVersioned(func(w *world, row versions) {
			w.refused(fault.Conflict, row(2))
			w.commit(row(1))
		})},
		{"version 0 is a conflict", forEachVersioned(func(w *world, row versions) {
			w.refused(fault.Conflict, row(0))
			w.commit(row(1))
			w.refused(fault.Conflict, row(0))
		})},
		{"the next version is saved, once, and an old one is a conflict", forEachVersioned(func(w *world, row versions) {
			w.commit(row(1), row(2), row(3))
			for _, old := range []int{3, 2, 1} {
				w.refused(fault.Conflict, row(old))
			}
			w.commit(row(4))
		})},
		{"a version that skips one is a conflict", forEachVersioned(func(w *world, row versions) {
			w.commit(row(1))
			w.refused(fault.Conflict, row(3))
			w.commit(row(2))
		})},
		{"a stale version is a conflict and nothing of the changeset stays", staleLeavesNothing},
		{"one stale row among fresh ones is enough for a conflict", staleAmongFresh},
	}
}

// versions is one row, alone in a changeset, as whatever version of it.
type versions func(version int) core.Changeset

// forEachVersioned tests every kind of row that is saved by compare-and-set.
func forEachVersioned(test func(w *world, row versions)) func(w *world) {
	return forEachKind(func(w *world, k kind) {
		if k.isVersioned {
			f, given := k.new(w)
			row := k.full(w, f, given)
			test(w, func(version int) core.Changeset { return core.Changeset{k.at(w, row, version)} })
		}
	})
}

func staleLeavesNothing(w *world) {
	p := w.payment()
	w.commit(core.Changeset{p})
	late := p
	p.Version, p.Reason = 2, "the first to decide"
	w.commit(core.Changeset{p})
	late.Version, late.Reason = 2, "the second"
	w.refused(fault.Conflict, core.Changeset{
		late,
		w.move(p.ID),
		w.callback(p.ID, "site/1/deposit"),
	})
	w.same(p, w.byCode(p.TrackingCode))
	if n := len(w.moves(p.ID)) + len(w.callbacksOf(p.ID)); n > 0 {
		w.t.Fatalf("%d rows of the loser are there", n)
	}
}

func staleAmongFresh(w *world) {
	rows := []payment.Payment{w.payment(), w.payment(), w.payment()}
	w.commit(core.Rows(rows))
	next := []payment.Payment{rows[0], rows[1], rows[2]}
	next[0].Version, next[1].Version, next[2].Version = 2, 1, 2
	w.refused(fault.Conflict, core.Rows(next))
	for _, p := range rows {
		w.same(p, w.byCode(p.TrackingCode))
	}
}
