package tracing_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/vezne/vezne/adapters/bunstore/sqlitetest"
	"github.com/vezne/vezne/adapters/tracing"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/ports"
	"github.com/vezne/vezne/ports/storetest"
)

// traced returns Tracing that sends to a collector, and a function that ends it and returns what has come there, by name.
func traced(t *testing.T) (*tracing.Tracing, func() map[string][]*tracepb.Span) {
	t.Helper()
	var mu sync.Mutex
	found := map[string][]*tracepb.Span{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body := io.Reader(r.Body)
		if r.Header.Get("Content-Encoding") == "gzip" {
			body, _ = gzip.NewReader(body)
		}
		raw, _ := io.ReadAll(body)
		var message collector.ExportTraceServiceRequest
		if err := proto.Unmarshal(raw, &message); err != nil {
			t.Error(err)
		}
		mu.Lock()
		defer mu.Unlock()
		for _, r := range message.GetResourceSpans() {
			for _, scope := range r.GetScopeSpans() {
				for _, s := range scope.GetSpans() {
					found[s.GetName()] = append(found[s.GetName()], s)
				}
			}
		}
		w.Header().Set("Content-Type", "application/x-protobuf")
	}))
	t.Cleanup(server.Close)
	traces, err := tracing.New(t.Context(), tracing.Config{URL: server.URL, Version: "1.2.3", Role: "all", Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	return traces, func() map[string][]*tracepb.Span {
		if err := traces.Close(); err != nil {
			t.Error(err)
		}
		return found
	}
}

func isLinked(from, to *tracepb.Span) bool {
	for _, l := range from.GetLinks() {
		if bytes.Equal(l.GetSpanId(), to.GetSpanId()) && bytes.Equal(l.GetTraceId(), to.GetTraceId()) {
			return true
		}
	}
	return false
}

// commits is a Committer that only looks.
type commits func(ctx context.Context, change core.Changeset) error

func (c commits) Commit(ctx context.Context, change core.Changeset) error { return c(ctx, change) }

// TestTracingThatIsOffIsNotThere: each wrapper returns what it is given.
func TestTracingThatIsOffIsNotThere(t *testing.T) {
	t.Parallel()
	off, err := tracing.New(t.Context(), tracing.Config{})
	if err != nil || off != nil || off.Close() != nil {
		t.Fatalf("%v, %v", off, err)
	}
	store := sqlitetest.Open(t)
	if off.Commits(store) != ports.Committer(store) || off.CallbackSender(nil) != nil || off.Doers(nil) != nil {
		t.Error("tracing that is off stands in the way")
	}
}

func TestStoreIsTheSameWhenTraced(t *testing.T) {
	t.Parallel()
	traces, end := traced(t)
	storetest.Run(t, func(t *testing.T) storetest.Store {
		store := sqlitetest.Open(t)
		return storetest.Of(store, traces.Commits(store))
	}, "idempotency")
	t.Cleanup(func() { end() })
}

// TestARowKeepsTheSpanOfItsCommit: a new callback does, in the standard's form, and one that is changed keeps what it has. The caller's own
// changeset stays as it was.
func TestARowKeepsTheSpanOfItsCommit(t *testing.T) {
	t.Parallel()
	traces, end := traced(t)
	change := core.Changeset{payment.Callback{ID: "A", Version: 1}, payment.Callback{ID: "B", Version: 2, Trace: "as it was"}}
	var got []payment.Callback
	inner := traces.Commits(commits(func(_ context.Context, c core.Changeset) error {
		got = core.RowsOf[payment.Callback](c)
		return fault.E("op", fault.Conflict, errors.New("Ayşe Yılmaz"))
	}))
	if err := inner.Commit(t.Context(), change); !fault.Is(err, fault.Conflict) {
		t.Fatal(err)
	}
	if len(got[0].Trace) != 55 || !strings.HasSuffix(string(got[0].Trace), "-01") || got[1].Trace != "as it was" {
		t.Errorf("kept are %q and %q", got[0].Trace, got[1].Trace)
	}
	if own, _ := core.First[payment.Callback](change); own.Trace != "" {
		t.Error("the caller's changeset has changed")
	}
	for _, s := range end()["commit"] {
		if text := s.String(); strings.Contains(text, "Ay") || !strings.Contains(text, "CONFLICT") {
			t.Errorf("a failed commit says %s", text)
		}
	}
}

// TestASharedTransactionIsLinkedBothWays: with every commit that it carries, also with those beyond what one span can have.
func TestASharedTransactionIsLinkedBothWays(t *testing.T) {
	t.Parallel()
	traces, end := traced(t)
	var callers []context.Context
	var leave []func()
	for range 3 {
		ctx, done := traces.Span(t.Context(), "commit")
		callers, leave = append(callers, ctx), append(leave, done)
	}
	callers = append(callers, t.Context()) // one that is traced nowhere
	traces.Batch(callers)(nil)
	traces.Batch(callers[:1])(nil) // alone
	for _, done := range leave {
		done()
	}
	found := end()
	if len(found["transaction"]) != 1 || len(found["commit"]) != 3 {
		t.Fatalf("%v", found)
	}
	shared := found["transaction"][0]
	for _, c := range found["commit"] {
		isParent := bytes.Equal(shared.GetParentSpanId(), c.GetSpanId())
		if isParent == isLinked(shared, c) || isParent == isLinked(c, shared) {
			t.Errorf("%v and %v", shared, c)
		}
	}
}

// failing is a gateway that is told of, and says, a secret.
type failing struct{}

func (failing) Doer(_, _ []string) ports.Doer { return failing{} }

func (failing) Do(_ context.Context, r gateway.Request) (gateway.Response, error) {
	return gateway.Response{}, &gateway.Error{Class: gateway.Retryable, Effect: gateway.EffectUnknown, RawText: "no " + r.URL}
}

// TestAnExchangeSaysItsHostAlone: no path, no query, no text of a failure, and no host that has a secret in it or is not the account's.
func TestAnExchangeSaysItsHostAlone(t *testing.T) {
	t.Parallel()
	traces, end := traced(t)
	d := traces.Doers(failing{}).Doer([]string{"api.example.com", "hunter2.example.com"}, []string{"hunter2"})
	for _, url := range []string{
		"https://api.example.com/TR330006100519786457841326?key=hunter2", "https://hunter2.example.com/", "https://evil.example/hunter2", "%zz",
	} {
		if _, err := d.Do(t.Context(), gateway.Request{Method: "POST", URL: url}); err == nil {
			t.Error("it does not fail")
		}
	}
	text := ""
	for _, s := range end()["gateway exchange"] {
		text += s.String()
	}
	if strings.Count(text, "api.example.com") != 1 {
		t.Errorf("the host is not said: %s", text)
	}
	for _, secret := range []string{"TR33", "hunter2", "evil", "zz", "no https"} {
		if strings.Contains(text, secret) {
			t.Errorf("traces have %q in them", secret)
		}
	}
}

// TestRepeatedWorkHasATraceOfItsOwn: the first work on a row is of its trace, what is tried again is linked, and a trace that cannot be
// read counts as none.
func TestRepeatedWorkHasATraceOfItsOwn(t *testing.T) {
	t.Parallel()
	traces, end := traced(t)
	const kept, trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", "\x4b\xf9\x2f\x35\x77\xb3\x4d\xa6\xa3\xce\x92\x9d\x0e\x0e\x47\x36"
	for name, cause := range map[string]core.Cause{
		"first": {Trace: kept}, "again": {Trace: kept, IsRepeat: true}, "none": {}, "damaged": {Trace: "00-zz", IsRepeat: true},
	} {
		_, done := traces.Work(t.Context(), name, cause)
		done(nil)
	}
	found := end()
	for name, want := range map[string][2]int{"first": {1, 0}, "again": {0, 1}, "none": {0, 0}, "damaged": {0, 0}} {
		s := found[name][0]
		if is := string(s.GetTraceId()) == trace; is != (want[0] == 1) || len(s.GetLinks()) != want[1] {
			t.Errorf("%s: %v", name, s)
		}
	}
}
