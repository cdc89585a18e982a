// Package vezne calls the provider's API (E1 to E17) and the dealer's (D1 to D8), and checks callbacks. It needs nothing but Go's
// standard library.
//
// Calls have the names that `vezne sign` has, and take the fields of the contract. Amounts are decimal text in both directions, such as
// "250.00"; a float is refused before anything is sent, and in answers every number is a json.Number, which is text.
package vezne

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"reflect"
	"strconv"
	"strings"
	"time"
)

// Version of this package, which it names as its User-Agent.
const Version = "1.0.0"

// Fields are those of a request, an answer or a callback. One that is newer than this package is simply there.
type Fields map[string]any

// Text returns a field that is text or a number, and nothing where there is no such field.
func (f Fields) Text(name string) string {
	switch v := f[name].(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	default:
		return ""
	}
}

// Object returns a field that has fields itself, and none where there is no such field.
func (f Fields) Object(name string) Fields {
	inner, _ := f[name].(map[string]any)
	return inner
}

// Answer is an answer with what came beside its fields.
type Answer struct {
	Fields         Fields
	Raw            []byte
	Status         int
	RequestID      string
	IdempotencyKey string
	IsReplayed     bool
}

// Error is a call that did not succeed. With Status 0 there was no answer, and what became of the call is unknown: repeat it with
// IdempotencyKey.
type Error struct {
	Message        string
	Status         int
	Text           string // error
	Code           string // error_code
	Fields         []FieldError
	RequestID      string
	Raw            []byte
	IdempotencyKey string
	RetryAfter     time.Duration
	Cause          error
}

// FieldError says what is wrong with a field of a request.
type FieldError struct {
	Field string `json:"field"`
	Code  string `json:"code"`
}

func (e *Error) Error() string { return "vezne: " + e.Message }

// Unwrap returns why there was no answer.
func (e *Error) Unwrap() error { return e.Cause }

// MayRepeat reports whether the same call with the same idempotency key may succeed later.
func (e *Error) MayRepeat() bool { return e.Status == 0 || e.Status == 429 || e.Status >= 500 }

// ErrFloat refuses a request whose fields have a float.
var ErrFloat = errors.New(`vezne: an amount is decimal text such as "250.00", never a float`)

// SignHash returns X-Hash: the SHA-256 of the parts without separators.
func SignHash(apiKey, secretKey, middle, timestamp string) string {
	sum := sha256.Sum256([]byte(apiKey + secretKey + middle + timestamp))
	return hex.EncodeToString(sum[:])
}

// SignV2 returns X-Signature, which covers all of a request.
func SignV2(secretKey, method, target string, header http.Header, body []byte) string {
	sum := sha256.Sum256(body)
	lines := []string{"vezne-request-v2", method, target}
	for _, name := range []string{
		"x-api-key", "x-site-token", "x-credential-key", "x-key", "idempotency-key", "x-timestamp", "x-nonce",
	} {
		lines = append(lines, name+":"+header.Get(name))
	}
	lines = append(lines, "sha256:"+hex.EncodeToString(sum[:]))
	mac := hmac.New(sha256.New, []byte(secretKey))
	mac.Write([]byte(strings.Join(lines, "\n")))
	return "v2=" + hex.EncodeToString(mac.Sum(nil))
}

// Options are how requests are signed and sent. The zero value is right.
type Options struct {
	Hash     bool   // sign with the contract's X-Hash in place of X-Signature, which covers all of a request
	Language string // of sentences: "tr" or "en"
	HTTP     *http.Client
	Clock    func() time.Time
}

type client struct {
	base    string
	header  http.Header
	secret  func() string // so that no %v prints it
	options Options
}

func newClient(baseURL, secretKey string, o Options, callerHeader, caller string) client {
	if o.HTTP == nil {
		o.HTTP = &http.Client{Timeout: 30 * time.Second}
	}
	if o.Clock == nil {
		o.Clock = time.Now
	}
	sender := *o.HTTP
	sender.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse } // a signature is for one address
	o.HTTP = &sender
	c := client{base: strings.TrimRight(baseURL, "/"), header: http.Header{}, secret: func() string { return secretKey }, options: o}
	c.header.Set(callerHeader, caller)
	return c
}

// missing is a setting that is empty, as an environment variable is that nobody has set.
func (c client) missing() string {
	switch {
	case c.base == "":
		return "baseURL"
	case c.secret() == "":
		return "SecretKey"
	}
	for name := range c.header {
		if c.header.Get(name) == "" {
			return name
		}
	}
	return ""
}

// request is one call before it is signed.
type request struct {
	method, target string
	fields         Fields
	header, key    string // a header with a key, which the hash covers
	creates        bool
	idempotencyKey []string // empty: one is made
}

