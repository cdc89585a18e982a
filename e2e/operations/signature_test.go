package operations_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/vezne/vezne/e2e/harness"
)

// TestSignPrintsRequestSignatures for every endpoint; each is taken once, and the secret key is not printed.
func TestSignPrintsRequestSignatures(t *testing.T) {
	t.Parallel()
	in := harness.NewEmbedded(t)
	server := in.Demo("VEZNE_GATEWAY_ALLOW_PRIVATE=true") // the sandbox is on this machine
	type want struct {
		args   []string
		status int
	}
	calls := map[string]want{}
	for endpoint := range signed {
		calls[endpoint] = want{nil, http.StatusOK}
	}
	calls["credit-card-status"] = want{nil, http.StatusNotFound}
	calls["transaction-status"] = want{nil, http.StatusNotFound}
	calls["test-clock"] = want{nil, http.StatusNotFound}
	for endpoint, is := range dealerSigned {
		calls[endpoint] = want{nil, is.status}
		if is.isForSite {
			calls[is.clause] = want{[]string{"--site-token", "--idempotency-key", "order-1"}, is.status}
		}
	}
	file := filepath.Join(in.Dir, "body.json")
	if err := os.WriteFile(file, []byte("{\"fullname\":\"O'Neil\",\n\"username\":\"o\",\"user_id\":\"7\",\"amount\":\"19.90\"}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	calls[server.URL+"/api/provider/start-manual-deposit"] = want{[]string{"--body-file", file}, http.StatusOK}
	calls[server.URL+"/api/dealer/transfer-status?transfer_id=TRF%2D1"] = want{nil, http.StatusNotFound}
	for endpoint, is := range calls {
		args := append([]string{"sign", endpoint, "--v2", "--demo", in.Dir, "--tracking-code", "CC-0", "--wallet-id", "W-NOBODYS"}, is.args...)
		said := in.Succeed(args...)
		for _, secret := range []string{in.Keys.Provider.SecretKey, in.Keys.Dealer.SecretKey, in.Keys.SiteToken.SecretKey, "X-Hash"} {
			if strings.Contains(said, secret) {
				t.Errorf("sign %s prints what it should not:\n%s", endpoint, said)
			}
		}
		ask := func() harness.Answer {
			r := printedRequest(t, said)
			if strings.Contains(said, "--data-binary") {
				body, err := os.Open(file)
				if err != nil {
					t.Fatal(err)
				}
				r.Body, r.ContentLength = body, -1 // in pieces, without a length
			}
			a, err := harness.Send(r)
			if err != nil {
				t.Fatal(err)
			}
			return a
		}
		if a := ask(); a.Status != is.status {
			t.Errorf("what sign %s prints is answered with %d %s", endpoint, a.Status, a.Body)
		}
		if a := ask(); a.Status != http.StatusUnauthorized || !strings.Contains(string(a.Body), `"error":"Nonce already used"`) {
			t.Errorf("what sign %s prints is answered a second time with %d %s", endpoint, a.Status, a.Body)
		}
	}
	for _, wrong := range [][]string{
		{"callback", "--v2"}, {"welcome", "--nonce", "0123456789abcdef"}, {"welcome", "--v2", "--nonce", "short"},
		{"welcome", "--v2", "--check-hash", "0"}, {"http://127.0.0.1/api/provider/welcome#top", "--v2"},
		{"start-manual-deposit", "--v2", "--body-file", filepath.Join(in.Dir, "none")},
	} {
		harness.Launch{Args: append([]string{"sign", "--demo", in.Dir}, wrong...)}.ExpectFailure(t)
	}
	server.Stop(t)
}
