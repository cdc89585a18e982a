package sdk_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/vezne/vezne/core/sign"
	"github.com/vezne/vezne/sdk"
)

// TestLibraries asks the same of each library, through its driver.
func TestLibraries(t *testing.T) {
	t.Parallel()
	for _, l := range sdk.Languages() {
		t.Run(l.Name, func(t *testing.T) {
			t.Parallel()
			d, err := sdk.Start(t.Context(), ".", l)
			if err != nil {
				t.Fatal(err)
			}
			t.Run("sign as Vezne does", func(t *testing.T) { signs(t, d) })
			t.Run("judge callbacks as the vectors say", func(t *testing.T) { judges(t, d) })
			t.Run("make the requests of the vectors", func(t *testing.T) { requests(t, d) })
			t.Run("read answers as the vectors say", func(t *testing.T) { reads(t, d) })
			t.Run("give the key where no answer came", func(t *testing.T) { isUnknown(t, d) })
			t.Run("refuse floats", func(t *testing.T) { refuses(t, d) })
			t.Run("name the setting that is missing", func(t *testing.T) { misses(t, d) })
			t.Run("send site tokens", func(t *testing.T) { sendsTokens(t, d) })
			if err := d.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

// readVectors reads a file of vectors as somebody's own test would.
func readVectors[T any](t *testing.T, name string) (list []T) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("vectors", name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	var file map[string]json.RawMessage
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	d := json.NewDecoder(strings.NewReader(string(file[name])))
	d.UseNumber()
	if err := d.Decode(&list); err != nil || len(list) == 0 {
		t.Fatalf("%d of %s: %v", len(list), name, err)
	}
	return list
}

// signs makes the signatures of the vectors.
func signs(t *testing.T, d *sdk.Driver) {
	t.Helper()
	list := readVectors[sdk.Request](t, "requests")
	for _, r := range list {
		secret := secretOf(r.API)
		got, err := d.Sign(sdk.Signing{
			APIKey: r.Headers["X-Api-Key"], SecretKey: secret, Middle: r.Headers["X-Key"] + r.Headers["X-Credential-Key"],
			Method: r.Method, Target: r.Target, Headers: r.Headers, Body: []byte(r.Body),
		})
		if err != nil {
			t.Fatal(err)
		}
		if want := (sdk.Signatures{Hash: r.Hash, Signature: r.Signature}); got != want {
			t.Errorf("%s: %+v, want %+v", r.Clause, got, want)
		}
	}
}

func secretOf(api string) string {
	if api == "dealer" {
		return dealerSecret
	}
	return secretKey
}

// judges what is right, and why the rest is not.
func judges(t *testing.T, d *sdk.Driver) {
	t.Helper()
	list := readVectors[callbackVector](t, "callbacks")
	for _, v := range list {
		got, err := d.Verify(sdk.Check{
			Headers: v.Headers, Body: v.bytes(t), APIKey: v.APIKey, Secrets: v.Secrets, Tolerance: v.Tolerance, Now: v.Now,
		})
		if err != nil {
			t.Fatalf("%s: %v", v.Name, err)
		}
		want := sdk.Verdict{IsRight: v.Reason == "", Reason: v.Reason, Event: v.Event}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", v.Name, diff)
		}
	}
}

// request is what has come to a server.
type request struct {
	method, target string
	header         http.Header
	body           []byte
}

// server keeps the last request, and answers it as it is told to.
type server struct {
	*httptest.Server
	got    request
	answer func(http.ResponseWriter)
}

func newServer(t *testing.T) *server {
	t.Helper()
	s := &server{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		s.got = request{r.Method, r.RequestURI, r.Header, body}
		s.answer(w)
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *server) client(api, signing string) sdk.Client {
	c := sdk.Client{
		Kind: api, BaseURL: s.URL, APIKey: apiKey, SecretKey: secretKey, CredentialKey: credentialKey, VerificationKey: verificationKey,
		Signing: signing, Language: "en",
	}
	if api == "dealer" {
		c.APIKey, c.SecretKey = dealerKey, dealerSecret
	}
	return c
}

// requests makes every call by both signatures, and looks at what came.
func requests(t *testing.T, d *sdk.Driver) {
	t.Helper()
	list := readVectors[sdk.Request](t, "requests")
	s := newServer(t)
	s.answer = func(w http.ResponseWriter) { _, _ = io.WriteString(w, `{"success":true}`) }
	for _, r := range list {
		for _, signing := range []string{"v2", "hash"} {
			fields := r.Fields
			if r.Clause == "E7" { // the library adds the credential key by itself
				fields = sdk.Fields{}
				for name, value := range r.Fields {
					if name != "credential_key" {
						fields[name] = value
					}
				}
			}
			a, err := d.Call(sdk.Call{
				Client: s.client(r.API, signing), Name: r.Call, Fields: fields, IdempotencyKey: r.Headers["Idempotency-Key"], Now: at.Unix(),
			})
			if err != nil {
				t.Fatalf("%s: %v", r.Clause, err)
			}
			if a.IsError || a.Fields["success"] != true || a.IdempotencyKey != r.Headers["Idempotency-Key"] {
				t.Errorf("%s: %+v", r.Clause, a)
			}
			checkRequest(t, r, signing, s.got)
		}
	}
}

// checkRequest compares what came with a vector. The order of a query and the writing of a body are a library's own.
func checkRequest(t *testing.T, want sdk.Request, signing string, got request) {
	t.Helper()
	h := got.header
	path, query, _ := strings.Cut(got.target, "?")
	wantPath, wantQuery, _ := strings.Cut(want.Target, "?")
	if got.method != want.Method || path != wantPath || !cmp.Equal(parse(t, query), parse(t, wantQuery)) {
		t.Errorf("%s: %s %s, want %s %s", want.Clause, got.method, got.target, want.Method, want.Target)
	}
	if !cmp.Equal(document(t, got.body), document(t, []byte(want.Body))) || strings.Contains(string(got.body), `\u`) {
		t.Errorf("%s: the body %s, want %s", want.Clause, got.body, want.Body)
	}
	for _, name := range []string{"X-Api-Key", "X-Credential-Key", "X-Key", "Idempotency-Key", "X-Timestamp", "X-Site-Token"} {
		if h.Get(name) != want.Headers[name] || len(h.Values(name)) > 1 {
			t.Errorf("%s: %s is %q, want %q", want.Clause, name, h.Values(name), want.Headers[name])
		}
	}
	if want.Method == "POST" && h.Get("Content-Type") != "application/json" || h.Get("Accept-Language") != "en" || !strings.HasPrefix(h.Get("User-Agent"), "vezne-") {
		t.Errorf("%s: headers %v", want.Clause, h)
	}
	if signing == "hash" {
		if h.Get("X-Hash") != want.Hash || h.Get("X-Signature") != "" || h.Get("X-Nonce") != "" {
			t.Errorf("%s: headers %v", want.Clause, h)
		}
		return
	}
	over := sign.Request{
		Method: got.method, Target: got.target, APIKey: h.Get("X-Api-Key"), CredentialKey: h.Get("X-Credential-Key"), Key: h.Get("X-Key"),
		IdempotencyKey: h.Get("Idempotency-Key"), Timestamp: h.Get("X-Timestamp"), Nonce: h.Get("X-Nonce"), Body: got.body,
	}
	if h.Get("X-Signature") != over.Signature(secretOf(want.API)) || !sign.IsNonce(over.Nonce) || h.Get("X-Hash") != "" {
		t.Errorf("%s: the signature does not match: headers %v", want.Clause, h)
	}
}

func parse(t *testing.T, query string) url.Values {
	t.Helper()
	values, err := url.ParseQuery(query)
	if err != nil {
		t.Error(err)
	}
	return values
}

func document(t *testing.T, body []byte) (v any) {
	t.Helper()
	if len(body) == 0 {
		return nil
	}
	if err := json.Unmarshal(body, &v); err != nil {
		t.Error(err)
	}
	return v
}

// deposit is a call whose outcome the tests below look at.
func (s *server) deposit(fields sdk.Fields, key string) sdk.Call {
	return sdk.Call{Client: s.client("provider", "v2"), Name: "start-manual-deposit", Fields: fields, IdempotencyKey: key}
}

// reads says what becomes of an answer; a call that has no key gets one, and a new nonce each time.
func reads(t *testing.T, d *sdk.Driver) {
	t.Helper()
	list := readVectors[answerVector](t, "answers")
	s := newServer(t)
	seen := map[string]bool{}
	for _, v := range list {
		s.answer = func(w http.ResponseWriter) {
			for name, value := range v.Headers {
				w.Header().Set(name, value)
			}
			w.WriteHeader(v.Status)
			if v.Body != "" {
				_, _ = io.WriteString(w, v.Body)
			}
		}
		a, err := d.Call(s.deposit(sdk.Fields{"amount": "250.00"}, ""))
		if err != nil {
			t.Fatalf("%s: %v", v.Name, err)
		}
		got := answerExpect{
			IsError: a.IsError, Fields: a.Fields, RequestID: a.RequestID, IsReplayed: a.IsReplayed, Error: a.Error, Code: a.Code, Errors: a.Errors,
			RetryAfter: a.RetryAfter, MayRepeat: a.MayRepeat, Message: a.Message,
		}
		if len(got.Fields) == 0 {
			got.Fields = nil
		}
		if len(got.Errors) == 0 {
			got.Errors = nil
		}
		if diff := cmp.Diff(v.Expect, got); diff != "" || a.Status != v.Status || string(a.Raw) != v.Body {
			t.Errorf("%s: %d %s (-want +got):\n%s", v.Name, a.Status, a.Raw, diff)
		}
		key, nonce := s.got.header.Get("Idempotency-Key"), s.got.header.Get("X-Nonce")
		if key == "" || a.IdempotencyKey != key || seen[key] || seen[nonce] || !sign.IsNonce(nonce) {
			t.Errorf("%s: the key %q, sent as %q, and the nonce %q", v.Name, a.IdempotencyKey, key, nonce)
		}
		seen[key], seen[nonce] = true, true
	}
}

// isUnknown: the outcome is unknown, and the key is what the call is repeated with.
func isUnknown(t *testing.T, d *sdk.Driver) {
	t.Helper()
	s := newServer(t)
	for name, answer := range map[string]string{
		"hung up": "", "half an answer": "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"success\":true", "no HTTP": "220 ready\r\n",
	} {
		s.answer = func(w http.ResponseWriter) {
			connection, _, err := w.(http.Hijacker).Hijack()
			if err != nil {
				t.Error(err)
				return
			}
			_, _ = io.WriteString(connection, answer)
			_ = connection.Close()
		}
		for _, key := range []string{"", onceID} {
			a, err := d.Call(s.deposit(sdk.Fields{"amount": "250.00"}, key))
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			sentKey := s.got.header.Get("Idempotency-Key")
			isRight := a.IsError && a.Status == 0 && a.MayRepeat && a.IdempotencyKey != "" && a.IdempotencyKey == sentKey
			if !isRight || key != "" && sentKey != key || strings.Contains(a.Message, secretKey) {
				t.Errorf("%s: %+v, the key %q", name, a, sentKey)
			}
		}
	}
	closed := s.deposit(sdk.Fields{"amount": "250.00"}, onceID)
	s.Close()
	if a, err := d.Call(closed); err != nil || !a.IsError || a.Status != 0 || a.IdempotencyKey != onceID {
		t.Errorf("nobody listens: %+v %v", a, err)
	}
}

// refuses: an amount that is a float is refused before anything is sent, wherever it stands.
func refuses(t *testing.T, d *sdk.Driver) {
	t.Helper()
	s := newServer(t)
	s.answer = func(w http.ResponseWriter) { t.Error("something was sent") }
	for _, fields := range []sdk.Fields{
		{"amount": json.Number("250.5")}, {"amount": json.Number("0.1")}, {"more": map[string]any{"of": []any{1, json.Number("2.5")}}},
	} {
		if a, err := d.Call(s.deposit(fields, "")); err != nil || a.Refused == "" {
			t.Errorf("%v: %+v %v", fields, a, err)
		}
	}
	s.answer = func(w http.ResponseWriter) { _, _ = io.WriteString(w, `{"success":true}`) }
	if a, err := d.Call(s.deposit(sdk.Fields{"amount": 250}, "")); err != nil || a.IsError || a.Refused != "" || string(s.got.body) != `{"amount":250}` {
		t.Errorf("a whole number: %+v %v, sent %s", a, err, s.got.body)
	}
}

// misses: a setting is empty, as an environment variable is that nobody has set. A site token takes the API key's place.
func misses(t *testing.T, d *sdk.Driver) {
	t.Helper()
	s := newServer(t)
	s.answer = func(w http.ResponseWriter) { t.Error("something was sent") }
	for want, spoil := range map[string]func(*sdk.Client){
		"base_?url":    func(c *sdk.Client) { c.BaseURL = "" },
		"secret_?key":  func(c *sdk.Client) { c.SecretKey = "" },
		"x-api-key":    func(c *sdk.Client) { c.APIKey = "" },
		"x-site-token": func(c *sdk.Client) { c.Kind, c.APIKey, c.SiteToken = "dealer", "", "" },
	} {
		call := sdk.Call{Client: s.client("provider", "v2"), Name: "welcome", Now: at.Unix()}
		if spoil(&call.Client); call.Client.Kind == "dealer" {
			call.Name = "settings"
		}
		a, err := d.Call(call)
		if isNamed := regexp.MustCompile("(?i)" + want + " is missing").MatchString(a.Refused); err != nil || !isNamed {
			t.Errorf("%s: %+v %v", want, a, err)
		}
	}
}

// sendsTokens: a website of a dealer's has a token in place of the API key.
func sendsTokens(t *testing.T, d *sdk.Driver) {
	t.Helper()
	s := newServer(t)
	s.answer = func(w http.ResponseWriter) { _, _ = io.WriteString(w, `{"success":true}`) }
	for _, signing := range []string{"v2", "hash"} {
		c := s.client("dealer", signing)
		c.APIKey, c.SiteToken = "", "vzt_example"
		a, err := d.Call(sdk.Call{Client: c, Name: "settings", Now: at.Unix()})
		if err != nil || a.IsError {
			t.Fatalf("%+v %v", a, err)
		}
		h, stamp := s.got.header, strconv.FormatInt(at.Unix(), 10)
		over := sign.Request{Method: "GET", Target: "/api/dealer/settings", SiteToken: "vzt_example", Timestamp: stamp, Nonce: h.Get("X-Nonce")}
		isRight := signing == "v2" && h.Get("X-Signature") == over.Signature(dealerSecret) ||
			signing == "hash" && h.Get("X-Hash") == sign.Hash("vzt_example", dealerSecret, stamp)
		if !isRight || h.Get("X-Site-Token") != "vzt_example" || h.Get("X-Api-Key") != "" {
			t.Errorf("%s: %v", signing, h)
		}
	}
}

// TestGoLibraryIsVetted runs what the go command knows of a module of its own.
func TestGoLibraryIsVetted(t *testing.T) {
	t.Parallel()
	cmd := exec.CommandContext(t.Context(), "go", "vet", "./...")
	cmd.Dir, cmd.Env = "go", append(os.Environ(), "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}
