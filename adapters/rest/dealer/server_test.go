package dealer_test

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
	"github.com/vezne/vezne/adapters/rest/dealer"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/app/apptest"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/sign"
)

const (
	depositBody  = `{"username":"ayse.yilmaz","userid":"u-1001","fullname":"Ayşe Yılmaz","amount":250.00}`
	withdrawBody = `{"username":"ayse.yilmaz","userid":"u-1001","amount":250.00,"recipient_name":"Ayşe Yılmaz",` +
		`"recipient_iban":"TR33 0006 1005 1978 6457 8413 26"}`
	// sendBody has {{wallet}} in place of the wallet_id of the World's dealer, which call puts in.
	sendBody = `{"wallet_id":"{{wallet}}","recipient_iban":"TR33 0006 1005 1978 6457 8413 26","recipient_name":"Ayşe Yılmaz",` +
		`"amount":250.00,"description":"Fatura 42"}`
	cardBody = `{"username":"ayse.yilmaz","firstname":"Ayşe","lastname":"Yılmaz","email":"ayse@example.com",` +
		`"phone":"+90 555 111 22 33","amount":250.00,"description":"Sipariş 42"}`
)

// Paths of D1 to D8. Those of D5 and D7 have their query, with {{wallet}} as above and {{transfer}} in place of the
// transfer that server.transfer made.
const (
	settings     = "/settings"
	deposit      = "/manual-iban/deposit"
	withdraw     = "/manual-iban/withdraw"
	eibans       = "/eibans"
	transactions = "/transactions?wallet_id={{wallet}}&start_date=2026-03-01&end_date=2026-03-02"
	send         = "/send-money"
	status       = "/transfer-status?transfer_id={{transfer}}"
	card         = "/credit-card/payment"
)

// creating are the bodies of the endpoints that create a payment, by path.
var creating = map[string]string{deposit: depositBody, withdraw: withdrawBody, send: sendBody, card: cardBody}

// asking are the endpoints that take no body.
var asking = []string{settings, eibans, transactions, status}

// forSites are the endpoints that a site token may call.
var forSites = []string{settings, deposit, withdraw, card}

// every endpoint.
func every() []string {
	paths := append([]string{}, asking...)
	for path := range creating {
		paths = append(paths, path)
	}
	return paths
}

// server is the API over a World. Whatever is sent through it, no secret may come back or be logged, and every answer
// must be as the OpenAPI description says.
type server struct {
	*apptest.World
	SiteToken core.SiteToken // of the World's dealer
	Sent      core.Payment   // the transfer that transfer made
	handler   http.Handler
	document  *apidoctest.Document
}

func newServer(t *testing.T) *server {
	t.Helper()
	w := apptest.New(t)
	token, err := w.Directory.CreateSiteToken(t.Context(), core.System, core.SiteToken{DealerID: w.Dealer.ID, Name: "marmara.example"})
	if err != nil {
		t.Fatal(err)
	}
	w.Desk.Random = newStream()
	edge := &rest.Edge{
		Log: slog.New(slog.NewTextHandler(w.Logs, nil)), Now: w.Clock.Now, Random: newStream(),
		TrustedProxies: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")},
	}
	root := rest.Routes()
	root.Use(edge.Handler)
	root.Mount(dealer.Path, newAPI(w))
	s := &server{World: w, SiteToken: token, handler: root, document: apidoctest.Load(t)}
	t.Cleanup(func() { s.checkSecrets(t, "the log", w.Logs.String()) })
	return s
}

