package graph_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/staff"
)

// TestEveryListTurnsItsPagesBothWays: a field that has a connection takes the four arguments of one, and the pages from its
// end are those from its beginning.
func TestEveryListTurnsItsPagesBothWays(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	for range 5 {
		a.Clock.Advance(24 * time.Hour)
		a.readStatements(t)
		a.StartDeposit(t, payment.ManualDeposit, lira(25000))
		a.StartWithdrawal(t, payment.ManualWithdrawal, lira(10000))
	}
	a.signIn(t)
	turned := 0
	for _, f := range schema().Query.Fields {
		if !strings.HasSuffix(f.Type.Name(), "Connection") {
			continue
		}
		for _, name := range []string{"first", "after", "last", "before"} {
			if f.Arguments.ForName(name) == nil {
				t.Errorf("%s has no argument %s", f.Name, name)
			}
		}
		forth := a.turned(t, f.Name, "first", "after")
		back := a.turned(t, f.Name, "last", "before")
		slices.Reverse(back)
		if !slices.Equal(forth, back) {
			t.Errorf("%s: from the beginning %v, from the end %v", f.Name, forth, back)
		}
		if len(forth) > 4 {
			turned++
		}
	}
	if turned < 5 {
		t.Errorf("only %d lists have several pages", turned)
	}
}

// turned is the cursors of a list's rows in the order in which its pages of two come.
func (a *api) turned(t *testing.T, list, count, from string) (cursors []string) {
	t.Helper()
	query := fmt.Sprintf(`query($from: String) { %s(%s: 2, %s: $from) { edges { cursor }
		pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`, list, count, from)
	for v := (vars{"from": nil}); ; {
		var page struct {
			Edges    []struct{ Cursor string }
			PageInfo struct {
				HasNextPage, HasPreviousPage bool
				StartCursor, EndCursor       string
			}
		}
		a.as(t, staff.Admin, query, v).into(t, list, &page)
		hasMore, isWithin, next := page.PageInfo.HasNextPage, page.PageInfo.HasPreviousPage, page.PageInfo.EndCursor
		if count == "last" {
			hasMore, isWithin, next = isWithin, hasMore, page.PageInfo.StartCursor
			slices.Reverse(page.Edges)
		}
		if isWithin != (v["from"] != nil) {
			t.Errorf("%s: after %v: %+v", list, v["from"], page.PageInfo)
		}
		for _, e := range page.Edges {
			cursors = append(cursors, e.Cursor)
		}
		if v["from"] = next; !hasMore {
			return cursors
		}
	}
}
