package graph

import (
	"context"
	"encoding/json"
	"sync"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
)

// Bounds of what is kept of the schema.
const (
	maxSchemaAnswers     = 4
	maxSchemaAnswerBytes = 4 << 20 // what GraphiQL asks for has half a megabyte
)

// schemaAnswers keep the last answers about the schema, by the text that asked: they are the same for everybody as long as the
// process runs, and the longest that there are. Who changes the text each time has it made anew, and is held by the rate, which
// counts it as schemaRequests.
type schemaAnswers struct {
	mu    sync.Mutex
	kept  map[string]json.RawMessage
	order []string // of the texts, the one that was kept first before the others
}

// intercept answers from what is kept; it is a graphql.OperationMiddleware.
func (a *schemaAnswers) intercept(ctx context.Context, next graphql.OperationHandler) graphql.ResponseHandler {
	oc := graphql.GetOperationContext(ctx)
	if !isOfSchemaAlone(oc.Operation) {
		return next(ctx)
	}
	text := oc.OperationName + "\x00" + oc.RawQuery
	if data, isKept := a.find(text); isKept {
		return graphql.OneShot(&graphql.Response{Data: data})
	}
	responses := next(ctx)
	return func(ctx context.Context) *graphql.Response {
		response := responses(ctx)
		if response != nil && len(response.Errors) == 0 {
			a.keep(text, response.Data)
		}
		return response
	}
}

func (a *schemaAnswers) find(text string) (json.RawMessage, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	data, isKept := a.kept[text]
	return data, isKept
}

// keep keeps an answer in place of the first.
func (a *schemaAnswers) keep(text string, data json.RawMessage) {
	if len(data) > maxSchemaAnswerBytes {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if _, isKept := a.kept[text]; isKept {
		return
	}
	if len(a.order) == maxSchemaAnswers {
		delete(a.kept, a.order[0])
		a.order = a.order[1:]
	}
	if a.kept == nil {
		a.kept = make(map[string]json.RawMessage, maxSchemaAnswers)
	}
	a.kept[text] = data
	a.order = append(a.order, text)
}

// isOfSchemaAlone reports whether an operation reads the schema and nothing else, so that its text says the whole answer.
func isOfSchemaAlone(o *ast.OperationDefinition) bool {
	if o.Operation != ast.Query || len(o.VariableDefinitions) > 0 {
		return false
	}
	reads := 0
	return readsSchemaAlone(o.SelectionSet, &reads) && reads > 0
}

// readsSchemaAlone counts the reads of the schema in what an operation selects of the query itself.
func readsSchemaAlone(set ast.SelectionSet, reads *int) bool {
	for _, selection := range set {
		isIt := false
		switch s := selection.(type) {
		case *ast.Field:
			if isIt = isSchemaRead(s) || s.Name == "__typename"; isSchemaRead(s) {
				*reads++
			}
		case *ast.InlineFragment:
			isIt = readsSchemaAlone(s.SelectionSet, reads)
		case *ast.FragmentSpread:
			isIt = readsSchemaAlone(s.Definition.SelectionSet, reads)
		}
		if !isIt {
			return false
		}
	}
	return true
}
