package graph

import (
	"context"
	"maps"
	"slices"
	"sync/atomic"

	"github.com/99designs/gqlgen/graphql"

	"github.com/vezne/vezne/graph/generated"
)

// PricedFields names the fields that cost more than reading one, as in Type.field.
func PricedFields() []string { return slices.Sorted(maps.Keys(costs)) }

// Work is what looking at a document before it is validated came to.
type Work struct {
	Refused string
	Steps   int // selections and values looked at, however often
}

// LookAt looks at a query as the API does before it is validated, with introspection switched on.
func LookAt(query string) (Work, error) {
	l := limits{schema: generated.NewExecutableSchema(generated.Config{}), hasIntrospection: true}
	d, err := l.read(query)
	if err != nil {
		return Work{}, err
	}
	return Work{Refused: d.refused, Steps: d.steps}, nil
}

// CountFields counts the fields that are resolved from now on.
func (e *Endpoint) CountFields() *atomic.Int64 {
	var n atomic.Int64
	e.exec.AroundFields(func(ctx context.Context, next graphql.Resolver) (any, error) {
		n.Add(1)
		return next(ctx)
	})
	return &n
}

// MaxSchemaAnswers is how many answers about the schema are kept.
const MaxSchemaAnswers = maxSchemaAnswers
