package graph

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"github.com/vezne/vezne/app/command"
	"github.com/vezne/vezne/app/once"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
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
	if of, ok := any(input).(interface{ PaymentCode() string }); ok && err != nil {
		err = m.whoWasFaster(ctx, of.PaymentCode(), err)
	}
	return &generated.TransactionPayload{Transaction: p}, err
}

// raced is why a decision was refused, with what somebody else had done.
type raced struct {
	error
	last meanwhile
}

func (r *raced) Unwrap() error { return r.error }

// meanwhile is the last thing that was done about a transaction, as extensions.meanwhile has it.
type meanwhile struct {
	At      time.Time `json:"at"`
	Status  string    `json:"status"`
	Command string    `json:"command"`
	Amount  string    `json:"amount"`
	ByKind  string    `json:"byKind"`
	By      string    `json:"by,omitempty"` // where whoever asks may know
}

// overtaken are the codes of decisions that somebody else may have made before.
var overtaken = []fault.Code{
	fault.AlreadyFinal, fault.NotAllowed, fault.Changed, fault.Moved, fault.Conflict, fault.Claimed, fault.NotClaimed, fault.ClaimLapsed,
}

// whoWasFaster adds to the refusal of a decision what was done last about its transaction.
func (c Config) whoWasFaster(ctx context.Context, code string, refused error) error {
	if !slices.Contains(overtaken, fault.CodeOf(refused)) {
		return refused
	}
	member := callerOf(ctx).request.Staff
	p, err := c.Backoffice.Transaction(ctx, member, code)
	if err != nil {
		return refused
	}
	rows, err := c.Backoffice.Batch(p).History(ctx, p, core.Paging[payment.TransitionID]{Limit: 1, IsLast: true})
	if err != nil || len(rows) == 0 {
		return refused
	}
	m := rows[len(rows)-1]
	return &raced{refused, meanwhile{
		At: m.At.UTC(), Status: strings.ToUpper(string(m.To.Common())), Command: strings.ToUpper(string(m.Command)),
		Amount: m.Amount.String(), ByKind: strings.ToUpper(string(m.Actor.Kind)), By: member.Sees(m.Actor).Name,
	}}
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
