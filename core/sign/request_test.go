package sign_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/vezne/vezne/core/sign"
)

// vector is a request with its signature, which Python's hmac and openssl computed.
type vector struct {
	Name         string            `json:"name"`
	SecretKey    string            `json:"secret_key"`
	Method       string            `json:"method"`
	Target       string            `json:"target"`
	Headers      map[string]string `json:"headers"`
	Body         string            `json:"body"`
	StringToSign string            `json:"string_to_sign"`
	Signature    string            `json:"signature"`
}

func (v vector) request() sign.Request {
	return sign.Request{
		Method: v.Method, Target: v.Target, APIKey: v.Headers["X-Api-Key"], SiteToken: v.Headers["X-Site-Token"],
		CredentialKey: v.Headers["X-Credential-Key"], Key: v.Headers["X-Key"], IdempotencyKey: v.Headers["Idempotency-Key"],
		Timestamp: v.Headers["X-Timestamp"], Nonce: v.Headers["X-Nonce"], Body: []byte(v.Body),
	}
}

func vectors(t *testing.T) []vector {
	t.Helper()
	text, err := os.ReadFile("testdata/requests.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Requests []vector `json:"requests"`
	}
	if err := json.Unmarshal(text, &file); err != nil || len(file.Requests) == 0 {
		t.Fatal(err)
	}
	return file.Requests
}

func isBy(r sign.Request, signature, secret string) bool {
	v, ok := r.Verifier(signature)
	return ok && v.IsBy(secret)
}

func TestRequestSignaturesAreThoseThatOthersCompute(t *testing.T) {
	t.Parallel()
	for _, v := range vectors(t) {
		r := v.request()
		if got := r.StringToSign(); got != v.StringToSign {
			t.Errorf("%s: the string to sign is\n%s\nwant\n%s", v.Name, got, v.StringToSign)
		}
		if got := r.Signature(v.SecretKey); got != v.Signature {
			t.Errorf("%s: %s, want %s", v.Name, got, v.Signature)
		}
		capitals := "v2=" + strings.ToUpper(v.Signature[3:])
		if !isBy(r, v.Signature, v.SecretKey) || !isBy(r, capitals, v.SecretKey) || isBy(r, v.Signature, v.SecretKey+"x") {
			t.Errorf("%s: the signature is not taken, or with another key", v.Name)
		}
	}
}

// TestASignatureIsOneRequests: whatever is changed, another signature is due, and two requests never have one string to sign,
// also where a value is moved from one header to another.
func TestASignatureIsOneRequests(t *testing.T) {
	t.Parallel()
	value := rapid.StringMatching(`[ -~]{0,6}`)
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string) sign.Request {
			return sign.Request{
				Method: value.Draw(t, name+" method"), Target: value.Draw(t, name+" target"), APIKey: value.Draw(t, name+" api key"),
				SiteToken: value.Draw(t, name+" token"), CredentialKey: value.Draw(t, name+" credential"), Key: value.Draw(t, name+" key"),
				IdempotencyKey: value.Draw(t, name+" idempotency key"), Timestamp: value.Draw(t, name+" timestamp"),
				Nonce: value.Draw(t, name+" nonce"), Body: []byte(value.Draw(t, name+" body")),
			}
		}
		a, b := draw("a"), draw("b")
		isSame := a.Method == b.Method && a.Target == b.Target && a.APIKey == b.APIKey && a.SiteToken == b.SiteToken &&
			a.CredentialKey == b.CredentialKey && a.Key == b.Key && a.IdempotencyKey == b.IdempotencyKey &&
			a.Timestamp == b.Timestamp && a.Nonce == b.Nonce && string(a.Body) == string(b.Body)
		if (a.StringToSign() == b.StringToSign()) != isSame || isBy(b, a.Signature("secret"), "secret") != isSame {
			t.Fatalf("%q and %q", a.StringToSign(), b.StringToSign())
		}
	})
}

func TestWhatCannotBeASignatureIsNone(t *testing.T) {
	t.Parallel()
	r := vectors(t)[0].request()
	right := r.Signature("secret")
	for _, wrong := range []string{
		"", "v2=", right[3:], "v1=" + right[3:], "V2=" + right[3:], right + "0", right[:len(right)-1], right[:len(right)-2], " " + right,
		right + ",", right + "," + right, right + "\n", "v2=0x" + right[3:], "v2=" + strings.Repeat("z", 64), "v2=" + strings.Repeat("0", 64),
	} {
		if isBy(r, wrong, "secret") {
			t.Errorf("%q is taken", wrong)
		}
	}
	r.Nonce, r.Key = "a", "1\nx-nonce:b" // no header has a line break, and none makes lines
	if isBy(r, r.Signature("secret"), "secret") {
		t.Error("a value with a line break is taken")
	}
}

func TestNonce(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"0123456789abcdef": true, "6f1c0f0e-7d0b-4d6a-9b53-3d2b3f0c8a11": true, strings.Repeat("_", 64): true, "ABCXYZabcxyz-_09": true,
		"": false, "0123456789abcde": false, strings.Repeat("a", 65): false, "0123456789abcde\x20": false, "0123456789abcdeş": false,
		"0123456789abcde\x00": false, "0123456789abcde/": false, "0123456789abcde=": false, "0123456789abcde:": false,
	} {
		if sign.IsNonce(text) != want {
			t.Errorf("IsNonce(%q) is not %v", text, want)
		}
	}
}
