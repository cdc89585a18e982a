package graph_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/staff"
)

const (
	createView = `mutation($list: SavedViewList!, $name: String!, $filter: String!, $sharing: SavedViewSharing!) {
		createSavedView(input: {list: $list, name: $name, filter: $filter, sharing: $sharing}) { savedView { id } } }`
	updateView = `mutation($id: ID!, $name: String, $filter: String, $sharing: SavedViewSharing) {
		updateSavedView(input: {id: $id, name: $name, filter: $filter, sharing: $sharing}) { savedView { name filter sharing } } }`
	removeView = `mutation($id: ID!) { removeSavedView(input: {id: $id}) { savedView { name } } }`
	listViews  = `query($filter: SavedViewFilter) { savedViews(filter: $filter) { nodes { id name list filter sharing owner isOwn isEditable } } }`
)

// view saves a view of transactions.
func (a *api) view(t *testing.T, role staff.Role, name, sharing string) core.ID {
	t.Helper()
	var made struct{ ID core.ID }
	a.as(t, role, createView, vars{"list": "TRANSACTIONS", "name": name, "filter": `{"text": "Yılmaz"}`, "sharing": sharing}).
		into(t, "createSavedView.savedView", &made)
	return made.ID
}

// sharedView is one that an operator shares with operators: an admin has it too, and to others there is none.
func sharedView(a *api, t *testing.T) subject {
	t.Helper()
	return subject{discrepancy: a.view(t, staff.Operator, "ours", "ROLE"), others: "NOT_FOUND"}
}

// names are the views that a role's member has, sorted.
func (a *api) names(t *testing.T, role staff.Role, filter vars) string {
	t.Helper()
	var page struct{ Nodes []struct{ Name string } }
	a.as(t, role, listViews, vars{"filter": filter}).into(t, "savedViews", &page)
	var names []string
	for _, n := range page.Nodes {
		names = append(names, n.Name)
	}
	slices.Sort(names)
	return strings.Join(names, " ")
}

// TestAViewIsOnesOwnUntilItIsShared: each sees their own and what is shared with them, of their own house, dealer or provider.
func TestAViewIsOnesOwnUntilItIsShared(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	for role, name := range map[staff.Role]string{
		staff.Operator: "o", staff.Viewer: "v", staff.Admin: "a", staff.DealerStaff: "d", staff.ProviderStaff: "p",
	} {
		for _, sharing := range []string{"PRIVATE", "ROLE", "TENANT"} {
			a.view(t, role, name+"-"+strings.ToLower(sharing), sharing)
		}
	}
	const house = "a-tenant o-tenant v-tenant"
	for role, want := range map[staff.Role]string{
		staff.Operator:      "a-tenant o-private o-role o-tenant v-tenant",
		staff.Viewer:        "a-tenant o-tenant v-private v-role v-tenant",
		staff.Support:       house,
		staff.Auditor:       house,
		staff.Admin:         "a-private a-role a-tenant o-role o-tenant v-role v-tenant",
		staff.DealerStaff:   "d-private d-role d-tenant",
		staff.ProviderStaff: "p-private p-role p-tenant",
	} {
		if got := a.names(t, role, nil); got != want {
			t.Errorf("%s has %s, want %s", role, got, want)
		}
	}
	if got := a.names(t, staff.Admin, vars{"dealerId": a.Dealer.ID}); got != "d-role d-tenant" {
		t.Errorf("an admin has %s of the dealer's", got)
	}
	for _, role := range []staff.Role{staff.Operator, staff.DealerStaff, staff.ProviderStaff} {
		for _, filter := range []vars{{"dealerId": a.OtherDealer.ID}, {"providerId": a.OtherProvider.ID}} {
			if got := a.as(t, role, listViews, vars{"filter": filter}).code(); got != "FORBIDDEN" {
				t.Errorf("%s asks for %v and is answered %q", role, filter, got)
			}
		}
	}
	if got := a.names(t, staff.Operator, vars{"list": "AUDIT_LOG"}); got != "" {
		t.Errorf("of another list there are %s", got)
	}
}