func random() string {
	var raw [16]byte
	_, _ = rand.Read(raw[:]) // it never fails
	return hex.EncodeToString(raw[:])
}

func (c client) do(ctx context.Context, r request) (*Answer, error) {
	if hasFloat(reflect.ValueOf(r.fields)) {
		return nil, ErrFloat
	}
	if missing := c.missing(); missing != "" {
		return nil, fmt.Errorf("vezne: %s is missing", missing)
	}
	var body []byte
	if r.fields != nil {
		var err error
		if body, err = json.Marshal(r.fields); err != nil {
			return nil, fmt.Errorf("vezne: %w", err)
		}
	}
	sent, err := http.NewRequestWithContext(ctx, r.method, c.base+r.target, bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("vezne: %w", err)
	}
	sent.GetBody = nil // a second sending would have the first one's nonce
	sent.Header = c.header.Clone()
	if r.key != "" {
		sent.Header.Set(r.header, r.key)
	}
	idempotencyKey := strings.Join(r.idempotencyKey, "")
	if r.creates {
		if idempotencyKey == "" {
			idempotencyKey = random()
		}
		sent.Header.Set("Idempotency-Key", idempotencyKey)
	}
	stamp := strconv.FormatInt(c.options.Clock().Unix(), 10)
	sent.Header.Set("X-Timestamp", stamp)
	if c.options.Hash {
		caller := sent.Header.Get("X-Api-Key") + sent.Header.Get("X-Site-Token")
		sent.Header.Set("X-Hash", SignHash(caller, c.secret(), r.key, stamp))
	} else {
		sent.Header.Set("X-Nonce", random())
		sent.Header.Set("X-Signature", SignV2(c.secret(), r.method, r.target, sent.Header, body))
	}
	sent.Header.Set("Content-Type", "application/json")
	sent.Header.Set("User-Agent", "vezne-go/"+Version)
	if c.options.Language != "" {
		sent.Header.Set("Accept-Language", c.options.Language)
	}
	return c.send(sent, idempotencyKey)
}

func (c client) send(sent *http.Request, idempotencyKey string) (*Answer, error) {
	unknown := func(err error) error {
		var why *url.Error
		if errors.As(err, &why) {
			err = why.Err
		}
		return &Error{Message: "no answer: " + err.Error(), IdempotencyKey: idempotencyKey, Cause: err}
	}
	got, err := c.options.HTTP.Do(sent) //nolint:gosec // where to is what the caller says
	if err != nil {
		return nil, unknown(err)
	}
	defer got.Body.Close()
	raw, err := io.ReadAll(got.Body)
	if err != nil {
		return nil, unknown(err)
	}
	a := &Answer{
		Fields: decode(raw), Raw: raw, Status: got.StatusCode, RequestID: got.Header.Get("X-Request-Id"), IdempotencyKey: idempotencyKey,
		IsReplayed: got.Header.Get("Idempotent-Replayed") == "true",
	}
	if a.Status >= 200 && a.Status < 300 {
		return a, nil
	}
	e := &Error{
		Message: a.Fields.Text("message"), Status: a.Status, Text: a.Fields.Text("error"), Code: a.Fields.Text("error_code"),
		RequestID: a.RequestID, Raw: raw, IdempotencyKey: idempotencyKey,
	}
	var more struct {
		Messages []string     `json:"messages"`
		Errors   []FieldError `json:"errors"`
	}
	_ = json.Unmarshal(raw, &more) // what can be read is read
	e.Fields = more.Errors
	if e.Message == "" {
		e.Message = strings.Join(more.Messages, "; ")
	}
	if e.Message == "" {
		e.Message = "HTTP " + strconv.Itoa(a.Status)
	}
	if seconds, err := strconv.ParseUint(got.Header.Get("Retry-After"), 10, 30); err == nil {
		e.RetryAfter = time.Duration(seconds) * time.Second
	}
	return nil, e
}

// decode returns the fields of a JSON object, and none where there is no object.
func decode(raw []byte) Fields {
	fields := Fields{}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if err := d.Decode(&fields); err != nil || d.More() || fields == nil {
		return Fields{}
	}
	return fields
}

// hasFloat looks through what JSON is made of.
func hasFloat(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Float32, reflect.Float64:
		return true
	case reflect.Interface, reflect.Pointer:
		return hasFloat(v.Elem())
	case reflect.Map:
		for _, key := range v.MapKeys() {
			if hasFloat(v.MapIndex(key)) {
				return true
			}
		}
	case reflect.Slice, reflect.Array:
		for i := 0; i < v.Len(); i++ {
			if hasFloat(v.Index(i)) {
				return true
			}
		}
	}
	return false
}
