// Package nestpay takes card payments through the NestPay (EST) platform of many Turkish banks, in the model 3D Pay
// Hosting: the customer's browser posts a signed form to the bank and enters the card there, so that no card number reaches
// Vezne. README.md has its tables, and what nobody has tried yet.
package nestpay

import (
	"context"
	"errors"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins"
	"github.com/vezne/vezne/ports"
)

// Plugin registers the gateway.
func Plugin() plugins.Registration { return plugins.Register(descriptor(), open) }

// Gateway is one store at a bank.
type Gateway struct {
	http            ports.Doer
	clock           ports.Clock
	apiURL, formURL string
	client          string // clientid
	callback        string
	login           func() credentials
	storeKeys       func() []string // the present one first, then the one before it
	forms           atomic.Uint64
}

// credentials are what the API wants with every request.
type credentials struct{ user, password string }

var (
	_ ports.DepositStarter     = (*Gateway)(nil)
	_ ports.DepositReader      = (*Gateway)(nil)
	_ ports.ReturnFinisher     = (*Gateway)(nil)
	_ ports.Refunder           = (*Gateway)(nil)
	_ ports.NotificationReader = (*Gateway)(nil)
)

func open(env ports.GatewayEnv) (*Gateway, error) {
	c := env.Config
	for _, name := range []string{"api_url", "form_url"} {
		u, err := url.Parse(c.Text(name))
		if err != nil || u.Host == "" || u.RawQuery != "" || u.Fragment != "" || env.Environment == gateway.Production && u.Scheme != "https" {
			return nil, misconfigured(name + " must be an https address without a query")
		}
	}
	if c.Text("store_key") == "" || c.Text("client_id") == "" {
		return nil, misconfigured("client_id and store_key are needed")
	}
	// Secrets are kept in functions: printing a Gateway never shows them.
	return &Gateway{
		http: env.HTTP, clock: env.Clock, apiURL: c.Text("api_url"), formURL: c.Text("form_url"), client: c.Text("client_id"),
		callback:  c.Text("callback"),
		login:     func() credentials { return credentials{c.Text("api_user"), c.Text("api_password")} },
		storeKeys: func() []string { return c.Secrets("store_key") },
	}, nil
}

func misconfigured(text string) *gateway.Error { return refuse(gateway.Misconfigured, text) }

func refuse(class gateway.Class, text string) *gateway.Error {
	return &gateway.Error{Class: class, Effect: gateway.EffectNone, Err: errors.New("nestpay: " + text)}
}

// distrust is an answer that is not to be believed: nothing is known of what the bank did.
func distrust(text string) *gateway.Error {
	return &gateway.Error{Class: gateway.Retryable, Effect: gateway.EffectUnknown, Err: errors.New("nestpay: " + text)}
}

// probeRef is a reference that no order has.
const probeRef = "VEZNEPROBE"

// Probe implements ports.Gateway. It asks for the order of nobody. The store key can't be tried: only forms have it.
func (g *Gateway) Probe(ctx context.Context) gateway.ProbeReport {
	check := gateway.ProbeCheck{Name: "API user", IsOK: true, Detail: "the bank accepts the user; the store key shows with the first payment"}
	if _, err := g.history(ctx, probeRef); err != nil && !gateway.IsClass(err, gateway.NotFound) {
		e := gateway.ErrorOf(err)
		check.IsOK, check.Failure, check.Detail = false, e.Class, "the bank answered "+strings.TrimSpace(e.RawCode+" "+e.RawText)
	}
	return gateway.ProbeReport{Checks: []gateway.ProbeCheck{check}}
}

// String keeps the secrets out of whatever is printed.
func (g *Gateway) String() string {
	return "nestpay store " + strconv.Quote(g.client) + " at " + g.apiURL
}

// Close implements ports.Gateway. There is nothing to let go of.
func (g *Gateway) Close() error { return nil }
