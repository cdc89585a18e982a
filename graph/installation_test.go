package graph_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/vezne/vezne/core/lang"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/graph"
)

// TestInstallation: all of it, as any member reads it, and before a second factor is set up.
func TestInstallation(t *testing.T) {
	t.Parallel()
	a := newAPI(t, requiring(staff.Admin), func(c *graph.Config) {
		c.Installation = graph.Installation{Version: "v1.2.3", IsDemo: true, StepUpAbove: money.New(1_000_000, money.TRY)}
	})
	const query = `{ installation { version isDemo name timeZone currencies languages secondFactorRequiredOf stepUpAbove methods
		limits { pageRows maxPageRows requestBytes operationCost reasonChars savedViews savedViewNameChars savedViewFilterBytes
		sessionIdleMinutes sessionMinutes stepUpMinutes claimMinutes } } }`
	methods := make([]string, len(payment.Methods()))
	for i, m := range payment.Methods() {
		methods[i] = strings.ToUpper(string(m))
	}
	want := `{"data":{"installation":{"version":"v1.2.3","isDemo":true,"name":"pay.vezne.test","timeZone":"+03","currencies":["TRY"],` +
		`"languages":["tr","en"],"secondFactorRequiredOf":["ADMIN"],"stepUpAbove":"10000.00","methods":["` +
		strings.Join(methods, `","`) + `"],"limits":{"pageRows":50,"maxPageRows":200,"requestBytes":65536,` +
		`"operationCost":15000,"reasonChars":500,"savedViews":50,"savedViewNameChars":64,"savedViewFilterBytes":4096,` +
		`"sessionIdleMinutes":120,"sessionMinutes":720,"stepUpMinutes":10,"claimMinutes":15}}}}`
	for _, role := range []staff.Role{staff.Admin, staff.ProviderStaff} {
		if got := a.as(t, role, query, nil).Raw; got != want {
			t.Errorf("%s: got %s", role, got)
		}
	}
}

// TestEveryValueHasALabel: of each enum that is shown, in every language, and a different one from its neighbours'.
func TestEveryValueHasALabel(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	for _, tag := range lang.Tags() {
		var list []struct {
			Name   string
			Values []struct{ Value, Label string }
		}
		a.as(t, staff.Viewer, `query($l: String!) { labels(language: $l) { name values { value label } } }`, vars{"l": tag}).into(t, "labels", &list)
		var got, want []string
		for _, enum := range list {
			taken := map[string]bool{}
			for _, v := range enum.Values {
				got = append(got, enum.Name+"."+v.Value)
				if v.Label == "" || strings.TrimSpace(v.Label) != v.Label || taken[v.Label] || strings.Contains(v.Label, "_") {
					t.Errorf("%s.%s is called %q in %s", enum.Name, v.Value, v.Label, tag)
				}
				taken[v.Label] = true
			}
		}
		for _, d := range ownTypes() {
			if d.Kind == ast.Enum && d.Name != "ErrorCode" {
				for _, v := range d.EnumValues {
					want = append(want, d.Name+"."+v.Name)
				}
			}
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("there are labels of %v", got)
		}
	}
	for _, key := range lang.Labels() {
		enum, value, _ := strings.Cut(key, ".")
		if d := schema().Types[enum]; d == nil || d.EnumValues.ForName(value) == nil {
			t.Errorf("there is no %s", key)
		}
	}
}

// TestLabelsAreAskedForByName: only those enums, and never more of them than there are.
func TestLabelsAreAskedForByName(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	const query = `query($l: String!, $e: [String!]) { labels(language: $l, enums: $e) { name values { value label } } }`
	want := `{"data":{"labels":[{"name":"Theme","values":[{"value":"SYSTEM","label":"Sistem"},{"value":"LIGHT","label":"Açık"},{"value":"DARK","label":"Koyu"}]}]}}`
	if got := a.as(t, staff.Viewer, query, vars{"l": "tr", "e": []string{"Theme", "None", "ErrorCode"}}).Raw; got != want {
		t.Errorf("got %s", got)
	}
	for field, v := range map[string]vars{"language": {"l": "de"}, "enums": {"l": "en", "e": make([]string, 101)}} {
		answer := a.as(t, staff.Viewer, query, v)
		if got, _ := answer.field(); got != field {
			t.Errorf("%s: got %s", field, answer.Raw)
		}
	}
}

// TestAProfileIsItsMembersOwn: they alone change it, and those who see staff read it.
func TestAProfileIsItsMembersOwn(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	const me = `{ me { profile { name language theme } } }`
	const update = `mutation($input: UpdateMyProfileInput!) { updateMyProfile(input: $input) { staffMember { profile { name language theme } } } }`
	if got := a.as(t, staff.Viewer, me, nil).Raw; got != `{"data":{"me":{"profile":{"name":null,"language":null,"theme":"SYSTEM"}}}}` {
		t.Errorf("at first: %s", got)
	}
	for _, c := range []struct {
		input vars
		want  string
	}{
		{vars{"name": " Ayşe Yılmaz ", "language": "tr", "theme": "DARK"}, `{"name":"Ayşe Yılmaz","language":"tr","theme":"DARK"}`},
		{vars{"theme": "LIGHT"}, `{"name":"Ayşe Yılmaz","language":"tr","theme":"LIGHT"}`},
		{vars{"name": "", "language": ""}, `{"name":null,"language":null,"theme":"LIGHT"}`},
	} {
		if got := a.as(t, staff.Viewer, update, vars{"input": c.input}).Raw; got != `{"data":{"updateMyProfile":{"staffMember":{"profile":`+c.want+`}}}}` {
			t.Errorf("%v: %s", c.input, got)
		}
		if got := a.as(t, staff.Viewer, me, nil).Raw; got != `{"data":{"me":{"profile":`+c.want+`}}}` {
			t.Errorf("%v: %s", c.input, got)
		}
	}
	for field, input := range map[string]vars{
		"name": {"name": "Admin\u202E"}, "language": {"language": "de"},
	} {
		answer := a.as(t, staff.Viewer, update, vars{"input": input})
		if got, _ := answer.field(); got != field {
			t.Errorf("%v: %s", input, answer.Raw)
		}
	}
	for what, name := range map[string]string{"a long name": strings.Repeat("a", 65), "a colleague's email": a.Admin.Email} {
		if got, _ := a.as(t, staff.Viewer, update, vars{"input": vars{"name": name}}).field(); got != "name" {
			t.Errorf("%s: %q", what, got)
		}
	}
	const staffs = `{ staff { nodes { email profile { theme } } } }`
	if got := a.as(t, staff.Auditor, staffs, nil).Raw; !strings.Contains(got, `{"email":"viewer@vezne.test","profile":{"theme":"LIGHT"}}`) {
		t.Errorf("an auditor reads %s", got)
	}
}
