// Package sign computes and checks the hashes of the contract: SHA-256 over plain concatenation (Authentication).
package sign

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
	"strings"
)

// Hash is the lower-case hex SHA-256 of the parts put together without separators.
func Hash(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "")))
	return hex.EncodeToString(sum[:])
}

// Matches compares a received hash, lower- or upper-case hex, with the expected parts in constant time.
func Matches(received string, parts ...string) bool {
	want := Hash(parts...)
	return subtle.ConstantTimeCompare([]byte(strings.ToLower(received)), []byte(want)) == 1
}

// Equal compares two secrets in constant time whatever their lengths.
func Equal(a, b string) bool {
	x, y := sha256.Sum256([]byte(a)), sha256.Sum256([]byte(b))
	return subtle.ConstantTimeCompare(x[:], y[:]) == 1
}

// Fingerprint is how a random key (a site credential key, a session token) is looked up without being stored: keys
// have 128 bits or more, so a plain hash can't be searched.
func Fingerprint(key string) string { return Hash("vezne-key:", key) }

// WebhookPrefix is the prefix of a Standard Webhooks secret; what follows is base64.
const WebhookPrefix = "whsec_"

// Webhook is the webhook-signature header of Standard Webhooks: "v1," and the base64 HMAC-SHA-256 of
// "<id>.<timestamp>.<body>" (https://www.standardwebhooks.com).
func Webhook(secret, id, timestamp string, body []byte) string {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, WebhookPrefix))
	if err != nil {
		key = []byte(secret) // secrets are made by core.NewWebhookSecret, always base64; an imported one is taken as it is
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id + "." + timestamp + "."))
	mac.Write(body)
	return "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
}
