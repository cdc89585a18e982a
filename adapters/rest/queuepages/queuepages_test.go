package queuepages_test

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/adapters/asynqqueue"
	"github.com/vezne/vezne/adapters/rest"
	"github.com/vezne/vezne/adapters/rest/queuepages"
	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/app/queues"
	"github.com/vezne/vezne/app/staff"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/e2e/apptest"
)

// site is the pages behind their door, as a process serves them.
type site struct {
	*apptest.World
	http.Handler
	log apptest.Logs
}

func newSite(t *testing.T, isSecure bool) *site {
	t.Helper()
	queue, err := asynqqueue.Open(t.Context(), asynqqueue.Config{})
	if err != nil {
		t.Fatal(err)
	}
	pages := queue.Monitor(queues.Path)
	t.Cleanup(func() { _, _ = pages.Close(), queue.Close() })
	s := &site{World: apptest.New(t)}
	router := rest.Routes()
	router.Use((&rest.Edge{Log: s.logger(), Now: time.Now, Random: strings.NewReader(strings.Repeat("x", 1<<16))}).Handler)
	router.Mount(queues.Path, queuepages.New(queuepages.Config{Queues: s.Queues, Pages: pages, IsSecure: isSecure}))
	s.Handler = router
	return s
}

// open returns the path of the one-time address, without its base.
func (s *site) open(t *testing.T) string {
	t.Helper()
	signIn, err := s.Staff.Login(t.Context(), s.Admin.Email, apptest.Password, staff.Origin{Addr: netip.MustParseAddr("192.0.2.7")})
	if err != nil {
		t.Fatal(err)
	}
	url, err := s.Queues.Open(t.Context(), app.Request{Staff: s.Admin, Addr: "192.0.2.7"}, core.NewSecret(signIn.Token))
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimPrefix(url, s.Queues.BaseURL)
}

