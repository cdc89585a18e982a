package storetest

import (
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
)

// purpose is what the store says of the database.
func (w *world) purpose(isEmpty, isDemo bool) {
	w.t.Helper()
	empty, err := w.store.IsEmpty(w.ctx)
	w.no(err)
	demo, err := w.store.IsDemo(w.ctx)
	w.no(err)
	if empty != isEmpty || demo != isDemo {
		w.t.Fatalf("the database is empty: %t, a demo's: %t; want %t and %t", empty, demo, isEmpty, isDemo)
	}
}

func emptyIsMarked(w *world) {
	const callers = 8
	w.purpose(true, false)
	_, _, now := w.next()
	errs := together(callers, func(int) error { return w.store.MarkDemo(w.ctx, now) })
	w.same(callers, w.won(errs, ""))
	w.purpose(true, true)
	w.commit(core.Changeset{w.provider()})
	w.no(w.store.MarkDemo(w.ctx, now))
	w.purpose(false, true)
}

// peopledBy tries a database in which there is nothing but one row.
func peopledBy(row func(w *world) core.Row) func(w *world) {
	return func(w *world) {
		w.commit(core.Changeset{row(w)})
		_, _, now := w.next()
		w.fails(fault.Conflict, w.store.MarkDemo(w.ctx, now))
		w.purpose(false, false)
	}
}
