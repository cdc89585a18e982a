package graph

import (
	"encoding/base64"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/app/backoffice"
	"github.com/vezne/vezne/graph/generated"
)

// limitOf is how many rows a page was asked to have.
func limitOf(first *int) int {
	if first == nil {
		return backoffice.DefaultPage
	}
	return *first
}

// pageSize is how many rows a page will have at most.
func pageSize(first *int) int { return min(max(limitOf(first), 1), core.MaxPage) }

// cursor hides the row's place in the list, so that clients do not build on its form.
func cursor(id core.ID) string { return base64.RawURLEncoding.EncodeToString([]byte(id)) }

func readCursor(text *string) (core.ID, error) {
	if text == nil {
		return "", nil
	}
	id, err := base64.RawURLEncoding.DecodeString(*text)
	if err != nil || !core.IsID(string(id)) {
		return "", badCursor()
	}
	return core.ID(id), nil
}

func badCursor() error {
	var form core.Form
	form.Fail("after", "field.cursor")
	return form.Err("graph.badCursor")
}

// rowsOf reads the rows of a page: one more than it has tells whether another follows. Fault: Invalid.
func rowsOf[N any](first *int, read func(limit int) ([]N, error)) (rows []N, hasNext bool, err error) {
	limit := limitOf(first)
	if limit < 1 || limit > core.MaxPage {
		var form core.Form
		form.Fail("first", "field.between", 1, core.MaxPage)
		return nil, false, form.Err("graph.rowsOf")
	}
	rows, err = read(limit + 1)
	return rows[:min(limit, len(rows))], len(rows) > limit, err
}

// edgesOf gives each row of a page its cursor, and says where the page ends.
func edgesOf[N, E any](
	rows []N, hasNext bool, id func(*N) core.ID, edge func(cursor string, node *N) E,
) ([]E, *generated.PageInfo) {
	edges, info := make([]E, len(rows)), &generated.PageInfo{HasNextPage: hasNext}
	for i := range rows {
		at := cursor(id(&rows[i]))
		edges[i], info.EndCursor = edge(at, &rows[i]), &at
	}
	return edges, info
}
