// Package page turns rows into connections, as GraphQL's cursor connections are specified by Relay:
// https://relay.dev/graphql/connections.htm
package page

import (
	"encoding/base64"

	"github.com/vezne/vezne/core"
)

// Default is how many rows a page has that is asked for without a number.
const Default = 50

// Connection is one page of a list.
type Connection[N any] struct {
	Edges    []Edge[N]
	Nodes    []N
	PageInfo *Info
}

// Edge is a row with its place in the list.
type Edge[N any] struct {
	Cursor string
	Node   *N
}

// Info is where a page begins and ends.
type Info struct {
	HasNextPage, HasPreviousPage bool
	StartCursor, EndCursor       *string
	IsPartial                    bool // the search gave up before the page was full
}

// Args are what a page is asked for with.
type Args struct {
	First  *int
	After  *string
	Last   *int
	Before *string
}

// Of puts the arguments of a list together.
func Of(first *int, after *string, last *int, before *string) Args {
	return Args{first, after, last, before}
}

// Rows returns how many rows the page will have at most, whatever it is asked for with.
func (a Args) Rows() int { return min(max(a.limit(), 1), core.MaxPage) }

func (a Args) limit() int {
	switch {
	case a.Last != nil:
		return *a.Last
	case a.First != nil:
		return *a.First
	default:
		return Default
	}
}

// Cursors writes a list's places as text and reads them.
type Cursors[C comparable] struct {
	Write func(C) string
	Read  func(string) (place C, ok bool)
}

// encode hides what is in a cursor, so that clients do not build on it.
func (c Cursors[C]) encode(place C) *string {
	return new(base64.RawURLEncoding.EncodeToString([]byte(c.Write(place))))
}

func (c Cursors[C]) read(form *core.Form, field string, text *string) (place C) {
	if text == nil {
		return place
	}
	plain, err := base64.RawURLEncoding.DecodeString(*text)
	place, ok := c.Read(string(plain))
	if err != nil || !ok {
		form.Fail(field, "field.cursor")
	}
	return place
}

// paging reads the arguments. Fault Invalid: a number is not 1 to MaxPage, both numbers are given, a cursor is none of this list.
func paging[C comparable](a Args, c Cursors[C]) (core.Paging[C], error) {
	var form core.Form
	p := core.Paging[C]{
		After: c.read(&form, "after", a.After), Before: c.read(&form, "before", a.Before), IsLast: a.Last != nil, Limit: a.limit(),
	}
	field := "first"
	if p.IsLast {
		field = "last"
	}
	if p.Limit < 1 || p.Limit > core.MaxPage {
		form.Fail(field, "field.between", 1, core.MaxPage)
	}
	if a.First != nil && a.Last != nil {
		form.Fail("last", "field.alone", "first")
	}
	return p, form.Err("page.Read")
}

// Read reads a page: the rows that are asked for and one more, which says whether there are others. Fault: Invalid.
func Read[N any, C comparable](
	a Args, cursors Cursors[C], place func(N) C, read func(core.Paging[C]) ([]N, error),
) (*Connection[N], error) {
	return Search(a, cursors, place, func(p core.Paging[C]) ([]N, *C, error) {
		rows, err := read(p)
		return rows, nil, err
	})
}

// Search is Read for a search that may give up: then it says up to which place it has looked.
func Search[N any, C comparable](
	a Args, cursors Cursors[C], place func(N) C, search func(core.Paging[C]) (rows []N, stop *C, err error),
) (*Connection[N], error) {
	p, err := paging(a, cursors)
	if err != nil {
		return nil, err
	}
	limit := p.Limit
	p.Limit++
	rows, stop, err := search(p)
	if err != nil {
		return nil, err
	}
	hasMore := len(rows) > limit
	switch {
	case hasMore && p.IsLast:
		rows = rows[1:]
	case hasMore:
		rows = rows[:limit]
	}
	var none C
	info := &Info{HasNextPage: p.Before != none, HasPreviousPage: p.After != none, IsPartial: stop != nil && !hasMore}
	edges := make([]Edge[N], len(rows))
	for i := range rows {
		edges[i] = Edge[N]{*cursors.encode(place(rows[i])), &rows[i]}
	}
	if len(rows) > 0 {
		info.StartCursor, info.EndCursor = &edges[0].Cursor, &edges[len(rows)-1].Cursor
	}
	isBeyond, end := &info.HasNextPage, &info.EndCursor
	if p.IsLast {
		isBeyond, end = &info.HasPreviousPage, &info.StartCursor
	}
	if info.IsPartial {
		*end = cursors.encode(*stop)
	}
	*isBeyond = *isBeyond || hasMore || info.IsPartial
	return &Connection[N]{edges, append([]N{}, rows...), info}, nil
}
