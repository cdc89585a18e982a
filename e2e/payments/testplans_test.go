package payments_test

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/vezne/vezne/e2e/harness"
)

// takesTests are the settings of an installation that takes test payments.
var takesTests = []string{"VEZNE_GATEWAY_SANDBOX=true", "VEZNE_GATEWAY_ALLOW_PRIVATE=true", "VEZNE_TEST_PAYMENTS=true"}

// tested is a creating call with a test field, by a customer of its own. It may fail.
func tested(c harness.Caller, in *harness.Installation, path, customer string, test map[string]any) (harness.Answer, harness.Payment, error) {
	body := map[string]any{
		"fullname": "Ayşe Yılmaz", "username": "ayse.yilmaz", "user_id": customer, "amount": "321.07", "test": test, // 321.07: what the sandbox makes of it does not count
		"iban": harness.CustomerIBAN, "gateway_id": in.Keys.Sandbox.GatewayID, "wallet_number": "9900000000", "crypto_type": "USDT (TRC20)",
		"wallet_address": "TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC",
	}
	if path != "credit-card/payment" {
		return c.Post(path, "X-Credential-Key", c.Site.CredentialKey, body, "")
	}
	maps.Copy(body, map[string]any{
		"credential_key": c.Site.CredentialKey, "firstname": "Ayşe", "lastname": "Yılmaz", "email": "ayse@example.com", "phone": "+905321234567",
	})
	return c.Post(path, "", "", body, "")
}

// TestPaymentsEndAsTheirRequestsSay takes every method to every outcome, whatever the amount is: what their callbacks say, in order.
func TestPaymentsEndAsTheirRequestsSay(t *testing.T) {
	t.Parallel()
	deposit := map[string]string{
		"completed": "completed", "canceled": "canceled customer", "rejected": "canceled staff", "failed": "canceled gateway", "expired": "expired",
		"paid_late": "expired, completed",
	}
	withdrawal := map[string]string{"completed": "completed", "canceled": "canceled customer", "rejected": "rejected", "failed": "failed"}
	payout := maps.Clone(withdrawal)
	payout["paid_late"] = "failed, completed"
	bankPayout := maps.Clone(payout)
	bankPayout["expired"] = "canceled expired"
	outcomes := map[string]map[string]string{
		"start-manual-deposit": deposit, "start-eiban-deposit": deposit, "third-party/bank/start-deposit": deposit,
		"third-party/crypto/start-deposit": deposit, "third-party/wallet/start-deposit": deposit,
		"start-manual-withdraw": withdrawal, "start-eiban-withdraw": withdrawal,
		"third-party/bank/start-withdrawal": bankPayout, "third-party/crypto/start-withdrawal": payout, "third-party/wallet/start-withdrawal": payout,
		"credit-card/payment": {
			"completed": "success", "canceled": "cancelled", "rejected": "failed", "failed": "failed", "expired": "failed", "paid_late": "failed, success",
		},
	}
	harness.ForEach(t, func(t *testing.T, in *harness.Installation) {
		server := in.Serve(takesTests...)
		to := harness.NewReceiver(t, in.Keys.Provider, harness.Accept)
		in.CallBack(server, to)
		provider, wants := in.Provider(server), map[string]string{}
		for path, ends := range outcomes {
			for outcome, want := range ends {
				a, p, err := tested(provider, in, path, path+"/"+outcome, map[string]any{"outcome": outcome})
				if err != nil || a.Status != http.StatusOK {
					t.Fatalf("%s, %s: %d %s (%v)", path, outcome, a.Status, a.Body, err)
				}
				wants[p.TrackingCode] = want
			}
		}
		harness.Eventually(t, func() error {
			for code, want := range wants {
				var said []string
				for _, l := range to.Of(code) {
					said = append(said, strings.TrimSpace(l.Status+" "+l.Reason))
				}
				if got := strings.Join(said, ", "); got != want {
					return fmt.Errorf("the callbacks of %s say %q, want %q", code, got, want)
				}
			}
			return nil
		})
		server.Stop(t)
	})
}

// TestAClockBringsExpiryAndRetries: a deposit expires at once, and its callback is tried again at once.
func TestAClockBringsExpiryAndRetries(t *testing.T) {
	t.Parallel()
	in := harness.NewEmbedded(t)
	server := in.Serve(takesTests...)
	to := harness.NewReceiver(t, in.Keys.Provider, func(harness.Letter) int { return http.StatusServiceUnavailable })
	in.CallBack(server, to)
	provider := in.Provider(server)
	_, p, err := tested(provider, in, "start-manual-deposit", "u-1", map[string]any{})
	if err != nil {
		t.Fatal(err)
	}
	advance := func() {
		t.Helper()
		r, err := provider.Signed("test-clock", "", "", `{"tracking_code":"`+p.TrackingCode+`","seconds":3600}`)
		if err != nil {
			t.Fatal(err)
		}
		if a, err := harness.Send(r); err != nil || a.Status != http.StatusOK {
			t.Fatalf("%d %s (%v)", a.Status, a.Body, err)
		}
	}
	advance() // to its expiry
	first := to.Next(t)
	harness.Eventually(t, func() error { // the attempt that has just arrived is logged, and the next one is due in half a minute
		advance()
		if n := len(to.Of(p.TrackingCode)); n < 3 {
			return fmt.Errorf("its callback has come %d times", n)
		}
		return nil
	})
	if again := to.Next(t); first.Status != "expired" || again.ID != first.ID {
		t.Errorf("%+v, and then %+v", first, again)
	}
}

