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

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/app/gatewayadmin"
	"github.com/vezne/vezne/graph/generated"
)

// Bounds of one operation.
const (
	maxTokens = 1_500  // of the query's text
	maxFields = 1_000  // with every fragment written out
	maxDepth  = 16     // the deepest that GraphiQL's introspection asks for
	maxCost   = 15_000 // a page of 50 with all that the schema has on transactions, or of 20 with their course at gateways
)

// Costs, in fields: what the complexity limit counts for what costs more than reading a field.
const (
	lookUpCost   = 20 // one more SQL statement
	movesCost    = 4  // rows that a history has, about
	attemptsCost = 5  // attempts that a callback has, about
	operateCost  = 2  // operations that a payment has, about
	callsCost    = 10 // calls that are made for a payment, about
	listCost     = 20 // plugins, gateway accounts or rules that there are, about
	mutationCost = 150
	callCost     = 1_000 // asking a gateway
	loginCost    = 5_000 // hashing a password
)

func costs() generated.ComplexityRoot {
	var c generated.ComplexityRoot
	c.Query.Transactions = func(child int, _ *core.PaymentQuery, first *int, _ *string) int {
		return lookUpCost + pageSize(first)*child
	}
	c.Transaction.History = func(child int) int { return lookUpCost + movesCost*child }
	c.Transaction.Callbacks = func(child int) int { return lookUpCost + child }
	c.Callback.Tries = func(child int) int { return lookUpCost + attemptsCost*child }
	c.Mutation.Login = func(int, string, string) int { return loginCost }
	c.Mutation.ApproveDeposit = func(child int, _ string, _ *string) int { return mutationCost + child }
	c.Mutation.CompleteWithdrawal = func(child int, _ string) int { return mutationCost + child }
	c.Mutation.UpdateProvider = func(child int, _ core.ID, _ core.ProviderPatch) int { return mutationCost + child }
	withReason := c.Mutation.ApproveDeposit
	c.Mutation.RejectDeposit = withReason
	c.Mutation.RejectWithdrawal, c.Mutation.FailWithdrawal, c.Mutation.CancelWithdrawal = withReason, withReason, withReason
	c.Mutation.RejectPayout, c.Mutation.CancelPayout = withReason, withReason
	c.Mutation.ApprovePayout = c.Mutation.CompleteWithdrawal
	costsAtGateways(&c)
	return c
}

func costsAtGateways(c *generated.ComplexityRoot) {
	lookUp := func(child int) int { return lookUpCost + child }
	list := func(child int) int { return lookUpCost + listCost*child }
	c.Query.GatewayPlugins, c.Query.GatewayAccounts, c.Query.RouteRules = list, list, list
	c.Query.Discrepancies = func(child int, _ *core.DiscrepancyQuery, first *int, _ *string) int {
		return lookUpCost + pageSize(first)*child
	}
	c.Query.GatewayNotifications = func(child int, _ *core.NotificationQuery, first *int, _ *string) int {
		return lookUpCost + pageSize(first)*child
	}
	c.GatewayAccount.Health = lookUp
	c.Transaction.Operations = func(child int) int { return lookUpCost + operateCost*child }
	c.Transaction.GatewayCalls = func(child int) int { return lookUpCost + callsCost*child }
	c.Transaction.Discrepancies, c.Transaction.AwaitsApproval = lookUp, lookUp
	c.Mutation.RefundTransaction = func(child int, _ string, _ *string, _ []generated.NamedTextInput, _ *string) int {
		return mutationCost + child
	}
	c.Mutation.ConfirmPayout = func(child int, _, _ string) int { return callCost + child }
	c.Mutation.ResolveDiscrepancy = func(child int, _ core.ID, _ core.Resolution, _, _ *string) int {
		return mutationCost + child
	}
	c.Mutation.RefundDiscrepancy = func(child int, _ core.ID, _ []generated.NamedTextInput, _ *string) int {
		return mutationCost + child
	}
	c.Mutation.CreateGatewayAccount = func(child int, _ gatewayadmin.NewAccount) int { return mutationCost + child }
	c.Mutation.UpdateGatewayAccount = func(child int, _ core.ID, _ core.GatewayPatch) int { return mutationCost + child }
	c.Mutation.TestGatewayAccount = func(child int, _ core.ID) int { return callCost + child }
	c.Mutation.SaveRouteRule = func(child int, _ *core.ID, _ core.RulePatch) int { return mutationCost + child }
}

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
	if cost := complexity.Calculate(ctx, l.schema, oc.Operation, oc.Variables); cost > maxCost {
		return fmt.Sprintf("the operation costs %d, more than %d: ask for fewer rows or fields", cost, maxCost)
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

// hasNUL tells whether a text anywhere in a value holds the one character that no database takes.
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
