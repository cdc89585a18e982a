package rest_test

import (
	"bytes"
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/adapters/rest"
)

// TestASpanHasAParentOnlyFromATrustedProxy: anybody can send a traceparent, and a client's own counts for nothing.
func TestASpanHasAParentOnlyFromATrustedProxy(t *testing.T) {
	t.Parallel()
	const sent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
	for peer, want := range map[string]string{"10.0.0.1:5": sent, "203.0.113.9:5": "", "@": "", "[::ffff:10.0.0.1]:5": sent} {
		var logs bytes.Buffer
		type inSpan struct{}
		var parent string
		var ended []rest.Served
		edge := &rest.Edge{
			Log: slog.New(slog.NewTextHandler(&logs, nil)), Random: bytes.NewReader(make([]byte, 16)), Now: time.Now,
			TrustedProxies: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")},
			Span: func(r *http.Request, from string) (context.Context, string, func(rest.Served)) {
				parent = from
				return context.WithValue(r.Context(), inSpan{}, true), "7e1f", func(s rest.Served) { ended = append(ended, s) }
			},
		}
		r := httptest.NewRequest("GET", "/", nil)
		r.RemoteAddr = peer
		r.Header.Set("Traceparent", sent)
		edge.Handler(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			if r.Context().Value(inSpan{}) == nil {
				t.Error("the request is not in its span")
			}
			rest.Of(r).Operation = "query me"
		})).ServeHTTP(httptest.NewRecorder(), r)
		if parent != want {
			t.Errorf("%s: the parent is %q, want %q", peer, parent, want)
		}
		if len(ended) != 1 || ended[0].Status != 200 {
			t.Errorf("the span ended with %+v", ended)
		}
		if !strings.Contains(logs.String(), `operation="query me" trace_id=7e1f`) {
			t.Errorf("logged %s", logs.String())
		}
	}
}
