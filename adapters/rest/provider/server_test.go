package provider_test

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/go-chi/chi/v5"

	"github.com/vezne/vezne/adapters/rest"
	"github.com/vezne/vezne/adapters/rest/apidoc/apidoctest"
	"github.com/vezne/vezne/adapters/rest/provider"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/app/apptest"
	"github.com/vezne/vezne/core/sign"
)

const (
	depositBody    = `{"fullname":"Ayşe Yılmaz","username":"ayse.yilmaz","user_id":"u-1001","amount":250.00}`
	withdrawalBody = `{"fullname":"Ayşe Yılmaz","username":"ayse.yilmaz","user_id":"u-1001","iban":"TR33 0006 1005 1978 6457 8413 26","amount":250.00}`
	// cardBody has {{key}} in place of the World's credential key, which call puts in.
	cardBody = `{"credential_key":"{{key}}","username":"ayse.yilmaz","user_id":"u-1001","firstname":"Ayşe","lastname":"Yılmaz",` +
		`"email":"ayse@example.com","phone":"+90 555 111 22 33","amount":250.00,"description":"Sipariş 42"}`
	// The World's gateways have the ids 1 and 2.
	bankBody   = `{"user_id":"u-1001","username":"ayse.yilmaz","fullname":"Ayşe Yılmaz","amount":250.00,"gateway_id":1,"iban":"TR33 0006 1005 1978 6457 8413 26"}`
	cryptoBody = `{"user_id":"u-1001","username":"ayse.yilmaz","fullname":"Ayşe Yılmaz","amount":250.00,"gateway_id":1,` +
		`"crypto_type":"USDT (TRC20)","wallet_address":"TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC"}`
	walletBody = `{"user_id":"u-1001","username":"ayse.yilmaz","fullname":"Ayşe Yılmaz","amount":250.00,"gateway_id":1,"wallet_number":"1234567890"}`
)

const (
	card       = "/credit-card/payment"
	cardStatus = "/credit-card/status"
	bank       = "/third-party/bank/start-withdrawal"
	crypto     = "/third-party/crypto/start-withdrawal"
	wallet     = "/third-party/wallet/start-withdrawal"
)

// creating are the bodies of the endpoints that create a payment, by path.
var creating = map[string]string{
	"/start-manual-deposit":             depositBody,
	"/start-manual-withdraw":            withdrawalBody,
	"/start-eiban-deposit":              depositBody,
	"/start-eiban-withdraw":             withdrawalBody,
	card:                                cardBody,
	"/third-party/bank/start-deposit":   depositBody,
	bank:                                bankBody,
	"/third-party/crypto/start-deposit": depositBody,
	crypto:                              cryptoBody,
	"/third-party/wallet/start-deposit": depositBody,
	wallet:                              walletBody,
}

// asking are the endpoints that take no body.
var asking = []string{
	"/welcome", "/sites", "/third-party/bank/gateways", "/third-party/crypto/gateways", "/third-party/wallet/gateways",
}

// keyHeaderOf is the header that takes part in an endpoint's hash, if any.
func keyHeaderOf(path string) string {
	switch {
	case path == "/sites":
		return "X-Key"
	case path == "/welcome" || path == card || path == cardStatus || strings.HasSuffix(path, "/gateways"):
		return ""
	default:
		return "X-Credential-Key"
	}
}

// server is the API over a World. Whatever is sent through it, no secret may come back or be logged, and every answer
// must be as the OpenAPI description says.
type server struct {
	*apptest.World
	handler  http.Handler
	document *apidoctest.Document
}

func newServer(t *testing.T) *server {
	t.Helper()
	w := apptest.New(t)
	w.Desk.Random = newStream()
	edge := &rest.Edge{
		Log: slog.New(slog.NewTextHandler(w.Logs, nil)), Now: w.Clock.Now, Random: newStream(),
		TrustedProxies: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")},
	}
	s := &server{World: w, handler: mount(w, edge), document: apidoctest.Load(t)}
	t.Cleanup(func() { s.checkSecrets(t, "the log", w.Logs.String()) })
	return s
}

func mount(w *apptest.World, edge *rest.Edge) http.Handler {
	root := rest.Routes()
	root.Use(edge.Handler)
	root.Mount(provider.Path, newAPI(w))
	return root
}

func newAPI(w *apptest.World) chi.Router {
	return provider.New(provider.Config{
		Gate: w.Gate, Directory: w.Directory, Deposits: w.Deposits, Withdrawals: w.Withdrawals, Cards: w.Cards, Operations: w.Operations,
		BaseURL: "https://pay.vezne.test", Zone: w.Zone, Now: w.Clock.Now,
	})
}

// stream is randomness that is the same in every run.
type stream struct {
	mu     sync.Mutex
	source *rand.ChaCha8
}

func newStream() io.Reader { return &stream{source: rand.NewChaCha8([32]byte{1, 2, 3})} }

func (s *stream) Read(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.source.Read(p)
}

// request is a call to be signed and sent.
type request struct {
	method, path string // path below provider.Path
	header       http.Header
	body         string
	reader       io.Reader // in place of body
	peer         string
	ctx          context.Context
}

