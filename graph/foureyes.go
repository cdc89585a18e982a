package graph

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/executor"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/app/approval"
	directory "github.com/vezne/vezne/app/owner"
	"github.com/vezne/vezne/core"
	coreapproval "github.com/vezne/vezne/core/approval"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/staff"
)

// fourEyes turns a mutation that needs a second person into a request: it keeps the mutation as it was sent. So every
// mutation that the gate at the commit holds up has its request, whichever it is.
type fourEyes struct{ Config }

var _ interface {
	graphql.HandlerExtension
	graphql.OperationContextMutator
} = fourEyes{}

// ExtensionName implements graphql.HandlerExtension.
func (fourEyes) ExtensionName() string { return "FourEyes" }

// Validate implements graphql.HandlerExtension.
func (fourEyes) Validate(graphql.ExecutableSchema) error { return nil }

// MutateOperationContext implements graphql.OperationContextMutator. Only mutations have something around their fields:
// an answer of many thousands of fields is a fifth slower with it.
func (f fourEyes) MutateOperationContext(_ context.Context, oc *graphql.OperationContext) *gqlerror.Error {
	if oc.Operation.Operation == ast.Mutation {
		oc.ResolverMiddleware = f.around
	}
	return nil
}

func (f fourEyes) around(ctx context.Context, next graphql.Resolver) (any, error) {
	field := graphql.GetFieldContext(ctx)
	if field == nil || field.Object != "Mutation" {
		return next(ctx)
	}
	result, err := next(ctx)
	needs := approval.Needs(err)
	if needs == nil || callerOf(ctx).isReplay {
		return result, err
	}
	return nil, f.ask(ctx, field.Field.Field, needs)
}

// ask keeps the mutation and says so: the fault is ApprovalNeeded with the request's id.
func (f fourEyes) ask(ctx context.Context, field *ast.Field, needs *coreapproval.NeedsApproval) error {
	const op = "graph.fourEyes.ask"
	by, err := acting(ctx, nil)
	if err != nil {
		return err
	}
	sent := inputOf(ctx, field)
	input, err := json.Marshal(sent)
	if err != nil {
		return fault.E(op, fault.Internal, err)
	}
	by.Reason, _ = sent["reason"].(string)
	a, err := f.Approvals.Ask(ctx, approval.Asked{
		Request: by, Action: field.Name, Permission: permissionOf(field.Definition), Input: string(input),
	}, needs)
	if err != nil {
		return fault.E(op, "", err)
	}
	return fault.New(op, fault.ApprovalNeeded, string(a.ID))
}

// permissionOf is what @can says of a mutation.
func permissionOf(f *ast.FieldDefinition) staff.Permission {
	can := f.Directives.ForName("can")
	if can == nil {
		return staff.ConfigureApprovals // nothing that anybody may do is held up; and if it were, only an admin would do it
	}
	return staff.Permission(strings.Replace(can.Arguments.ForName("permission").Value.Raw, "_", ":", 1))
}

// replay sends a kept mutation again.
type replay struct {
	schema *ast.Schema
	exec   *executor.Executor
	now    func() time.Time
}

// run implements approval.Run.
func (r *replay) run(ctx context.Context, requester app.Request, a coreapproval.Approval) (string, error) {
	const op = "graph.replay.run"
	field := r.schema.Mutation.Fields.ForName(a.Action)
	if field == nil {
		return "", fault.New(op, fault.ApprovalStale)
	}
	query := r.query(field)
	var input map[string]any
	decoder := json.NewDecoder(strings.NewReader(a.Input.Reveal()))
	decoder.UseNumber()
	if err := decoder.Decode(&input); err != nil {
		return "", fault.E(op, fault.Internal, err)
	}
	params := &graphql.RawParams{Query: query, Variables: map[string]any{inputArgument: input}}
	who := callerOf(ctx)
	requester.Session = staff.Session{StaffID: requester.Staff.ID, ProvenAt: r.now()}
	who.request, who.refused, who.isReplay = requester, nil, true
	who.replays = a.ID
	who.isLimited, who.isProven = false, true // the requester proved who they were when asking
	ctx = graphql.StartOperationTrace(withCaller(ctx, who))
	operation, invalid := r.exec.CreateOperationContext(ctx, params)
	if len(invalid) > 0 { // the schema has changed since
		return "", fault.E(op, fault.ApprovalStale, invalid)
	}
	responses, ctx := r.exec.DispatchOperation(ctx, operation)
	response := responses(ctx)
	switch {
	case response == nil:
		return "", fault.E(op, fault.Unavailable, context.Cause(ctx))
	case len(response.Errors) > 0:
		return "", causeOf(op, response.Errors[0])
	}
	var data map[string]struct{ Issued json.RawMessage }
	if err := json.Unmarshal(response.Data, &data); err != nil {
		return "", fault.E(op, fault.Internal, err)
	}
	return string(data[field.Name].Issued), nil
}

func causeOf(op string, err error) error {
	if known := (*fault.Error)(nil); errors.As(err, &known) {
		return fault.E(op, "", known)
	}
	return fault.E(op, fault.ApprovalStale, err)
}

// query is the mutation with a variable for its input. Of its payload only what is shown once is read.
func (r *replay) query(field *ast.FieldDefinition) string {
	selected := "__typename"
	switch payload := r.schema.Types[field.Type.Name()]; {
	case payload.Fields.ForName("credentials") != nil:
		selected = "issued: credentials { credential value }"
	case payload.Fields.ForName("link") != nil:
		selected = "issued: link"
	}
	input := field.Arguments.ForName(inputArgument)
	return fmt.Sprintf("mutation($input: %s) { %s(input: $input) { %s } }", input.Type, field.Name, selected)
}

// issuedKeys reads what a mutation issued: credentials, or an invitation's link.
func issuedKeys(text string) ([]directory.IssuedKey, error) {
	const op = "graph.issuedKeys"
	var link string
	if err := json.Unmarshal([]byte(text), &link); err == nil {
		return []directory.IssuedKey{{Credential: owner.InvitationLink, Key: core.NewSecret(link)}}, nil
	}
	var list []struct {
		Credential owner.KeyKind
		Value      string
	}
	if err := json.Unmarshal([]byte(text), &list); err != nil {
		return nil, fault.E(op, fault.Internal, err)
	}
	keys := make([]directory.IssuedKey, len(list))
	for i, k := range list {
		keys[i] = directory.IssuedKey{Credential: k.Credential, Key: core.NewSecret(k.Value)}
	}
	return keys, nil
}
