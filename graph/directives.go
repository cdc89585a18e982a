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
		StepUp: func(ctx context.Context, _ any, next graphql.Resolver, onlyWithFactor *bool) (any, error) {
			if err := c.checkProof(ctx, onlyWithFactor != nil && *onlyWithFactor); err != nil {
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

// checkProof refuses a session that has not lately proven whose it is. Whoever has a second factor proves with it; others
// prove with their password, unless only those with a factor are asked. Fault: StepUpRequired.
func (c Config) checkProof(ctx context.Context, onlyWithFactor bool) error {
	request := callerOf(ctx).request
	if !onlyWithFactor {
		if err := c.Staff.CheckProven(request); err != nil {
			return err
		}
	}
	return c.Staff.CheckFactor(ctx, request)
}

func isZero(v any) bool {
	if says, ok := v.(interface{ IsZero() bool }); ok {
		return says.IsZero()
	}
	return reflect.ValueOf(v).IsZero()
}
