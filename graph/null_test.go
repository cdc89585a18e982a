package graph_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/vezne/vezne/core/staff"
)

// TestNullIsAbsentInEveryFilter: programs send null for what a person has not chosen. It narrows nothing, in a variable as in a text.
func TestNullIsAbsentInEveryFilter(t *testing.T) {
	t.Parallel()
	a := newAPI(t, unlimited)
	types := schema().Types
	asked := 0
	for _, list := range types["Query"].Fields {
		for _, argument := range list.Arguments {
			filter := types[argument.Type.Name()]
			if filter.Kind != ast.InputObject || !strings.HasSuffix(filter.Name, "Filter") {
				continue
			}
			needed := ""
			for _, other := range list.Arguments {
				if other.Type.NonNull && other.DefaultValue == nil && other != argument {
					needed += other.Name + ": " + example(t, types, other.Name, other.Type) + " "
				}
			}
			for _, field := range filter.Fields {
				if field.Type.NonNull {
					continue
				}
				with := func(value string) string {
					text := ""
					for _, f := range filter.Fields {
						switch {
						case f == field:
							text += f.Name + ": " + value + " "
						case f.Type.NonNull && f.DefaultValue == nil:
							text += f.Name + ": " + example(t, types, f.Name, f.Type) + " "
						}
					}
					return fmt.Sprintf("%s(%s%s: {%s})%s", list.Name, needed, argument.Name, text, below(types, list.Type))
				}
				for what, query := range map[string]string{
					"null":                   "{" + with("null") + "}",
					"a variable of null":     fmt.Sprintf("query($v: %s) {%s}", field.Type, with("$v")),
					"a variable that is not": fmt.Sprintf("query($v: %s) {%s}", field.Type, with("$v")),
				} {
					v := vars{"v": nil}
					if what == "a variable that is not" {
						v = nil
					}
					if answer := a.as(t, staff.Admin, query, v); len(answer.Errors) > 0 {
						t.Errorf("%s.%s as %s: %s", list.Name, field.Name, what, answer.Raw)
					}
					asked++
				}
			}
		}
	}
	if asked < 150 {
		t.Errorf("%d filters were tried", asked)
	}
}

// example is a value of an argument or a field that is required.
func example(t *testing.T, types map[string]*ast.Definition, name string, of *ast.Type) string {
	t.Helper()
	switch d := types[of.Name()]; {
	case of.Elem != nil:
		return "[" + example(t, types, name, of.Elem) + "]"
	case d.Kind == ast.Enum:
		return d.EnumValues[0].Name
	case name == "until":
		return `"2026-01-02T00:00:00Z"`
	case d.Name == "DateTime":
		return `"2026-01-01T00:00:00Z"`
	case d.Name == "Int":
		return "1"
	default:
		return `"1"`
	}
}

// below is the selection that a type needs.
func below(types map[string]*ast.Definition, of *ast.Type) string {
	if types[of.Name()].IsLeafType() {
		return ""
	}
	return "{__typename}"
}
