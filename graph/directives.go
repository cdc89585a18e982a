package graph

import (
	"context"
	"reflect"

	"github.com/99designs/gqlgen/graphql"

	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/graph/generated"
)

// directives does what the schema's directives say. The services check permissions themselves; @can refuses earlier, and
// shows in the schema.
func directives(c Config) generated.DirectiveRoot {
	return generated.DirectiveRoot{
		Can: func(ctx context.Context, _ any, next graphql.Resolver, permission staff.Permission) (any, error) {
			staff, err := signedIn(ctx)
			if err != nil {
				return nil, err
			}
			if err := staff.Require(permission); err != nil {
				return nil, err
			}
			return next(ctx)
		},
		SignedIn: func(ctx context.Context, _ any, next graphql.Resolver, beforeFactor *bool) (any, error) {
			err := callerOf(ctx).refused
			if beforeFactor == nil || !*beforeFactor {
				_, err = signedIn(ctx)
			}
			if err != nil {
				return nil, err
			}
			return next(ctx)
		},
		StepUp: func(ctx context.Context, _ any, next graphql.Resolver) (any, error) {
			if err := c.Staff.CheckProven(ctx, callerOf(ctx).request); err != nil {
				return nil, err
			}
			return next(ctx)
		},
		Public: func(ctx context.Context, _ any, next graphql.Resolver) (any, error) { return next(ctx) },
		NullIfZero: func(ctx context.Context, _ any, next graphql.Resolver) (any, error) {
			v, err := next(ctx)
			if err != nil || v == nil || isZero(v) {
				return nil, err
			}
			return v, nil
		},
	}
}

func isZero(v any) bool {
	if says, ok := v.(interface{ IsZero() bool }); ok {
		return says.IsZero()
	}
	return reflect.ValueOf(v).IsZero()
}
