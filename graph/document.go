package graph

import (
	"fmt"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"
)

// Bounds of a document. They are held before the validator sees it, whose rules compare fields with each other and follow each
// fragment from everywhere: what it does for a document within these bounds is a small multiple of reading it.
const (
	maxQueryBytes  = 32 << 10 // of the text
	maxTokens      = 1_500    // of the text
	maxNameBytes   = 128      // of anything that has a name
	maxOperations  = 20
	maxFragments   = 50
	maxAliases     = 200
	maxDirectives  = 50
	maxVariables   = 60  // of one operation
	maxValues      = 500 // in arguments and defaults, each item and member counted
	maxValueDepth  = 10
	maxFields      = 1_000 // of one operation, with every fragment written out
	maxDepth       = 16    // the deepest that GraphiQL's introspection asks for
	maxNesting     = 32    // of selections in the text, which inline fragments add to
	maxWalked      = 5_000 // selections of all operations and fragments, each with every fragment written out
	maxOverlaps    = 2_000 // pairs of selections that the validator compares: of one name, or both fragments, in one place
	maxSchemaReads = 5     // __schema and __type
	maxUnknown     = 50    // fields that their type does not have, each of which becomes an error
)

// document counts what a parsed document asks for. It stops counting at the bounds, so that it costs no more than they allow.
type document struct {
	limits
	fragments map[string]*ast.FragmentDefinition
	sizes     map[string]size
	isOpen    map[string]bool // fragments whose size is being counted

	aliases, directives, values, schemaReads, unknown, overlaps int

	steps   int    // selections and values looked at, however often
	refused string // why the document is refused, the first reason
}

// read parses a query and counts what it asks for. Why it is refused, unless it is within the bounds, is in the document. A
// syntax error is err.
func (l limits) read(query string) (*document, error) {
	d := &document{
		limits: l, fragments: map[string]*ast.FragmentDefinition{}, sizes: map[string]size{}, isOpen: map[string]bool{},
	}
	if len(query) > maxQueryBytes {
		d.refuse("the query has more than %d bytes", maxQueryBytes)
		return d, nil
	}
	parsed, err := parser.ParseQueryWithTokenLimit(&ast.Source{Input: query}, maxTokens)
	if err != nil {
		return nil, err
	}
	d.check(parsed)
	return d, nil
}

// refuse keeps why the document is refused.
func (d *document) refuse(format string, args ...any) {
	if d.refused == "" {
		d.refused = fmt.Sprintf(format, args...)
	}
}

// atMost refuses what there is too much of.
func (d *document) atMost(count, most int, of string) {
	if count > most {
		d.refuse("the query has more than %d %s", most, of)
	}
}

// check looks at the text, then at the size, and then at what overlaps: each bounds what the next one costs.
func (d *document) check(parsed *ast.QueryDocument) {
	d.atMost(len(parsed.Operations), maxOperations, "operations")
	d.atMost(len(parsed.Fragments), maxFragments, "fragments")
	schema := d.schema.Schema()
	var roots []ast.SelectionSet
	for _, o := range parsed.Operations {
		d.name(o.Name)
		d.variables(o.VariableDefinitions)
		d.annotations(o.Directives)
		d.text(o.SelectionSet, rootOf(schema, o.Operation), 0)
		roots = append(roots, o.SelectionSet)
	}
	for _, f := range parsed.Fragments {
		d.name(f.Name)
		d.name(f.TypeCondition)
		d.variables(f.VariableDefinition)
		d.annotations(f.Directives)
		d.text(f.SelectionSet, schema.Types[f.TypeCondition], 0)
		roots = append(roots, f.SelectionSet)
		if _, isThere := d.fragments[f.Name]; !isThere { // the validator refuses a second one, and uses the first
			d.fragments[f.Name] = f
		}
	}
	walked := 0
	for i := 0; i < len(roots) && d.refused == ""; i++ {
		total := d.sizeOf(roots[i])
		walked += total.selections
		switch {
		case total.fields > maxFields:
			d.refuse("the operation has more than %d fields", maxFields)
		case total.depth > maxDepth:
			d.refuse("the operation is nested more than %d levels deep", maxDepth)
		case walked > maxWalked:
			d.refuse("the operations of the query and their fragments have more than %d fields", maxWalked)
		}
	}
	for i := 0; i < len(roots) && d.refused == ""; i++ {
		d.merge(roots[i:i+1], notSchema)
	}
}

