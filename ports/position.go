package ports

import "context"

// Position is a place in the order of what a database has committed: opaque but for the database that has given it. The zero one is
// before everything.
type Position string

// Latest is behind everything that is committed: only the primary database has it.
const Latest Position = "latest"

// Positions says how far a database has come that others follow.
type Positions interface {
	// Position returns a place behind everything that was committed before the call.
	Position(ctx context.Context) (Position, error)
}

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
