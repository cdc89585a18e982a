package graph

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/lang"
)

// presenter turns faults into GraphQL errors.
type presenter struct{ log *slog.Logger }

// failedField is one entry of extensions.fields.
type failedField struct {
	Name    string `json:"name"`
	Message string `json:"message"`
}

// present shows a fault's code and sentence. The parser's and validator's own errors, which carry a code already, stay
// as they are; what has no code is internal: logged, not shown.
func (p presenter) present(ctx context.Context, err error) *gqlerror.Error {
	shown := graphql.DefaultErrorPresenter(ctx, err)
	cause := err
	if known := (*fault.Error)(nil); errors.As(err, &known) {
		cause = known
	} else if _, isProtocol := shown.Extensions["code"]; isProtocol {
		return shown
	}
	who, code := callerOf(ctx), fault.CodeOf(cause)
	shown.Extensions = map[string]any{"code": code}
	switch code {
	case fault.ApprovalNeeded:
		if args := fault.ArgsOf(cause); len(args) > 0 {
			shown.Extensions["approvalId"] = args[0]
		}
	case fault.Invalid:
		shown.Extensions["fields"] = sentences(who.language, fault.FieldsOf(cause))
	case fault.Internal, fault.Unavailable:
		shown.Extensions["requestId"] = who.requestID
		p.log.ErrorContext(ctx, "graphql operation failed",
			"request_id", who.requestID, "path", shown.Path.String(), "code", code, "error", cause.Error())
	default:
	}
	if raced := (*raced)(nil); errors.As(err, &raced) {
		shown.Extensions["meanwhile"] = raced.last
	}
	shown.Message = lang.Say(who.language, string(code), fault.ArgsOf(cause)...)
	return shown
}

func sentences(language lang.Tag, fields []fault.Field) []failedField {
	failed := make([]failedField, len(fields))
	for i, f := range fields {
		failed[i] = failedField{Name: f.Name, Message: lang.Say(language, f.Key, f.Args...)}
	}
	return failed
}

// recovered makes a fault of a panic.
func recovered(_ context.Context, panicked any) error {
	return fault.E("graph.recovered", fault.Internal, fmt.Errorf("panic: %v\n%s", panicked, debug.Stack()))
}
