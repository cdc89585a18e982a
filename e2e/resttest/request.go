package resttest

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/vezne/vezne/adapters/rest"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/sign"
)

var errDown = fault.E("down", fault.Unavailable, errors.New("dial tcp 10.1.2.3:5432: connection refused"))

// Request is a call to be signed and sent.
type Request struct {
	Method    string
	Path      string // below the API's, with its query; behind two slashes: from the root
	KeyHeader string // that takes part in the hash; empty: none
	Header    http.Header
	Body      string
	Reader    io.Reader // in place of Body
	Peer      string
	Ctx       context.Context
}

// Signed signs for a caller.
func (r Request) Signed(apiKey, secret string, unix int64) Request {
	return r.SignedWith(apiKey, secret, "", unix)
}

// SignedWith signs for a caller, with the value of KeyHeader.
func (r Request) SignedWith(apiKey, secret, key string, unix int64) Request {
	if r.KeyHeader == "" {
		key = ""
	} else {
		r = r.With(r.KeyHeader, key)
	}
	stamp := strconv.FormatInt(unix, 10)
	return r.With("X-Api-Key", apiKey).With("X-Timestamp", stamp).With("X-Hash", sign.Hash(apiKey, secret, key, stamp))
}

// Whole signs a copy with a request signature in place of the hash. The keys are those in its headers.
func (s *Server) Whole(r Request, secret, nonce string) Request {
	r = r.With("X-Hash", "").With("X-Nonce", nonce)
	return r.With("X-Signature", s.Over(r).Signature(secret))
}

// Over is what the request signature of a request is over.
func (s *Server) Over(r Request) sign.Request {
	return sign.Request{
		Method: r.Method, Target: s.PathOf(r), APIKey: r.Header.Get("X-Api-Key"), SiteToken: r.Header.Get("X-Site-Token"),
		CredentialKey: r.Header.Get("X-Credential-Key"), Key: r.Header.Get("X-Key"),
		IdempotencyKey: r.Header.Get("Idempotency-Key"), Timestamp: r.Header.Get("X-Timestamp"), Nonce: r.Header.Get("X-Nonce"),
		Body: []byte(r.Body),
	}
}

// BySite signs with a site token in place of an API key.
func (r Request) BySite(token, secret string, unix int64) Request {
	return r.Signed(token, secret, unix).With("X-Api-Key", "").With("X-Site-Token", token)
}

// With sets a header of a copy; an empty value takes it away.
func (r Request) With(name, value string) Request {
	r.Header = r.Header.Clone()
	if r.Header == nil {
		r.Header = http.Header{}
	}
	r.Header.Set(name, value)
	if value == "" {
		r.Header.Del(name)
	}
	return r
}

// Answer is what came back.
type Answer struct {
	Status int
	Header http.Header
	Body   string
}

// Want checks status and the text of "error", or that of "message" where there is nothing else (E7).
func (a Answer) Want(t testing.TB, status int, text string) {
	t.Helper()
	isOwn := a.Body == `{"success":false,"message":"`+text+`"}`
	if a.Status != status || (text != "" && !isOwn && !strings.Contains(a.Body, `"error":"`+text+`"`)) {
		t.Errorf("want %d %q, got %d %s", status, text, a.Status, a.Body)
	}
}

// WantCode checks status and error_code.
func (a Answer) WantCode(t testing.TB, status int, code string) {
	t.Helper()
	if a.Status != status || !strings.HasPrefix(a.Body, `{"success":false,"error_code":"`+code+`","error":"`) {
		t.Errorf("want %d %s, got %d %s", status, code, a.Status, a.Body)
	}
}

// WantMessages checks a validation error's messages.
func (a Answer) WantMessages(t testing.TB, messages ...string) {
	t.Helper()
	want := rest.NewObject().Bool("success", false).Text("error", "Validation failed").Texts("messages", messages).End()
	got, errors, hasErrors := strings.Cut(a.Body, `,"errors":[`)
	if a.Status != http.StatusUnprocessableEntity || got+"}" != string(want) {
		t.Errorf("want 422 %s\ngot  %d %s", want, a.Status, a.Body)
	}
	if !hasErrors || strings.Count(errors, `"code":"`) != len(messages) {
		t.Errorf("want as many errors as messages, got %s", a.Body)
	}
}

// Endless is a body that never ends, and counts what is read of it.
type Endless struct{ Count int }

func (e *Endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	e.Count += len(p)
	return len(p), nil
}

// Broken is a body that breaks off.
type Broken struct{}

func (*Broken) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }
