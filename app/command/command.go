// Package command is what staff ask for by name. The API runs a command when it is asked for; an approval keeps the command's
// input, and runs the same command with it when a second person has agreed.
package command

import (
	"context"
	"encoding/json"
	"unicode/utf8"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/app/approval"
	"github.com/vezne/vezne/app/once"
	directory "github.com/vezne/vezne/app/owner"
	"github.com/vezne/vezne/core"
	coreapproval "github.com/vezne/vezne/core/approval"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/staff"
)

// Command is something that staff may ask for. I is what it is asked with, which JSON keeps whole; R is what comes of it.
type Command[I, R any] struct {
	Name       string           // as the API and audit rows call it
	Permission staff.Permission // that it needs
	Do         func(ctx context.Context, by app.Request, input I) (R, error)
	// Again returns R as it is now, for a repeat of what came under an idempotency key; nil: the command takes none.
	Again func(ctx context.Context, by app.Request, input I, first once.Answer) (R, error)
	// Issued returns the credentials in R, which are shown once; nil: there are none.
	Issued func(R) []directory.IssuedKey
}

// Said is what most inputs have besides.
type Said struct {
	Reason         string  // why
	IdempotencyKey *string // nil: a repeat is done again
}

func (s Said) said() Said { return s }

func saidOf(input any) Said {
	if s, ok := input.(interface{ said() Said }); ok {
		return s.said()
	}
	return Said{}
}

// expectedOf is the version of the payment that whoever asks has seen; 0: they do not say.
func expectedOf(input any) int {
	if d, ok := input.(interface{ expected() *int }); ok && d.expected() != nil {
		return *d.expected()
	}
	return 0
}

// maxKeyChars bounds an idempotency key.
const maxKeyChars = 255

// Run carries a command out for whoever asks. What a second person has to approve becomes a request. What came under the same
// idempotency key before is not done again: first is then what came of it. Faults: Forbidden; ApprovalNeeded, with the
// request's id; ApprovalDecided (the request that the first became has ended unfulfilled); those of once.Do, approval.Ask and
// of the command.
func Run[I, R any](
	ctx context.Context, all *Commands, c Command[I, R], by app.Request, input I,
) (result R, first *once.Answer, err error) {
	const op = "command.Run"
	if err := by.Require(c.Permission); err != nil {
		return result, nil, err
	}
	by = by.Expecting(expectedOf(input))
	first, err = c.attempt(ctx, all, by, input, "", func(by app.Request) (err error) {
		result, err = c.Do(ctx, by, input)
		if needs := approval.Needs(err); needs != nil {
			return c.ask(ctx, all, by, input, needs)
		}
		return err
	})
	if first == nil || err != nil {
		return result, nil, fault.E(op, "", err)
	}
	result, err = c.again(ctx, all, by, input, *first)
	return result, first, fault.E(op, "", err)
}

// attempt does something once where the input has a key. approved is the request that is being carried out; empty: none.
func (c Command[I, R]) attempt(
	ctx context.Context, all *Commands, by app.Request, input I, approved core.ID, do func(app.Request) error,
) (*once.Answer, error) {
	said := saidOf(input)
	by = by.Because(said.Reason)
	if said.IdempotencyKey == nil {
		return nil, do(by)
	}
	if err := checkKey(*said.IdempotencyKey); err != nil {
		return nil, err
	}
	arguments, err := withoutKey(input)
	if err != nil {
		return nil, fault.E("command.attempt", fault.Internal, err)
	}
	return all.Once.Do(ctx, once.Request{
		Request: by, Action: c.Name, Key: *said.IdempotencyKey, Arguments: arguments, Approval: approved,
	}, do)
}

func checkKey(key string) error {
	const name = "idempotencyKey"
	var form core.Form
	switch {
	case !core.IsCleanText(key):
		form.Fail(name, "field.text")
	case key == "" || utf8.RuneCountInString(key) > maxKeyChars:
		form.Fail(name, "field.length", 1, maxKeyChars)
	}
	return form.Err("command.checkKey")
}

// withoutKey is an input as JSON with sorted names, without its key.
func withoutKey(input any) ([]byte, error) {
	text, err := json.Marshal(input)
	if err != nil {
		return nil, err
	}
	fields := map[string]json.RawMessage{}
	if err := json.Unmarshal(text, &fields); err != nil {
		return nil, err
	}
	delete(fields, "IdempotencyKey")
	return json.Marshal(fields)
}

// ask makes the command a request for a second person. Fault: ApprovalNeeded, with the request's id.
func (c Command[I, R]) ask(
	ctx context.Context, all *Commands, by app.Request, input I, needs *coreapproval.NeedsApproval,
) error {
	const op = "command.ask"
	text, err := json.Marshal(input)
	if err != nil {
		return fault.E(op, fault.Internal, err)
	}
	a, err := all.Approvals.Ask(ctx, approval.Asked{
		Request: by, Action: c.Name, Permission: c.Permission, Input: string(text),
	}, needs)
	if err != nil {
		return fault.E(op, "", err)
	}
	return fault.New(op, fault.ApprovalNeeded, string(a.ID))
}

// again answers a repeat.
func (c Command[I, R]) again(ctx context.Context, all *Commands, by app.Request, input I, first once.Answer) (R, error) {
	var none R
	if first.Failure != nil {
		return none, first.Failure.Err()
	}
	if first.Approval != "" {
		if err := all.checkApproved(ctx, by, first.Approval); err != nil {
			return none, err
		}
	}
	return c.Again(ctx, by, input, first)
}

// runApproved does what a request asks for, and returns the credentials that it issued.
func (c Command[I, R]) runApproved(
	ctx context.Context, all *Commands, by app.Request, a coreapproval.Approval,
) ([]directory.IssuedKey, error) {
	const op = "command.runApproved"
	var input I
	if err := json.Unmarshal([]byte(a.Input.Reveal()), &input); err != nil {
		return nil, fault.E(op, fault.ApprovalStale, err)
	}
	var result R
	_, err := c.attempt(ctx, all, by, input, a.ID, func(by app.Request) (err error) {
		result, err = c.Do(ctx, by, input)
		return err
	})
	if err != nil || c.Issued == nil {
		return nil, fault.E(op, "", err)
	}
	return c.Issued(result), nil
}
