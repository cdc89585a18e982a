package graph

import (
	"context"
	"slices"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
)

// maxNamedFields is how many of an operation's fields its name has; a longer list ends with "…".
const maxNamedFields = 3

// fieldsOf names an operation by what it asks for: its type and its fields by their names in the schema, such as
// "mutation completeDeposit". The client has no say in it, so that there are only so many different ones.
func fieldsOf(o *ast.OperationDefinition) string {
	names := rootFields(o.SelectionSet, nil)
	if len(names) > maxNamedFields {
		names = append(names[:maxNamedFields], "…")
	}
	return string(o.Operation) + " " + strings.Join(names, ",")
}

// rootFields adds the fields of a selection, each once. Its document is valid: no fragment leads to itself.
func rootFields(set ast.SelectionSet, names []string) []string {
	for _, s := range set {
		if len(names) > maxNamedFields {
			return names
		}
		switch s := s.(type) {
		case *ast.Field:
			if !slices.Contains(names, s.Name) {
				names = append(names, s.Name)
			}
		case *ast.InlineFragment:
			names = rootFields(s.SelectionSet, names)
		case *ast.FragmentSpread:
			names = rootFields(s.Definition.SelectionSet, names)
		}
	}
	return names
}

// nameOf names an operation for the log: what it asks for, and then what its client calls it, if anything. That name alone would
// say what the client likes. It is a name of GraphQL's, of maxNameBytes at most.
func nameOf(o *ast.OperationDefinition) string {
	if o.Name == "" {
		return fieldsOf(o)
	}
	return fieldsOf(o) + " (" + o.Name + ")"
}

// spans has queries and mutations run in spans. A subscription lasts as long as somebody watches.
func (c Config) spans(ctx context.Context, next graphql.OperationHandler) graphql.ResponseHandler {
	respond, o := next(ctx), graphql.GetOperationContext(ctx).Operation
	if o.Operation == ast.Subscription {
		return respond
	}
	return func(ctx context.Context) *graphql.Response {
		ctx, end := c.Span(ctx, fieldsOf(o))
		defer end()
		return respond(ctx)
	}
}
