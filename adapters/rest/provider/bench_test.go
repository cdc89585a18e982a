package provider_test

import (
	"context"
	"crypto/rand"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/vezne/vezne/adapters/rest"
	"github.com/vezne/vezne/adapters/rest/provider"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/e2e/apptest"
	"github.com/vezne/vezne/e2e/resttest"
)

// discard commits nothing, so that only the way to a commit and back is measured.
type discard struct{}

func (discard) Commit(context.Context, core.Changeset) error { return nil }

// sink is a connection whose answers nobody reads.
type sink struct {
	header http.Header
	status int
}

func (s *sink) Header() http.Header         { return s.header }
func (s *sink) WriteHeader(status int)      { s.status = status }
func (s *sink) Write(b []byte) (int, error) { return len(b), nil }

type body struct{ *strings.Reader }

func (body) Close() error { return nil }

// BenchmarkCreate measures what HTTP costs a creation: everything but the server's own parsing and the commit.
func BenchmarkCreate(b *testing.B) {
	for _, bm := range []struct{ name, path, body, key string }{
		{"E3", "/start-manual-deposit", depositBody, ""},
		{"E4", "/start-manual-withdraw", withdrawalBody, ""},
		{"E3 with Idempotency-Key", "/start-manual-deposit", depositBody, "7f0c4a52-8a0e-4f0e-9a63-3f8f6b1f9d11"},
	} {
		b.Run(bm.name, func(b *testing.B) {
			s := newBench(b)
			header := s.call(bm.path, bm.body).With("User-Agent", "bench").Header
			if bm.key != "" {
				header.Set("Idempotency-Key", bm.key)
			}
			target := &url.URL{Path: provider.Path + bm.path}
			b.ReportAllocs()
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					w := &sink{header: make(http.Header, 8)}
					s.Handler.ServeHTTP(w, &http.Request{
						Method: http.MethodPost, URL: target, Header: header, Body: body{strings.NewReader(bm.body)},
						ContentLength: int64(len(bm.body)), RemoteAddr: "192.0.2.10:4711",
					})
					if w.status != http.StatusOK {
						b.Fatalf("status %d", w.status)
					}
				}
			})
		})
	}
}

func newBench(b *testing.B) *server {
	b.Helper()
	w := apptest.New(b)
	w.UnitOfWork.Commits = discard{}
	w.UnitOfWork.Waker = silent{}
	edge := &rest.Edge{Log: slog.New(slog.NewJSONHandler(io.Discard, nil)), Now: w.Clock.Now, Random: rand.Reader}
	return &server{&resttest.Server{World: w, Handler: resttest.Mount(edge, provider.Path, newAPI(w))}}
}

// silent keeps no wake-ups.
type silent struct{}

func (silent) Wake(...core.WakeUp) {}
