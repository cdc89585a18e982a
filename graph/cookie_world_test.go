package graph_test

import (
	"crypto/tls"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/e2e/apptest"
)

// browser is a page of a real server's own origin, in a browser that keeps its one cookie.
type browser struct {
	*testing.T
	*api
	*http.Client
	origin string
	cookie *http.Cookie // nil: it has none
}

// browse serves /graphql, by TLS or without, and opens a page beside it.
func (a *api) browse(t *testing.T, byTLS bool) *browser {
	t.Helper()
	s := httptest.NewUnstartedServer(a.Handler)
	if s.Start(); byTLS {
		s.Close()
		s = httptest.NewTLSServer(a.Handler)
	}
	t.Cleanup(func() {
		s.CloseClientConnections()
		s.Close()
	})
	return &browser{T: t, api: a, Client: s.Client(), origin: s.URL}
}

// ask is a request as the page's script sends it.
func (b *browser) ask(query string, v vars, set ...func(*http.Request)) *http.Request {
	b.Helper()
	r := request(b.T, "", query, v)
	u, err := url.Parse(b.origin + "/graphql")
	if err != nil {
		b.Fatal(err)
	}
	r.RequestURI, r.URL, r.Host = "", u, u.Host
	r.Header.Set("X-Vezne-Session", "cookie")
	r.Header.Set("Origin", b.origin)
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	if b.cookie != nil {
		r.AddCookie(&http.Cookie{Name: b.cookie.Name, Value: b.cookie.Value})
	}
	for _, s := range set {
		s(r)
	}
	return r
}

// fetch sends a request and keeps the cookie of its answer.
func (b *browser) fetch(r *http.Request) (answer reply) {
	b.Helper()
	got, err := b.Do(r)
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = got.Body.Close() }()
	answer = decoded(b.T, got)
	switch cookies := got.Cookies(); {
	case len(cookies) == 1 && cookies[0].MaxAge < 0:
		b.cookie = nil
	case len(cookies) == 1:
		b.cookie = cookies[0]
	case len(cookies) > 1:
		b.Fatalf("two cookies: %v", cookies)
	}
	return answer
}

// do is fetch of what the page's script asks.
func (b *browser) do(query string, v vars, set ...func(*http.Request)) reply {
	b.Helper()
	return b.fetch(b.ask(query, v, set...))
}

// signedIn signs a member in whose password is everybody's.
func (b *browser) signedIn(m staff.Staff) *browser {
	b.Helper()
	answer := b.do(loginAny, vars{"email": m.Email, "password": apptest.Password})
	if answer.code() != "" || b.cookie == nil {
		b.Fatalf("signing in is answered %s, with %v", answer.Raw, b.cookie)
	}
	return b
}

// withoutHeaders takes headers of a request away.
func withoutHeaders(names ...string) func(*http.Request) {
	return func(r *http.Request) {
		for _, name := range names {
			r.Header.Del(name)
		}
	}
}

// withHeader sets a header of a request.
func withHeader(name, value string) func(*http.Request) {
	return func(r *http.Request) { r.Header.Set(name, value) }
}

// wsURL is where the page opens a WebSocket.
func (b *browser) wsURL() string { return "ws" + strings.TrimPrefix(b.origin, "http") + "/graphql" }

// trusting trusts the test's own server.
func (b *browser) trusting() *tls.Config {
	if transport, ok := b.Transport.(*http.Transport); ok {
		return transport.TLSClientConfig
	}
	return nil
}
