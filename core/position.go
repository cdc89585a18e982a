package core

import "context"

// Position is a place in the order of what a database has committed: opaque but for the database that has given it. The zero one is
// before everything: what is read after it may be some seconds old.
type Position string

// Latest is behind everything that is committed: only the primary database has it. It is what everything reads that does not say
// otherwise: what something is decided by, most of all.
const Latest Position = "latest"

type positionKey struct{}

// After returns a context whose lists, searches and statistics have what was committed before a position, and may lack what came later.
func After(ctx context.Context, p Position) context.Context {
	return context.WithValue(ctx, positionKey{}, p)
}

// PositionOf returns what the reads of a context have to see.
func PositionOf(ctx context.Context) Position {
	if p, ok := ctx.Value(positionKey{}).(Position); ok {
		return p
	}
	return Latest
}
