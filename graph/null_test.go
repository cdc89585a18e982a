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
	types, values := schema().Types, newWalk(t, a, staff.Admin, []string{"1"}, nil)
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
					needed += other.Name + ": " + values.value(other.Name, other.Type) + " "
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
							text += f.Name + ": " + values.value(f.Name, f.Type) + " "
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

// below is the selection that a type needs.
func below(types map[string]*ast.Definition, of *ast.Type) string {
	if types[of.Name()].IsLeafType() {
		return ""
	}
	return "{__typename}"
}
