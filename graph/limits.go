package graph

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/99designs/gqlgen/complexity"
	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/errcode"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/validator"
	"github.com/vektah/gqlparser/v2/validator/rules"
)

// Bounds of one operation's cost.
const (
	maxEvent = 500    // of a subscription's event, which nobody asks for one by one
	maxCost  = 15_000 // a page of 50 with all that the schema has on transactions, ten moves of each, or of 20 with their course at gateways
)

// limits refuses documents that are too large before they are validated, operations that cost too much before they are executed,
// and values that no resolver should see.
type limits struct {
	schema           graphql.ExecutableSchema
	hasIntrospection bool
}

var _ interface {
	graphql.HandlerExtension
	graphql.OperationParameterMutator
	graphql.OperationContextMutator
} = limits{}

// ExtensionName implements graphql.HandlerExtension.
func (limits) ExtensionName() string { return "Limits" }

// Validate implements graphql.HandlerExtension.
func (limits) Validate(graphql.ExecutableSchema) error { return nil }

// MutateOperationParameters implements graphql.OperationParameterMutator: it is what sees the query first. The executor parses
// the query once more, which costs as much as reading it.
func (l limits) MutateOperationParameters(_ context.Context, params *graphql.RawParams) *gqlerror.Error {
	d, err := l.read(params.Query)
	if syntax := (*gqlerror.Error)(nil); errors.As(err, &syntax) {
		errcode.Set(syntax, errcode.ParseFailed)
		return syntax
	}
	return refusal(d.refused)
}

// MutateOperationContext implements graphql.OperationContextMutator.
func (l limits) MutateOperationContext(ctx context.Context, oc *graphql.OperationContext) *gqlerror.Error {
	oc.DisableIntrospection = !l.hasIntrospection
	keepDigits(oc)
	if hasNUL(oc.Variables) {
		return refusal("a text must not contain NUL")
	}
	most := maxCost
	if isSubscription(oc) {
		most = maxEvent
	}
	if cost := complexity.Calculate(ctx, l.schema, oc.Operation, oc.Variables); cost > most {
		return refusal(fmt.Sprintf("the operation costs %d, more than %d: ask for fewer rows or fields", cost, most))
	}
	return nil
}

// rulesWithoutSuggestions are what a document has to keep to. None looks for names that are like a wrong one: that would compare
// it with each name that the schema has, and tell them to whoever must not read the schema.
func rulesWithoutSuggestions() *rules.Rules {
	all := rules.NewDefaultRules()
	for _, one := range []struct {
		name string
		rule validator.Rule
	}{
		{rules.KnownArgumentNamesRule.Name, rules.KnownArgumentNamesRuleWithoutSuggestions},
		{rules.KnownTypeNamesRule.Name, rules.KnownTypeNamesRuleWithoutSuggestions},
		{rules.ValuesOfCorrectTypeRule.Name, rules.ValuesOfCorrectTypeRuleWithoutSuggestions},
	} {
		all.RemoveRule(one.name)
		all.AddRule(one.rule.Name, one.rule.RuleFunc)
	}
	return all
}

// refusal is the error for a reason to refuse; nil without one.
func refusal(reason string) *gqlerror.Error {
	if reason == "" {
		return nil
	}
	err := gqlerror.Errorf("%s", reason)
	errcode.Set(err, errcode.ValidationFailed)
	return err
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
