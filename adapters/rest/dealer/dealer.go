// Package dealer is the Dealer Integration API: D1 to D8 of the contract, below /api/dealer.
package dealer

import (
	"net/http"
	"time"

	"github.com/go-chi/chi/v5"

	"github.com/vezne/vezne/adapters/rest"
	"github.com/vezne/vezne/app/access"
	"github.com/vezne/vezne/app/operation"
	"github.com/vezne/vezne/app/payment"
	"github.com/vezne/vezne/app/testplan"
	"github.com/vezne/vezne/app/wallet"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/lang"
)

// Path is where the API is mounted.
const Path = "/api/dealer"

// Config is what the endpoints work with. All of it but Tests is required.
type Config struct {
	Gate    *access.Authenticator
	Dealers *payment.DealerPayments
	Wallets *wallet.Wallets
	// Operations knows which amounts gateways take.
	Operations *operation.Service
	BaseURL    string            // of payment_url, without a slash at its end
	Zone       *time.Location    // of every time in an answer, and of the days asked for
	IsSandbox  bool              // it tells of callbacks to who listens
	Tests      *testplan.Service // nil: money moves here, so that test payments are refused
}

// api is the endpoints.
type api struct{ Config }

// New is the API as a router to be mounted at Path. It must be served behind a rest.Edge.
func New(c Config) *chi.Mux {
	a := &api{c}
	router := rest.Routes()
	router.Get("/settings", a.by(forSites, reads, a.settings))
	for _, e := range creations(a) {
		router.Post(e.path, a.by(forSites, creates, a.create(e)))
	}
	router.Get("/eibans", a.by(forDealers, reads, a.eibans))
	router.Get("/transactions", a.by(forDealers, reads, a.transactions))
	router.Post("/send-money", a.by(forDealers, creates, a.sendMoney))
	router.Get("/transfer-status", a.by(forDealers, reads, a.transferStatus))
	router.Get("/transaction-status", a.by(forDealers, reads, a.transactionStatus))
	if c.IsSandbox {
		router.Get("/callbacks", a.by(forDealers, reads, a.callbacks))
	}
	if c.Tests != nil {
		router.Post("/test-clock", a.by(forDealers, reads, a.testClock))
	}
	return router
}

// audience is who may call an endpoint.
type audience bool

const (
	forSites   audience = true  // D1, D2, D3, D8: site tokens too
	forDealers audience = false // D4 to D7: the dealer's own key alone
)

// effect is what an endpoint does.
type effect bool

const (
	reads   effect = false
	creates effect = true // a payment
)

// call is an authenticated request.
type call struct {
	access.DealerCaller
	w        http.ResponseWriter
	r        *http.Request
	language lang.Tag
}

// by authenticates the request before anything else of it is looked at, and answers when that or serve fails.
func (a *api) by(allowed audience, does effect, serve func(call) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		x := rest.Of(r)
		caller, allowance, err := a.Gate.AuthenticateDealer(r.Context(), access.DealerCall{
			APIKey: r.Header.Get("X-Api-Key"), SiteToken: r.Header.Get("X-Site-Token"), Hash: r.Header.Get("X-Hash"),
			Timestamp: r.Header.Get("X-Timestamp"), TakesSiteTokens: bool(allowed), Addr: x.Addr,
			Signature: rest.SignatureOf(r), Creates: bool(does),
		})
		rest.SetRateLimit(w.Header(), allowance)
		c := call{caller, w, r, rest.LanguageOf(r, "")}
		if err == nil {
			x.Caller = caller.Name()
			err = c.checkKey(does)
		}
		if err == nil {
			err = serve(c)
		}
		if err != nil {
			rest.FailDealer(w, r, c.language, err)
		}
	}
}

// checkKey refuses a creating call without an Idempotency-Key where the dealer has demanded one. Fault: KeyMissing.
func (c call) checkKey(does effect) error {
	if does == creates && c.Dealer.IsIdempotencyRequired && c.r.Header.Get(rest.IdempotencyHeader) == "" {
		return fault.New("dealer.checkKey", fault.KeyMissing)
	}
	return nil
}

// settings is D1.
func (a *api) settings(c call) error {
	d := c.Dealer
	rest.WriteJSON(c.w, http.StatusOK, rest.NewObject().
		Bool("success", true).
		Text("message", lang.Say(c.language, "welcome.message", d.Name)).
		Text("dealer_name", d.Name).
		Object("payment_methods", func(o *rest.Object) {
			o.Text("credit_card", switchOf(d.IsCreditCardEnabled)).Text("eiban", switchOf(d.IsEIBANEnabled))
			o.Text("manual_iban", switchOf(d.IsManualIBANEnabled))
		}).
		End())
	return nil
}

func switchOf(isOn bool) string {
	if isOn {
		return "active"
	}
	return "inactive"
}
