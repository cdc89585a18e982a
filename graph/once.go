package graph

import (
	"context"
	"encoding/json"
	"fmt"
	"time"
	"unicode/utf8"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/app/once"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/approval"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/graph/generated"
	"github.com/vezne/vezne/graph/scalar"
)

// keyField is what the input of a mutation has that is done once.
const keyField = "idempotencyKey"

// maxKeyChars bounds a key.
const maxKeyChars = 255

// repeatable does a mutation that comes with an idempotencyKey once, and answers its repeats.
type repeatable struct {
	Config
	schema *ast.Schema
}

var _ interface {
	graphql.HandlerExtension
	graphql.OperationContextMutator
} = repeatable{}

// ExtensionName implements graphql.HandlerExtension.
func (repeatable) ExtensionName() string { return "Repeatable" }

// Validate implements graphql.HandlerExtension.
func (repeatable) Validate(graphql.ExecutableSchema) error { return nil }

// MutateOperationContext implements graphql.OperationContextMutator. It goes around what fourEyes does, so that the request
// which a mutation becomes is made once as well.
func (r repeatable) MutateOperationContext(_ context.Context, oc *graphql.OperationContext) *gqlerror.Error {
	if oc.Operation.Operation != ast.Mutation {
		return nil
	}
	inner := oc.ResolverMiddleware
	oc.ResolverMiddleware = func(ctx context.Context, next graphql.Resolver) (any, error) {
		return r.around(ctx, func(ctx context.Context) (any, error) { return inner(ctx, next) })
	}
	return nil
}

func (r repeatable) around(ctx context.Context, next graphql.Resolver) (any, error) {
	field := graphql.GetFieldContext(ctx)
	if field == nil || field.Object != "Mutation" || !r.isRepeatable(field.Field.Definition) {
		return next(ctx)
	}
	input := inputOf(ctx, field.Field.Field)
	key, isKeyed := input[keyField].(string)
	if !isKeyed || !r.mayAsk(ctx, field.Field.Definition) {
		return next(ctx) // who may not ask for it is refused there
	}
	request, err := requestOf(ctx, field.Field.Name, key, input)
	if err != nil {
		return nil, err
	}
	var result any
	first, err := r.Once.Do(ctx, request, func(keyed app.Request) error {
		who := callerOf(ctx)
		who.request = keyed
		result, err = next(withCaller(ctx, who))
		return err
	})
	if first == nil || err != nil {
		return result, err
	}
	return r.again(ctx, field, input, *first)
}

// isRepeatable reports whether a mutation may come with a key.
func (r repeatable) isRepeatable(f *ast.FieldDefinition) bool {
	argument := f.Arguments.ForName(inputArgument)
	return argument != nil && r.schema.Types[argument.Type.Name()].Fields.ForName(keyField) != nil
}

// inputArgument is the one argument of mutations that take any.
const inputArgument = "input"

// inputOf is what a mutation was sent with.
func inputOf(ctx context.Context, f *ast.Field) map[string]any {
	input, _ := f.ArgumentMap(graphql.GetOperationContext(ctx).Variables)[inputArgument].(map[string]any)
	return input
}

// mayAsk reports whether what stands before the mutation lets its caller through: only they learn what came of it.
func (r repeatable) mayAsk(ctx context.Context, f *ast.FieldDefinition) bool {
	staff, err := signedIn(ctx)
	if err != nil || staff.Require(permissionOf(f)) != nil {
		return false
	}
	stepUp := f.Directives.ForName("stepUp")
	if stepUp == nil {
		return true
	}
	only := stepUp.Arguments.ForName("onlyWithFactor")
	return r.checkProof(ctx, only != nil && only.Value.Raw == "true") == nil
}

// requestOf is what the staff member asks for. What is null is as what is not there. Fault: Invalid.
func requestOf(ctx context.Context, action, key string, input map[string]any) (once.Request, error) {
	const op = "graph.requestOf"
	var form core.Form
	switch {
	case !core.IsCleanText(key):
		form.Fail(keyField, "field.text")
	case key == "" || utf8.RuneCountInString(key) > maxKeyChars:
		form.Fail(keyField, "field.length", 1, maxKeyChars)
	}
	if err := form.Err(op); err != nil {
		return once.Request{}, err
	}
	others := map[string]any{}
	for name, value := range input {
		if name != keyField && value != nil {
			others[name] = value
		}
	}
	text, err := json.Marshal(others)
	if err != nil {
		return once.Request{}, fault.E(op, fault.Internal, err)
	}
	who := callerOf(ctx)
	return once.Request{
		Request: who.request, Action: action, Key: key, Arguments: text, Approval: who.replays,
	}, nil
}

// again answers a repeat: with the objects of the first answer as they are now, and beside them, under
// extensions.repeated, with what the first answer said of them.
func (r repeatable) again(ctx context.Context, f *graphql.FieldContext, input map[string]any, first once.Answer) (any, error) {
	const op = "graph.repeatable.again"
	switch {
	case first.Failure != nil:
		return nil, first.Failure.Err()
	case first.Approval != "":
		if err := r.standing(ctx, first.Approval); err != nil {
			return nil, err
		}
	}
	show := payloads[f.Field.Definition.Type.Name()]
	if show == nil {
		return nil, fault.New(op, fault.Internal) // cannot happen: a test looks at every mutation
	}
	payload, err := show(ctx, r.Config, texts(input), first)
	if err != nil {
		return nil, fault.E(op, "", err)
	}
	tell(ctx, f.Field.Alias, first)
	return payload, nil
}