// TestASharedViewIsItsOwnersAndAnAdmins: nobody else changes it, and what is not shared there is for nobody else.
func TestASharedViewIsItsOwnersAndAnAdmins(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	shared, private := a.view(t, staff.Operator, "shared", "TENANT"), a.view(t, staff.Operator, "private", "PRIVATE")
	dealers := a.view(t, staff.DealerStaff, "dealers", "TENANT")
	for _, c := range []struct {
		role staff.Role
		id   core.ID
		want string
	}{
		{staff.Viewer, shared, "FORBIDDEN"}, {staff.Finance, shared, "FORBIDDEN"},
		{staff.DealerStaff, shared, "NOT_FOUND"}, {staff.ProviderStaff, shared, "NOT_FOUND"},
		{staff.Viewer, private, "NOT_FOUND"}, {staff.Admin, private, "NOT_FOUND"},
		{staff.Viewer, dealers, "NOT_FOUND"}, {staff.ProviderStaff, dealers, "NOT_FOUND"},
		{staff.Operator, shared, ""}, {staff.Operator, private, ""}, {staff.Admin, shared, ""}, {staff.Admin, dealers, ""},
	} {
		answer := a.as(t, c.role, updateView, vars{"id": c.id, "name": "changed by " + string(c.role)})
		if answer.code() != c.want {
			t.Errorf("%s changes it: %s, want %q", c.role, answer.Raw, c.want)
		}
		if c.want == "" {
			continue
		}
		if got := a.as(t, c.role, removeView, vars{"id": c.id}).code(); got != c.want {
			t.Errorf("%s removes it: %q, want %q", c.role, got, c.want)
		}
	}
	for _, id := range []core.ID{shared, dealers} {
		if got := a.as(t, staff.Admin, removeView, vars{"id": id}); got.code() != "" || !strings.Contains(got.Raw, "changed by admin") {
			t.Error(got.Raw)
		}
		if got := a.as(t, staff.Admin, removeView, vars{"id": id}).code(); got != "NOT_FOUND" {
			t.Errorf("removed again: %q", got)
		}
	}
	found, err := a.Store.SavedView(t.Context(), shared)
	if err != nil || found.Name != "" || !found.Filter.IsZero() {
		t.Errorf("what was removed is kept: %+v (%v)", found, err)
	}
	if log := a.as(t, staff.Auditor, `{ auditLog { nodes { action after } } }`, nil).Raw; strings.Contains(log, "Yılmaz") ||
		!strings.Contains(log, `"action":"removeSavedView"`) {
		t.Errorf("the audit log has %s", log)
	}
}

// TestWhoMovesLeavesTheirViewsBehind: the filters name whom the former dealer, or the former role, works for.
func TestWhoMovesLeavesTheirViewsBehind(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.view(t, staff.DealerStaff, "private", "PRIVATE")
	shared := a.view(t, staff.DealerStaff, "shared", "TENANT")
	colleague := a.member(t, staff.Staff{Role: staff.DealerStaff, DealerID: a.Dealer.ID})
	for _, change := range []func(*staff.Staff){
		func(s *staff.Staff) { s.DealerID = a.OtherDealer.ID },
		func(s *staff.Staff) { s.Role, s.DealerID = staff.Viewer, 0 },
		func(s *staff.Staff) { s.Role, s.ProviderID = staff.ProviderStaff, a.Provider.ID },
	} {
		moved := a.DealerStaff
		change(&moved)
		a.become(t, moved)
		if got := a.names(t, staff.DealerStaff, nil); got != "" {
			t.Errorf("%+v still has %s", moved.Scope(), got)
		}
		for _, query := range []string{updateView, removeView} {
			if got := a.as(t, staff.DealerStaff, query, vars{"id": shared, "name": "x"}).code(); got != "NOT_FOUND" {
				t.Errorf("%+v: %q", moved.Scope(), got)
			}
		}
	}
	a.tokens["colleague"] = a.session(t, colleague)
	if got := a.names(t, "colleague", nil); got != "shared" {
		t.Errorf("the former colleague has %q", got)
	}
	// Another role of the same house: what was shared with the former one is its admin's.
	forRole := a.view(t, staff.Support, "for-role", "ROLE")
	moved := a.Support
	moved.Role = staff.Viewer
	a.become(t, moved)
	if got := a.as(t, staff.Support, updateView, vars{"id": forRole, "name": "x"}).code(); got != "FORBIDDEN" {
		t.Errorf("it is changed: %q", got)
	}
	if got := a.as(t, staff.Support, removeView, vars{"id": forRole}).code(); got != "" {
		t.Errorf("its owner does not remove it: %q", got)
	}
}

// become commits a member as somebody with other rights.
func (a *api) become(t *testing.T, m staff.Staff) {
	t.Helper()
	now, err := a.Store.StaffByID(t.Context(), m.ID)
	if err != nil {
		t.Fatal(err)
	}
	m.Version = now.Version + 1
	if err := a.UnitOfWork.Commit(t.Context(), core.Changeset{m}); err != nil {
		t.Fatal(err)
	}
}

