package tracing

import (
	"context"
	"net/url"
	"slices"
	"strings"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/ports"
)

// Commits has each commit be a span, and keeps it with the rows that workers go on with.
func (t *Tracing) Commits(next ports.Committer) ports.Committer {
	if t == nil {
		return next
	}
	return committer{next, t}
}

type committer struct {
	next ports.Committer
	*Tracing
}

// Commit implements ports.Committer.
func (c committer) Commit(ctx context.Context, change core.Changeset) error {
	ctx, span := c.tracer.Start(ctx, "commit")
	span.SetAttributes(attribute.Int("vezne.rows", len(change)))
	err := c.next.Commit(ctx, kept(change, traceOf(ctx)))
	endWith(span, err)
	return err
}

// kept is a changeset whose rows say by whom they were written. The caller's own stays as it is.
func kept(change core.Changeset, by core.Trace) core.Changeset {
	change = slices.Clone(change)
	for i, row := range change {
		if r, ok := row.(core.Traced); ok {
			change[i] = r.TracedBy(by)
		}
	}
	return change
}

// maxLinks is how many links a span has at most, beside which the library drops them.
const maxLinks = 100

// Batch begins the span of a transaction that carries the commits of several callers: a part of the first one's trace that is kept, and
// linked with those of all others in both directions. A caller who is alone needs none.
func (t *Tracing) Batch(callers []context.Context) (ended func(error)) {
	var parts []trace.Span
	for _, ctx := range callers {
		if s := trace.SpanFromContext(ctx); s.IsRecording() {
			parts = append(parts, s)
		}
	}
	if len(parts) == 0 || len(callers) == 1 {
		return func(error) {}
	}
	var links []trace.Link
	for _, p := range parts[1:min(len(parts), maxLinks+1)] {
		links = append(links, trace.Link{SpanContext: p.SpanContext()})
	}
	_, span := t.tracer.Start(trace.ContextWithSpan(context.Background(), parts[0]), "transaction", trace.WithLinks(links...),
		trace.WithAttributes(attribute.Int("vezne.commits", len(callers))))
	for _, p := range parts[1:] {
		p.AddLink(trace.Link{SpanContext: span.SpanContext()})
	}
	return func(err error) { endWith(span, err) }
}

// CallbackSender has each attempt of a callback be a span: the first one of the trace of what is reported, and each later one of a trace of
// its own, linked to it. The receiver is told nothing of it.
func (t *Tracing) CallbackSender(next ports.CallbackSender) ports.CallbackSender {
	if t == nil {
		return next
	}
	return sender{next, t}
}

type sender struct {
	ports.CallbackSender
	t *Tracing
}

// Send implements ports.CallbackSender.
func (s sender) Send(ctx context.Context, url string, message payment.CallbackMessage) payment.DeliveryResult {
	ctx, span := s.t.begin(ctx, "callback", message.Cause, trace.SpanKindClient)
	defer span.End()
	a := s.CallbackSender.Send(ctx, url, message)
	if a.HTTPStatus != 0 {
		span.SetAttributes(attribute.Int("http.response.status_code", a.HTTPStatus))
	}
	if !message.Acknowledgement.Takes(a.HTTPStatus) {
		span.SetStatus(codes.Error, "")
	}
	return a
}

// Doers has each exchange with a gateway be a span. The gateway is told nothing of it.
func (t *Tracing) Doers(next ports.DoerMaker) ports.DoerMaker {
	if t == nil {
		return next
	}
	return doers{next, t}
}

type doers struct {
	next ports.DoerMaker
	t    *Tracing
}

// Doer implements ports.DoerMaker.
func (d doers) Doer(hosts, secrets []string) ports.Doer {
	return doer{d.next.Doer(hosts, secrets), d.t, hosts, secrets}
}

type doer struct {
	next           ports.Doer
	t              *Tracing
	hosts, secrets []string
}

// Do implements ports.Doer.
func (d doer) Do(ctx context.Context, r gateway.Request) (gateway.Response, error) {
	ctx, span := d.t.tracer.Start(ctx, "gateway exchange", trace.WithSpanKind(trace.SpanKindClient),
		trace.WithAttributes(attribute.String("server.address", d.host(r.URL))))
	defer span.End()
	answer, err := d.next.Do(ctx, r)
	if err != nil {
		e := gateway.ErrorOf(err)
		span.SetAttributes(attribute.String("error.type", string(e.Class)), attribute.String("vezne.effect", e.Effect.String()))
		span.SetStatus(codes.Error, "")
		return answer, err
	}
	span.SetAttributes(attribute.Int("http.response.status_code", answer.Status))
	return answer, nil
}

// host is that of the account's hosts which a request goes to; none where it has a secret of the account in it.
func (d doer) host(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	for _, host := range d.hosts {
		isSecret := slices.ContainsFunc(d.secrets, func(s string) bool { return s != "" && strings.Contains(host, s) })
		if !isSecret && (strings.EqualFold(host, u.Host) || strings.EqualFold(host, u.Hostname())) {
			return host
		}
	}
	return ""
}
