// Package provider is the Provider Integration API: E1 to E17 of the contract, below /api/provider.
package provider

import (
	"net/http"
	"time"

	"github.com/go-chi/chi/v5"

	"github.com/vezne/vezne/adapters/rest"
	"github.com/vezne/vezne/app/access"
	"github.com/vezne/vezne/app/operation"
	"github.com/vezne/vezne/app/owner"
	"github.com/vezne/vezne/app/payment"
	"github.com/vezne/vezne/app/testplan"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/lang"
	corepayment "github.com/vezne/vezne/core/payment"
)

// Path is where the API is mounted.
const Path = "/api/provider"

// Config is what the endpoints work with. All of it but Tests is required.
type Config struct {
	Gate        *access.Authenticator
	Directory   *owner.Directory
	Deposits    *payment.Deposits
	Withdrawals *payment.Withdrawals
	Cards       *payment.Cards
	Operations  *operation.Service
	BaseURL     string         // of payment_url, "https://pay.example.com", without a slash at its end
	Zone        *time.Location // of every time in an answer
	Now         func() time.Time
	IsSandbox   bool              // it tells of callbacks to who listens
	Tests       *testplan.Service // nil: money moves here, so that test payments are refused
}

// api is the endpoints.
type api struct{ Config }

// New is the API as a router to be mounted at Path. It must be served behind a rest.Edge, which knows the client's
// address and the request's id.
func New(c Config) *chi.Mux {
	a := &api{c}
	router := rest.Routes()
	router.Post("/welcome", a.by(access.Plain, reads, a.welcome))
	router.Post("/sites", a.by(access.Verified, reads, a.sites))
	for _, e := range creations(a) {
		router.Post(e.path, a.by(access.Site, creates, a.create(e)))
	}
	router.Post("/credit-card/payment", a.by(access.Plain, creates, a.startCard))
	router.Post("/credit-card/status", a.cardStatus)
	router.Post("/transaction-status", a.by(access.Plain, reads, a.transactionStatus))
	for kind, deposit := range map[gateway.Kind]corepayment.Method{
		gateway.Bank: corepayment.BankDeposit, gateway.Crypto: corepayment.CryptoDeposit, gateway.Wallet: corepayment.WalletDeposit,
	} {
		router.Get("/third-party/"+string(kind)+"/gateways", a.by(access.Plain, reads, a.gateways(kind, deposit)))
	}
	if c.IsSandbox {
		router.Get("/callbacks", a.by(access.Plain, reads, a.callbacks))
	}
	if c.Tests != nil {
		router.Post("/test-clock", a.by(access.Plain, reads, a.testClock))
	}
	return router
}

// effect is what an endpoint does.
type effect bool

const (
	reads   effect = false
	creates effect = true // a payment
)

// call is an authenticated request.
type call struct {
	access.Caller
	w        http.ResponseWriter
	r        *http.Request
	language lang.Tag // of the answer
}

// by authenticates the request before anything else of it is looked at, and answers when that or serve fails.
func (a *api) by(scheme access.Scheme, does effect, serve func(call) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		a.authenticated(w, r, access.Call{Scheme: scheme, Key: r.Header.Get(keyHeaders[scheme]), Creates: bool(does)}, serve)
	}
}

// authenticated authenticates a request, of which the endpoint has said what is its own.
func (a *api) authenticated(w http.ResponseWriter, r *http.Request, sent access.Call, serve func(call) error) {
	x := rest.Of(r)
	sent.APIKey, sent.Hash = r.Header.Get("X-Api-Key"), r.Header.Get("X-Hash")
	sent.Timestamp, sent.Signature, sent.Addr = r.Header.Get("X-Timestamp"), rest.SignatureOf(r), x.Addr
	caller, allowance, err := a.Gate.Authenticate(r.Context(), sent)
	rest.SetRateLimit(w.Header(), allowance)
	c := call{caller, w, r, rest.LanguageOf(r, caller.Provider.Language)}
	if err == nil {
		x.Caller = caller.Name()
		err = serve(c)
	}
	if err != nil {
		rest.Fail(w, r, c.language, err)
	}
}

// keyHeaders name the header that takes part in a scheme's hash.
var keyHeaders = map[access.Scheme]string{access.Verified: "X-Key", access.Site: "X-Credential-Key"}

// welcome is E1: a connection test.
func (a *api) welcome(c call) error {
	p := c.Provider
	rest.WriteJSON(c.w, http.StatusOK, rest.NewObject().
		Bool("success", true).
		Text("message", lang.Say(c.language, "welcome.message", p.Name)).
		Text("info", lang.Say(c.language, "welcome.info")).
		Text("next_step", lang.Say(c.language, "welcome.next_step")).
		Object("provider", func(o *rest.Object) {
			o.Int("id", p.ID).Text("name", p.Name).Bool("is_active", p.IsActive)
		}).
		Time("timestamp", a.Now(), a.Zone).
		End())
	return nil
}

// sites is E2: the provider's sites, inactive ones too.
func (a *api) sites(c call) error {
	sites, err := a.Directory.Sites(c.r.Context(), c.Provider.ID)
	if err != nil {
		return err
	}
	rest.WriteJSON(c.w, http.StatusOK, rest.NewObject().
		Bool("success", true).
		Object("provider", func(o *rest.Object) { o.Int("id", c.Provider.ID).Text("name", c.Provider.Name) }).
		Int("total_sites", int64(len(sites))).
		Objects("sites", len(sites), func(o *rest.Object, i int) {
			s := sites[i]
			o.Int("id", s.ID).Text("name", s.Name).Bool("is_active", s.IsActive).Time("created_at", s.CreatedAt, a.Zone)
		}).
		Time("timestamp", a.Now(), a.Zone).
		End())
	return nil
}
