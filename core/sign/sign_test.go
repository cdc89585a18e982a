package sign_test

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strings"
	"testing"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
	"pgregory.net/rapid"

	"github.com/vezne/vezne/core/sign"
)

// TestHash holds the hash against FIPS 180's examples, whole and in parts.
func TestHash(t *testing.T) {
	t.Parallel()
	tests := map[string][]string{
		"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad": {"abc"},
		"248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1": {"abcdbcdecdef", "defgefghfghighij", "hijkijkljklmklmnlmnomnopnopq"},
		"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855": nil,
	}
	for want, parts := range tests {
		if got := sign.Hash(parts...); got != want {
			t.Errorf("Hash(%q) = %s, want %s", parts, got, want)
		}
	}
	if sign.Hash("a", "", "bc") != sign.Hash("abc") {
		t.Error("parts are separated")
	}
}

func TestMatches(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOfN(rapid.String(), 1, 4).Draw(t, "parts")
		sum := sha256.Sum256([]byte(strings.Join(parts, "")))
		want := hex.EncodeToString(sum[:])
		mixed := []byte(want)
		for i := range mixed {
			if rapid.Bool().Draw(t, "upper") {
				mixed[i] = strings.ToUpper(want)[i]
			}
		}
		if !sign.Matches(want, parts...) || !sign.Matches(strings.ToUpper(want), parts...) || !sign.Matches(string(mixed), parts...) {
			t.Fatalf("%s is not taken for %q", mixed, parts)
		}
		i := rapid.IntRange(0, len(want)-1).Draw(t, "position")
		wrong := want[:i] + string(rune('0'+(want[i]-'0'+1)%10)) + want[i+1:]
		for _, received := range []string{wrong, want[1:], want + "0", want + "\n", " " + want, "", "0x" + want} {
			if received != want && sign.Matches(received, parts...) {
				t.Fatalf("%q is taken for %s", received, want)
			}
		}
	})
}

func TestEqual(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.String().Draw(t, "a"), rapid.String().Draw(t, "b")
		if sign.Equal(a, b) != (a == b) || !sign.Equal(a, a) || sign.Equal(a, a+"\x00") {
			t.Fatalf("Equal(%q, %q) = %v", a, b, sign.Equal(a, b))
		}
	})
}

// TestFingerprint: what is stored of a key is a fixed function of it, and no hash that anything else of ours gives.
func TestFingerprint(t *testing.T) {
	t.Parallel()
	sum := sha256.Sum256([]byte("vezne-key:vzc_1"))
	if got := sign.Fingerprint("vzc_1"); got != hex.EncodeToString(sum[:]) {
		t.Errorf("%s; stored fingerprints would not be found any more", got)
	}
	if sign.Fingerprint("vzc_1") == sign.Fingerprint("vzc_2") || sign.Fingerprint("vzc_1") == sign.Hash("vzc_1") {
		t.Error("fingerprints collide")
	}
}

// TestWebhookVector is the example that the Standard Webhooks libraries share.
func TestWebhookVector(t *testing.T) {
	t.Parallel()
	got := sign.Webhook("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "msg_p5jXN8AQM9LWM0D4loKWxJek", "1614265330", []byte(`{"test": 2432232314}`))
	if want := "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestWebhook has the receivers' own library verify any body under any base64 key, with or without the prefix.
func TestWebhook(t *testing.T) {
	t.Parallel()
	const secret = "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
	oracle, err := standardwebhooks.NewWebhook(secret)
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		id := rapid.StringMatching(`[0-9A-Z]{26}`).Draw(t, "id")
		timestamp := rapid.StringMatching(`[1-9][0-9]{9}`).Draw(t, "timestamp")
		body := rapid.SliceOf(rapid.Byte()).Draw(t, "body")
		prefix := rapid.SampledFrom([]string{"", sign.WebhookPrefix}).Draw(t, "prefix")
		headers := http.Header{
			"Webhook-Id": {id}, "Webhook-Timestamp": {timestamp}, "Webhook-Signature": {sign.Webhook(prefix+secret, id, timestamp, body)},
		}
		if err := oracle.VerifyIgnoringTimestamp(body, headers); err != nil {
			t.Fatal(err)
		}
	})
}

// TestWebhookOfRawSecret: an imported secret that is no base64 signs as it is.
func TestWebhookOfRawSecret(t *testing.T) {
	t.Parallel()
	oracle, err := standardwebhooks.NewWebhookRaw([]byte("not base64!"))
	if err != nil {
		t.Fatal(err)
	}
	headers := http.Header{
		"Webhook-Id": {"i"}, "Webhook-Timestamp": {"1614265330"}, "Webhook-Signature": {sign.Webhook("not base64!", "i", "1614265330", []byte("b"))},
	}
	if err := oracle.VerifyIgnoringTimestamp([]byte("b"), headers); err != nil {
		t.Error(err)
	}
}
