package core

import (
	"iter"
	"slices"
)

// Changeset is everything that one decision changes: rows of any kind, and conditions on rows. A store commits it in one
// database transaction, whole or not at all. State changes in no other way but by a worker's claim, which leases due rows.
type Changeset []Row

// Row is one row as it is to be saved, or a condition that has to hold when the changeset is committed. What follows from a
// committed row the row says itself: see Waking, Eventful and Guarded.
type Row interface {
	// Identity says which row it is, and as which version it is saved.
	Identity() Identity
}

// Identity names a row.
//
// Every row is saved by compare-and-set: version 1 inserts, a greater one replaces the row whose version is one less.
// Anything else is a lost race, and the commit fails with fault.Conflict. Rows that are only ever inserted have version 1.
type Identity struct {
	Table   Table
	Key     string // within the table
	Version int
}

// Table names a kind of row.
type Table string

// Waking is a row that workers wait for.
type Waking interface {
	Row
	// WakeUps says which workers have something to do when the row is committed.
	WakeUps() []WakeUp
}

// Eventful is a row whose change people see while they look.
type Eventful interface {
	Row
	Event() Event
}

// Moving is a row that may let money move: something that begins, that ends because time has passed, or that is about to be sent. While
// an installation is frozen, no row that says so of itself is written.
type Moving interface {
	Row
	Moves() bool
}

// Moves reports whether the changeset may let money move.
func (c Changeset) Moves() bool {
	return slices.ContainsFunc(c, func(row Row) bool {
		m, ok := row.(Moving)
		return ok && m.Moves()
	})
}

// Rows is a changeset of rows of one kind.
func Rows[R Row](rows []R) Changeset {
	c := make(Changeset, len(rows))
	for i, row := range rows {
		c[i] = row
	}
	return c
}

// RowsOf returns the changeset's rows of one kind, in their order.
func RowsOf[R Row](c Changeset) []R {
	return slices.Collect(Each[R](c))
}

// Each goes through the changeset's rows of one kind, in their order.
func Each[R Row](c Changeset) iter.Seq[R] {
	return func(yield func(R) bool) {
		for _, row := range c {
			if r, ok := row.(R); ok && !yield(r) {
				return
			}
		}
	}
}

// First returns the changeset's first row of a kind, and whether there is one.
func First[R Row](c Changeset) (R, bool) {
	for r := range Each[R](c) {
		return r, true
	}
	var none R
	return none, false
}

// Has reports whether the changeset has a row of a kind.
func Has[R Row](c Changeset) bool {
	_, ok := First[R](c)
	return ok
}

// Without returns the changeset without its rows of a kind.
func Without[R Row](c Changeset) Changeset {
	return slices.DeleteFunc(slices.Clone(c), func(row Row) bool {
		_, ok := row.(R)
		return ok
	})
}

// Edit returns the changeset with its rows of a kind changed; the changeset itself stays as it is.
func Edit[R Row](c Changeset, edit func(*R)) Changeset {
	edited := slices.Clone(c)
	for i, row := range edited {
		if r, ok := row.(R); ok {
			edit(&r)
			edited[i] = r
		}
	}
	return edited
}

// Merge returns both changesets as one, to be committed together. Neither is changed.
func (c Changeset) Merge(other Changeset) Changeset { return append(slices.Clip(c), other...) }

// WakeUps says which workers a committed changeset has something for.
func (c Changeset) WakeUps() []WakeUp {
	var all []WakeUp
	for _, row := range c {
		if waking, ok := row.(Waking); ok {
			all = append(all, waking.WakeUps()...)
		}
	}
	return all
}

// Events are what a committed changeset has to tell.
func (c Changeset) Events() []Event {
	var events []Event
	for _, row := range c {
		if e, ok := row.(Eventful); ok {
			events = append(events, e.Event())
		}
	}
	return events
}
