package vezne

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Reason is why a callback is refused.
type Reason string

// Reasons why a callback is refused.
const (
	NoSignature Reason = "no_signature"
	Stale       Reason = "stale"
	Future      Reason = "future"
	WrongSecret Reason = "wrong_secret"
	BodyChanged Reason = "body_changed" // something on the way has decoded the JSON and encoded it again
)

func (r Reason) Error() string { return "vezne: the callback is refused: " + string(r) }

// Check checks callbacks. A Tolerance of zero is 300 seconds.
type Check struct {
	Secrets   []string
	Tolerance time.Duration
	Clock     func() time.Time
}

// Callback checks the Standard Webhooks signature of a callback, which covers all of it. The body has the bytes as they came, and the
// secrets are one "whsec_…" or several. The error is a Reason.
func (c Check) Callback(h http.Header, body []byte) (Fields, error) {
	id, stamp := h.Get("Webhook-Id"), h.Get("Webhook-Timestamp")
	var signatures []string
	for _, s := range strings.Split(h.Get("Webhook-Signature"), " ") {
		if value, isV1 := strings.CutPrefix(s, "v1,"); isV1 {
			signatures = append(signatures, value)
		}
	}
	if id == "" || len(signatures) == 0 {
		return nil, NoSignature
	}
	if err := c.age(stamp); err != nil {
		return nil, err
	}
	for _, secret := range c.Secrets {
		key := webhookKey(secret)
		mac := hmac.New(sha256.New, key)
		mac.Write([]byte(id + "." + stamp + "."))
		mac.Write(body)
		want := base64.StdEncoding.EncodeToString(mac.Sum(nil))
		for _, got := range signatures {
			if len(key) > 0 && isEqual(want, got) { // with an empty one anybody signs
				return decode(body), nil
			}
		}
	}
	if isAsSent(body) {
		return nil, WrongSecret
	}
	return nil, BodyChanged
}

// Hash checks X-Hash, which covers the tracking_code and the status alone: prefer Callback where there is a webhook-signature. The
// secrets are one secret key or several.
func (c Check) Hash(h http.Header, body []byte, apiKey string) (Fields, error) {
	stamp, got := h.Get("X-Timestamp"), h.Get("X-Hash")
	if got == "" {
		return nil, NoSignature
	}
	if err := c.age(stamp); err != nil {
		return nil, err
	}
	event := decode(body)
	code, isText := event["tracking_code"].(string)
	status, isStatus := event["status"].(string)
	if !isText || !isStatus {
		return nil, BodyChanged
	}
	for _, secret := range c.Secrets {
		if secret != "" && isEqual(SignHash(apiKey, secret, code+status, stamp), strings.ToLower(got)) {
			return event, nil
		}
	}
	if event["hash"] == got {
		return nil, WrongSecret
	}
	return nil, BodyChanged
}

var digits = regexp.MustCompile(`^[0-9]{1,12}$`)

func (c Check) age(stamp string) error {
	if !digits.MatchString(stamp) {
		return NoSignature
	}
	seconds, _ := strconv.ParseInt(stamp, 10, 64) // twelve digits at most
	now, tolerance := time.Now, c.Tolerance
	if c.Clock != nil {
		now = c.Clock
	}
	if tolerance == 0 {
		tolerance = 300 * time.Second
	}
	switch age := now().Unix() - seconds; {
	case age > int64(tolerance/time.Second):
		return Stale
	case -age > int64(tolerance/time.Second):
		return Future
	}
	return nil
}

func isEqual(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }

func webhookKey(secret string) []byte {
	key, err := base64.StdEncoding.Strict().DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil {
		return []byte(secret)
	}
	return key
}

var (
	quoted   = regexp.MustCompile(`"[^"\\]*(?:\\(?:["\\bfnrt]|u(?:00[01][0-9a-f]|2028|2029|fffd))[^"\\]*)*"`)
	bareBody = regexp.MustCompile(`^[{}:,"0-9.a-z-]*$`)
	amount   = regexp.MustCompile(`"amount":-?[0-9]+\.[0-9]{2}[,}]`)
)

// isAsSent reports whether a body is written as Vezne writes it.
func isAsSent(body []byte) bool {
	plain := quoted.ReplaceAll(body, []byte(`""`))
	isFirst := bytes.HasPrefix(body, []byte(`{"tracking_code":`)) || bytes.HasPrefix(body, []byte(`{"success":`))
	return isFirst && amount.Match(body) && bareBody.Match(plain)
}
