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

// TestEveryListTurnsItsPagesBothWays: the pages from the end of a list are those from its beginning.
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
		forth := a.turned(t, "", f.Name, "first", "after")
		back := a.turned(t, "", f.Name, "last", "before")
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

// TestAHistoryTurnsItsPagesBothWays: from the creation on, and from the newest move back.
func TestAHistoryTurnsItsPagesBothWays(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	p := a.StartWithdrawal(t, payment.ManualWithdrawal, lira(10000))
	for range 2 {
		for _, do := range []string{"claim", "release"} {
			a.Clock.Advance(time.Second)
			a.as(t, staff.Operator, `mutation($code: String!) { `+do+`Withdrawal(input: {trackingCode: $code}) { transaction { status } } }`,
				vars{"code": p.TrackingCode}).into(t, do+"Withdrawal", &struct{}{})
		}
	}
	in := `transaction(trackingCode: "` + p.TrackingCode + `")`
	forth, back := a.turned(t, in, "history", "first", "after"), a.turned(t, in, "history", "last", "before")
	slices.Reverse(back)
	if len(forth) != 5 || !slices.Equal(forth, back) {
		t.Errorf("from the beginning %v, from the end %v", forth, back)
	}
	var shown struct {
		History struct{ Nodes []struct{ Command string } }
	}
	a.as(t, staff.Viewer, `{ `+in+` { history(last: 2) { nodes { command } } } }`, nil).into(t, "transaction", &shown)
	if nodes := shown.History.Nodes; len(nodes) != 2 || nodes[0].Command != "TAKE" || nodes[1].Command != "RELEASE" {
		t.Errorf("the newest are %+v", nodes)
	}
}

// listPage is what a page of any list says.
type listPage struct {
	Edges    []struct{ Cursor string }
	PageInfo struct {
		HasNextPage, HasPreviousPage bool
		StartCursor, EndCursor       string
	}
}

// turned is the cursors of a list's rows in the order in which its pages of two come. The list is a field of the query, or in one.
func (a *api) turned(t *testing.T, in, list, count, from string) (cursors []string) {
	t.Helper()
	query := fmt.Sprintf(`%s(%s: 2, %s: $from) { edges { cursor }
		pageInfo { hasNextPage hasPreviousPage startCursor endCursor } }`, list, count, from)
	if in != "" {
		query = in + ` { ` + query + ` }`
	}
	for v := (vars{"from": nil}); ; {
		page, of := listPage{}, map[string]listPage{}
		if answer := a.as(t, staff.Admin, `query($from: String) { `+query+` }`, v); in == "" {
			answer.into(t, list, &page)
		} else {
			answer.into(t, "transaction", &of)
			page = of[list]
		}
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
