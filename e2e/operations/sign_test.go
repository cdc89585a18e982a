package operations_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/e2e/harness"
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
	"transaction-status":      {"V1", "/api/provider/transaction-status"},
	"test-clock":              {"V3", "/api/provider/test-clock"},
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
	"dealer-transaction-status":   {"V2", "/api/dealer/transaction-status", 404, false},
	"dealer-test-clock":           {"V4", "/api/dealer/test-clock", 404, false},
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
	in := harness.NewEmbedded(t)
	server := in.Demo("VEZNE_GATEWAY_ALLOW_PRIVATE=true") // the sandbox is on this machine
	card := in.Succeed("sign", "credit-card-payment", "--demo", in.Dir, "--body", `{"credential_key":"`+in.Keys.Sites[0].CredentialKey+
		`","username":"a","user_id":"1","firstname":"A","lastname":"B","email":"a@example.com","phone":"+905551112233","amount":250,"test":{}}`)
	made, err := harness.Send(printedRequest(t, card))
	if err != nil {
		t.Fatal(err)
	}
	code := regexp.MustCompile(`CC-[0-9A-Z]{16}`).FindString(string(made.Body))
	for endpoint, is := range signed {
		said := in.Succeed("sign", endpoint, "--demo", in.Dir, "--tracking-code", code)
		for _, part := range []string{"parts  API_KEY + SECRET_KEY + ", "<SECRET_KEY>", "X-Hash ", "X-Timestamp ", is.path + "'"} {
			if !strings.Contains(said, part) {
				t.Errorf("sign %s does not print %q:\n%s", endpoint, part, said)
			}
		}
		if strings.Contains(said, in.Keys.Provider.SecretKey) {
			t.Errorf("sign %s prints the secret key", endpoint)
		}
		a, err := harness.Send(printedRequest(t, said))
		if err != nil || a.Status != http.StatusOK || !strings.Contains(string(a.Body), `"success":true`) {
			t.Errorf("what sign %s prints is answered with %d %s (%v)", endpoint, a.Status, a.Body, err)
		}
	}
	if said := in.Succeed("sign", "welcome", "--demo", in.Dir, "--show-secret-key"); !strings.Contains(said, in.Keys.Provider.APIKey+in.Keys.Provider.SecretKey) {
		t.Errorf("sign --show-secret-key does not print the hash's input:\n%s", said)
	}
	own := `{"fullname":"O'Neil","username":"o","user_id":"7","amount":"19.90"}`
	said := in.Succeed("sign", "start-manual-deposit", "--demo", in.Dir, "--body", own)
	if !strings.Contains(said, `-d '{"fullname":"O'\''Neil"`) {
		t.Errorf("the body is not quoted for a shell:\n%s", said)
	}
	server.Stop(t)
}

// TestSignForDealers signs every endpoint of a dealer with its key, and where one is taken with a site token, and sends
// what it prints.
func TestSignForDealers(t *testing.T) {
	t.Parallel()
	in := harness.NewEmbedded(t)
	server := in.Demo()
	for endpoint, is := range dealerSigned {
		args := []string{"sign", endpoint, "--demo", in.Dir, "--wallet-id", "W-NOBODYS", "--tracking-code", "TRF-0"}
		said := in.Succeed(args...)
		if !strings.Contains(said, "parts  API_KEY + SECRET_KEY + timestamp") || !strings.Contains(said, "-H 'X-Api-Key: vzd_") ||
			!strings.Contains(said, is.path) || strings.Contains(said, in.Keys.Dealer.SecretKey) || strings.Contains(said, "{{") {
			t.Errorf("sign %s prints\n%s", endpoint, said)
		}
		if a, err := harness.Send(printedRequest(t, said)); err != nil || a.Status != is.status {
			t.Errorf("what sign %s prints is answered with %d %s (%v)", endpoint, a.Status, a.Body, err)
		}
		if !is.isForSite {
			harness.Launch{Args: append(args, "--site-token")}.ExpectFailure(t, "site token")
			continue
		}
		said = in.Succeed(append(args, "--site-token")...)
		if !strings.Contains(said, "parts  SITE_TOKEN + SITE_SECRET_KEY + timestamp") || strings.Contains(said, "X-Api-Key") ||
			!strings.Contains(said, "-H 'X-Site-Token: "+in.Keys.SiteToken.Token+"'") || strings.Contains(said, in.Keys.SiteToken.SecretKey) {
			t.Errorf("sign %s with a site token prints\n%s", endpoint, said)
		}
		if a, err := harness.Send(printedRequest(t, said)); err != nil || a.Status != is.status {
			t.Errorf("what sign %s prints with a site token is answered with %d %s (%v)", endpoint, a.Status, a.Body, err)
		}
	}
	server.Stop(t)
}

