package main_test

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestSign signs every endpoint and sends what it prints.
func TestSign(t *testing.T) {
	t.Parallel()
	in := newEmbedded(t)
	server := in.demo()
	for _, endpoint := range []string{
		"welcome", "sites", "start-manual-deposit", "start-manual-withdraw", "start-eiban-deposit", "start-eiban-withdraw",
	} {
		said := in.succeed("sign", endpoint, "--demo", in.dir)
		for _, part := range []string{"parts  API_KEY + SECRET_KEY + ", "<SECRET_KEY>", "X-Hash ", "X-Timestamp "} {
			if !strings.Contains(said, part) {
				t.Errorf("sign %s does not print %q:\n%s", endpoint, part, said)
			}
		}
		if strings.Contains(said, in.keys.Provider.SecretKey) {
			t.Errorf("sign %s prints the secret key", endpoint)
		}
		a, err := send(requestOf(t, said))
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

// TestSignCallback gives the hash that a receiver has to compare with.
func TestSignCallback(t *testing.T) {
	t.Parallel()
	in := newEmbedded(t)
	server := in.serve()
	to := newReceiver(t, in.keys.Provider, accept)
	in.callBack(server, to)
	p := in.provider(server).create(t, "start-manual-withdraw", "10.00")
	in.signIn(server, "operator").must(t, "completeWithdrawal", p.TrackingCode)
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
	} {
		launch{args: args}.expectFailure(t, want)
	}
}
