// Package tracing has requests, commits, callbacks and calls of gateways take part in traces, which it sends to a collector by OTLP over
// HTTP (OpenTelemetry). Its wrappers stand around the real adapters, as those of adapters/metrics do.
//
// What is said of a span is what is known before anybody has used Vezne: routes, names of operations, statuses, codes of faults, hosts of
// gateways. No path, query, header, body, error text or identity is. Nobody outside is told of a trace: neither gateways nor receivers of
// callbacks get a traceparent.
package tracing

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/ports"

	// Names the module as it is since packages of gRPC were taken out of it. Where plugins from elsewhere are built in, an earlier one
	// would be chosen, and the exporter's packages be found twice.
	_ "google.golang.org/genproto/protobuf/field_mask"
)

// closeTimeout bounds how long spans are still sent when a process stops.
const closeTimeout = 3 * time.Second

// defaultPath is where a collector takes traces that is named without a path (OTLP specification, OTLP/HTTP request).
const defaultPath = "/v1/traces"

// Config says where traces are sent, and what they say of their sender.
type Config struct {
	URL     string // of the collector, such as http://127.0.0.1:4318; empty: nothing is traced
	Version string // of Vezne
	Role    string // of the process
	Log     *slog.Logger
}

var _ ports.Tracer = (*Tracing)(nil)

// Tracing begins and sends spans. A nil *Tracing has none, and its wrappers return what they are given: tracing that is off costs
// nothing.
type Tracing struct {
	provider *sdktrace.TracerProvider
	tracer   trace.Tracer
}

// New starts sending. That the collector is out of reach is no error: spans are dropped then, and nobody waits for it. The variables of
// OpenTelemetry's standard count, of which OTEL_TRACES_SAMPLER, OTEL_EXPORTER_OTLP_HEADERS and OTEL_SERVICE_NAME are the usual ones.
func New(ctx context.Context, c Config) (*Tracing, error) {
	if c.URL == "" {
		return nil, nil
	}
	u, err := url.Parse(c.URL)
	if err != nil {
		return nil, errors.New("the collector's address is not a URL") // the parser would quote it
	}
	if u.Path == "" || u.Path == "/" {
		u.Path = defaultPath
	}
	exporter, err := otlptracehttp.New(ctx, otlptracehttp.WithEndpointURL(u.String()))
	if err != nil {
		return nil, fmt.Errorf("making the exporter of traces: %w", err)
	}
	about, err := resource.New(ctx, resource.WithAttributes(
		attribute.String("service.name", "vezne"), attribute.String("service.version", c.Version), attribute.String("vezne.role", c.Role),
	), resource.WithFromEnv())
	if err != nil {
		return nil, errors.Join(fmt.Errorf("reading OTEL_RESOURCE_ATTRIBUTES: %w", err), exporter.Shutdown(ctx))
	}
	p := sdktrace.NewTracerProvider(
		sdktrace.WithBatcher(&said{SpanExporter: exporter, log: c.Log}), sdktrace.WithResource(about),
	)
	return &Tracing{provider: p, tracer: p.Tracer("github.com/vezne/vezne")}, nil
}

// Close sends what is left, for a short while, and stops.
func (t *Tracing) Close() error {
	if t == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
	defer cancel()
	return t.provider.Shutdown(ctx)
}

// said is an exporter that says once when the collector takes nothing any more, and once when it does again.
type said struct {
	sdktrace.SpanExporter
	log  *slog.Logger
	gone atomic.Bool
}

// ExportSpans implements sdktrace.SpanExporter. What was not taken is lost: nobody waits for it.
func (s *said) ExportSpans(ctx context.Context, spans []sdktrace.ReadOnlySpan) error {
	err := s.SpanExporter.ExportSpans(ctx, spans)
	switch {
	case err != nil && !s.gone.Swap(true):
		s.log.WarnContext(ctx, "the collector does not take traces, which are lost; nothing else depends on it", "error", clipped(err.Error()))
	case err == nil && s.gone.Swap(false):
		s.log.InfoContext(ctx, "the collector takes traces again")
	}
	return nil
}

