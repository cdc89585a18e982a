package dealer_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/go-chi/chi/v5"

	"github.com/vezne/vezne/adapters/rest/dealer"
	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/wallet"
	"github.com/vezne/vezne/e2e/apptest"
	"github.com/vezne/vezne/e2e/resttest"
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

type (
	request = resttest.Request
	answer  = resttest.Answer
)

// server is the API over a World.
type server struct {
	*resttest.Server
	SiteToken owner.SiteToken // of the World's dealer
	Sent      payment.Payment // the transfer that transfer made
}

func newServer(t *testing.T) *server {
	t.Helper()
	w := apptest.New(t)
	token, err := w.Directory.CreateSiteToken(t.Context(), app.BySystem, owner.SiteToken{DealerID: w.Dealer.ID, Name: "marmara.example"})
	if err != nil {
		t.Fatal(err)
	}
	s := &server{SiteToken: token}
	s.Server = resttest.New(t, w, dealer.Path, newAPI(w), func() []core.Secret {
		return []core.Secret{
			w.Dealer.SecretKey, w.OtherDealer.SecretKey, s.SiteToken.SecretKey, w.Provider.SecretKey,
			core.NewSecret(w.Dealer.APIKey), core.NewSecret(w.OtherDealer.APIKey), core.NewSecret(s.SiteToken.Token),
		}
	})
	return s
}

func newAPI(w *apptest.World) chi.Router {
	return dealer.New(dealer.Config{
		Gate: w.Gate, Dealers: w.Dealers, Wallets: w.Wallets, Operations: w.Operations, BaseURL: "https://pay.vezne.test", Zone: w.Zone,
		IsSandbox: true, Tests: w.TestPlans,
	})
}

// call is a correctly signed call of the World's dealer.
func (s *server) call(path, body string) request {
	method := http.MethodPost
	if creating[path] == "" && body == "" {
		method = http.MethodGet
	}
	names := strings.NewReplacer("{{wallet}}", s.Wallet.WalletID, "{{transfer}}", s.Sent.TrackingCode)
	return request{Method: method, Path: names.Replace(path), Body: names.Replace(body), Peer: "192.0.2.10:4711"}.
		With("Content-Type", "application/json").
		With("Accept-Language", "en").
		Signed(s.Dealer.APIKey, s.Dealer.SecretKey.Reveal(), s.Clock.Now().Unix())
}

// siteCall is a correctly signed call of the dealer's website.
func (s *server) siteCall(path, body string) request {
	return s.call(path, body).BySite(s.SiteToken.Token, s.SiteToken.SecretKey.Reveal(), s.Clock.Now().Unix())
}

// changeDealer saves a change of the World's dealer.
func (s *server) changeDealer(t *testing.T, change func(*owner.Dealer)) {
	t.Helper()
	change(&s.Dealer)
	s.Dealer.Version++
	s.Commit(t, core.Changeset{s.Dealer})
}

// changeToken saves a change of the dealer's site token.
func (s *server) changeToken(t *testing.T, change func(*owner.SiteToken)) {
	t.Helper()
	change(&s.SiteToken)
	s.SiteToken.Version++
	s.Commit(t, core.Changeset{s.SiteToken})
}

// changeWallet saves a change of the dealer's wallet.
func (s *server) changeWallet(t *testing.T, change func(*wallet.Wallet)) {
	t.Helper()
	change(&s.Wallet)
	s.Wallet.Version++
	s.Commit(t, core.Changeset{s.Wallet})
}

// changeBank saves a change of the wallets' gateway account.
func (s *server) changeBank(t *testing.T, change func(*owner.GatewayAccount)) {
	t.Helper()
	change(&s.BankGateway)
	s.BankGateway.Version++
	s.Commit(t, core.Changeset{s.BankGateway})
}

// transfer sends 250.00 from the dealer's wallet, as D6 does, for status to ask about.
func (s *server) transfer(t *testing.T) {
	t.Helper()
	s.Sent = s.StartTransfer(t, lira(250))
}

// lira is an amount of whole lira.
func lira(n int64) money.Amount { return money.New(n*100, money.TRY) }