// call is a correctly signed call of the World's provider.
func (s *server) call(path, body string) request {
	key, method := s.CredentialKey, http.MethodPost
	if path == "/sites" {
		key = s.Provider.VerificationKey.Reveal()
	}
	if strings.HasSuffix(path, "/gateways") {
		method = http.MethodGet
	}
	body = strings.ReplaceAll(body, "{{key}}", s.CredentialKey)
	return request{method: method, path: path, body: body, peer: "192.0.2.10:4711"}.
		with("Content-Type", "application/json").
		signed(s.Provider.APIKey, s.Provider.SecretKey.Reveal(), key, s.Clock.Now().Unix())
}

// signed signs for a caller; key is the value of X-Key or X-Credential-Key, where the path has one.
func (r request) signed(apiKey, secret, key string, unix int64) request {
	header := keyHeaderOf(r.path)
	if header == "" {
		key = ""
	} else {
		r = r.with(header, key)
	}
	stamp := strconv.FormatInt(unix, 10)
	return r.with("X-Api-Key", apiKey).with("X-Timestamp", stamp).with("X-Hash", sign.Hash(apiKey, secret, key, stamp))
}

// with sets a header of a copy; an empty value takes it away.
func (r request) with(name, value string) request {
	r.header = r.header.Clone()
	if r.header == nil {
		r.header = http.Header{}
	}
	r.header.Set(name, value)
	if value == "" {
		r.header.Del(name)
	}
	return r
}

// answer is what came back.
type answer struct {
	status int
	header http.Header
	body   string
}

func (s *server) send(t *testing.T, r request) answer {
	t.Helper()
	path := provider.Path + r.path
	if strings.HasPrefix(r.path, "//") {
		path = r.path[1:] // at the root
	}
	body := r.reader
	if body == nil {
		body = strings.NewReader(r.body)
	}
	ctx := r.ctx
	if ctx == nil {
		ctx = t.Context()
	}
	req := httptest.NewRequestWithContext(ctx, r.method, path, body)
	req.RemoteAddr = r.peer
	for name, values := range r.header {
		req.Header[name] = values
	}
	recorder := httptest.NewRecorder()
	s.handler.ServeHTTP(recorder, req)
	got := answer{status: recorder.Code, header: recorder.Header(), body: recorder.Body.String()}
	s.document.Check(t, req.WithContext(t.Context()), []byte(r.body), recorder.Result(), recorder.Body.Bytes())
	s.checkSecrets(t, "the answer", got.body)
	if id := got.header.Get("X-Request-Id"); id == "" {
		t.Error("no X-Request-Id")
	}
	return got
}

func (s *server) checkSecrets(t *testing.T, where, text string) {
	t.Helper()
	for _, p := range []core.Provider{s.Provider, s.OtherProvider} {
		for _, secret := range []core.Secret{p.SecretKey, p.PreviousSecret.Key, p.VerificationKey, p.WebhookSecret, core.NewSecret(p.APIKey)} {
			if !secret.IsZero() && strings.Contains(text, secret.Reveal()) {
				t.Errorf("%s contains a key of %s", where, p.Name)
			}
		}
	}
	for _, key := range []string{s.CredentialKey, s.OtherSiteKey, "key-of-"} {
		if strings.Contains(text, key) {
			t.Errorf("%s contains a credential key or one of a gateway", where)
		}
	}
}

// changeProvider saves a change of the World's provider.
func (s *server) changeProvider(t *testing.T, change func(*core.Provider)) {
	t.Helper()
	change(&s.Provider)
	s.Provider.Version++
	s.commit(t, core.Changeset{Providers: []core.Provider{s.Provider}})
}

// changeSite saves a change of the World's site.
func (s *server) changeSite(t *testing.T, change func(*core.Site)) {
	t.Helper()
	change(&s.Site)
	s.Site.Version++
	s.commit(t, core.Changeset{Sites: []core.Site{s.Site}})
}

func (s *server) commit(t *testing.T, change core.Changeset) {
	t.Helper()
	if err := s.Store.Commit(t.Context(), change); err != nil {
		t.Fatal(err)
	}
}

// payments are all that were created.
func (s *server) payments(t *testing.T) []core.Payment {
	t.Helper()
	found, err := s.Store.ListPayments(t.Context(), core.PaymentQuery{Limit: 1000})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// want checks status and the text of "error", or that of "message" where there is nothing else (E7).
func (a answer) want(t *testing.T, status int, text string) {
	t.Helper()
	isOwn := a.body == `{"success":false,"message":"`+text+`"}`
	if a.status != status || (text != "" && !isOwn && !strings.Contains(a.body, `"error":"`+text+`"`)) {
		t.Errorf("want %d %q, got %d %s", status, text, a.status, a.body)
	}
}

// wantMessages checks a validation error's messages.
func (a answer) wantMessages(t *testing.T, messages ...string) {
	t.Helper()
	want := rest.NewObject().Bool("success", false).Text("error", "Validation failed").Texts("messages", messages).End()
	if a.status != http.StatusUnprocessableEntity || !bytes.Equal([]byte(a.body), want) {
		t.Errorf("want 422 %s\ngot  %d %s", want, a.status, a.body)
	}
}
