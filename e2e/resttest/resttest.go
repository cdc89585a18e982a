// Package resttest sends requests to a REST API as its callers do, and holds every answer to what all of them promise: it is
// as the OpenAPI description says, it has a request ID, and no secret is in it or in the log.
package resttest

import (
	"context"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"testing"

	"github.com/go-chi/chi/v5"

	"github.com/vezne/vezne/adapters/rest"
	"github.com/vezne/vezne/adapters/rest/apidoc/apidoctest"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/e2e/apptest"
)

// Server is an API over a World.
type Server struct {
	*apptest.World
	Prefix   string               // the API's path
	Secrets  func() []core.Secret // that may not come back or be logged
	Handler  http.Handler
	document *apidoctest.Document
}

// New mounts an API at its path.
func New(t testing.TB, w *apptest.World, prefix string, api chi.Router, secrets func() []core.Secret) *Server {
	t.Helper()
	w.UnitOfWork.Random = newStream()
	edge := &rest.Edge{
		Log: slog.New(slog.NewTextHandler(w.Logs, nil)), Now: w.Clock.Now, Random: newStream(),
		TrustedProxies: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")},
	}
	s := &Server{World: w, Prefix: prefix, Secrets: secrets, Handler: Mount(edge, prefix, api), document: apidoctest.Load(t)}
	t.Cleanup(func() { s.checkSecrets(t, "the log", w.Logs.String()) })
	return s
}

// Mount puts an API behind an edge.
func Mount(edge *rest.Edge, prefix string, api chi.Router) http.Handler {
	root := rest.Routes()
	root.Use(edge.Handler)
	root.Mount(prefix, api)
	return root
}

// Send sends a request.
func (s *Server) Send(t testing.TB, r Request) Answer {
	t.Helper()
	body := r.Reader
	if body == nil {
		body = strings.NewReader(r.Body)
	}
	ctx := r.Ctx
	if ctx == nil {
		ctx = t.Context()
	}
	req := httptest.NewRequestWithContext(ctx, r.Method, s.PathOf(r), body)
	req.RemoteAddr = r.Peer
	for name, values := range r.Header {
		req.Header[name] = values
	}
	recorder := httptest.NewRecorder()
	s.Handler.ServeHTTP(recorder, req)
	got := Answer{Status: recorder.Code, Header: recorder.Header(), Body: recorder.Body.String()}
	s.document.Check(t, req.WithContext(t.Context()), []byte(r.Body), recorder.Result(), recorder.Body.Bytes())
	s.checkSecrets(t, "the answer", got.Body)
	if id := got.Header.Get("X-Request-Id"); id == "" {
		t.Error("no X-Request-Id")
	}
	return got
}

// PathOf is the whole path of a request.
func (s *Server) PathOf(r Request) string {
	if strings.HasPrefix(r.Path, "//") {
		return r.Path[1:]
	}
	return s.Prefix + r.Path
}

func (s *Server) checkSecrets(t testing.TB, where, text string) {
	t.Helper()
	for i, secret := range append(s.Secrets(), core.NewSecret("key-of-")) {
		if !secret.IsZero() && strings.Contains(text, secret.Reveal()) {
			t.Errorf("%s contains secret %d", where, i)
		}
	}
}

// Commit saves a change.
func (s *Server) Commit(t testing.TB, change core.Changeset) {
	t.Helper()
	if err := s.Store.Commit(t.Context(), change); err != nil {
		t.Fatal(err)
	}
}

// Payments are all that were created.
func (s *Server) Payments(t testing.TB) []payment.Payment {
	t.Helper()
	found, err := s.Store.SearchPayments(t.Context(), report.PaymentQuery{Paging: core.Paging[report.Cursor]{Limit: 1000}})
	if err != nil {
		t.Fatal(err)
	}
	return found.Payments
}

// stream is randomness that is the same in every run.
type stream struct {
	mu     sync.Mutex
	source *rand.ChaCha8
}

func newStream() io.Reader { return &stream{source: rand.NewChaCha8([32]byte{1, 2, 3})} }

func (s *stream) Read(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.source.Read(p)
}

// DownStore is a database that is out of reach for commits.
type DownStore struct{}

// Commit fails.
func (DownStore) Commit(context.Context, core.Changeset) error { return errDown }
