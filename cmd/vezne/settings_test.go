package main_test

import (
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"
)

// TestAnswersFollowSettings: the addresses and times in answers are those of the operator's settings.
func TestAnswersFollowSettings(t *testing.T) {
	t.Parallel()
	in := newEmbedded(t)
	server := in.serve("VEZNE_BASE_URL=https://pay.example.com/", "VEZNE_TIME_ZONE=America/New_York", "VEZNE_EXPIRY_DEPOSIT=90m")
	p := in.provider(server).create(t, "start-manual-deposit", "10.00")
	if !strings.HasPrefix(p.PaymentURL, "https://pay.example.com/pay/") {
		t.Error("payment_url does not begin with VEZNE_BASE_URL")
	}
	zone, err := time.LoadLocation("America/New_York")
	if err != nil {
		t.Fatal(err)
	}
	expires, err := time.ParseInLocation(time.DateTime, p.ExpiresAt, zone)
	if left := time.Until(expires); err != nil || left > 90*time.Minute || left < 85*time.Minute {
		t.Errorf("expires_at is %s, want a time 90 minutes from now in New York (%v)", p.ExpiresAt, err)
	}
	server.stop(t)
}

// welcome calls E1 and gives the status and the error text.
func (c caller) welcome(t *testing.T, header ...string) (answer, string) {
	t.Helper()
	r, err := c.signed("welcome", "", "", "")
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	a, err := send(r)
	if err != nil {
		t.Fatal(err)
	}
	var said struct{ Error string }
	if err := json.Unmarshal(a.body, &said); err != nil {
		t.Fatal(err)
	}
	return a, said.Error
}

// TestWhitelist: the client's address is the TCP peer, or what a trusted proxy says of it.
func TestWhitelist(t *testing.T) {
	t.Parallel()
	in := newEmbedded(t)
	direct := in.serve()
	in.signIn(direct, "admin").updateProvider(t, in.keys.Provider.ID, map[string]any{"ipWhitelist": []string{"203.0.113.0/24", "2001:db8::/32"}})
	if a, text := in.provider(direct).welcome(t, "X-Forwarded-For", "203.0.113.9"); a.status != http.StatusForbidden || text != "IP address not allowed" {
		t.Errorf("an address that nobody may say is answered with %d %s", a.status, text)
	}
	direct.stop(t)
	proxied := in.serve("VEZNE_TRUSTED_PROXIES=127.0.0.1,::1")
	for address, want := range map[string]int{
		"203.0.113.9": http.StatusOK, "2001:db8::5": http.StatusOK, "198.51.100.1": http.StatusForbidden,
		"203.0.113.9, 198.51.100.1": http.StatusForbidden,
	} {
		if a, text := in.provider(proxied).welcome(t, "X-Forwarded-For", address); a.status != want {
			t.Errorf("from %s: %d %s, want %d", address, a.status, text, want)
		}
	}
	proxied.stop(t)
}

// TestRateLimit counts over all processes. A rate per hour gives nothing back while the test runs.
func TestRateLimit(t *testing.T) {
	t.Parallel()
	forEach(t, func(t *testing.T, in *installation) {
		const allowed = 10
		servers := in.serveAll("VEZNE_RATE_LIMIT=10/h")
		passed := 0
		for i := range 2 * allowed {
			a, text := in.provider(servers[i%len(servers)]).welcome(t)
			switch {
			case a.status == http.StatusOK:
				passed++
			case a.status != http.StatusTooManyRequests || text != "Too many requests" || a.header.Get("Retry-After") == "":
				t.Errorf("call %d is answered with %d %s", i+1, a.status, a.body)
			}
		}
		if passed != allowed {
			t.Errorf("%d calls passed, want %d", passed, allowed)
		}
		other := caller{base: servers[0].url, keys: in.keys.OtherProvider.providerKeys}
		if a, text := other.welcome(t); a.status != http.StatusOK {
			t.Errorf("another provider is answered with %d %s", a.status, text)
		}
	})
}

// TestWhoIsRefused: the texts that integrators look for, in the order of the checks.
func TestWhoIsRefused(t *testing.T) {
	t.Parallel()
	in := newEmbedded(t)
	server := in.serve()
	good := in.provider(server)
	inactive := caller{base: server.url, keys: in.keys.InactiveProvider.providerKeys}
	for _, c := range []struct {
		from   caller
		header []string
		status int
		text   string
	}{
		{good, []string{"X-Hash", ""}, http.StatusUnauthorized, "Missing required headers"},
		{good, []string{"X-Api-Key", "vzp_nobody"}, http.StatusUnauthorized, "Invalid API key"},
		{good, []string{"X-Timestamp", "1700000000"}, http.StatusUnauthorized, "Request timestamp expired"},
		{good, []string{"X-Hash", sha256Hex("nothing")}, http.StatusUnauthorized, "Invalid hash"},
		{inactive, nil, http.StatusForbidden, "Provider account is inactive"},
	} {
		if a, text := c.from.welcome(t, c.header...); a.status != c.status || text != c.text {
			t.Errorf("with %q: %d %s, want %d %s", c.header, a.status, text, c.status, c.text)
		}
	}
	foreign := good
	foreign.site = in.keys.OtherProvider.Sites[0]
	a, _, err := foreign.try("start-manual-deposit", order("10.00"), "")
	if err != nil || a.status != http.StatusUnauthorized || !strings.Contains(string(a.body), `"error":"Yetkisiz Credential Key"`) {
		t.Errorf("another provider's site is answered with %d %s (%v)", a.status, a.body, err)
	}
	server.stop(t)
}

// TestMasterKeyRotation puts a new key in front of the old one.
func TestMasterKeyRotation(t *testing.T) {
	t.Parallel()
	in := newOnServers(t)
	raw := make([]byte, 32)
	_, _ = rand.Read(raw) // never fails
	next := base64.StdEncoding.EncodeToString(raw)
	shared.keepSecret("a master key", next)
	server := in.serve("VEZNE_MASTER_KEY=" + next + "," + in.setting("MASTER_KEY"))
	if a, text := in.provider(server).welcome(t); a.status != http.StatusOK {
		t.Errorf("with the key rotated a provider is answered with %d %s", a.status, text)
	}
	in.signIn(server, "admin").updateProvider(t, in.keys.Provider.ID, map[string]any{"name": "Acme Pay"}) // seals anew
	server.stop(t)
	both := in.examine(0, "VEZNE_MASTER_KEY="+next+","+in.setting("MASTER_KEY"))
	expectFindings(t, both, map[string]string{"secrets": "ok 3 providers"})
	expectFindings(t, in.examine(1), map[string]string{"secrets": "FAIL master key"}) // the old one alone opens no more
}