// checked runs a check of a hash, whose exit code says whether the hash is right.
func checked(t *testing.T, in *harness.Installation, want string, args ...string) string {
	t.Helper()
	if want == "The hash matches." {
		return in.Succeed(args...)
	}
	o := harness.Launch{Args: args, Env: in.Env}.Execute(t)
	if o.Code != 1 {
		t.Errorf("vezne %v ends with %d, want 1", args, o.Code)
	}
	return o.Stdout
}

// TestSignDealersCallback returns the hash that a dealer has to compare with, and explains one that is not.
func TestSignDealersCallback(t *testing.T) {
	t.Parallel()
	in := harness.NewEmbedded(t)
	said := in.Succeed("sign", "dealer-settings", "--demo", in.Dir)
	key := strings.TrimPrefix(regexp.MustCompile(`X-Api-Key: vzd_[0-9A-Za-z_-]+`).FindString(said), "X-Api-Key: ")
	const stamp = "1772442000"
	for input, want := range map[string]string{
		key + in.Keys.Dealer.SecretKey + "CC-1" + "failed" + stamp:   "The hash matches.",
		key + in.Keys.Dealer.SecretKey + stamp:                       "without the part between",
		key + in.Keys.Provider.SecretKey + "CC-1" + "failed" + stamp: "does not match",
	} {
		said := checked(t, in, want, "sign", "dealer-callback", "--demo", in.Dir, "--tracking-code", "CC-1", "--status", "failed",
			"--timestamp", stamp, "--check-hash", harness.Sha256Hex(input))
		if !strings.Contains(said, want) {
			t.Errorf("of a hash that should be explained by %q, sign says:\n%s", want, said)
		}
	}
	for input, want := range map[string]string{
		key + in.Keys.Dealer.SecretKey + stamp:           "The hash matches.",
		key + in.Keys.Dealer.SecretKey + "W-1" + stamp:   "the wallet_id in it",
		key + in.Keys.Dealer.SecretKey + "TRF-1" + stamp: "the transfer_id in it",
	} {
		said := checked(t, in, want, "sign", "D6", "--demo", in.Dir, "--wallet-id", "W-1", "--tracking-code", "TRF-1", "--timestamp", stamp, "--check-hash", harness.Sha256Hex(input))
		if !strings.Contains(said, want) {
			t.Errorf("of a hash that should be explained by %q, sign says:\n%s", want, said)
		}
	}
	harness.Launch{Args: []string{"sign", "dealer-callback", "--demo", in.Dir, "--site-token"}}.ExpectFailure(t, "site token")
}

// TestSignFindsAnEndpointByAnyOfItsNames: name, clause and path print the same.
func TestSignFindsAnEndpointByAnyOfItsNames(t *testing.T) {
	t.Parallel()
	in := harness.NewEmbedded(t)
	names := map[string][]string{}
	for endpoint, is := range signed {
		names[endpoint] = []string{is.clause, strings.ToLower(is.clause), is.path}
	}
	for endpoint, is := range dealerSigned {
		names[endpoint] = []string{is.clause, strings.ToLower(is.clause), is.path}
	}
	for endpoint, others := range names {
		args := []string{"--demo", in.Dir, "--timestamp", "1772442000", "--tracking-code", "CC-0123456789ABCDEF", "--wallet-id", "W-1"}
		want := in.Succeed(append([]string{"sign", endpoint}, args...)...)
		if testing.Short() {
			others = others[rand.IntN(len(others)):][:1]
		}
		for _, name := range others {
			if got := in.Succeed(append([]string{"sign", name}, args...)...); got != want {
				t.Errorf("sign %s prints\n%s\nand sign %s\n%s", endpoint, want, name, got)
			}
		}
	}
}

