package storetest

import (
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/payment"
)

func nextVersionOnly(w *world, k kind) {
	if !k.isVersioned {
		return
	}
	f, given := k.new(w)
	row := k.full(w, f, given)
	at := func(version int) core.Changeset { return core.Changeset{k.at(w, row, version)} }
	for _, step := range []struct {
		saved   int
		refused []int
	}{{0, []int{0, 2}}, {1, []int{0, 1, 3}}, {2, []int{0, 1, 2, 4}}, {3, []int{1, 2, 3, 5}}} {
		if step.saved > 0 {
			w.commit(at(step.saved))
		}
		for _, version := range step.refused {
			w.refused(fault.Conflict, at(version))
		}
	}
}

func staleAmongFresh(w *world) {
	rows := []payment.Payment{w.payment(), w.payment(), w.payment()}
	w.commit(core.Rows(rows))
	next := []payment.Payment{rows[0], rows[1], rows[2]}
	next[0].Version, next[1].Version, next[2].Version = 2, 1, 2
	w.refused(fault.Conflict, core.Rows(next))
	w.isStored(core.Rows(rows)...)
}
