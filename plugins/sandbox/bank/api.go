package bank

import (
	"bytes"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Headers of the API. The signature of a request is the HMAC-SHA256 of its method, its path with the query, and its
// body, each followed by a line feed except the last, under the merchant's secret, in hex.
const (
	KeyHeader         = "X-Sandbox-Key"
	IdempotencyHeader = "Idempotency-Key"
)

// Bounds of what comes from outside.
const (
	maxBodyBytes  = 64 << 10
	maxFileBody   = maxEvidenceBytes*4/3 + maxBodyBytes // of a file in JSON
	maxTextBytes  = 512
	maxURLBytes   = 2048
	maxKeyBytes   = 255
	maxPageSize   = 100
	pageSize      = 50
	maxOrderLira  = "10000000"
	maxOrderLife  = 7 * 24 * time.Hour
	minOrderLife  = time.Minute
	statementSpan = 3 * 24 * time.Hour
)

// problem is an answer that is no success.
type problem struct {
	status            int
	code, message     string
	isDecline         bool // the bank, or the other one, has said no
	retryAfterSeconds int
	raw               string // instead of JSON
	isCut             bool   // instead of any answer
}

func invalid(code, message string) *problem {
	return &problem{status: http.StatusUnprocessableEntity, code: code, message: message}
}

func declined(code string) *problem {
	return &problem{status: http.StatusUnprocessableEntity, code: code, message: codeMessage(code), isDecline: true}
}

func missing(what string) *problem {
	return &problem{status: http.StatusNotFound, code: "not_found", message: "no such " + what}
}

func taken(ref string) *problem {
	return &problem{
		status: http.StatusConflict, code: "duplicate_reference", message: ref + " was ordered before, and not like this",
	}
}

// call is one authenticated request of the merchant.
type call struct {
	*http.Request
	body []byte
	now  time.Time
}

// read decodes the call's body.
func (c *call) read(into any) *problem {
	if err := json.Unmarshal(c.body, into); err != nil {
		return invalid("invalid_request", "the body is not the JSON that was expected")
	}
	return nil
}

// key is the call's idempotency key.
func (c *call) key() (string, *problem) {
	key := c.Header.Get(IdempotencyHeader)
	if key == "" || len(key) > maxKeyBytes {
		return "", invalid("invalid_request", "Idempotency-Key must have 1 to 255 characters")
	}
	return key, nil
}

func (b *Bank) routeAPI() {
	for pattern, answer := range map[string]func(*call) (any, *problem){
		"GET /v1/ping":                          b.ping,
		"GET /v1/options":                       b.options,
		"GET /v1/quote":                         b.quote,
		"POST /v1/deposits":                     b.startDeposit,
		"GET /v1/deposits":                      b.listDeposits,
		"GET /v1/deposits/{reference}":          b.readDeposit,
		"POST /v1/deposits/{reference}/cancel":  b.cancelDeposit,
		"POST /v1/deposits/{reference}/review":  b.reviewDeposit,
		"POST /v1/deposits/{reference}/refunds": b.startRefund,
		"GET /v1/refunds/{reference}":           b.readRefund,
		"GET /v1/disputes":                      b.listDisputes,
		"GET /v1/disputes/{id}":                 b.readDispute,
		"POST /v1/disputes/{id}/accept":         b.acceptDispute,
		"POST /v1/disputes/{id}/files":          b.addEvidenceFile,
		"POST /v1/disputes/{id}/evidence":       b.submitEvidence,
		"POST /v1/payouts/check":                b.checkPayout,
		"POST /v1/payouts":                      b.sendPayout,
		"GET /v1/payouts/{reference}":           b.readPayout,
		"POST /v1/payouts/{reference}/approve":  b.approvePayout,
		"POST /v1/payouts/{reference}/cancel":   b.cancelPayout,
		"POST /v1/transfers":                    b.sendTransfer,
		"GET /v1/transfers/{reference}":         b.readTransfer,
		"GET /v1/accounts":                      b.listAccounts,
		"GET /v1/accounts/{account}/balance":    b.readBalance,
		"GET /v1/accounts/{account}/statement":  b.readStatement,
		"/v1/":                                  func(*call) (any, *problem) { return nil, missing("endpoint") },
	} {
		b.mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) { b.serveAPI(w, r, answer) })
	}
}

func (b *Bank) serveAPI(w http.ResponseWriter, r *http.Request, answer func(*call) (any, *problem)) {
	bound := int64(maxBodyBytes)
	if strings.HasSuffix(r.URL.Path, "/files") {
		bound = maxFileBody
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, bound))
	if tooLarge := (*http.MaxBytesError)(nil); errors.As(err, &tooLarge) {
		write(w, nil, &problem{
			status: http.StatusRequestEntityTooLarge, code: "invalid_request", message: "the body is too large",
		})
		return
	}
	if err != nil {
		return // the caller has gone
	}
	value, p := b.locked(r, body, answer)
	write(w, value, p)
}

