package provider_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/go-chi/chi/v5"

	"github.com/vezne/vezne/adapters/rest/provider"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/e2e/apptest"
	"github.com/vezne/vezne/e2e/resttest"
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
	case path == "/welcome" || path == card || path == cardStatus || path == transactionStatus || path == testClock || strings.HasPrefix(path, "/callbacks") || strings.HasSuffix(path, "/gateways"):
		return ""
	default:
		return "X-Credential-Key"
	}
}

type (
	request = resttest.Request
	answer  = resttest.Answer
)

// server is the API over a World.
type server struct{ *resttest.Server }

func newServer(t *testing.T) *server {
	t.Helper()
	w := apptest.New(t)
	return &server{resttest.New(t, w, provider.Path, newAPI(w), func() (all []core.Secret) {
		for _, p := range []owner.Provider{w.Provider, w.OtherProvider} {
			all = append(all, p.SecretKey, p.PreviousSecret.Key, p.VerificationKey, p.WebhookSecret, core.NewSecret(p.APIKey))
		}
		return append(all, core.NewSecret(w.CredentialKey), core.NewSecret(w.OtherSiteKey))
	})}
}

func newAPI(w *apptest.World) chi.Router {
	return provider.New(provider.Config{
		Gate: w.Gate, Directory: w.Directory, Deposits: w.Deposits, Withdrawals: w.Withdrawals, Cards: w.Cards, Operations: w.Operations,
		BaseURL: "https://pay.vezne.test", Zone: w.Zone, Now: w.Clock.Now, IsSandbox: true, Tests: w.TestPlans,
	})
}

// call is a correctly signed call of the World's provider.
func (s *server) call(path, body string) request {
	key, method := s.CredentialKey, http.MethodPost
	if path == "/sites" {
		key = s.Provider.VerificationKey.Reveal()
	}
	if strings.HasSuffix(path, "/gateways") || strings.HasPrefix(path, "/callbacks") {
		method = http.MethodGet
	}
	body = strings.ReplaceAll(body, "{{key}}", s.CredentialKey)
	return request{Method: method, Path: path, KeyHeader: keyHeaderOf(path), Body: body, Peer: "192.0.2.10:4711"}.
		With("Content-Type", "application/json").
		SignedWith(s.Provider.APIKey, s.Provider.SecretKey.Reveal(), key, s.Clock.Now().Unix())
}

// changeProvider saves a change of the World's provider.
func (s *server) changeProvider(t *testing.T, change func(*owner.Provider)) {
	t.Helper()
	change(&s.Provider)
	s.Provider.Version++
	s.Commit(t, core.Changeset{s.Provider})
}

// changeSite saves a change of the World's site.
func (s *server) changeSite(t *testing.T, change func(*owner.Site)) {
	t.Helper()
	change(&s.Site)
	s.Site.Version++
	s.Commit(t, core.Changeset{s.Site})
}
