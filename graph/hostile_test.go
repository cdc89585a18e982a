package graph_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"
	"github.com/vektah/gqlparser/v2/validator"

	"github.com/vezne/vezne/graph"
)

// Work that a document may make, in numbers of things looked at. The validator takes about a microsecond for a selection, and a
// tenth of that to compare two.
const (
	mostSteps  = 16_000 // before the document is validated: of 1,500 tokens and at most 5,000 selections, in three ways
	mostWalked = 8_000  // selections, values and directives that the validator visits
	mostPairs  = 2_000  // selections that it compares with each other
)

// TestHostileRequestsAreBounded: whatever the shape, each is answered with few errors, and within a little work.
func TestHostileRequestsAreBounded(t *testing.T) {
	t.Parallel()
	a := newAPI(t, withIntrospection, unlimited)
	for name, sent := range hostile(t) {
		answer := a.raw(t, sent, nil)
		if answer.Status != 200 && answer.Status != 400 || len(answer.Errors) == 0 || answer.code() == "INTERNAL" {
			t.Errorf("%s: got %d %.300s", name, answer.Status, answer.Raw)
		}
		if answer.Status == 400 && len(answer.Errors) > 10 || len(answer.Raw) > 64<<10 {
			t.Errorf("%s: %d errors in %d bytes", name, len(answer.Errors), len(answer.Raw))
		}
		var params struct{ Query string }
		if json.Unmarshal([]byte(sent), &params) == nil {
			checkWork(t, name, params.Query)
		}
	}
}

// TestTheSameFieldAgainAndAgainIsRefused: comparing each with each of the others is what the validator would do.
func TestTheSameFieldAgainAndAgainIsRefused(t *testing.T) {
	t.Parallel()
	a := newAPI(t, withIntrospection, unlimited)
	for name, want := range map[string]string{
		"the same field": "again and again", "many spreads of one": "again and again", "the same fields": "again and again",
		"two at each level": "again and again", "many fragments": "again and again", "as often as is let in": "", "introspection": "",
		"aliases": "", "more aliases": "200 aliases", "operations": "", "many operations": "20 operations",
		"fragments of nothing": "more than 5000 fields", "a ring of fragments": "within itself", "more variables": "60 variables",
		"unknown fields": "type does not have", "a very long name": "128 bytes",
		"nested lists": "levels of lists", "nested objects": "levels of lists", "types of variables": "lists in a list",
		"inline fragments": "", "more inline fragments": "32 levels deep", "more directives": "50 directives",
		"the schema again": "reads of the schema", "the schema within": "nested too deeply", "the schema's aliases": "no aliases",
	} {
		sent, isThere := hostile(t)[name]
		if name == "introspection" {
			sent, isThere = body(t, introspection, nil), true
		}
		var params struct{ Query string }
		if err := json.Unmarshal([]byte(sent), &params); err != nil || !isThere {
			t.Fatal(name, err)
		}
		work, err := graph.LookAt(params.Query)
		if err != nil || (want == "") != (work.Refused == "") || !strings.Contains(work.Refused, want) {
			t.Errorf("%s: %q %v, want %q", name, work.Refused, err, want)
		}
		if answer := a.raw(t, sent, nil); want != "" && (answer.Status != 400 || !strings.Contains(answer.Raw, want)) {
			t.Errorf("%s: got %d %.300s", name, answer.Status, answer.Raw)
		}
	}
}

// TestWhatIsLetInMakesLittleWork generates documents of all shapes; about half are let in.
func TestWhatIsLetInMakesLittleWork(t *testing.T) {
	t.Parallel()
	letIn := 0
	for seed := range uint64(600) {
		w := &writer{Rand: rand.New(rand.NewPCG(seed, 1)), fields: schema().Types}
		if checkWork(t, fmt.Sprint("seed ", seed), w.document()) {
			letIn++
		}
	}
	if letIn < 100 || letIn > 580 {
		t.Errorf("%d of 600 documents are let in", letIn)
	}
}