// member makes one more.
func (a *api) member(t *testing.T, m staff.Staff) staff.Staff {
	t.Helper()
	m.ID, m.Version, m.Email, m.IsActive, m.CreatedAt, m.UpdatedAt = 900, 1, "one.more@vezne.test", true, a.Clock.Now(), a.Clock.Now()
	m.PasswordHash = a.Viewer.PasswordHash
	if err := a.UnitOfWork.Commit(t.Context(), core.Changeset{m}); err != nil {
		t.Fatal(err)
	}
	return m
}

// TestAViewIsBounded: its name, its filter, and how many there are, also of those that are saved at one moment.
func TestAViewIsBounded(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	long := func(bytes int) string { return `{"text":"` + strings.Repeat("x", bytes-11) + `"}` }
	for name, c := range map[string]struct{ name, filter, field string }{
		"fine":               {strings.Repeat("ğ", 64), long(4 << 10), ""},
		"its own":            {"A", `{"text":"a","status":["PENDING"],"minAmount":"1.50","createdFrom":"2026-03-02T00:00:00Z","providerId":1}`, ""},
		"no name":            {" ", `{}`, "name"},
		"a long name":        {strings.Repeat("ğ", 65), `{}`, "name"},
		"a reversed name":    {"admin\u202Efdp", `{}`, "name"},
		"an invisible name":  {"\u200B\u3164", `{}`, "name"},
		"two lines":          {"a\nb", `{}`, "name"},
		"a byte too many":    {"A", long(4<<10 + 1), "filter"},
		"no JSON":            {"A", `{`, "filter"},
		"a list":             {"A", `[]`, "filter"},
		"null":               {"A", `null`, "filter"},
		"two":                {"A", `{}{}`, "filter"},
		"no such field":      {"A", `{"text":"a","__proto__":{"isAdmin":true}}`, "filter"},
		"no such value":      {"A", `{"status":["NONE"]}`, "filter"},
		"another type":       {"A", `{"text":{"a":1}}`, "filter"},
		"a reversed text":    {"A", `{"text":"\u202Eabc"}`, "filter"},
		"an escaped control": {"A", `{"text":"a\u0000b"}`, "filter"},
		"deep":               {"A", strings.Repeat(`{"text":`, 400) + `1` + strings.Repeat("}", 400), "filter"},
		"a type's name":      {"A", `{"__typename":"<script>alert(1)</script>"}`, "filter"},
		"in an amount":       {"A", `{"minAmount":{"text":"<script>alert(1)</script>"}}`, "filter"},
		"in a moment":        {"A", `{"createdFrom":["2026-03-02T00:00:00Z",["<script>alert(1)</script>"]]}`, "filter"},
		"another list's":     {"A", `{"actorKind":"STAFF"}`, "filter"},
	} {
		answer := a.as(t, staff.Viewer, createView, vars{"list": "TRANSACTIONS", "name": c.name, "filter": c.filter, "sharing": "PRIVATE"})
		if field, _ := answer.field(); field != c.field || (c.field == "") != (answer.code() == "") {
			t.Errorf("%s: got %s", name, answer.Raw)
		}
	}
	id := a.view(t, staff.Operator, "A", "PRIVATE")
	for field, v := range map[string]vars{"name": {"id": id, "name": "\u202E"}, "filter": {"id": id, "filter": `{"x":1}`}} {
		answer := a.as(t, staff.Operator, updateView, v)
		if got, _ := answer.field(); got != field {
			t.Errorf("changed: got %s", answer.Raw)
		}
	}
	var at sync.WaitGroup
	for range 60 {
		at.Go(func() {
			a.as(t, staff.Operator, createView, vars{"list": "JOBS", "name": "B", "filter": "{}", "sharing": "PRIVATE"})
		})
	}
	at.Wait()
	if got := len(strings.Fields(a.names(t, staff.Operator, nil))); got != staff.MaxViews {
		t.Errorf("there are %d", got)
	}
	answer := a.as(t, staff.Operator, createView, vars{"list": "JOBS", "name": "B", "filter": "{}", "sharing": "PRIVATE"})
	if field, _ := answer.field(); field != "savedViews" {
		t.Errorf("one more: %s", answer.Raw)
	}
	a.as(t, staff.Operator, removeView, vars{"id": id})
	a.view(t, staff.Operator, "in its place", "PRIVATE")
}

