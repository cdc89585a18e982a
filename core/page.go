package core

import (
	"time"
)

// MaxPage is the greatest number of rows in one page.
const MaxPage = 200

// Paging says which rows of a list are asked for, among those between its cursors: the first of them, or the last. The page
// has them in the list's order either way.
type Paging[C comparable] struct {
	After  C // only rows behind this place; zero: from the list's beginning
	Before C // only rows ahead of this place; zero: to the list's end
	IsLast bool
	Limit  int // 1 to MaxPage + 1, of which the one more tells whether there are others; below 1: no rows
}

// Ask sets what rows are asked for: a query that embeds its Paging is asked for another page so.
func (p *Paging[C]) Ask(page Paging[C]) { *p = page }

// Bounded is the same with a limit of at most MaxPage + 1.
func (p Paging[C]) Bounded() Paging[C] {
	p.Limit = min(p.Limit, MaxPage+1)
	return p
}

// Beyond is the same for what is read next, when a page has been read up to a place.
func (p Paging[C]) Beyond(place C) Paging[C] {
	if p.IsLast {
		p.Before = place
	} else {
		p.After = place
	}
	return p
}

// DueCursor is a place in a list of what is due, which is in the order of its moment and then of its ID. The zero cursor is
// the list's beginning.
type DueCursor struct {
	At time.Time
	ID ID
}

// Precedes reports whether a place is behind the cursor.
func (c DueCursor) Precedes(place DueCursor) bool {
	return c.ID == "" || place.At.After(c.At) || place.At.Equal(c.At) && place.ID > c.ID
}

// DuePage is a page of what is due. What the store cannot open is left out of it, so that a page may have fewer rows than
// were asked for, or none, although another one follows.
type DuePage[T any] struct {
	Rows    []T
	Next    DueCursor // where the next page begins
	HasNext bool      // another page may follow
}
