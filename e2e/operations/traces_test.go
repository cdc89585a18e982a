package operations_test

import (
	"bytes"
	"compress/gzip"
	"encoding/hex"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/vezne/vezne/e2e/harness"
	"github.com/vezne/vezne/plugins/sandbox/bank"
)

// spans are those that a collector was sent.
type spans struct {
	URL string

	mu   sync.Mutex
	all  []*tracepb.Span
	raw  bytes.Buffer // every message as it came
	from string       // what they say of who sent them
}

// collect takes traces as a collector does (OTLP over HTTP).
func collect(t *testing.T) *spans {
	t.Helper()
	s := &spans{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := s.take(r); err != nil {
			t.Error(err)
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "application/x-protobuf")
	}))
	t.Cleanup(server.Close)
	s.URL = server.URL
	return s
}

func (s *spans) take(r *http.Request) error {
	if r.URL.Path != "/v1/traces" {
		return errors.New("traces are sent to " + r.URL.Path)
	}
	body := io.Reader(r.Body)
	if r.Header.Get("Content-Encoding") == "gzip" {
		unpacked, err := gzip.NewReader(body)
		if err != nil {
			return err
		}
		body = unpacked
	}
	raw, err := io.ReadAll(body)
	if err != nil {
		return err
	}
	var message collector.ExportTraceServiceRequest
	if err := proto.Unmarshal(raw, &message); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.raw.Write(raw)
	for _, r := range message.GetResourceSpans() {
		s.from = r.GetResource().String()
		for _, scope := range r.GetScopeSpans() {
			s.all = append(s.all, scope.GetSpans()...)
		}
	}
	return nil
}

// texts are all that spans say, without the random bytes that are their names.
func (s *spans) texts() string {
	var text strings.Builder
	for _, span := range s.all {
		bare := proto.CloneOf(span)
		bare.TraceId, bare.SpanId, bare.ParentSpanId = nil, nil, nil
		for _, l := range bare.Links {
			l.TraceId, l.SpanId = nil, nil
		}
		text.WriteString(bare.String())
	}
	return text.String()
}

// named are the spans of a name, by their begin.
func (s *spans) named(name string) (found []*tracepb.Span) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, span := range s.all {
		if span.GetName() == name {
			found = append(found, span)
		}
	}
	slices.SortFunc(found, func(a, b *tracepb.Span) int {
		return int(a.GetStartTimeUnixNano()) - int(b.GetStartTimeUnixNano())
	})
	return found
}

