package program

import (
	"context"
	"net/http"

	"github.com/vezne/vezne/adapters/rest"
	"github.com/vezne/vezne/adapters/tracing"
)

// requestSpan begins the spans of requests, but for those that only ask whether the process lives. Nil: nothing is traced.
func (s *service) requestSpan(isProbe func(*http.Request) bool) func(*http.Request, string) (context.Context, string, func(rest.Served)) {
	if s.traces == nil {
		return nil
	}
	return func(r *http.Request, parent string) (context.Context, string, func(rest.Served)) {
		if isProbe(r) {
			return r.Context(), "", func(rest.Served) {}
		}
		ctx, traceID, end := s.traces.Request(r.Context(), parent)
		return ctx, traceID, func(v rest.Served) {
			end(tracing.Answer{Method: v.Method, Pattern: v.Pattern, Status: v.Status, Fault: v.Fault})
		}
	}
}

// span begins spans within requests. Nil: nothing is traced.
func (s *service) span() func(context.Context, string) (context.Context, func()) {
	if s.traces == nil {
		return nil
	}
	return s.traces.Span
}