func (s *site) ask(method, path string, cookies ...*http.Cookie) *http.Response {
	r := httptest.NewRequest(method, path, nil)
	for _, c := range cookies {
		r.AddCookie(c)
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w.Result()
}

func (s *site) enter(t *testing.T) *http.Cookie {
	t.Helper()
	answer := s.ask(http.MethodGet, s.open(t))
	if answer.StatusCode != http.StatusOK || len(answer.Cookies()) != 1 {
		t.Fatalf("%d with %v", answer.StatusCode, answer.Cookies())
	}
	return answer.Cookies()[0]
}

func TestTheTicketBecomesACookieForThesePagesOnly(t *testing.T) {
	t.Parallel()
	for _, isSecure := range []bool{true, false} {
		s := newSite(t, isSecure)
		path := s.open(t)
		answer := s.ask(http.MethodGet, path)
		c := answer.Cookies()[0]
		if !c.HttpOnly || c.SameSite != http.SameSiteStrictMode || c.Path != "/queues" || c.Secure != isSecure || c.Domain != "" {
			t.Errorf("the cookie is %+v", c)
		}
		for name, want := range map[string]string{
			"Cache-Control": "no-store", "Referrer-Policy": "no-referrer", "X-Frame-Options": "DENY",
			"Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
		} {
			if got := answer.Header.Get(name); got != want {
				t.Errorf("%s is %q", name, got)
			}
		}
		if again := s.ask(http.MethodGet, path); again.StatusCode != http.StatusUnauthorized || len(again.Cookies()) != 0 {
			t.Errorf("the ticket opens again: %d", again.StatusCode)
		}
		if page := s.ask(http.MethodGet, "/queues/", c); page.StatusCode != http.StatusOK {
			t.Errorf("the pages are answered %d", page.StatusCode)
		}
		if log := s.log.String(); strings.Contains(log, "vzq") || !strings.Contains(log, "path=/queues/open") || !strings.Contains(log, "caller=staff/1") {
			t.Errorf("logged: %s", log)
		}
	}
}

func TestWithoutThePassThereIsNothing(t *testing.T) {
	t.Parallel()
	s := newSite(t, false)
	pass := s.enter(t)
	for _, path := range []string{"/queues", "/queues/", "/queues/api/queues", "/queues/static/js/main.5adda2da.chunk.js", "/queues/queues/vezne", "/queues/open", "/queues/open?ticket=vzq_x"} {
		for name, cookies := range map[string][]*http.Cookie{
			"no cookie": nil, "an empty one": {{Name: pass.Name}}, "another": {{Name: pass.Name, Value: pass.Value + "x"}},
		} {
			answer := s.ask(http.MethodGet, path, cookies...)
			if answer.StatusCode != http.StatusUnauthorized || !strings.HasPrefix(answer.Header.Get("Content-Type"), "text/html") {
				t.Errorf("%s with %s: %d", path, name, answer.StatusCode)
			}
		}
	}
}

func TestOnlyGetIsAnsweredAndHeadBurnsNoTicket(t *testing.T) {
	t.Parallel()
	s := newSite(t, false)
	path, pass := s.open(t), s.enter(t)
	for _, method := range []string{http.MethodPost, http.MethodDelete, http.MethodPut, http.MethodHead} {
		for _, at := range []string{path, "/queues/", "/queues/api/queues/vezne:pause", "/queues/api/queues/vezne"} {
			if answer := s.ask(method, at, pass); answer.StatusCode != http.StatusMethodNotAllowed {
				t.Errorf("%s %s: %d", method, at, answer.StatusCode)
			}
		}
	}
	if answer := s.ask(http.MethodGet, path); answer.StatusCode != http.StatusOK {
		t.Errorf("the ticket is burned: %d", answer.StatusCode)
	}
}

func TestThePagesMayRunTheirOwnScriptsOnly(t *testing.T) {
	t.Parallel()
	s := newSite(t, false)
	pass := s.enter(t)
	answer := s.ask(http.MethodGet, "/queues/", pass)
	policy := answer.Header.Get("Content-Security-Policy")
	if strings.Count(policy, "'sha256-") != 2 || strings.Contains(policy, "script-src 'self' 'unsafe") || !strings.Contains(policy, "default-src 'none'") {
		t.Errorf("the policy is %s", policy)
	}
	var page strings.Builder
	if _, err := io.Copy(&page, answer.Body); err != nil || strings.Contains(page.String(), "://") || !strings.Contains(page.String(), `<div id="root">`) {
		t.Errorf("the page loads from elsewhere, or is none: %s", &page)
	}
	if cache := answer.Header.Get("Cache-Control"); cache != "no-store" {
		t.Errorf("the page may be kept: %s", cache)
	}
	script := s.ask(http.MethodGet, "/queues/static/js/main.5adda2da.chunk.js", pass)
	if cache := script.Header.Get("Cache-Control"); script.StatusCode != http.StatusOK || !strings.HasPrefix(cache, "private") {
		t.Errorf("a script: %d, %s", script.StatusCode, cache)
	}
	if metrics := s.ask(http.MethodGet, "/queues/api/metrics", pass); metrics.StatusCode != http.StatusNotFound {
		t.Errorf("a Prometheus was asked: %d", metrics.StatusCode)
	}
}

func TestWithoutTheStoreOfTicketsThePagesAreUnavailable(t *testing.T) {
	t.Parallel()
	s := newSite(t, false)
	pass := s.enter(t)
	s.Queues.Tickets = gone{}
	for _, path := range []string{"/queues/", "/queues/open?ticket=vzq_x"} {
		if answer := s.ask(http.MethodGet, path, pass); answer.StatusCode != http.StatusServiceUnavailable {
			t.Errorf("%s: %d", path, answer.StatusCode)
		}
	}
}

// gone keeps nothing and is out of reach.
type gone struct{}

var errGone = fault.New("test", fault.Unavailable)

func (gone) Keep(context.Context, string, string, time.Duration) error { return errGone }
func (gone) Kept(context.Context, string) (string, error)              { return "", errGone }
func (gone) Take(context.Context, string) (string, error)              { return "", errGone }

func (s *site) logger() *slog.Logger { return slog.New(slog.NewTextHandler(&s.log, nil)) }