// TestViewsAreOfTheListsThatTakeFilters: each list of the schema that takes one can be kept, and no other.
func TestViewsAreOfTheListsThatTakeFilters(t *testing.T) {
	t.Parallel()
	var want []string
	for _, f := range schema().Query.Fields {
		if f.Arguments.ForName("filter") != nil && f.Name != "savedViews" {
			want = append(want, f.Name)
		}
	}
	slices.Sort(want)
	a, got := newAPI(t), []string{}
	for _, list := range staff.ViewLists() {
		name, upper := "", false
		for _, r := range string(list) {
			if upper = r == '_' || upper; r != '_' {
				if name += map[bool]string{true: strings.ToUpper(string(r)), false: string(r)}[upper]; true {
					upper = false
				}
			}
		}
		got = append(got, name)
		v := vars{"list": strings.ToUpper(string(list)), "name": "A", "filter": "{}", "sharing": "PRIVATE"}
		if answer := a.as(t, staff.Viewer, createView, v); answer.code() != "" {
			t.Errorf("%s: %s", list, answer.Raw)
		}
	}
	if slices.Sort(got); !slices.Equal(got, want) {
		t.Errorf("views are of %v, and filters of %v", got, want)
	}
}

// TestASavedFilterFiltersItsList: what comes back is what the list takes.
func TestASavedFilterFiltersItsList(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	p := a.start(t, "manual_deposit")
	var made struct{ ID core.ID }
	a.as(t, staff.Viewer, createView, vars{
		"list": "TRANSACTIONS", "name": "this one", "filter": fmt.Sprintf(`{ "text": %q,"minAmount":250.00 }`, p.TrackingCode), "sharing": "ROLE",
	}).into(t, "createSavedView.savedView", &made)
	var page struct {
		Nodes []struct {
			Filter, Owner     string
			IsOwn, IsEditable bool
		}
	}
	a.as(t, staff.Viewer, listViews, nil).into(t, "savedViews", &page)
	if len(page.Nodes) != 1 || page.Nodes[0].Owner != a.Viewer.Email || !page.Nodes[0].IsOwn || !page.Nodes[0].IsEditable {
		t.Fatalf("got %+v", page)
	}
	answer := a.as(t, staff.Viewer, `query($f: TransactionFilter) { transactions(filter: $f) { nodes { trackingCode } } }`,
		vars{"f": json.RawMessage(page.Nodes[0].Filter)})
	if want := fmt.Sprintf(`{"data":{"transactions":{"nodes":[{"trackingCode":%q}]}}}`, p.TrackingCode); answer.Raw != want {
		t.Errorf("got %s", answer.Raw)
	}
}

// TestWhatIsSavedIsWhatTheListTakes tries everything in every field of every list's filter: amounts, moments, days, numbers and ids that
// the list refuses are not stored.
func TestWhatIsSavedIsWhatTheListTakes(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	values := []string{
		`1e400`, `"1e400"`, `-1`, `"-1"`, `1.005`, `"999999999999999999999999"`, `"0x10"`, `""`, `"x"`, `"2026-02-30"`, `"2026-02-03"`, `"0001-01-01"`,
		`"2026-03-02T09:00:00Z"`, `"2026-03-02T25:00:00Z"`, `9007199254740993`, `true`, `[]`, `["x", "1e400"]`, `[null]`,
		`"` + strings.Repeat("y", 3000) + `"`,
	}
	saved := 0
	for _, list := range schema().Types["SavedViewList"].EnumValues {
		field := ""
		for i, word := range strings.Split(strings.ToLower(list.Name), "_") {
			if i > 0 {
				word = strings.ToUpper(word[:1]) + word[1:]
			}
			field += word
		}
		others := ""
		if list.Name == "STATISTICS" {
			others = `from: "2026-03-01T00:00:00Z", until: "2026-03-02T00:00:00Z", `
		}
		of := schema().Query.Fields.ForName(field).Arguments.ForName("filter").Type
		for _, f := range schema().Types[of.Name()].Fields {
			if f.Type.Name() == "String" || f.Name == "actorId" {
				continue // a text that finds nothing is one, and whose id it is another field says
			}
			for _, value := range values {
				filter := fmt.Sprintf(`{%q: %s}`, f.Name, value)
				made := a.as(t, staff.Admin, createView, vars{"list": list.Name, "name": "v", "filter": filter, "sharing": "PRIVATE"})
				if made.code() != "" {
					if made.code() != "INVALID" {
						t.Errorf("%s %s: %s", list.Name, filter, made.Raw)
					}
					continue
				}
				saved++
				asked := a.as(t, staff.Admin, fmt.Sprintf(`query($filter: %s) { %s(%sfilter: $filter) { __typename } }`, of, field, others), vars{"filter": json.RawMessage(filter)})
				if asked.code() != "" {
					t.Errorf("%s: what was saved is refused: %.300s: %.300s", list.Name, filter, asked.Raw)
				}
				var view struct{ ID core.ID }
				made.into(t, "createSavedView.savedView", &view)
				a.as(t, staff.Admin, removeView, vars{"id": view.ID})
			}
		}
	}
	if saved < 40 {
		t.Errorf("only %d filters were saved", saved)
	}
}
