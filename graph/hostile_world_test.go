package graph_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"
)

// body is a request's JSON.
func body(t testing.TB, query string, variables any) string {
	t.Helper()
	text, err := json.Marshal(map[string]any{"query": query, "variables": variables})
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// hostile are bodies of requests that are made to cost much, of as many shapes as there are bounds, most of them just within one.
func hostile(t testing.TB) map[string]string {
	t.Helper()
	queries := map[string]string{
		"the same field":          `{me{` + strings.Repeat("email ", 990) + `}}`,
		"the same for the parser": `{me{` + strings.Repeat("email ", 1490) + `}}`,
		"as often as is let in":   `{me{` + strings.Repeat("email ", 63) + `}}`,
		"the same fields":         `{me{` + strings.Repeat("id email role isActive ", 40) + `}}`,
		"the same at each level":  strings.Repeat("{me", 1) + strings.Repeat("{secondFactors{id} secondFactors", 14) + "{id}" + strings.Repeat("}", 15),
		"a name at each level":    `{` + strings.Repeat("a:transactions{nodes{id}} ", 60) + `}`,
		"two at each level":       twoAtEachLevel(7),
		"fragments twice":         bomb(5),
		"fragments of nothing":    strings.ReplaceAll(bomb(40), "__typename", "...Nothing"),
		"a ring of fragments":     strings.ReplaceAll(bomb(40), "__typename", "...F0"),
		"spreads of one":          `{` + strings.Repeat("...F ", 60) + `} fragment F on Query{me{id}}`,
		"many spreads of one":     `{` + strings.Repeat("...F ", 400) + `} fragment F on Query{me{id}}`,
		"spreads within":          `{me{` + strings.Repeat("...F ", 40) + `}} fragment F on Staff{` + numbered("a%d:id ", 20) + `}`,
		"many fragments":          `{me{` + numbered("...F%d ", 49) + `}}` + numbered(" fragment F%d on Staff{id email role}", 49),
		"a chain of fragments":    `{...F0}` + chain(48, 8),
		"fragments at each level": `{me{...F0}}` + numbered(" fragment F%d on Staff{id ...G email role}", 48) + " fragment G on Staff{id email}",
		"operations":              numbered("query Q%d{me{...F}} ", 20) + `fragment F on Staff{` + numbered("a%d:id ", 180) + `}`,
		"many operations":         numbered("query Q%d{me{id}} ", 180),
		"aliases":                 `{` + numbered("a%d:me{id} ", 200) + `}`,
		"more aliases":            `{` + numbered("a%d:me{id} ", 240) + `}`,
		"unknown fields":          `{` + numbered("f%d ", 990) + `}`,
		"unknown long fields":     `{` + numbered(strings.Repeat("f", 120)+"%d ", 260) + `}`,
		"a very long name":        `{` + strings.Repeat("f", 30_000) + `}`,
		"a very long type":        `{me{...F}} fragment F on ` + strings.Repeat("f", 30_000) + `{id}`,
		"unknown types":           `{me{` + numbered("...F%d ", 49) + `}}` + numbered(" fragment F%d on Staffs{id}", 49),
		"unknown arguments":       `{me(` + numbered("a%d:1 ", 480) + `){id}}`,
		"unknown enums":           `{transactions(filter:{status:[` + numbered("S%d ", 490) + `]}){nodes{id}}}`,
		"texts for enums":         `{transactions(filter:{status:[` + numbered(`"S%d" `, 490) + `]}){nodes{id}}}`,
		"empty objects":           `mutation{createWallet(input:[` + strings.Repeat("{} ", 480) + `]){wallet{id}}}`,
		"nested objects":          `mutation{createWallet(input:` + strings.Repeat("{a:", 300) + "1" + strings.Repeat("}", 300) + `){wallet{id}}}`,
		"nested lists":            `mutation{createWallet(input:` + strings.Repeat("[", 700) + strings.Repeat("]", 700) + `){wallet{id}}}`,
		"inline fragments":        `{me` + strings.Repeat("{...on Staff", 30) + "{id}" + strings.Repeat("}", 30) + `}`,
		"more inline fragments":   `{me` + strings.Repeat("{...on Staff", 250) + "{id}" + strings.Repeat("}", 250) + `}`,
		"wide inline fragments":   `{me{` + strings.Repeat("...{id email role} ", 60) + `}}`,
		"directives":              `{me ` + strings.Repeat("@include(if:true) ", 50) + `{id}}`,
		"more directives":         `{me ` + strings.Repeat("@a ", 700) + `{id}}`,
		"variables":               `query(` + numbered("$v%d:Int ", 60) + `){me{` + numbered("a%d:id ", 200) + `}}`,
		"more variables":          `query(` + numbered("$v%d:Int ", 370) + `){me{id}}`,
		"types of variables":      `query($v:` + strings.Repeat("[", 740) + "Int" + strings.Repeat("]", 740) + `){me{id}}`,
		"one variable everywhere": `query($v:TransactionFilter){` + numbered("a%d:transactions(filter:$v){nodes{id}} ", 100) + `}`,
		"the same arguments":      `{` + strings.Repeat(`transactions(filter:{status:[WAITING SHOWING]},first:1){nodes{id}} `, 40) + `}`,
		"comments":                `{me{id}}` + strings.Repeat("#\n", 15_000),
		"spaces":                  strings.Repeat(" ", 32_000) + `{me{id}}`,
		"a long text":             `{transaction(trackingCode:"` + strings.Repeat(`\u00e9`, 5_000) + `"){id}}`,
		"a long block":            `{transaction(trackingCode:"""` + strings.Repeat("\n ", 15_000) + `"""){id}}`,
		"quotes":                  `{transaction(trackingCode:"""` + strings.Repeat(`\"""`, 7_000) + `"""){id}}`,
		"a long number":           `{transactions(first:` + strings.Repeat("9", 32_000) + `){nodes{id}}}`,
		"a long fraction":         `{transactions(filter:{minAmount:0.` + strings.Repeat("9", 32_000) + `}){nodes{id}}}`,
		"the schema again":        `{` + numbered("a%d:__schema{types{fields{name}}} ", 100) + `}`,
		"the schema within":       `{__schema{types{` + strings.Repeat("fields{type{", 5) + "name" + strings.Repeat("}}", 5) + `}}}`,
		"the schema's aliases":    `{__schema{types{` + numbered("a%d:fields{name} ", 150) + `}}}`,
		"types":                   `{` + numbered(`a%d:__type(name:"Transaction"){fields{name}} `, 100) + `}`,
		"__typename":              `{` + strings.Repeat("__typename ", 900) + `}`,
	}
	bodies := map[string]string{}
	for name, query := range queries {
		bodies[name] = body(t, query, nil)
	}
	filter := `query($v:TransactionFilter){transactions(filter:$v){nodes{id}}}`
	deep := strings.Repeat(`[`, 9_000) + strings.Repeat(`]`, 9_000)
	for name, variables := range map[string]string{
		"a list of enums":    `{"v":{"status":[` + strings.Repeat(`"A",`, 3_990) + `"A"]}}`,
		"too long a list":    `{"v":{"status":[` + strings.Repeat(`"A",`, 15_000) + `"A"]}}`,
		"a deep variable":    `{"v":` + deep + `}`,
		"many variables":     `{` + numbered(`"v%d":1,`, 3_990) + `"v":null}`,
		"far more variables": `{` + numbered(`"v%d":1,`, 5_500) + `"v":null}`,
		"a long variable":    `{"v":{"text":"` + strings.Repeat("x", 60_000) + `"}}`,
		"a long amount":      `{"v":{"minAmount":` + strings.Repeat("9", 60_000) + `}}`,
		"unknown members":    `{"v":{` + numbered(`"m%d":1,`, 3_990) + `"x":1}}`,
	} {
		bodies[name] = `{"query":"` + filter + `","variables":` + variables + `}`
	}
	bodies["a deep extension"] = `{"query":"{me{id}}","extensions":` + deep + `}`
	bodies["a persisted query"] = `{"extensions":{"persistedQuery":{"version":1,"sha256Hash":"` + strings.Repeat("0", 64) + `"}}}`
	bodies["a batch"] = `[` + strings.Repeat(`{"query":"{me{id}}"},`, 2_000) + `{"query":"{me{id}}"}]`
	return bodies
}

// twoAtEachLevel is a field twice, in which it is twice, and so on.
func twoAtEachLevel(levels int) string {
	field := "__typename"
	for range levels {
		field = "ofType{" + field + " " + field + "}"
	}
	return `{__type(name:"Staff"){` + field + `}}`
}

// chain is fragments of which each spreads the next one, and has some fields.
func chain(length, fields int) string {
	var b strings.Builder
	for i := range length {
		fmt.Fprintf(&b, " fragment F%d on Query{%s ...F%d}", i, numbered(fmt.Sprintf("a%dx%%d:__typename ", i), fields), i+1)
	}
	fmt.Fprintf(&b, " fragment F%d on Query{__typename}", length)
	return b.String()
}

// writer writes documents at random. Each repeats itself in its own ways: fields, aliases, levels, fragments, operations.
type writer struct {
	*rand.Rand
	fields    map[string]*ast.Definition
	fragments int
	left      int // selections that may still be written
	spread    int // of ten selections
	repeat    int // most copies of a selection
	names     int // fields of a type that are chosen among
}

func (w *writer) document() string {
	w.fragments, w.left = w.IntN(12), 20+w.IntN(480)
	w.spread, w.repeat, w.names = w.IntN(4), 1+w.IntN(1+w.IntN(12)), 1+w.IntN(8)
	var b strings.Builder
	for i := range 1 + w.IntN(1+w.IntN(8)) {
		fmt.Fprintf(&b, "query Q%d ", i)
		w.set(&b, w.fields["Query"], 0, 0)
	}
	for i := range w.fragments {
		of := w.fields[[]string{"Query", "Transaction", "Staff", "Wallet", "__Type"}[i%5]]
		fmt.Fprintf(&b, " fragment F%d on %s ", i, of.Name)
		w.set(&b, of, 0, i+1)
	}
	return b.String()
}

// set writes a selection of a type; only fragments from a number on may be spread, so that few spread themselves.
func (w *writer) set(b *strings.Builder, of *ast.Definition, depth, from int) {
	b.WriteString("{__typename ")
	for range 1 + w.IntN(4) {
		for range 1 + w.IntN(w.repeat) {
			if w.left--; w.left < 0 {
				break
			}
			switch {
			case w.IntN(10) < w.spread && from < w.fragments:
				fmt.Fprintf(b, "...F%d ", from+w.IntN(w.fragments-from))
			case w.IntN(12) == 0 && depth < 12:
				b.WriteString("... ")
				w.set(b, of, depth+1, from)
			default:
				w.field(b, of, depth, from)
			}
		}
	}
	b.WriteString("} ")
}

func (w *writer) field(b *strings.Builder, of *ast.Definition, depth, from int) {
	f := of.Fields[w.IntN(min(len(of.Fields), w.names))]
	if w.IntN(9) == 0 {
		fmt.Fprintf(b, "a%d:", w.IntN(300))
	}
	b.WriteString(f.Name + " ")
	if inner := w.fields[f.Type.Name()]; inner.IsCompositeType() && depth < 14 {
		w.set(b, inner, depth+1, from)
	}
}
