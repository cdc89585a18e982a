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
		var form core.Form
		form.Fail("after", "field.cursor")
		return "", form.Err("graph.readCursor")
	}
	return core.ID(id), nil
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
