package graph

import (
	"context"
	"fmt"
	"strings"

	"github.com/99designs/gqlgen/complexity"
	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/errcode"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// Bounds of one operation.
const (
	maxTokens = 1_500  // of the query's text
	maxFields = 1_000  // with every fragment written out
	maxDepth  = 16     // the deepest that GraphiQL's introspection asks for
	maxEvent  = 500    // cost of a subscription's event, which nobody asks for one by one
	maxCost   = 15_000 // a page of 50 with all that the schema has on transactions, or of 20 with their course at gateways
)

// limits refuses operations that are too large, before anything looks at every path through their fragments, and values
// that no resolver should see.
type limits struct {
	schema           graphql.ExecutableSchema
	hasIntrospection bool
}

var _ interface {
	graphql.HandlerExtension
	graphql.OperationContextMutator
} = limits{}

// ExtensionName implements graphql.HandlerExtension.
func (limits) ExtensionName() string { return "Limits" }

// Validate implements graphql.HandlerExtension.
func (limits) Validate(graphql.ExecutableSchema) error { return nil }

// MutateOperationContext implements graphql.OperationContextMutator.
func (l limits) MutateOperationContext(ctx context.Context, oc *graphql.OperationContext) *gqlerror.Error {
	oc.DisableIntrospection = !l.hasIntrospection
	refused := l.refusal(ctx, oc)
	if refused == "" {
		return nil
	}
	err := gqlerror.Errorf("%s", refused)
	errcode.Set(err, errcode.ValidationFailed)
	return err
}

// refusal says why the operation is refused; nothing when it is not.
func (l limits) refusal(ctx context.Context, oc *graphql.OperationContext) string {
	m := measure{limits: l, variables: oc.Variables, fragments: map[string]size{}}
	total := m.of(oc.Operation.SelectionSet)
	switch {
	case m.refused != "":
		return m.refused
	case hasNUL(oc.Variables):
		return "a text must not contain NUL"
	case total.fields > maxFields:
		return fmt.Sprintf("the operation has more than %d fields", maxFields)
	case total.depth > maxDepth:
		return fmt.Sprintf("the operation is nested more than %d levels deep", maxDepth)
	}
	most := maxCost
	if isSubscription(oc) {
		most = maxEvent
	}
	if cost := complexity.Calculate(ctx, l.schema, oc.Operation, oc.Variables); cost > most {
		return fmt.Sprintf("the operation costs %d, more than %d: ask for fewer rows or fields", cost, most)
	}
	return ""
}

// size is how much a selection asks for with its fragments written out.
type size struct{ fields, depth int }

func (s size) and(other size) size {
	return size{fields: min(s.fields+other.fields, maxFields+1), depth: max(s.depth, other.depth)}
}

// measure finds the size of an operation in one walk over its text: a fragment is looked at once, however often it is
// spread. The validator has made sure that no fragment spreads itself.
type measure struct {
	limits
	variables map[string]any
	fragments map[string]size
	refused   string
}

func (m *measure) of(set ast.SelectionSet) size {
	var total size
	for _, selection := range set {
		switch s := selection.(type) {
		case *ast.Field:
			m.checkField(s)
			inner := m.of(s.SelectionSet)
			total = total.and(size{fields: inner.fields + 1, depth: inner.depth + 1})
		case *ast.InlineFragment:
			m.checkDirectives(s.Directives)
			total = total.and(m.of(s.SelectionSet))
		case *ast.FragmentSpread:
			m.checkDirectives(s.Directives)
			total = total.and(m.ofFragment(s.Definition))
		}
	}
	return total
}

func (m *measure) ofFragment(f *ast.FragmentDefinition) size {
	found, ok := m.fragments[f.Name]
	if !ok {
		found = m.of(f.SelectionSet)
		m.fragments[f.Name] = found
	}
	return found
}

func (m *measure) checkField(f *ast.Field) {
	if !m.hasIntrospection && (f.Name == "__schema" || f.Name == "__type") {
		m.refused = "reading the schema from the API is switched off"
	}
	for _, argument := range f.Arguments {
		value, err := argument.Value.Value(m.variables)
		if err != nil {
			m.refused = "the argument " + argument.Name + " cannot be read"
		} else if hasNUL(value) {
			m.refused = "a text must not contain NUL"
		}
	}
}

// checkDirectives refuses @defer, which needs an answer in several parts.
func (m *measure) checkDirectives(list ast.DirectiveList) {
	if list.ForName("defer") != nil {
		m.refused = "@defer is not supported"
	}
}

// hasNUL reports whether a text anywhere in a value holds the one character that no database takes.
func hasNUL(value any) bool {
	switch v := value.(type) {
	case string:
		return strings.ContainsRune(v, 0)
	case []any:
		for _, item := range v {
			if hasNUL(item) {
				return true
			}
		}
	case map[string]any:
		for _, item := range v {
			if hasNUL(item) {
				return true
			}
		}
	}
	return false
}