// TestSignPutsTheKeyWhereItBelongs: into a header and the hash, into the body alone, or nowhere.
func TestSignPutsTheKeyWhereItBelongs(t *testing.T) {
	t.Parallel()
	in := harness.NewEmbedded(t)
	a, s, k := in.Keys.Provider.APIKey, in.Keys.Provider.SecretKey, in.Keys.Sites[0].CredentialKey
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
		said := in.Succeed("sign", endpoint, "--demo", in.Dir, "--timestamp", stamp, "--tracking-code", "CC-1")
		for _, part := range append(want.has, "X-Hash: "+harness.Sha256Hex(want.input)) {
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
		said := checked(t, in, want, "sign", "E8", "--demo", in.Dir, "--timestamp", stamp, "--tracking-code", "CC-1", "--check-hash", harness.Sha256Hex(input))
		if !strings.Contains(said, want) {
			t.Errorf("of a hash that should be explained by %q, sign says:\n%s", want, said)
		}
	}
}

// TestSignCallback returns the hash that a receiver has to compare with.
func TestSignCallback(t *testing.T) {
	t.Parallel()
	in := harness.NewEmbedded(t)
	server := in.Serve()
	to := harness.NewReceiver(t, in.Keys.Provider, harness.Accept)
	in.CallBack(server, to)
	p := in.Provider(server).Create(t, "start-manual-withdraw", "10.00")
	in.SignIn(server, "operator").Must(t, "rejectWithdrawal", p.TrackingCode)
	l := to.Next(t)
	said := in.Succeed("sign", "callback", "--demo", in.Dir, "--tracking-code", l.TrackingCode, "--status", l.Status,
		"--timestamp", fmt.Sprint(l.Timestamp), "--check-hash", l.Hash)
	if !strings.Contains(said, l.Hash) || !strings.Contains(said, "The hash matches.") {
		t.Errorf("sign callback does not find the hash %s right:\n%s", l.Hash, said)
	}
	server.Stop(t)
}

// TestSignExplains tries the mistakes that integrators make.
func TestSignExplains(t *testing.T) {
	t.Parallel()
	in := harness.NewEmbedded(t)
	a, s, k := in.Keys.Provider.APIKey, in.Keys.Provider.SecretKey, in.Keys.Sites[0].CredentialKey
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
		a + s + in.Keys.Sites[1].CredentialKey + stamp: "does not match",
	} {
		said := checked(t, in, want, "sign", "start-manual-deposit", "--demo", in.Dir, "--timestamp", stamp, "--check-hash", strings.ToUpper(harness.Sha256Hex(input)))
		if !strings.Contains(said, want) {
			t.Errorf("of a hash that should be explained by %q, sign says:\n%s", want, said)
		}
	}
}

func TestSignNeeds(t *testing.T) {
	t.Parallel()
	in := harness.NewEmbedded(t)
	for want, args := range map[string][]string{
		"--secret-key":     {"sign", "welcome"},
		"start-manual":     {"sign", "refund", "--demo", in.Dir},
		"demo.json":        {"sign", "welcome", "--demo", t.TempDir()},
		"X-Key":            {"sign", "sites", "--api-key", "vzp_1", "--secret-key", "vzs_1"},
		"X-Credential-Key": {"sign", "start-manual-deposit", "--api-key", "vzp_1", "--secret-key", "vzs_1"},
		"credential_key":   {"sign", "E7", "--api-key", "vzp_1", "--secret-key", "vzs_1"},
		"--wallet-id":      {"sign", "D6", "--api-key", "vzd_1", "--secret-key", "vzds_1"},
		"--query":          {"sign", "D7", "--api-key", "vzd_1", "--secret-key", "vzds_1"},
		"--tracking-code":  {"sign", "E8", "--api-key", "vzp_1", "--secret-key", "vzs_1"},
	} {
		harness.Launch{Args: args}.ExpectFailure(t, want)
	}
}