// FuzzDocument looks at any document.
func FuzzDocument(f *testing.F) {
	for _, sent := range hostile(f) {
		var params struct{ Query string }
		if json.Unmarshal([]byte(sent), &params) == nil {
			f.Add(params.Query)
		}
	}
	f.Add(introspection)
	f.Fuzz(func(t *testing.T, query string) { checkWork(t, query, query) })
}

// checkWork holds what a query makes work to its bounds: looking at it, and then, if it is let in, what the validator does with
// it, counted here anew and in the simplest way. It reports whether the query is let in.
func checkWork(t *testing.T, name, query string) bool {
	t.Helper()
	work, err := graph.LookAt(query)
	if err != nil { // no GraphQL, or too many tokens
		return false
	}
	if work.Steps > mostSteps {
		t.Errorf("%.100s: looking at it takes %d steps", name, work.Steps)
	}
	if work.Refused != "" {
		return false
	}
	parsed, err := parser.ParseQuery(&ast.Source{Input: query})
	if err != nil {
		t.Fatal(name, err)
	}
	if n := visits(parsed); n > mostWalked {
		t.Errorf("%.100s: validating it visits %d", name, n)
	}
	if n := overlaps(parsed); n > mostPairs {
		t.Errorf("%.100s: validating it compares %d pairs", name, n)
	}
	return true
}

// visits counts what the validator visits, by having it do so.
func visits(parsed *ast.QueryDocument) (n int) {
	var events validator.Events
	events.OnField(func(*validator.Walker, *ast.Field) { n++ })
	events.OnFragmentSpread(func(*validator.Walker, *ast.FragmentSpread) { n++ })
	events.OnInlineFragment(func(*validator.Walker, *ast.InlineFragment) { n++ })
	events.OnValue(func(*validator.Walker, *ast.Value) { n++ })
	events.OnDirective(func(*validator.Walker, *ast.Directive) { n++ })
	validator.Walk(schema(), parsed, &events)
	return n
}

// overlaps counts the pairs of selections with one name, or of spreads, that are in one place of the answer, of each operation and
// fragment: place by place, by the path of names that leads there.
func overlaps(parsed *ast.QueryDocument) (pairs int) {
	roots := []ast.SelectionSet{}
	for _, o := range parsed.Operations {
		roots = append(roots, o.SelectionSet)
	}
	for _, f := range parsed.Fragments {
		roots = append(roots, f.SelectionSet)
	}
	for _, root := range roots {
		places := map[string]int{}
		place(parsed, root, "", places)
		for _, n := range places {
			pairs += n * (n - 1) / 2
		}
	}
	return pairs
}

func place(parsed *ast.QueryDocument, set ast.SelectionSet, path string, places map[string]int) {
	for _, selection := range set {
		switch s := selection.(type) {
		case *ast.Field:
			places[path+"/"+s.Alias]++
			place(parsed, s.SelectionSet, path+"/"+s.Alias, places)
		case *ast.InlineFragment:
			place(parsed, s.SelectionSet, path, places)
		case *ast.FragmentSpread:
			places[path+"/..."]++
			if f := parsed.Fragments.ForName(s.Name); f != nil {
				place(parsed, f.SelectionSet, path, places)
			}
		}
	}
}

// BenchmarkHostile is what a request costs that is made to cost much, by somebody who has not signed in.
func BenchmarkHostile(b *testing.B) {
	a := newAPI(b, withIntrospection, unlimited)
	bodies := hostile(b)
	bodies["introspection, to compare"] = body(b, introspection, nil)
	bodies["me, to compare"] = body(b, "{me{id}}", nil)
	for _, name := range slices.Sorted(maps.Keys(bodies)) {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				r := httptest.NewRequestWithContext(b.Context(), "POST", "/graphql", strings.NewReader(bodies[name]))
				r.Header.Set("Content-Type", "application/json")
				a.ServeHTTP(httptest.NewRecorder(), r)
			}
		})
	}
}
