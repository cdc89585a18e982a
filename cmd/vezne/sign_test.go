package main_test

import (
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// signed are all endpoints by their names, with their clauses and paths in the contract.
var signed = map[string]struct{ clause, path string }{
	"welcome":                 {"E1", "/api/provider/welcome"},
	"sites":                   {"E2", "/api/provider/sites"},
	"start-manual-deposit":    {"E3", "/api/provider/start-manual-deposit"},
	"start-manual-withdraw":   {"E4", "/api/provider/start-manual-withdraw"},
	"start-eiban-deposit":     {"E5", "/api/provider/start-eiban-deposit"},
	"start-eiban-withdraw":    {"E6", "/api/provider/start-eiban-withdraw"},
	"credit-card-payment":     {"E7", "/api/provider/credit-card/payment"},
	"credit-card-status":      {"E8", "/api/provider/credit-card/status"},
	"bank-start-deposit":      {"E9", "/api/provider/third-party/bank/start-deposit"},
	"bank-gateways":           {"E10", "/api/provider/third-party/bank/gateways"},
	"bank-start-withdrawal":   {"E11", "/api/provider/third-party/bank/start-withdrawal"},
	"crypto-start-deposit":    {"E12", "/api/provider/third-party/crypto/start-deposit"},
	"crypto-gateways":         {"E13", "/api/provider/third-party/crypto/gateways"},
	"crypto-start-withdrawal": {"E14", "/api/provider/third-party/crypto/start-withdrawal"},
	"wallet-start-deposit":    {"E15", "/api/provider/third-party/wallet/start-deposit"},
	"wallet-gateways":         {"E16", "/api/provider/third-party/wallet/gateways"},
	"wallet-start-withdrawal": {"E17", "/api/provider/third-party/wallet/start-withdrawal"},
}

// dealerSigned are a dealer's endpoints, with what the demo answers about a wallet and a transfer that are not there: a
// signature that is not right would be 401.
var dealerSigned = map[string]struct {
	clause, path string
	status       int
	isForSite    bool
}{
	"dealer-settings":             {"D1", "/api/dealer/settings", 200, true},
	"dealer-manual-iban-deposit":  {"D2", "/api/dealer/manual-iban/deposit", 200, true},
	"dealer-manual-iban-withdraw": {"D3", "/api/dealer/manual-iban/withdraw", 200, true},
	"dealer-eibans":               {"D4", "/api/dealer/eibans", 200, false},
	"dealer-transactions":         {"D5", "/api/dealer/transactions", 403, false},
	"dealer-send-money":           {"D6", "/api/dealer/send-money", 403, false},
	"dealer-transfer-status":      {"D7", "/api/dealer/transfer-status", 404, false},
	"dealer-credit-card-payment":  {"D8", "/api/dealer/credit-card/payment", 200, true},
}

// printedRequest is what sign says, as curl would send it.
func printedRequest(t *testing.T, said string) *http.Request {
	t.Helper()
	r := requestOf(t, strings.Replace(said, "-X GET", "-X POST", 1))
	if strings.Contains(said, "-X GET") {
		r.Method, r.Body, r.ContentLength = http.MethodGet, http.NoBody, 0
	}
	return r
}

// TestSign signs every endpoint and sends what it prints.
func TestSign(t *testing.T) {
	t.Parallel()
	in := newEmbedded(t)
	server := in.demo("VEZNE_GATEWAY_ALLOW_PRIVATE=true") // the sandbox is on this machine
	card := in.succeed("sign", "credit-card-payment", "--demo", in.dir)
	made, err := send(printedRequest(t, card))
	if err != nil {
		t.Fatal(err)
	}
	code := regexp.MustCompile(`CC-[0-9A-Z]{16}`).FindString(string(made.body))
	for endpoint, is := range signed {
		said := in.succeed("sign", endpoint, "--demo", in.dir, "--tracking-code", code)
		for _, part := range []string{"parts  API_KEY + SECRET_KEY + ", "<SECRET_KEY>", "X-Hash ", "X-Timestamp ", is.path + "'"} {
			if !strings.Contains(said, part) {
				t.Errorf("sign %s does not print %q:\n%s", endpoint, part, said)
			}
		}
		if strings.Contains(said, in.keys.Provider.SecretKey) {
			t.Errorf("sign %s prints the secret key", endpoint)
		}
		a, err := send(printedRequest(t, said))
		if err != nil || a.status != http.StatusOK || !strings.Contains(string(a.body), `"success":true`) {
			t.Errorf("what sign %s prints is answered with %d %s (%v)", endpoint, a.status, a.body, err)
		}
	}
	if said := in.succeed("sign", "welcome", "--demo", in.dir, "--show-secret-key"); !strings.Contains(said, in.keys.Provider.APIKey+in.keys.Provider.SecretKey) {
		t.Errorf("sign --show-secret-key does not print the hash's input:\n%s", said)
	}
	own := `{"fullname":"O'Neil","username":"o","user_id":"7","amount":"19.90"}`
	said := in.succeed("sign", "start-manual-deposit", "--demo", in.dir, "--body", own)
	if !strings.Contains(said, `-d '{"fullname":"O'\''Neil"`) {
		t.Errorf("the body is not quoted for a shell:\n%s", said)
	}
	server.stop(t)
}

// TestSignForDealers signs every endpoint of a dealer with its key, and where one is taken with a site token, and sends
// what it prints.
func TestSignForDealers(t *testing.T) {
	t.Parallel()
	in := newEmbedded(t)
	server := in.demo()
	for endpoint, is := range dealerSigned {
		args := []string{"sign", endpoint, "--demo", in.dir, "--wallet-id", "W-NOBODYS", "--tracking-code", "TRF-0"}
		said := in.succeed(args...)
		if !strings.Contains(said, "parts  API_KEY + SECRET_KEY + timestamp") || !strings.Contains(said, "-H 'X-Api-Key: vzd_") ||
			!strings.Contains(said, is.path) || strings.Contains(said, in.keys.Dealer.SecretKey) || strings.Contains(said, "{{") {
			t.Errorf("sign %s prints\n%s", endpoint, said)
		}
		if a, err := send(printedRequest(t, said)); err != nil || a.status != is.status {
			t.Errorf("what sign %s prints is answered with %d %s (%v)", endpoint, a.status, a.body, err)
		}
		if !is.isForSite {
			launch{args: append(args, "--site-token")}.expectFailure(t, "site token")
			continue
		}
		said = in.succeed(append(args, "--site-token")...)
		if !strings.Contains(said, "parts  SITE_TOKEN + SITE_SECRET_KEY + timestamp") || strings.Contains(said, "X-Api-Key") ||
			!strings.Contains(said, "-H 'X-Site-Token: "+in.keys.SiteToken.Token+"'") || strings.Contains(said, in.keys.SiteToken.SecretKey) {
			t.Errorf("sign %s with a site token prints\n%s", endpoint, said)
		}
		if a, err := send(printedRequest(t, said)); err != nil || a.status != is.status {
			t.Errorf("what sign %s prints with a site token is answered with %d %s (%v)", endpoint, a.status, a.body, err)
		}
	}
	server.stop(t)
}

// TestSignDealersCallback gives the hash that a dealer has to compare with, and explains one that is not.
func TestSignDealersCallback(t *testing.T) {
	t.Parallel()
	in := newEmbedded(t)
	said := in.succeed("sign", "dealer-settings", "--demo", in.dir)
	key := strings.TrimPrefix(regexp.MustCompile(`X-Api-Key: vzd_[0-9A-Za-z_-]+`).FindString(said), "X-Api-Key: ")
	const stamp = "1772442000"
	for input, want := range map[string]string{
		key + in.keys.Dealer.SecretKey + "CC-1" + "failed" + stamp:   "The hash matches.",
		key + in.keys.Dealer.SecretKey + stamp:                       "without the part between",
		key + in.keys.Provider.SecretKey + "CC-1" + "failed" + stamp: "does not match",
	} {
		said := in.succeed("sign", "dealer-callback", "--demo", in.dir, "--tracking-code", "CC-1", "--status", "failed",
			"--timestamp", stamp, "--check-hash", sha256Hex(input))
		if !strings.Contains(said, want) {
			t.Errorf("of a hash that should be explained by %q, sign says:\n%s", want, said)
		}
	}
	for input, want := range map[string]string{
		key + in.keys.Dealer.SecretKey + stamp:           "The hash matches.",
		key + in.keys.Dealer.SecretKey + "W-1" + stamp:   "the wallet_id in it",
		key + in.keys.Dealer.SecretKey + "TRF-1" + stamp: "the transfer_id in it",
	} {
		said := in.succeed("sign", "D6", "--demo", in.dir, "--wallet-id", "W-1", "--tracking-code", "TRF-1", "--timestamp", stamp, "--check-hash", sha256Hex(input))
		if !strings.Contains(said, want) {
			t.Errorf("of a hash that should be explained by %q, sign says:\n%s", want, said)
		}
	}
	launch{args: []string{"sign", "dealer-callback", "--demo", in.dir, "--site-token"}}.expectFailure(t, "site token")
}

// TestSignFindsAnEndpointByAnyOfItsNames: name, clause and path print the same.
func TestSignFindsAnEndpointByAnyOfItsNames(t *testing.T) {
	t.Parallel()
	in := newEmbedded(t)
	names := map[string][]string{}
	for endpoint, is := range signed {
		names[endpoint] = []string{is.clause, strings.ToLower(is.clause), is.path}
	}
	for endpoint, is := range dealerSigned {
		names[endpoint] = []string{is.clause, strings.ToLower(is.clause), is.path}
	}
	for endpoint, others := range names {
		args := []string{"--demo", in.dir, "--timestamp", "1772442000", "--tracking-code", "CC-0123456789ABCDEF", "--wallet-id", "W-1"}
		want := in.succeed(append([]string{"sign", endpoint}, args...)...)
		for _, name := range others {
			if got := in.succeed(append([]string{"sign", name}, args...)...); got != want {
				t.Errorf("sign %s prints\n%s\nand sign %s\n%s", endpoint, want, name, got)
			}
		}
	}
}

// TestSignPutsTheKeyWhereItBelongs: into a header and the hash, into the body alone, or nowhere.
func TestSignPutsTheKeyWhereItBelongs(t *testing.T) {
	t.Parallel()
	in := newEmbedded(t)
	a, s, k := in.keys.Provider.APIKey, in.keys.Provider.SecretKey, in.keys.Sites[0].CredentialKey
	const stamp = "1772442000"
	for endpoint, want := range map[string]struct {
		input    string
		has, not []string
	}{
		"bank-start-withdrawal": {a + s + k + stamp, []string{"-X POST", "X-Credential-Key: " + k, `"gateway_id":1`}, nil},
		"wallet-start-deposit":  {a + s + k + stamp, []string{"-X POST", "X-Credential-Key: " + k}, []string{"{{"}},
		"credit-card-payment":   {a + s + stamp, []string{"-X POST", `"credential_key":"` + k + `"`}, []string{"X-Credential-Key", "{{"}},
		"credit-card-status":    {a + s + stamp, []string{"-X POST", `"tracking_code":"CC-1"`}, []string{k, "{{"}},
		"crypto-gateways":       {a + s + stamp, []string{"-X GET"}, []string{k, " -d "}},
	} {
		said := in.succeed("sign", endpoint, "--demo", in.dir, "--timestamp", stamp, "--tracking-code", "CC-1")
		for _, part := range append(want.has, "X-Hash: "+sha256Hex(want.input)) {
			if !strings.Contains(said, part) {
				t.Errorf("sign %s does not print %q:\n%s", endpoint, part, said)
			}
		}
		for _, part := range want.not {
			if strings.Contains(said, part) {
				t.Errorf("sign %s prints %q:\n%s", endpoint, part, said)
			}
		}
	}
	for input, want := range map[string]string{
		a + s + stamp: "The hash matches.", a + s + "CC-1" + stamp: "credit-card-status takes that, too",
		a + s + k + stamp: "this endpoint's has none", a + s + "CC-2" + stamp: "does not match",
	} {
		said := in.succeed("sign", "E8", "--demo", in.dir, "--timestamp", stamp, "--tracking-code", "CC-1", "--check-hash", sha256Hex(input))
		if !strings.Contains(said, want) {
			t.Errorf("of a hash that should be explained by %q, sign says:\n%s", want, said)
		}
	}
}

// TestSignCallback gives the hash that a receiver has to compare with.
func TestSignCallback(t *testing.T) {
	t.Parallel()
	in := newEmbedded(t)
	server := in.serve()
	to := newReceiver(t, in.keys.Provider, accept)
	in.callBack(server, to)
	p := in.provider(server).create(t, "start-manual-withdraw", "10.00")
	in.signIn(server, "operator").must(t, "rejectWithdrawal", p.TrackingCode)
	l := to.next(t)
	said := in.succeed("sign", "callback", "--demo", in.dir, "--tracking-code", l.TrackingCode, "--status", l.Status,
		"--timestamp", fmt.Sprint(l.Timestamp), "--check-hash", l.Hash)
	if !strings.Contains(said, l.Hash) || !strings.Contains(said, "The hash matches.") {
		t.Errorf("sign callback does not find the hash %s right:\n%s", l.Hash, said)
	}
	server.stop(t)
}

// TestSignExplains tries the mistakes that integrators make.
func TestSignExplains(t *testing.T) {
	t.Parallel()
	in := newEmbedded(t)
	a, s, k := in.keys.Provider.APIKey, in.keys.Provider.SecretKey, in.keys.Sites[0].CredentialKey
	stamp := strconv.FormatInt(time.Now().Unix(), 10)
	for input, want := range map[string]string{
		a + s + k + stamp:                              "The hash matches.",
		a + s + stamp:                                  "without the part between secret key and timestamp",
		a + s + stamp + k:                              "the timestamp before the key",
		a + k + s + stamp:                              "the key before the secret key",
		s + a + k + stamp:                              "in the wrong order",
		a + s + k:                                      "without the timestamp",
		a + s + k + stamp + "000":                      "in milliseconds",
		a + ":" + s + ":" + k + ":" + stamp:            "joined with colons",
		a + s + k + stamp + "\n":                       "A line break",
		"something else altogether":                    "does not match",
		a + s + in.keys.Sites[1].CredentialKey + stamp: "does not match",
	} {
		said := in.succeed("sign", "start-manual-deposit", "--demo", in.dir, "--timestamp", stamp, "--check-hash", strings.ToUpper(sha256Hex(input)))
		if !strings.Contains(said, want) {
			t.Errorf("of a hash that should be explained by %q, sign says:\n%s", want, said)
		}
	}
}

func TestSignNeeds(t *testing.T) {
	t.Parallel()
	in := newEmbedded(t)
	for want, args := range map[string][]string{
		"--secret-key":     {"sign", "welcome"},
		"start-manual":     {"sign", "refund", "--demo", in.dir},
		"demo.json":        {"sign", "welcome", "--demo", t.TempDir()},
		"X-Key":            {"sign", "sites", "--api-key", "vzp_1", "--secret-key", "vzs_1"},
		"X-Credential-Key": {"sign", "start-manual-deposit", "--api-key", "vzp_1", "--secret-key", "vzs_1"},
		"credential_key":   {"sign", "E7", "--api-key", "vzp_1", "--secret-key", "vzs_1"},
		"--wallet-id":      {"sign", "D6", "--api-key", "vzd_1", "--secret-key", "vzds_1"},
		"--query":          {"sign", "D7", "--api-key", "vzd_1", "--secret-key", "vzds_1"},
		"--tracking-code":  {"sign", "E8", "--api-key", "vzp_1", "--secret-key", "vzs_1"},
	} {
		launch{args: args}.expectFailure(t, want)
	}
}