// TestWrongAndReorderedCallbacks: a receiver that checks refuses the wrong one and takes the right one after it, and one sees an earlier callback
// after a later one.
func TestWrongAndReorderedCallbacks(t *testing.T) {
	t.Parallel()
	in := harness.NewEmbedded(t)
	server := in.Serve(takesTests...)
	arrived := make(chan string, 100)
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		var l harness.LetterBody
		if err != nil || json.Unmarshal(body, &l) != nil {
			t.Errorf("%s: %v", body, err)
		}
		keys := in.Keys.Provider
		isRight := r.Header.Get("X-Hash") == harness.Sha256Hex(keys.APIKey+keys.SecretKey+l.TrackingCode+l.Status+r.Header.Get("X-Timestamp"))
		if !isRight {
			w.WriteHeader(http.StatusUnauthorized)
		}
		arrived <- fmt.Sprint(l.UserID, " ", l.Sequence, " ", l.Status, " ", isRight)
	}))
	t.Cleanup(receiver.Close)
	in.SignIn(server, "admin").UpdateProvider(t, in.Keys.Provider.ID, map[string]any{"callbackUrl": receiver.URL})
	for customer, test := range map[string]map[string]any{
		"wrong":     {"outcome": "completed", "amount": 99.5, "callbacks": "wrong_signature"},
		"reordered": {"outcome": "paid_late", "callbacks": "reordered"},
		"twice":     {"outcome": "canceled", "callbacks": "twice"},
	} {
		if a, _, err := tested(in.Provider(server), in, "start-manual-deposit", customer, test); err != nil || a.Status != http.StatusOK {
			t.Fatalf("%d %s (%v)", a.Status, a.Body, err)
		}
	}
	said := map[string][]string{}
	for range 6 {
		customer, what, _ := strings.Cut(harness.Received(t, "a callback", arrived), " ")
		said[customer] = append(said[customer], what)
	}
	for customer, want := range map[string][]string{
		"wrong": {"1 completed false", "1 completed true"}, "reordered": {"2 completed true", "1 expired true"},
		"twice": {"1 canceled true", "1 canceled true"},
	} {
		if !slices.Equal(said[customer], want) {
			t.Errorf("%s: %q, want %q", customer, said[customer], want)
		}
	}
}

// TestOnlyATestInstallationTakesTests: an ordinary one refuses them, also where it has a sandbox, and has no clock to move; what was to happen
// to a payment of before happens no more. Test payments beside money that moves are no setting at all.
func TestOnlyATestInstallationTakesTests(t *testing.T) {
	t.Parallel()
	in := harness.NewEmbedded(t)
	server := in.Serve(takesTests...)
	_, p, err := tested(in.Provider(server), in, "start-manual-deposit", "u-1", map[string]any{"outcome": "completed", "after": 1})
	if err != nil {
		t.Fatal(err)
	}
	server.Stop(t)
	server = in.Serve(takesTests[:2]...)
	provider := in.Provider(server)
	a, _, err := tested(provider, in, "start-manual-deposit", "u-2", map[string]any{"outcome": "completed"})
	if err != nil || a.Status != http.StatusUnprocessableEntity || !strings.Contains(string(a.Body), "test_refused") {
		t.Errorf("%d %s (%v)", a.Status, a.Body, err)
	}
	r, err := provider.Signed("test-clock", "", "", `{"tracking_code":"`+p.TrackingCode+`","seconds":60}`)
	if err != nil {
		t.Fatal(err)
	}
	if a, err := harness.Send(r); err != nil || a.Status != http.StatusNotFound {
		t.Errorf("%d %s (%v)", a.Status, a.Body, err)
	}
	if found := in.SignIn(server, "operator").Transaction(t, p.TrackingCode); found.Status != "SHOWING" {
		t.Errorf("it is %s", found.Status)
	}
	server.Stop(t)
	harness.Launch{Args: []string{"serve"}, Env: []string{"VEZNE_DATA_DIR=" + t.TempDir(), "VEZNE_TEST_PAYMENTS=true"}}.
		ExpectFailure(t, "VEZNE_TEST_PAYMENTS needs VEZNE_GATEWAY_SANDBOX=true")
}
