package page_test

import (
	"encoding/base64"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/core/wallet"
	"github.com/vezne/vezne/graph/page"
)

// list answers as a store does: with at most p.Limit of the numbers 1 to n.
func list(n int) func(p core.Paging[int64]) ([]int64, error) {
	return func(p core.Paging[int64]) ([]int64, error) {
		var rows []int64
		for i := int64(1); i <= int64(n); i++ {
			if i > p.After && (p.Before == 0 || i < p.Before) {
				rows = append(rows, i)
			}
		}
		if p.IsLast {
			return rows[max(len(rows)-p.Limit, 0):], nil
		}
		return rows[:min(p.Limit, len(rows))], nil
	}
}

func self(n int64) int64 { return n }

func cursor(text string) *string { return new(base64.RawURLEncoding.EncodeToString([]byte(text))) }

// The algorithm of https://relay.dev/graphql/connections.htm#sec-Pagination-algorithm, word for word.
func TestPagesAreAsRelaySpecifies(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 12).Draw(t, "n")
		optional := func(least, most int, name string) *int {
			if rapid.Bool().Draw(t, name+" is set") {
				return new(rapid.IntRange(least, most).Draw(t, name))
			}
			return nil
		}
		first, last := optional(1, 14, "first"), (*int)(nil)
		if first == nil {
			last = optional(1, 14, "last")
		}
		after, before := optional(1, 12, "after"), optional(1, 12, "before")
		args := page.Of(first, nil, last, nil)
		edges := make([]int64, n)
		for i := range edges {
			edges[i] = int64(i + 1)
		}
		if after != nil {
			args.After = cursor(page.ByNumber.Write(int64(*after)))
			edges = slices.DeleteFunc(edges, func(e int64) bool { return e <= int64(*after) })
		}
		if before != nil {
			args.Before = cursor(page.ByNumber.Write(int64(*before)))
			edges = slices.DeleteFunc(edges, func(e int64) bool { return e >= int64(*before) })
		}
		hasNext, hasPrevious := before != nil, after != nil
		if limit := args.Rows(); len(edges) > limit && last != nil {
			edges, hasPrevious = edges[len(edges)-limit:], true
		} else if len(edges) > limit {
			edges, hasNext = edges[:limit], true
		}
		got, err := page.Read(args, page.ByNumber, self, list(n))
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got.Nodes, edges) || got.PageInfo.HasNextPage != hasNext || got.PageInfo.HasPreviousPage != hasPrevious {
			t.Fatalf("got %v %+v, want %v, next %t, previous %t", got.Nodes, got.PageInfo, edges, hasNext, hasPrevious)
		}
		checkEnds(t, got)
	})
}

func checkEnds(t *rapid.T, got *page.Connection[int64]) {
	for i, e := range got.Edges {
		if *e.Node != got.Nodes[i] || e.Cursor != *cursor(page.ByNumber.Write(*e.Node)) {
			t.Fatalf("edge %d is %+v", i, e)
		}
	}
	var start, end *string
	if n := len(got.Edges); n > 0 {
		start, end = &got.Edges[0].Cursor, &got.Edges[n-1].Cursor
	}
	if diff := cmp.Diff([]*string{start, end}, []*string{got.PageInfo.StartCursor, got.PageInfo.EndCursor}); diff != "" {
		t.Fatal(diff)
	}
}

func TestASearchThatGivesUpGoesOnWhereItStopped(t *testing.T) {
	t.Parallel()
	stop := int64(7)
	search := func(core.Paging[int64]) ([]int64, *int64, error) { return nil, &stop, nil }
	for name, want := range map[string]page.Info{
		"first": {HasNextPage: true, EndCursor: cursor("7"), IsPartial: true},
		"last":  {HasPreviousPage: true, StartCursor: cursor("7"), IsPartial: true},
	} {
		args := page.Args{First: new(3)}
		if name == "last" {
			args = page.Args{Last: new(3)}
		}
		got, err := page.Search(args, page.ByNumber, self, search)
		if err != nil || got.Nodes == nil {
			t.Fatalf("%s: %+v, %v", name, got, err)
		}
		if diff := cmp.Diff(want, *got.PageInfo); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestWrongArgumentsAreRefused(t *testing.T) {
	t.Parallel()
	for name, args := range map[string]page.Args{
		"first":  {First: new(0)},
		"last":   {Last: new(core.MaxPage + 1)},
		"after":  {After: cursor("x")},
		"before": {First: new(1), Before: new("!")},
	} {
		_, err := page.Read(args, page.ByNumber, self, list(3))
		if fields := fault.FieldsOf(err); !fault.Is(err, fault.Invalid) || len(fields) != 1 || fields[0].Name != name {
			t.Errorf("a wrong %s: %v %+v", name, err, fields)
		}
	}
	if _, err := page.Read(page.Args{First: new(1), Last: new(1)}, page.ByNumber, self, list(3)); !fault.Is(err, fault.Invalid) {
		t.Errorf("first and last together: %v", err)
	}
}

func TestCursorsAreOfTheirListAlone(t *testing.T) {
	t.Parallel()
	id := core.FirstID(time.Unix(1_700_000_000, 0))
	comesBack(t, page.ByID, id)
	comesBack(t, page.ByNumber, 7)
	comesBack(t, page.ByTransition, payment.TransitionID{ID: id, At: time.Unix(1_700_000_000, 5000).UTC()})
	comesBack(t, page.ByDay, wallet.DayCursor{Day: "2026-03-02", WalletID: 9})
	comesBack(t, page.ByBlock, owner.BlockCursor{
		CustomerKey: owner.CustomerKey{ProviderID: 3, UserID: "ş / 7"}, CreatedAt: time.Unix(1_700_000_000, 5000).UTC(),
	})
	comesBack(t, page.Sorted(report.NewestFirst), report.Cursor{ID: id})
	comesBack(t, page.Sorted(report.LastChanged), report.Cursor{Key: 5, ID: id})
	if _, ok := page.Sorted(report.LastChanged).Read(page.Sorted(report.GreatestAmounts).Write(report.Cursor{Key: 5, ID: id})); ok {
		t.Error("a list takes the cursor of another order")
	}
	for _, text := range []string{"", "/", "x", "-1", "2026-03-02", "2026-13-01/1", "{}", "7/1", "-7/" + string(id), "updated_desc/1", "updated_desc/999999999999999999/" + string(id)} {
		_, isID := page.ByID.Read(text)
		_, isNumber := page.ByNumber.Read(text)
		_, isTransition := page.ByTransition.Read(text)
		_, isDay := page.ByDay.Read(text)
		_, isBlock := page.ByBlock.Read(text)
		_, isSorted := page.Sorted(report.LastChanged).Read(text)
		if isID || isNumber || isTransition || isDay || isBlock || isSorted {
			t.Errorf("%q is a cursor", text)
		}
	}
}

func comesBack[C comparable](t *testing.T, c page.Cursors[C], place C) {
	t.Helper()
	if got, ok := c.Read(c.Write(place)); !ok || got != place {
		t.Errorf("%+v comes back as %+v", place, got)
	}
}