func rootOf(schema *ast.Schema, o ast.Operation) *ast.Definition {
	switch o {
	case ast.Mutation:
		return schema.Mutation
	case ast.Subscription:
		return schema.Subscription
	default:
		return schema.Query
	}
}

func (d *document) name(name string) {
	if len(name) > maxNameBytes {
		d.refuse("a name has more than %d bytes", maxNameBytes)
	}
}

func (d *document) variables(list ast.VariableDefinitionList) {
	d.atMost(len(list), maxVariables, "variables")
	for _, v := range list {
		d.name(v.Variable)
		depth := 0
		for t := v.Type; t != nil; t = t.Elem {
			d.name(t.NamedType)
			depth++
		}
		d.atMost(depth, maxValueDepth, "lists in a list")
		d.value(v.DefaultValue, 0)
		d.annotations(v.Directives)
	}
}

// annotations looks at directives. It refuses @defer, which needs an answer in several parts.
func (d *document) annotations(list ast.DirectiveList) {
	d.directives += len(list)
	d.atMost(d.directives, maxDirectives, "directives")
	for _, one := range list {
		d.name(one.Name)
		d.arguments(one.Arguments)
		if one.Name == "defer" {
			d.refuse("@defer is not supported")
		}
	}
}

func (d *document) arguments(list ast.ArgumentList) {
	for _, argument := range list {
		d.name(argument.Name)
		d.value(argument.Value, 0)
	}
}

func (d *document) value(v *ast.Value, depth int) {
	if v == nil || d.refused != "" {
		return
	}
	d.values++
	d.steps++
	d.atMost(d.values, maxValues, "values")
	d.atMost(depth, maxValueDepth, "levels of lists and objects in an argument")
	switch v.Kind {
	case ast.StringValue, ast.BlockValue:
		if strings.ContainsRune(v.Raw, 0) {
			d.refuse("a text must not contain NUL")
		}
	case ast.Variable, ast.EnumValue:
		d.name(v.Raw)
	case ast.IntValue, ast.FloatValue:
		if _, err := v.Value(nil); err != nil {
			d.refuse("a number is too great")
		}
	default:
	}
	for _, child := range v.Children {
		d.name(child.Name)
		d.value(child.Value, depth+1)
	}
}

// text looks at each selection of a type as it is written; nil is a type that is not known.
func (d *document) text(set ast.SelectionSet, of *ast.Definition, depth int) {
	if depth > maxNesting {
		d.refuse("the operation is nested more than %d levels deep", maxNesting)
	}
	if d.refused != "" {
		return
	}
	d.steps += len(set)
	for _, selection := range set {
		switch s := selection.(type) {
		case *ast.Field:
			d.text(s.SelectionSet, d.field(s, of), depth+1)
		case *ast.InlineFragment:
			d.name(s.TypeCondition)
			d.annotations(s.Directives)
			inner := of
			if s.TypeCondition != "" {
				inner = d.schema.Schema().Types[s.TypeCondition]
			}
			d.text(s.SelectionSet, inner, depth+1)
		case *ast.FragmentSpread:
			d.name(s.Name)
			d.annotations(s.Directives)
		}
	}
}

// field looks at a field of a type and returns the field's own type.
func (d *document) field(f *ast.Field, of *ast.Definition) *ast.Definition {
	d.name(f.Name)
	d.name(f.Alias)
	if f.Alias != f.Name {
		d.aliases++
		d.atMost(d.aliases, maxAliases, "aliases")
	}
	if isSchemaRead(f) {
		d.schemaReads++
		d.atMost(d.schemaReads, maxSchemaReads, "reads of the schema")
		if !d.hasIntrospection {
			d.refuse("reading the schema from the API is switched off")
		}
	}
	d.arguments(f.Arguments)
	d.annotations(f.Directives)
	if of == nil || f.Name == "__typename" {
		return nil
	}
	if known := of.Fields.ForName(f.Name); known != nil {
		return d.schema.Schema().Types[known.Type.Name()]
	}
	d.unknown++
	d.atMost(d.unknown, maxUnknown, "fields that their type does not have")
	return nil
}

func isSchemaRead(f *ast.Field) bool { return f.Name == "__schema" || f.Name == "__type" }

