package graph

import (
	"maps"
	"slices"

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