// standing refuses while the request of a repeat waits, and where it ended unfulfilled. Faults: ApprovalNeeded,
// ApprovalDecided.
func (r repeatable) standing(ctx context.Context, id core.ID) error {
	const op = "graph.repeatable.standing"
	a, err := r.Approvals.Own(ctx, callerOf(ctx).request.Staff, id)
	if err != nil {
		return fault.E(op, "", err)
	}
	switch state := a.StateAt(r.Clock.Now()); state {
	case approval.ApprovalApproved:
		return nil
	case approval.ApprovalWaiting:
		return fault.New(op, fault.ApprovalNeeded, string(id))
	default:
		return fault.New(op, fault.ApprovalDecided, string(state))
	}
}

// repeat is what extensions.repeated has of a mutation, by its alias.
type repeat struct {
	FirstAt time.Time  `json:"firstAt"`
	Rows    []once.Row `json:"rows"`
}

// tell says in the answer's extensions that a mutation was a repeat. Mutations are carried out one after the other.
func tell(ctx context.Context, alias string, first once.Answer) {
	const name = "repeated"
	all, ok := graphql.GetExtensions(ctx)[name].(map[string]repeat)
	if !ok {
		all = map[string]repeat{}
		graphql.RegisterExtension(ctx, name, all)
	}
	all[alias] = repeat{FirstAt: first.At.UTC(), Rows: append([]once.Row{}, first.Rows...)}
}

// texts are what the input of a mutation names that it is about.
type texts map[string]any

func (t texts) get(name string) string {
	if v := t[name]; v != nil {
		return fmt.Sprint(v) // an ID may come as a number
	}
	return ""
}

// payloads reads what a repeatable mutation answers, by the payload's type: with what the staff member may see now.
var payloads = map[string]func(ctx context.Context, c Config, t texts, first once.Answer) (any, error){
	"TransactionPayload": func(ctx context.Context, c Config, t texts, _ once.Answer) (any, error) {
		code := t.get("trackingCode")
		if id := t.get("operationId"); id != "" {
			o, err := c.Operations.Operations.OperationBy(ctx, operation.OperationKey{ID: core.ID(id)})
			if err != nil {
				return nil, err
			}
			code = o.TrackingCode
		}
		p, err := c.Backoffice.Transaction(ctx, callerOf(ctx).request.Staff, code)
		return &generated.TransactionPayload{Transaction: &p}, err
	},
	"DiscrepancyPayload": func(ctx context.Context, c Config, t texts, _ once.Answer) (any, error) {
		list, _, err := c.Gateways.Discrepancies(ctx, callerOf(ctx).request.Staff, discrepancy.DiscrepancyQuery{
			ID: core.ID(t.get("id")), Limit: 1,
		})
		if err == nil && len(list) == 0 {
			err = fault.New("graph.payloads", fault.NotFound)
		}
		if err != nil {
			return nil, err
		}
		return &generated.DiscrepancyPayload{Discrepancy: &list[0]}, nil
	},
	"BankLinePayload": func(ctx context.Context, c Config, t texts, _ once.Answer) (any, error) {
		l, err := c.Statements.Line(ctx, callerOf(ctx).request.Staff, t.get("walletId"), t.get("lineId"))
		return &generated.BankLinePayload{BankLine: &l}, err
	},
	"AdjustDifferencePayload": func(ctx context.Context, c Config, t texts, first once.Answer) (any, error) {
		done, err := c.Statements.Adjustment(
			ctx, callerOf(ctx).request.Staff, t.get("walletId"), core.Day(t.get("day")), first.Find(once.EntryRow))
		return &done, err
	},
	"JobPayload": func(ctx context.Context, c Config, _ texts, first once.Answer) (any, error) {
		j, err := c.Jobs.Job(ctx, callerOf(ctx).request.Staff, first.Find(once.JobRow))
		return &generated.JobPayload{Job: &j}, err
	},
	"ResendCallbacksPayload": func(ctx context.Context, c Config, _ texts, first once.Answer) (any, error) {
		j, err := c.Jobs.Job(ctx, callerOf(ctx).request.Staff, first.Find(once.JobRow))
		return &generated.ResendCallbacksPayload{Count: j.Total, IsExact: j.IsTotalExact, Job: &j}, err
	},
	"CallbackPayload": func(ctx context.Context, c Config, t texts, _ once.Answer) (any, error) {
		found, err := c.Jobs.Callback(ctx, callerOf(ctx).request.Staff, core.ID(t.get("callbackId")))
		if err != nil {
			return nil, err
		}
		log, err := c.Backoffice.CallbackLog(ctx, found)
		return &generated.CallbackPayload{Callback: log}, err
	},
	"CustomerPayload": func(ctx context.Context, c Config, t texts, _ once.Answer) (any, error) {
		provider, err := scalar.ReadRowID("providerId", core.ID(t.get("providerId")))
		if err != nil {
			return nil, err
		}
		who, err := c.Directory.CustomerNow(
			ctx, callerOf(ctx).request.Staff, owner.CustomerKey{ProviderID: provider, UserID: t.get("userId")})
		return &generated.CustomerPayload{Customer: &who}, err
	},
}
