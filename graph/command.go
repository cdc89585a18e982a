package graph

import (
	"context"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"github.com/vezne/vezne/app/command"
	"github.com/vezne/vezne/app/once"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/graph/generated"
)

// run carries a command out for the caller.
func run[I, R any](ctx context.Context, m mutationResolver, c command.Command[I, R], input I) (*R, error) {
	result, first, err := command.Run(ctx, m.Commands, c, acting(ctx), input)
	if err != nil {
		return nil, err
	}
	if first != nil {
		tell(ctx, *first)
	}
	return &result, nil
}

// decide is run, of commands that give a payment.
func decide[I any](
	ctx context.Context, m mutationResolver, c command.Command[I, payment.Payment], input I,
) (*generated.TransactionPayload, error) {
	p, err := run(ctx, m, c, input)
	return &generated.TransactionPayload{Transaction: p}, err
}

// repeat is what extensions.repeated has of a mutation, by its alias.
type repeat struct {
	FirstAt time.Time  `json:"firstAt"`
	Rows    []once.Row `json:"rows"`
}

// tell says in the answer's extensions that a mutation was a repeat. Mutations are carried out one after the other.
func tell(ctx context.Context, first once.Answer) {
	const name = "repeated"
	all, ok := graphql.GetExtensions(ctx)[name].(map[string]repeat)
	if !ok {
		all = map[string]repeat{}
		graphql.RegisterExtension(ctx, name, all)
	}
	alias := graphql.GetFieldContext(ctx).Field.Alias
	all[alias] = repeat{FirstAt: first.At.UTC(), Rows: append([]once.Row{}, first.Rows...)}
}
