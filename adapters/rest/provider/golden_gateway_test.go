package provider_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/app/operation"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/sign"
	"github.com/vezne/vezne/e2e/apptest"
)

const turkish = "tr"

// inTurkish is a call whose answer is wanted in Turkish.
func inTurkish(path, body string) func(*testing.T, *server) request {
	return func(_ *testing.T, s *server) request { return s.call(path, body).With("Accept-Language", turkish) }
}

// changed is a call with one text of its body replaced.
func changed(path, old, sent string) func(*testing.T, *server) request {
	return plain(path, strings.Replace(creating[path], old, sent, 1))
}

// replayed is the second of two calls with one key, the first a minute ago.
func replayed(path string) func(*testing.T, *server) request {
	return func(t *testing.T, s *server) request {
		s.Send(t, s.call(path, creating[path]).With(idempotency, "order-4711"))
		s.Clock.Advance(time.Minute)
		return s.call(path, creating[path]).With(idempotency, "order-4711")
	}
}

// status asks for a card payment that something has happened to.
func status(happens func(*testing.T, *server, payment.Payment)) func(*testing.T, *server) request {
	return func(t *testing.T, s *server) request {
		p := s.StartDeposit(t, payment.CreditCard, money.New(25000, money.TRY))
		happens(t, s, p)
		return s.call(cardStatus, `{"tracking_code":"`+p.TrackingCode+`"}`)
	}
}

func nothing(*testing.T, *server, payment.Payment) {}

// pays has the customer pay three minutes later.
func pays(t *testing.T, s *server, p payment.Payment) {
	t.Helper()
	_, o, err := s.Operations.Begin(t.Context(), operation.Begin{Token: p.Token})
	if err != nil {
		t.Fatal(err)
	}
	s.Sandbox.PayInFull(o.Reference)
	s.Clock.Advance(3 * time.Minute)
	s.Work(t)
}

func givenBack(t *testing.T, s *server, p payment.Payment) {
	t.Helper()
	pays(t, s, p)
	if _, err := s.Operations.Refund(t.Context(), apptest.By(s.Admin, p, "asked for"), money.Amount{}, nil); err != nil {
		t.Fatal(err)
	}
	s.Clock.Advance(time.Hour)
	s.Work(t)
}

func timesOut(t *testing.T, s *server, _ payment.Payment) {
	t.Helper()
	s.Clock.Advance(15 * time.Minute)
	s.Work(t)
}

func calledOff(t *testing.T, s *server, p payment.Payment) {
	t.Helper()
	s.Clock.Advance(time.Minute)
	if _, err := s.Operations.Cancel(t.Context(), p.Token); err != nil {
		t.Fatal(err)
	}
}

// described returns the first gateway a description and limits of its own.
func described(path string) func(*testing.T, *server) request {
	return func(t *testing.T, s *server) request {
		text, low, high := `"Hızlı" gönderim`, money.New(10050, money.TRY), money.New(1_000_000, money.TRY)
		s.set(t, owner.GatewayPatch{Description: &text, Min: &low, Max: &high})
		return s.call(path, "")
	}
}

func blocked(path string) func(*testing.T, *server) request {
	return func(t *testing.T, s *server) request {
		s.block(t, "u-1001")
		return s.call(path, creating[path])
	}
}

func ofAnotherSite(path string) func(*testing.T, *server) request {
	return func(_ *testing.T, s *server) request {
		return s.call(path, creating[path]).
			SignedWith(s.Provider.APIKey, s.Provider.SecretKey.Reveal(), s.OtherSiteKey, s.Clock.Now().Unix())
	}
}

const third = "/third-party/"

