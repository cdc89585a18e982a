package core

import "context"

// Position is a place in the order of what a database has committed: opaque but for the database that has given it. The zero one is
// before everything.
type Position string

// Latest is behind everything that is committed: only the primary database has it.
const Latest Position = "latest"

type positionKey struct{}

// After returns a context whose reads see what was committed before a position, also those that may else be some seconds old.
func After(ctx context.Context, p Position) context.Context {
	return context.WithValue(ctx, positionKey{}, p)
}

// PositionOf returns what the reads of a context have to see.
func PositionOf(ctx context.Context) Position {
	p, _ := ctx.Value(positionKey{}).(Position)
	return p
}