// TestTracesFromRequestToCallback: one trace leads from what staff decide over its commit to the callback's first attempt, and the second
// attempt has a trace of its own that is linked to it. A call of a gateway is part of the customer's request. What is exported names no
// customer and has no secret in it, and who calls has no say in it. Neither the receiver nor the gateway is told of a trace, which both
// look for in every request.
func TestTracesFromRequestToCallback(t *testing.T) {
	t.Parallel()
	sent := collect(t)
	in := harness.NewEmbedded(t)
	s := in.OpenShop("VEZNE_TRACES_URL="+sent.URL, "VEZNE_CALLBACK_SCHEDULE=0s,1s,1s", "OTEL_RESOURCE_ATTRIBUTES=deployment.environment.name=test")
	var calls atomic.Int32
	to := harness.NewReceiver(t, in.Keys.Provider, func(harness.Letter) int {
		return []int{http.StatusInternalServerError, http.StatusOK}[min(calls.Add(1)-1, 1)]
	})
	in.CallBack(s.Server, to)
	withdrawal := s.Provider.Create(t, "start-manual-withdraw", "80")
	s.Operator.Must(t, "rejectWithdrawal", withdrawal.TrackingCode)
	s.Operator.Settled(t, withdrawal.TrackingCode)
	card := s.Provider.Card(t, "99.9")
	if _, err := card.Walk(harness.Press("begin"), harness.WithCard(bank.TestCard("00"))); err != nil {
		t.Fatal(err)
	}
	s.Operator.Settled(t, card.TrackingCode)

	const foreign = "4bf92f3577b34da6a3ce929d0e0e4736" // the standard's example
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.Server.URL+"/api/provider/welcome?iban="+harness.CustomerIBAN, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Traceparent", "00-"+foreign+"-00f067aa0ba902b7-01")
	if _, err := harness.Send(r); err != nil {
		t.Fatal(err)
	}
	s.Server.Stop(t) // what is left is sent

	decided := sent.named("mutation rejectWithdrawal")
	if len(decided) != 1 {
		t.Fatalf("%d spans of the decision", len(decided))
	}
	trace := decided[0].GetTraceId()
	commits := slices.DeleteFunc(sent.named("commit"), func(c *tracepb.Span) bool {
		return !bytes.Equal(c.GetTraceId(), trace) || !bytes.Equal(c.GetParentSpanId(), decided[0].GetSpanId())
	})
	attempts := sent.named("callback")
	if len(commits) == 0 || len(attempts) < 2 {
		t.Fatalf("%d commits of the decision, %d attempts", len(commits), len(attempts))
	}
	first, second := attempts[0], attempts[1]
	if !bytes.Equal(first.GetTraceId(), trace) || !slices.ContainsFunc(commits, func(c *tracepb.Span) bool {
		return bytes.Equal(c.GetSpanId(), first.GetParentSpanId())
	}) {
		t.Errorf("the first attempt is not of the decision's commit: %v", first)
	}
	isLinked := slices.ContainsFunc(second.GetLinks(), func(l *tracepb.Span_Link) bool { return bytes.Equal(l.GetTraceId(), trace) })
	if bytes.Equal(second.GetTraceId(), trace) || !isLinked || len(second.GetParentSpanId()) != 0 {
		t.Errorf("the second attempt is not of a trace of its own that is linked to the decision's: %v", second)
	}
	if taken := s.Till.State().Deposits; len(taken) == 0 || to.Attempts() < 2 {
		t.Errorf("%d deposits came to the gateway, and %d callbacks to the receiver: neither could be told of a trace", len(taken), to.Attempts())
	}
	if exchanges := sent.named("gateway exchange"); len(exchanges) == 0 || !strings.Contains(exchanges[0].String(), "server.address") {
		t.Errorf("%d exchanges with gateways", len(exchanges))
	}
	if !strings.Contains(sent.from, "service.name") || !strings.Contains(sent.from, "deployment.environment.name") {
		t.Errorf("they are from %s", sent.from)
	}
	if !slices.ContainsFunc(s.Server.Log("request"), func(l harness.LogLine) bool {
		return strings.HasPrefix(l.Operation, "mutation rejectWithdrawal") && l.TraceID == hex.EncodeToString(trace)
	}) {
		t.Error("no line of the log has the decision's name and trace")
	}
	said := sent.texts()
	for _, text := range []string{
		"Ay", "ayse", "u-1001", harness.CustomerIBAN, "@", withdrawal.TrackingCode, card.TrackingCode, card.OrderID,
		harness.PageToken(card.PaymentURL), "?", "staff/", "provider/7",
	} {
		if text != "" && strings.Contains(said, text) {
			t.Errorf("traces have %q in them", text)
		}
	}
	if raw, _ := hex.DecodeString(foreign); bytes.Contains(sent.raw.Bytes(), raw) {
		t.Error("whoever calls has a say in traces")
	}
	if what := harness.LeakIn(sent.raw.String()); what != "" {
		t.Errorf("traces have %s", what)
	}
}

// TestACollectorThatDoesNotAnswerCostsNothing: payments go on, the process stops, and one line of the log says what is lost.
func TestACollectorThatDoesNotAnswerCostsNothing(t *testing.T) {
	t.Parallel()
	gone := harness.ReserveAddress(t)
	in := harness.NewEmbedded(t)
	server := in.Serve("VEZNE_TRACES_URL=http://"+gone, "OTEL_BSP_SCHEDULE_DELAY=50", "OTEL_EXPORTER_OTLP_TIMEOUT=500")
	in.Provider(server).Create(t, "start-manual-withdraw", "80")
	harness.Eventually(t, func() error {
		if n := len(server.Log("the collector does not take traces, which are lost; nothing else depends on it")); n != 1 {
			return errors.New(server.Stderr.String())
		}
		return nil
	})
	server.Terminate()
	if err := server.End(); err != nil {
		t.Error(err)
	}
}
