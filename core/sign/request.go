package sign

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// RequestLabel begins what a request signature is over, and so tells it from anything else that a key ever signs.
const RequestLabel = "vezne-request-v2"

// RequestPrefix begins the value of X-Signature; what follows is 64 hex digits.
const RequestPrefix = "v2="

// Request is what a request signature is over: all of a request that says who asks for what. A header that the request does
// not have is empty.
type Request struct {
	Method         string
	Target         string // path and query as the request line has them
	APIKey         string // X-Api-Key
	SiteToken      string // X-Site-Token
	CredentialKey  string // X-Credential-Key
	Key            string // X-Key
	IdempotencyKey string // Idempotency-Key
	Timestamp      string // X-Timestamp
	Nonce          string // X-Nonce
	Body           []byte // as it was sent
}

// StringToSign is the text that is signed: eleven lines with a line feed between them and none at the end. Every line is
// always there and no value has a line feed, so that two requests never have the same text.
func (r Request) StringToSign() string {
	body := sha256.Sum256(r.Body)
	return strings.Join([]string{
		RequestLabel,
		r.Method,
		r.Target,
		"x-api-key:" + r.APIKey,
		"x-site-token:" + r.SiteToken,
		"x-credential-key:" + r.CredentialKey,
		"x-key:" + r.Key,
		"idempotency-key:" + r.IdempotencyKey,
		"x-timestamp:" + r.Timestamp,
		"x-nonce:" + r.Nonce,
		"sha256:" + hex.EncodeToString(body[:]),
	}, "\n")
}

// Signature is the value of X-Signature: HMAC-SHA-256 of the string to sign under the secret key as it was issued.
func (r Request) Signature(secret string) string {
	sum := macOf(secret, r.StringToSign())
	return RequestPrefix + hex.EncodeToString(sum)
}

// Verifier checks signatures of one request.
type Verifier struct {
	text     string
	received []byte
}

// Verifier reads a received X-Signature, whose digits may be of either case. Not ok: it cannot be a signature, or a value of
// the request has a line break.
func (r Request) Verifier(received string) (v Verifier, ok bool) {
	digits, isV2 := strings.CutPrefix(received, RequestPrefix)
	sum, err := hex.DecodeString(digits)
	if !isV2 || err != nil || len(sum) != sha256.Size || r.hasLineBreak() {
		return Verifier{}, false
	}
	return Verifier{r.StringToSign(), sum}, true
}

// IsBy reports whether the signature was made with a secret key. It compares in constant time.
func (v Verifier) IsBy(secret string) bool { return hmac.Equal(v.received, macOf(secret, v.text)) }

func (r Request) hasLineBreak() bool {
	for _, value := range []string{
		r.Method, r.Target, r.APIKey, r.SiteToken, r.CredentialKey, r.Key, r.IdempotencyKey, r.Timestamp, r.Nonce,
	} {
		if strings.ContainsAny(value, "\r\n") {
			return true
		}
	}
	return false
}

func macOf(secret, text string) []byte {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(text))
	return mac.Sum(nil)
}

// Bounds of a nonce.
const (
	MinNonceChars = 16
	MaxNonceChars = 64
)

// IsNonce reports whether a text is of the form of a nonce: 16 to 64 letters and digits of ASCII, hyphens and underscores.
func IsNonce(text string) bool {
	for i := range len(text) {
		c := text[i]
		isPlain := c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c == '-' || c == '_'
		if !isPlain {
			return false
		}
	}
	return len(text) >= MinNonceChars && len(text) <= MaxNonceChars
}
