package graph

import (
	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
)

// decimal is the scalar of amounts.
const decimal = "Decimal"

// keepDigits has the literals of amounts read as they are written: a literal with a decimal point would become a binary fraction
// on its way to the scalar, which then could not tell what was written.
func keepDigits(oc *graphql.OperationContext) {
	for _, v := range oc.Operation.VariableDefinitions {
		_, isFloat := oc.Variables[v.Variable].(float64) // only a default is one: numbers of JSON stay as they are written
		if isFloat && v.Type.NamedType == decimal {
			oc.Variables[v.Variable] = v.DefaultValue.Raw
		}
	}
	keepDigitsIn(oc.Operation.SelectionSet)
	for _, f := range oc.Doc.Fragments {
		keepDigitsIn(f.SelectionSet)
	}
}

func keepDigitsIn(set ast.SelectionSet) {
	for _, selection := range set {
		switch s := selection.(type) {
		case *ast.Field:
			for _, argument := range s.Arguments {
				keepDigitsOf(argument.Value)
			}
			keepDigitsIn(s.SelectionSet)
		case *ast.InlineFragment:
			keepDigitsIn(s.SelectionSet)
		}
	}
}

func keepDigitsOf(v *ast.Value) {
	if v.Kind == ast.FloatValue && v.Definition != nil && v.Definition.Name == decimal {
		v.Kind = ast.StringValue
	}
	for _, child := range v.Children {
		keepDigitsOf(child.Value)
	}
}