// size is how much a selection asks for with its fragments written out.
type size struct{ fields, selections, depth int }

func (s size) and(other size) size {
	return size{
		fields:     min(s.fields+other.fields, maxFields+1),
		selections: min(s.selections+other.selections, maxWalked+1),
		depth:      max(s.depth, other.depth),
	}
}

// sizeOf looks at a fragment once, however often it is spread. It refuses fragments that spread themselves.
func (d *document) sizeOf(set ast.SelectionSet) size {
	var total size
	d.steps += len(set)
	for _, selection := range set {
		switch s := selection.(type) {
		case *ast.Field:
			inner := d.sizeOf(s.SelectionSet)
			total = total.and(size{fields: inner.fields + 1, selections: inner.selections + 1, depth: inner.depth + 1})
		case *ast.InlineFragment:
			total = total.and(size{selections: 1}).and(d.sizeOf(s.SelectionSet))
		case *ast.FragmentSpread:
			total = total.and(size{selections: 1}).and(d.sizeOfFragment(s.Name))
		}
	}
	return total
}

func (d *document) sizeOfFragment(name string) size {
	f, isThere := d.fragments[name]
	if !isThere { // the validator says so
		return size{}
	}
	if d.isOpen[name] {
		d.refuse("Cannot spread fragment %q within itself", name)
		return size{}
	}
	found, isKnown := d.sizes[name]
	if !isKnown {
		d.isOpen[name] = true
		found = d.sizeOf(f.SelectionSet)
		d.sizes[name], d.isOpen[name] = found, false
	}
	return found
}

// level is what is selected in one place of the answer.
type level struct {
	names   []string // in the order of the text
	fields  map[string][]*ast.Field
	spreads int
}

// notSchema is where nothing of the schema is read.
const notSchema = -1

// merge counts what overlaps in the selections of one place of the answer, and in all below it: fields of one name, and
// fragments, each of which the validator compares with all others there. Sets is what is selected there, by one root or by
// several fields of one name. Lists is how many lists of the schema the place is in.
func (d *document) merge(sets []ast.SelectionSet, lists int) {
	here := level{fields: map[string][]*ast.Field{}}
	for _, set := range sets {
		d.collect(&here, set)
	}
	d.overlaps += pairs(here.spreads)
	for _, name := range here.names {
		d.overlaps += pairs(len(here.fields[name]))
	}
	if d.overlaps > maxOverlaps {
		d.refuse("the query selects the same fields or fragments again and again: more than %d pairs", maxOverlaps)
	}
	for _, name := range here.names {
		if d.refused != "" {
			return
		}
		var inner []ast.SelectionSet
		for _, f := range here.fields[name] {
			if len(f.SelectionSet) > 0 {
				inner = append(inner, f.SelectionSet)
			}
		}
		below := d.schemaLists(here.fields[name][0], lists)
		if len(inner) > 0 {
			d.merge(inner, below)
		}
	}
}

// schemaLists returns in how many lists of the schema what a field selects is. Nothing counts what an answer about the schema
// costs, which is no more than the schema itself where no field has an alias and no list is read within another.
func (d *document) schemaLists(f *ast.Field, lists int) int {
	switch {
	case f.Name == "__schema" && f.Alias != f.Name, lists != notSchema && f.Alias != f.Name:
		d.refuse("what is read of the schema has no aliases")
	case isSchemaRead(f):
		return 0
	case lists == notSchema:
		return notSchema
	}
	switch f.Name {
	case "fields", "inputFields", "interfaces", "possibleTypes":
		lists++
	}
	if lists > 1 {
		d.refuse("what is read of the schema is nested too deeply: %s of types within another list of types' parts", f.Name)
	}
	return lists
}

func pairs(n int) int { return n * (n - 1) / 2 }

func (d *document) collect(into *level, set ast.SelectionSet) {
	d.steps += len(set)
	for _, selection := range set {
		switch s := selection.(type) {
		case *ast.Field:
			if into.fields[s.Alias] == nil {
				into.names = append(into.names, s.Alias)
			}
			into.fields[s.Alias] = append(into.fields[s.Alias], s)
		case *ast.InlineFragment:
			d.collect(into, s.SelectionSet)
		case *ast.FragmentSpread:
			into.spreads++
			if f, isThere := d.fragments[s.Name]; isThere {
				d.collect(into, f.SelectionSet)
			}
		}
	}
}