func newAPI(w *apptest.World) chi.Router {
	return dealer.New(dealer.Config{
		Gate: w.Gate, Dealers: w.Dealers, Wallets: w.Wallets, BaseURL: "https://pay.vezne.test", Zone: w.Zone,
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
	method, path string // path below dealer.Path, with its query
	header       http.Header
	body         string
	reader       io.Reader // in place of body
	peer         string
	ctx          context.Context
}

// call is a correctly signed call of the World's dealer.
func (s *server) call(path, body string) request {
	method := http.MethodPost
	if creating[path] == "" && body == "" {
		method = http.MethodGet
	}
	names := strings.NewReplacer("{{wallet}}", s.Wallet.WalletID, "{{transfer}}", s.Sent.TrackingCode)
	return request{method: method, path: names.Replace(path), body: names.Replace(body), peer: "192.0.2.10:4711"}.
		with("Content-Type", "application/json").
		with("Accept-Language", "en").
		signed(s.Dealer.APIKey, s.Dealer.SecretKey.Reveal(), s.Clock.Now().Unix())
}

// siteCall is a correctly signed call of the dealer's website.
func (s *server) siteCall(path, body string) request {
	return s.call(path, body).bySite(s.SiteToken.Token, s.SiteToken.SecretKey.Reveal(), s.Clock.Now().Unix())
}

func (r request) signed(apiKey, secret string, unix int64) request {
	stamp := strconv.FormatInt(unix, 10)
	return r.with("X-Api-Key", apiKey).with("X-Timestamp", stamp).with("X-Hash", sign.Hash(apiKey, secret, stamp))
}

// bySite signs with a site token in place of an API key.
func (r request) bySite(token, secret string, unix int64) request {
	return r.signed(token, secret, unix).with("X-Api-Key", "").with("X-Site-Token", token)
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
	body := r.reader
	if body == nil {
		body = strings.NewReader(r.body)
	}
	ctx := r.ctx
	if ctx == nil {
		ctx = t.Context()
	}
	req := httptest.NewRequestWithContext(ctx, r.method, dealer.Path+r.path, body)
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
	secrets := []core.Secret{
		s.Dealer.SecretKey, s.OtherDealer.SecretKey, s.SiteToken.SecretKey, s.Provider.SecretKey,
		core.NewSecret(s.Dealer.APIKey), core.NewSecret(s.OtherDealer.APIKey), core.NewSecret(s.SiteToken.Token), core.NewSecret("key-of-"),
	}
	for i, secret := range secrets {
		if strings.Contains(text, secret.Reveal()) {
			t.Errorf("%s contains key %d", where, i)
		}
	}
}

// changeDealer saves a change of the World's dealer.
func (s *server) changeDealer(t *testing.T, change func(*core.Dealer)) {
	t.Helper()
	change(&s.Dealer)
	s.Dealer.Version++
	s.commit(t, core.Changeset{Dealers: []core.Dealer{s.Dealer}})
}

// changeToken saves a change of the dealer's site token.
func (s *server) changeToken(t *testing.T, change func(*core.SiteToken)) {
	t.Helper()
	change(&s.SiteToken)
	s.SiteToken.Version++
	s.commit(t, core.Changeset{SiteTokens: []core.SiteToken{s.SiteToken}})
}

// changeWallet saves a change of the dealer's wallet.
func (s *server) changeWallet(t *testing.T, change func(*core.Wallet)) {
	t.Helper()
	change(&s.Wallet)
	s.Wallet.Version++
	s.commit(t, core.Changeset{Wallets: []core.Wallet{s.Wallet}})
}

// changeBank saves a change of the wallets' gateway account.
func (s *server) changeBank(t *testing.T, change func(*core.GatewayAccount)) {
	t.Helper()
	change(&s.BankGateway)
	s.BankGateway.Version++
	s.commit(t, core.Changeset{GatewayAccounts: []core.GatewayAccount{s.BankGateway}})
}

func (s *server) commit(t *testing.T, change core.Changeset) {
	t.Helper()
	if err := s.Store.Commit(t.Context(), change); err != nil {
		t.Fatal(err)
	}
}

// transfer sends 250.00 from the dealer's wallet, as D6 does, for status to ask about.
func (s *server) transfer(t *testing.T) {
	t.Helper()
	s.Sent = s.StartTransfer(t, lira(250))
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

// want checks status and the text of "error".
func (a answer) want(t *testing.T, status int, text string) {
	t.Helper()
	if a.status != status || (text != "" && !strings.Contains(a.body, `"error":"`+text+`"`)) {
		t.Errorf("want %d %q, got %d %s", status, text, a.status, a.body)
	}
}

// wantCode checks status and error_code.
func (a answer) wantCode(t *testing.T, status int, code string) {
	t.Helper()
	if a.status != status || !strings.HasPrefix(a.body, `{"success":false,"error_code":"`+code+`","error":"`) {
		t.Errorf("want %d %s, got %d %s", status, code, a.status, a.body)
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

// lira is an amount of whole lira.
func lira(n int64) money.Amount { return money.New(n*100, money.TRY) }