// maxErrorBytes bounds what the log has of a collector's answer, which the library quotes.
const maxErrorBytes = 300

func clipped(text string) string {
	return strings.ToValidUTF8(text[:min(len(text), maxErrorBytes)], "")
}

// Request begins the span of a request, of a trace of its own: who calls has no say in what is traced. Parent is the caller's own span
// where that can be believed, to which it is linked. End is told the route's pattern and the status.
func (t *Tracing) Request(ctx context.Context, parent string) (inside context.Context, traceID string, end func(Answer)) {
	inside, span := t.tracer.Start(ctx, "request", trace.WithNewRoot(), trace.WithSpanKind(trace.SpanKindServer), linkedTo(remote(parent)))
	if !span.IsRecording() {
		return inside, "", func(Answer) { span.End() }
	}
	return inside, span.SpanContext().TraceID().String(), func(a Answer) {
		span.SetName(a.Method + " " + a.Pattern)
		span.SetAttributes(attribute.String("http.request.method", a.Method), attribute.String("http.route", a.Pattern),
			attribute.Int("http.response.status_code", a.Status))
		fail(span, a.Fault)
		if a.Status >= 500 {
			span.SetStatus(codes.Error, "")
		}
		span.End()
	}
}

// Answer is what a request came to.
type Answer struct {
	Method, Pattern string // the route's pattern, never the path
	Status          int
	Fault           fault.Code
}

// Span begins a span of something within a request.
func (t *Tracing) Span(ctx context.Context, name string) (inside context.Context, end func()) {
	inside, span := t.tracer.Start(ctx, name)
	return inside, func() { span.End() }
}

// Work implements ports.Tracer.
func (t *Tracing) Work(ctx context.Context, name string, cause core.Cause) (inside context.Context, end func(error)) {
	inside, span := t.begin(ctx, name, cause, trace.SpanKindConsumer)
	return inside, func(err error) { endWith(span, err) }
}

// begin begins the span of work on a row: of the row's trace at first, and of one of its own, linked to that, when it is repeated. What
// it is a part of here, such as a batch of callbacks, is linked, too.
func (t *Tracing) begin(ctx context.Context, name string, cause core.Cause, kind trace.SpanKind) (context.Context, trace.Span) {
	here, from := trace.SpanContextFromContext(ctx), remote(string(cause.Trace))
	switch {
	case !from.IsValid():
		return t.tracer.Start(ctx, name, trace.WithSpanKind(kind))
	case cause.IsRepeat:
		return t.tracer.Start(ctx, name, trace.WithSpanKind(kind), trace.WithNewRoot(), linkedTo(from, here))
	default:
		return t.tracer.Start(trace.ContextWithRemoteSpanContext(ctx, from), name, trace.WithSpanKind(kind), linkedTo(here))
	}
}

// linkedTo links a span to those that are there.
func linkedTo(spans ...trace.SpanContext) trace.SpanStartOption {
	var links []trace.Link
	for _, s := range spans {
		if s.IsValid() {
			links = append(links, trace.Link{SpanContext: s})
		}
	}
	return trace.WithLinks(links...)
}

// The form of a span in a row and in a header (W3C Trace Context).
const traceparent = "traceparent"

// remote reads a traceparent. What is none is the zero value.
func remote(text string) trace.SpanContext {
	if text == "" {
		return trace.SpanContext{}
	}
	ctx := propagation.TraceContext{}.Extract(context.Background(), propagation.MapCarrier{traceparent: text})
	return trace.SpanContextFromContext(ctx)
}

// traceOf writes the span of a context. Without one it is empty.
func traceOf(ctx context.Context) core.Trace {
	carrier := propagation.MapCarrier{}
	propagation.TraceContext{}.Inject(ctx, carrier)
	return core.Trace(carrier[traceparent])
}

// fail notes a fault's code. What it says may name a customer.
func fail(span trace.Span, code fault.Code) {
	if code != "" {
		span.SetAttributes(attribute.String("error.type", string(code)))
	}
}

func endWith(span trace.Span, err error) {
	if err != nil {
		fail(span, fault.CodeOf(err))
		span.SetStatus(codes.Error, "")
	}
	span.End()
}
