package graph_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/e2e/apptest"
)

type connection struct {
	Edges []struct {
		Cursor string
		Node   struct{ TrackingCode string }
	}
	Nodes    []struct{ TrackingCode, CreatedAt string }
	PageInfo struct {
		HasNextPage bool
		EndCursor   *string
	}
}

const listQuery = `query($filter: TransactionFilter, $first: Int, $after: String) {
	transactions(filter: $filter, first: $first, after: $after) {
		edges { cursor node { trackingCode } }
		nodes { trackingCode createdAt }
		pageInfo { hasNextPage endCursor }
	}
}`

func TestPagesCoverEveryRowOnceWhileRowsAreAdded(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	want := map[string]bool{}
	for i := range 40 {
		if i%10 == 0 {
			a.Clock.Advance(time.Second)
		}
		want[a.StartDeposit(t, payment.ManualDeposit, lira(25000)).TrackingCode] = true
	}
	for _, first := range []int{1, 7, 40, 200} {
		a.Clock.Advance(time.Second)
		seen := map[string]int{}
		for v := (vars{"first": first}); v != nil; {
			var page connection
			a.as(t, staff.Viewer, listQuery, v).into(t, "transactions", &page)
			checkPage(t, page, first)
			for _, n := range page.Nodes {
				seen[n.TrackingCode]++
			}
			a.StartDeposit(t, payment.ManualDeposit, lira(25000))
			v = vars{"first": first, "after": page.PageInfo.EndCursor}
			if !page.PageInfo.HasNextPage {
				v = nil
			}
		}
		for code, n := range seen {
			if n != 1 {
				t.Errorf("first %d: %s came %d times", first, code, n)
			}
		}
		for code := range want {
			if seen[code] != 1 {
				t.Errorf("first %d: %s did not come", first, code)
			}
		}
		want = map[string]bool{}
		for code := range maps.Keys(seen) {
			want[code] = true
		}
	}
}

func checkPage(t *testing.T, page connection, first int) {
	t.Helper()
	if len(page.Nodes) != len(page.Edges) || len(page.Nodes) > first {
		t.Fatalf("a page of %d has %d nodes and %d edges", first, len(page.Nodes), len(page.Edges))
	}
	for i, e := range page.Edges {
		if e.Node.TrackingCode != page.Nodes[i].TrackingCode {
			t.Errorf("edge %d is not node %d", i, i)
		}
		if i > 0 && page.Nodes[i-1].CreatedAt < page.Nodes[i].CreatedAt {
			t.Errorf("row %d is newer than the one before", i)
		}
		if i == len(page.Edges)-1 && *page.PageInfo.EndCursor != e.Cursor {
			t.Errorf("endCursor is %s, the last edge's %s", *page.PageInfo.EndCursor, e.Cursor)
		}
	}
}

func TestAnEmptyPage(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	want := `{"data":{"transactions":{"edges":[],"nodes":[],"pageInfo":{"hasNextPage":false,"endCursor":null}}}}`
	if got := a.as(t, staff.Viewer, listQuery, nil).Raw; got != want {
		t.Errorf("got %s", got)
	}
}

func TestFiltersCombine(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	small := a.StartDeposit(t, payment.ManualDeposit, lira(10000)).TrackingCode
	a.Clock.Advance(time.Hour)
	paid := a.StartDeposit(t, payment.EIBANDeposit, lira(90000))
	large := paid.TrackingCode
	out := a.StartWithdrawal(t, payment.ManualWithdrawal, lira(50050)).TrackingCode
	if _, err := a.Approve(t.Context(), apptest.By(a.Admin, paid, ""), money.Amount{}); err != nil {
		t.Fatal(err)
	}
	for filter, want := range map[string][]string{
		`{}`:                           {small, large, out},
		`null`:                         {small, large, out},
		`{status: [COMPLETED]}`:        {large},
		`{status: PENDING}`:            {out},
		`{status: [SHOWING, PENDING]}`: {small, out},
		`{status: []}`:                 {small, large, out},
		`{method: [MANUAL_DEPOSIT, EIBAN_DEPOSIT]}`:   {small, large},
		`{method: MANUAL_DEPOSIT, status: COMPLETED}`: nil,
		`{providerId: 1}`:                            {small, large, out},
		`{providerId: "2"}`:                          nil,
		`{siteId: 1, userId: "u-1001"}`:              {small, large, out},
		`{siteId: 2}`:                                nil,
		`{userId: "u-1002"}`:                         nil,
		`{trackingCode: "` + out + `"}`:              {out},
		`{createdFrom: "2026-03-02T13:00:00+03:00"}`: {large, out},
		`{createdUntil: "2026-03-02T10:00:00Z"}`:     {small},
		`{minAmount: "100.00", maxAmount: "500.50"}`: {small, out},
		`{minAmount: "500.51"}`:                      {large},
		`{minAmount: 500, maxAmount: "500.50"}`:      {out},
		`{maxAmount: "99.99"}`:                       nil,
	} {
		var page connection
		query := fmt.Sprintf(`{ transactions(filter: %s) { nodes { trackingCode } } }`, filter)
		a.as(t, staff.Operator, query, nil).into(t, "transactions", &page)
		var got []string
		for _, n := range page.Nodes {
			got = append(got, n.TrackingCode)
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", filter, got, want)
		}
	}
}

