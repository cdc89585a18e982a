package graph

import (
	"maps"
	"slices"
)

// PricedFields names the fields that cost more than reading one, as in Type.field.
func PricedFields() []string { return slices.Sorted(maps.Keys(costs)) }