// locked answers a request with the bank to itself. The value is written later: it must not be changed any more.
func (b *Bank) locked(r *http.Request, body []byte, answer func(*call) (any, *problem)) (any, *problem) {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.catchUp()
	if p := b.outage.problem(now); p != nil {
		return nil, p
	}
	if p := b.authenticate(r, body); p != nil {
		return nil, p
	}
	if p := b.outage.throttle(); p != nil {
		return nil, p
	}
	return answer(&call{Request: r, body: body, now: now})
}

func (b *Bank) authenticate(r *http.Request, body []byte) *problem {
	refuse := func(code, message string) *problem {
		return &problem{status: http.StatusUnauthorized, code: code, message: message}
	}
	if b.outage.refusesKeys || b.config.APIKey == "" || !isSame(r.Header.Get(KeyHeader), b.config.APIKey) {
		return refuse("bad_key", "the key is not known")
	}
	want := sign(b.config.APISecret, r.Method+"\n"+requestURI(r)+"\n"+string(body))
	if !isSame(r.Header.Get(SignatureHeader), want) {
		return refuse("bad_signature", "the signature does not match method, path and body")
	}
	return nil
}

// requestURI is the path and query as they were sent, also where this handler is mounted below another path.
func requestURI(r *http.Request) string {
	if r.RequestURI != "" && strings.HasPrefix(r.RequestURI, "/") {
		return r.RequestURI
	}
	return r.URL.RequestURI()
}

// isSame compares in constant time, whatever the lengths.
func isSame(a, b string) bool {
	x, y := sha256.Sum256([]byte(a)), sha256.Sum256([]byte(b))
	return subtle.ConstantTimeCompare(x[:], y[:]) == 1
}

// problemJSON is the JSON of a problem.
type problemJSON struct {
	Error struct {
		Code      string `json:"code"`
		Message   string `json:"message"`
		IsDecline bool   `json:"declined,omitempty"`
	} `json:"error"`
}

func write(w http.ResponseWriter, value any, p *problem) {
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	if p == nil {
		writeJSON(w, http.StatusOK, value)
		return
	}
	if p.isCut {
		panic(http.ErrAbortHandler) // net/http's own way to break the connection
	}
	if p.retryAfterSeconds > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(p.retryAfterSeconds))
	}
	if p.raw != "" {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.WriteHeader(p.status)
		_, _ = io.WriteString(w, p.raw) //nolint:gosec // a constant of this package
		return
	}
	var f problemJSON
	f.Error.Code, f.Error.Message, f.Error.IsDecline = p.code, p.message, p.isDecline
	writeJSON(w, p.status, f)
}

func writeJSON(w http.ResponseWriter, status int, value any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(value) // the caller has gone: nothing to be done
}

// encode writes JSON without escaping <, > and &.
func encode(value any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(value)
	return bytes.TrimRight(b.Bytes(), "\n"), err
}

// id makes the bank's name of something: the same for the same reference, and not to be guessed from it.
func (b *Bank) id(prefix, ref string) string {
	return prefix + "_" + sign(b.config.APISecret, prefix+"\n"+ref)[:24]
}

// outage is what is wrong with the bank as a whole: it is down, throttles, or refuses the keys.
type outage struct {
	downUntil   time.Time
	throttled   int // so many calls to come are too many
	refusesKeys bool
}

// problem is how a bank that is down answers.
func (t *outage) problem(now time.Time) *problem {
	if !now.Before(t.downUntil) {
		return nil
	}
	return &problem{status: http.StatusServiceUnavailable, raw: "<!doctype html><title>503</title><h1>Service unavailable</h1>"}
}

func (t *outage) throttle() *problem {
	if t.throttled == 0 {
		return nil
	}
	t.throttled--
	return &problem{status: http.StatusTooManyRequests, code: "too_many_requests", message: "slow down", retryAfterSeconds: 2}
}

// ping says who asks, and shows a signed notification, by which the merchant can check the notification secret.
func (b *Bank) ping(c *call) (any, *problem) {
	body := `{"id":"evt_ping","type":"ping","created_at":"` + c.now.Format(time.RFC3339Nano) + `"}`
	return map[string]any{
		"merchant": holderName, "time": c.now, "sim": true,
		"sample": map[string]string{"body": body, "signature": b.header([]byte(body), signed).Get(SignatureHeader)},
	}, nil
}