func TestBadListArguments(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	for name, c := range map[string]struct {
		vars  vars
		field string
	}{
		"no rows":           {vars{"first": 0}, "first"},
		"negative":          {vars{"first": -1}, "first"},
		"too many":          {vars{"first": 201}, "first"},
		"no cursor":         {vars{"after": ""}, "after"},
		"a made-up cursor":  {vars{"after": "bWFkZS11cA"}, "after"},
		"not base64":        {vars{"after": "é"}, "after"},
		"small letters":     {vars{"filter": vars{"status": "completed"}}, "status"},
		"method, mixed":     {vars{"filter": vars{"method": []string{"Manual_Deposit"}}}, "method"},
		"at most nothing":   {vars{"filter": vars{"maxAmount": "0"}}, "maxAmount"},
		"less than nothing": {vars{"filter": vars{"minAmount": "-1"}}, "minAmount"},
		"not a moment":      {vars{"filter": vars{"createdFrom": "yesterday"}}, "createdFrom"},
		"a moment's number": {vars{"filter": vars{"createdUntil": 1767225600}}, "createdUntil"},
		"not an amount":     {vars{"filter": vars{"minAmount": "much"}}, "minAmount"},
		"too precise":       {vars{"filter": vars{"maxAmount": "1.001"}}, "maxAmount"},
		"a list of amounts": {vars{"filter": vars{"maxAmount": []int{1}}}, "maxAmount"},
		"not an id":         {vars{"filter": vars{"providerId": "one"}}, "providerId"},
		"id zero":           {vars{"filter": vars{"siteId": 0}}, "siteId"},
		"an endless id":     {vars{"filter": vars{"siteId": strings.Repeat("9", 40)}}, "siteId"},
	} {
		answer := a.as(t, staff.Viewer, listQuery, c.vars)
		field, sentence := answer.field()
		if answer.code() != "INVALID" || field != c.field || !strings.Contains(sentence, c.field) {
			t.Errorf("%s: got %s", name, answer.Raw)
		}
	}
}

// TestALiteralAmountIsReadAsItIsWritten: with a decimal point it does not become a binary fraction on the way.
func TestALiteralAmountIsReadAsItIsWritten(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.start(t, payment.ManualDeposit) // of 250.00
	for literal, want := range map[string]string{
		"250.0": "SHOWING", "249.99": "SHOWING", "250.01": "", "250": "SHOWING", `"250.00"`: "SHOWING",
		"0.1000000000000000055511151231257827": "minAmount", "1e2": "minAmount", "250.001": "minAmount",
	} {
		for _, query := range []string{
			`{ transactions(filter: {minAmount: ` + literal + `}) { nodes { status } } }`,
			`query($m: Decimal = ` + literal + `) { ...F } fragment F on Query { transactions(filter: {minAmount: $m}) { nodes { status } } }`,
			`{ ... on Query { ...F } } fragment F on Query { transactions(filter: {minAmount: ` + literal + `}) { nodes { status } } }`,
		} {
			answer := a.as(t, staff.Viewer, query, nil)
			if !strings.Contains(answer.Raw, want) || (want == "minAmount") != (answer.code() == "INVALID") || want == "" && strings.Contains(answer.Raw, "SHOWING") {
				t.Errorf("%s: got %s", query, answer.Raw)
			}
		}
	}
}
