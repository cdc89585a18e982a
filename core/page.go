package core

import (
	"time"
)

// MaxPage is the greatest number of rows in one page.
const MaxPage = 200

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