var gatewayGoldens = []golden{
	{"e7-payment", plain(card, cardBody)},
	{"e7-payment-tr", inTurkish(card, cardBody)},
	{"e7-replayed", replayed(card)},
	{"e7-error-401-credential-key", func(_ *testing.T, s *server) request {
		return s.call(card, strings.Replace(cardBody, "{{key}}", s.OtherSiteKey, 1))
	}},
	{"e7-error-401-no-credential-key", plain(card, `{}`)},
	{"e7-error-401-invalid-hash", func(_ *testing.T, s *server) request {
		return s.call(card, cardBody).With("X-Hash", strings.Repeat("0", 64))
	}},
	{"e7-error-403-provider-switch", func(t *testing.T, s *server) request {
		s.changeProvider(t, func(p *owner.Provider) { p.IsCreditCardEnabled = false })
		return s.call(card, cardBody)
	}},
	{"e7-error-403-dealer-switch", func(t *testing.T, s *server) request {
		s.changeSite(t, func(x *owner.Site) { x.DealerID = s.OtherDealer.ID })
		return s.call(card, cardBody).With("Accept-Language", turkish)
	}},
	{"e7-error-403-blocked", blocked(card)},
	{"e7-error-403-site-inactive", func(t *testing.T, s *server) request {
		s.changeSite(t, func(x *owner.Site) { x.IsActive = false })
		return s.call(card, cardBody)
	}},
	{"e7-error-422", plain(card, `{"credential_key":"{{key}}"}`)},
	{"e7-error-422-tr", inTurkish(card,
		`{"credential_key":"{{key}}","username":"a","user_id":"7","firstname":"A","lastname":"B","email":"a@b","phone":"123","amount":0,"description":7}`)},

	{"e8-pending", status(nothing)},
	{"e8-success", status(pays)},
	{"e8-failed", status(timesOut)},
	{"e8-cancelled", status(calledOff)},
	{"e8-refunded", status(givenBack)},
	{"e8-hash-with-tracking-code", func(t *testing.T, s *server) request {
		p := s.StartDeposit(t, payment.CreditCard, money.New(25000, money.TRY))
		r := s.call(cardStatus, `{"tracking_code":"`+p.TrackingCode+`"}`)
		return r.With("X-Hash", sign.Hash(s.Provider.APIKey, s.Provider.SecretKey.Reveal(), p.TrackingCode, r.Header.Get("X-Timestamp")))
	}},
	{"e8-error-401-invalid-hash", func(_ *testing.T, s *server) request {
		return s.call(cardStatus, `{"tracking_code":"CC-0123456789ABCDEF"}`).With("X-Hash", strings.Repeat("0", 64))
	}},
	{"e8-error-404", plain(cardStatus, `{"tracking_code":"CC-0123456789ABCDEF"}`)},
	{"e8-error-404-tr", inTurkish(cardStatus, `{"tracking_code":"CC-0123456789ABCDEF"}`)},
	{"e8-error-422", plain(cardStatus, `{}`)},

	{"e9-deposit", plain(third+"bank/start-deposit", depositBody)},
	{"e9-deposit-tr", inTurkish(third+"bank/start-deposit", depositBody)},
	{"e9-replayed", replayed(third + "bank/start-deposit")},
	{"e9-error-401-credential-key", ofAnotherSite(third + "bank/start-deposit")},
	{"e9-error-403-blocked", blocked(third + "bank/start-deposit")},
	{"e9-error-422", plain(third+"bank/start-deposit", `{"amount":0.99}`)},
	{"e10-gateways", described(third + "bank/gateways")},
	{"e10-gateways-tr", inTurkish(third+"bank/gateways", "")},
	{"e10-no-gateways", func(t *testing.T, s *server) request {
		off, second := false, s.OtherGateway
		s.set(t, owner.GatewayPatch{IsEnabled: &off})
		second.Version, second.IsEnabled = second.Version+1, false
		s.Commit(t, core.Changeset{second})
		return s.call(third+"bank/gateways", "")
	}},
	{"e10-error-401-invalid-hash", func(_ *testing.T, s *server) request {
		return s.call(third+"bank/gateways", "").With("X-Hash", strings.Repeat("0", 64))
	}},
	{"e10-error-405", func(_ *testing.T, s *server) request {
		r := s.call(third+"bank/gateways", "")
		r.Method = http.MethodPost
		return r.With("Accept-Language", "en")
	}},
	{"e11-withdrawal", plain(bank, bankBody)},
	{"e11-withdrawal-tr", inTurkish(bank, bankBody)},
	{"e11-withdrawal-loose-iban", changed(bank, "TR33 0006 1005 1978 6457 8413 26", "TR340006100519786457841326")},
	{"e11-replayed", replayed(bank)},
	{"e11-error-401-credential-key", ofAnotherSite(bank)},
	{"e11-error-403-blocked", blocked(bank)},
	{"e11-error-422", plain(bank, `{}`)},
	{"e11-error-422-tr", inTurkish(bank, `{"user_id":"7","username":"a","fullname":"A","amount":9.99,"gateway_id":77,"iban":"TR1"}`)},
	{"e11-error-422-amount-low", changed(bank, "250.00", "9.99")},
	{"e11-error-422-amount-high", changed(bank, "250.00", "50000.01")},
	{"e11-error-422-gateway", changed(bank, `"gateway_id":1`, `"gateway_id":77`)},
	{"e11-error-422-strict-iban", func(t *testing.T, s *server) request {
		s.changeSite(t, func(x *owner.Site) { x.IsIBANStrict = true })
		return s.call(bank, strings.Replace(bankBody, "TR33", "TR34", 1))
	}},
	{"e11-error-409-key-reused", func(t *testing.T, s *server) request {
		s.Send(t, s.call(bank, bankBody).With(idempotency, "order-4711"))
		return s.call(bank, strings.Replace(bankBody, "250", "251", 1)).With(idempotency, "order-4711")
	}},

	{"e12-deposit", plain(third+"crypto/start-deposit", depositBody)},
	{"e12-error-401-credential-key", ofAnotherSite(third + "crypto/start-deposit")},
	{"e12-error-422", plain(third+"crypto/start-deposit", `{}`)},
	{"e13-gateways", described(third + "crypto/gateways")},
	{"e14-withdrawal", plain(crypto, cryptoBody)},
	{"e14-error-403-blocked", blocked(crypto)},
	{"e14-error-422", plain(crypto, `{}`)},
	{"e14-error-422-crypto-type", changed(crypto, "USDT (TRC20)", "BTC (BITCOIN)")},
	{"e14-error-422-address", changed(crypto, "TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC", "TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeD")},
	{"e14-error-422-tr", inTurkish(crypto,
		`{"user_id":"7","username":"a","fullname":"A","amount":60000,"gateway_id":1,"crypto_type":"USDT (TRC20)","wallet_address":"TJRyWw"}`)},

	{"e15-deposit", plain(third+"wallet/start-deposit", depositBody)},
	{"e15-error-403-blocked", blocked(third + "wallet/start-deposit")},
	{"e15-error-422", plain(third+"wallet/start-deposit", `{}`)},
	{"e16-gateways", described(third + "wallet/gateways")},
	{"e17-withdrawal", plain(wallet, walletBody)},
	{"e17-error-401-credential-key", ofAnotherSite(wallet)},
	{"e17-error-422", plain(wallet, `{}`)},
	{"e17-error-422-number", changed(wallet, "1234567890", "1234")},
}
