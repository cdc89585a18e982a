package operations_test

import (
	"crypto/rand"
	"encoding/base64"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/e2e/harness"
)

// TestAnswersFollowSettings: the addresses and times in answers are those of the operator's settings.
func TestAnswersFollowSettings(t *testing.T) {
	t.Parallel()
	in := harness.NewEmbedded(t)
	server := in.Serve("VEZNE_BASE_URL=https://pay.example.com/", "VEZNE_TIME_ZONE=America/New_York", "VEZNE_EXPIRY_DEPOSIT=90m")
	p := in.Provider(server).Create(t, "start-manual-deposit", "10.00")
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
	server.Stop(t)
}

// TestWhitelist: the client's address is the TCP peer, or what a trusted proxy says of it.
func TestWhitelist(t *testing.T) {
	t.Parallel()
	in := harness.NewEmbedded(t)
	direct := in.Serve()
	in.SignIn(direct, "admin").UpdateProvider(t, in.Keys.Provider.ID, map[string]any{"ipWhitelist": []string{"203.0.113.0/24", "2001:db8::/32"}})
	if a, text := in.Provider(direct).Welcome(t, "X-Forwarded-For", "203.0.113.9"); a.Status != http.StatusForbidden || text != "IP address not allowed" {
		t.Errorf("an address that nobody may say is answered with %d %s", a.Status, text)
	}
	direct.Stop(t)
	proxied := in.Serve("VEZNE_TRUSTED_PROXIES=127.0.0.1,::1")
	for address, want := range map[string]int{
		"203.0.113.9": http.StatusOK, "2001:db8::5": http.StatusOK, "198.51.100.1": http.StatusForbidden,
		"203.0.113.9, 198.51.100.1": http.StatusForbidden,
	} {
		if a, text := in.Provider(proxied).Welcome(t, "X-Forwarded-For", address); a.Status != want {
			t.Errorf("from %s: %d %s, want %d", address, a.Status, text, want)
		}
	}
	proxied.Stop(t)
}

// TestRateLimit counts over all processes. A rate per hour gives nothing back while the test runs.
func TestRateLimit(t *testing.T) {
	t.Parallel()
	harness.ForEach(t, func(t *testing.T, in *harness.Installation) {
		const allowed = 10
		servers := in.ServeAll("VEZNE_RATE_LIMIT=10/h")
		passed := 0
		for i := range 2 * allowed {
			a, text := in.Provider(servers[i%len(servers)]).Welcome(t)
			switch {
			case a.Status == http.StatusOK:
				passed++
			case a.Status != http.StatusTooManyRequests || text != "Too many requests" || a.Header.Get("Retry-After") == "":
				t.Errorf("call %d is answered with %d %s", i+1, a.Status, a.Body)
			}
		}
		if passed != allowed {
			t.Errorf("%d calls passed, want %d", passed, allowed)
		}
		other := harness.Caller{Base: servers[0].URL, Keys: in.Keys.OtherProvider.ProviderKeys}
		if a, text := other.Welcome(t); a.Status != http.StatusOK {
			t.Errorf("another provider is answered with %d %s", a.Status, text)
		}
	})
}

// TestWhoIsRefused: the texts that integrators look for, in the order of the checks.
func TestWhoIsRefused(t *testing.T) {
	t.Parallel()
	in := harness.NewEmbedded(t)
	server := in.Serve()
	good := in.Provider(server)
	inactive := harness.Caller{Base: server.URL, Keys: in.Keys.InactiveProvider.ProviderKeys}
	for _, c := range []struct {
		from   harness.Caller
		header []string
		status int
		text   string
	}{
		{good, []string{"X-Hash", ""}, http.StatusUnauthorized, "Missing required headers"},
		{good, []string{"X-Api-Key", "vzp_nobody"}, http.StatusUnauthorized, "Invalid API key"},
		{good, []string{"X-Timestamp", "1700000000"}, http.StatusUnauthorized, "Request timestamp expired"},
		{good, []string{"X-Hash", harness.Sha256Hex("nothing")}, http.StatusUnauthorized, "Invalid hash"},
		{inactive, nil, http.StatusForbidden, "Provider account is inactive"},
	} {
		if a, text := c.from.Welcome(t, c.header...); a.Status != c.status || text != c.text {
			t.Errorf("with %q: %d %s, want %d %s", c.header, a.Status, text, c.status, c.text)
		}
	}
	foreign := good
	foreign.Site = in.Keys.OtherProvider.Sites[0]
	a, _, err := foreign.Try("start-manual-deposit", harness.Order("10.00"), "")
	if err != nil || a.Status != http.StatusUnauthorized || !strings.Contains(string(a.Body), `"error":"Yetkisiz Credential Key"`) {
		t.Errorf("another provider's site is answered with %d %s (%v)", a.Status, a.Body, err)
	}
	server.Stop(t)
}

// TestMasterKeyRotation puts a new key in front of the old one.
func TestMasterKeyRotation(t *testing.T) {
	t.Parallel()
	in := harness.NewOnServers(t)
	raw := make([]byte, 32)
	_, _ = rand.Read(raw) // never fails
	next := base64.StdEncoding.EncodeToString(raw)
	harness.KeepSecret("a master key", next)
	server := in.Serve("VEZNE_MASTER_KEY=" + next + "," + in.Setting("MASTER_KEY"))
	if a, text := in.Provider(server).Welcome(t); a.Status != http.StatusOK {
		t.Errorf("with the key rotated a provider is answered with %d %s", a.Status, text)
	}
	in.SignIn(server, "admin").UpdateProvider(t, in.Keys.Provider.ID, map[string]any{"name": "Acme Pay"}) // seals anew
	server.Stop(t)
	both := examine(in, 0, "VEZNE_MASTER_KEY="+next+","+in.Setting("MASTER_KEY"))
	expectFindings(t, both, map[string]string{"secrets": "ok 3 providers"})
	expectFindings(t, examine(in, 1), map[string]string{"secrets": "FAIL master key"}) // the old one alone opens no more
}
