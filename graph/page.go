package graph

import (
	"encoding/base64"
	"strconv"
	"strings"

	reports "github.com/vezne/vezne/app/report"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/graph/generated"
)

// limitOf is how many rows a page was asked to have.
func limitOf(first *int) int {
	if first == nil {
		return reports.DefaultPage
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

// placeCursor names a place in a sorted list, and the list's order with it. Where the ID is all of a place, it is all of
// the cursor.
func placeCursor(sort report.PaymentSort, at report.Cursor) string {
	if sort == "" || sort == report.NewestFirst {
		return cursor(at.ID)
	}
	return base64.RawURLEncoding.EncodeToString([]byte(string(sort) + "/" + strconv.FormatInt(at.Key, 10) + "/" + string(at.ID)))
}

// readPlace reads a cursor of a list in the same order. Fault: Invalid.
func readPlace(sort report.PaymentSort, text *string) (key int64, id core.ID, err error) {
	if text == nil || sort == "" || sort == report.NewestFirst {
		id, err = readCursor(text)
		return 0, id, err
	}
	plain, err := base64.RawURLEncoding.DecodeString(*text)
	parts := strings.Split(string(plain), "/")
	if err != nil || len(parts) != 3 || parts[0] != string(sort) || !core.IsID(parts[2]) {
		return 0, "", badCursor()
	}
	if key, err = strconv.ParseInt(parts[1], 10, 64); err != nil || key > maxKey || key < -maxKey {
		return 0, "", badCursor()
	}
	return key, core.ID(parts[2]), nil
}

// maxKey bounds the keys of cursors: moments up to the year 9999, in microseconds.
const maxKey = 253_402_300_799_999_999

func badCursor() error {
	var form core.Form
	form.Fail("after", "field.cursor")
	return form.Err("graph.badCursor")
}

// rowsOf reads the rows of a page: one more than it has reports whether another follows. Fault: Invalid.
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

// edgesOf returns each row of a page its cursor, and says where the page ends.
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
