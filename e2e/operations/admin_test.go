package operations_test

import (
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/vezne/vezne/e2e/harness"
)

// TestTheOperatorHasAListenerOfTheirOwn: figures and profiles are there alone, and the health checks in both places.
func TestTheOperatorHasAListenerOfTheirOwn(t *testing.T) {
	t.Parallel()
	in := harness.NewEmbedded(t)
	server := in.Serve()
	for path, public := range map[string]int{
		"/healthz": http.StatusOK, "/readyz": http.StatusOK, "/metrics": http.StatusNotFound, "/debug/pprof/": http.StatusNotFound,
		"/debug/pprof/heap": http.StatusNotFound, "/debug/pprof/goroutine": http.StatusNotFound,
	} {
		if a := harness.Get(t, server.URL+path); a.Status != public {
			t.Errorf("on the public listener %s answers %d, want %d", path, a.Status, public)
		}
		if a := harness.Get(t, server.AdminURL+path); a.Status != http.StatusOK {
			t.Errorf("on the operator's listener %s answers %d", path, a.Status)
		}
	}
	for _, path := range []string{"/debug/pprof/cmdline", "/api/provider/welcome", "/graphql", "/docs/"} {
		if a := harness.Get(t, server.AdminURL+path); a.Status != http.StatusNotFound {
			t.Errorf("on the operator's listener %s answers %d", path, a.Status)
		}
	}
	server.Stop(t)
}

// TestAPageOfAnotherNameReadsNothingOfTheOperators: a name of somebody else's that leads to this machine opens no listener here.
func TestAPageOfAnotherNameReadsNothingOfTheOperators(t *testing.T) {
	t.Parallel()
	server := harness.NewEmbedded(t).Serve()
	for host, want := range map[string]int{
		"": http.StatusOK, "localhost:8081": http.StatusOK, "[::1]:8081": http.StatusOK, "evil.example:8081": http.StatusForbidden,
		"127.0.0.1.evil.example": http.StatusForbidden,
	} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.AdminURL+"/metrics", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Host = host
		if a, err := harness.Send(r); err != nil || a.Status != want {
			t.Errorf("as %q it answers %d (%v), want %d", host, a.Status, err, want)
		}
	}
	server.Stop(t)
}

// TestATakenAdminPort: nobody has chosen the default, so that a second process takes another port. A chosen one that is taken
// stops the start, and so does nothing when there is to be none.
func TestATakenAdminPort(t *testing.T) {
	t.Parallel()
	one := harness.NewEmbedded(t).Serve("VEZNE_ADMIN_LISTEN=")
	other := harness.NewEmbedded(t).Demo("VEZNE_ADMIN_LISTEN=")
	if one.AdminURL == other.AdminURL || harness.Get(t, one.AdminURL+"/metrics").Status+harness.Get(t, other.AdminURL+"/metrics").Status != 400 {
		t.Errorf("the operators' listeners are %s and %s", one.AdminURL, other.AdminURL)
	}
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = taken.Close() })
	in := harness.NewEmbedded(t)
	refused := harness.Launch{
		Args: []string{"serve", "--listen", "127.0.0.1:0", "--admin-listen", taken.Addr().String()}, Env: in.Env,
	}.Execute(t)
	if refused.Code != 1 || !strings.Contains(refused.Stderr, "VEZNE_ADMIN_LISTEN") {
		t.Errorf("on a taken port the start ends with %d %s", refused.Code, refused.Stderr)
	}
	off := in.Serve("VEZNE_ADMIN_LISTEN=off")
	if off.AdminURL != "http://off" {
		t.Errorf("the operator's listener is at %s", off.AdminURL)
	}
	for _, p := range []*harness.Process{one, other, off} {
		p.Stop(t)
	}
}

// TestEveryAnswerSaysThatTLSIsToBeUsed where the service is reached over it, and nowhere else.
func TestEveryAnswerSaysThatTLSIsToBeUsed(t *testing.T) {
	t.Parallel()
	in := harness.NewEmbedded(t)
	for base, want := range map[string]string{"https://pay.example.com": "max-age=31536000", "http://pay.example.com": "", "": ""} {
		server := in.Serve("VEZNE_BASE_URL=" + base)
		for _, path := range []string{"/healthz", "/nowhere", "/pay/nobody", "/docs/", "/api/provider/welcome", "/graphql"} {
			if got := harness.Get(t, server.URL+path).Header.Get("Strict-Transport-Security"); got != want {
				t.Errorf("with %q the answer of %s says %q, want %q", base, path, got, want)
			}
		}
		server.Stop(t)
	}
}
