// Package nestpay takes card payments through the NestPay (EST) platform of many Turkish banks, in the model 3D Pay
// Hosting: the customer's browser posts a signed form to the bank and enters the card there, so that no card number reaches
// Vezne. README.md has its tables, and what nobody has tried yet.
package nestpay

import (
	"context"
	"net/url"
	"strconv"
	"sync/atomic"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins"
	"github.com/vezne/vezne/plugins/plugkit"
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
			return nil, plugkit.Refuse(gateway.Misconfigured, name+" must be an https address without a query")
		}
	}
	if c.Text("store_key") == "" || c.Text("client_id") == "" {
		return nil, plugkit.Refuse(gateway.Misconfigured, "client_id and store_key are needed")
	}
	// Secrets are kept in functions: printing a Gateway never shows them.
	return &Gateway{
		http: env.HTTP, clock: env.Clock, apiURL: c.Text("api_url"), formURL: c.Text("form_url"), client: c.Text("client_id"),
		callback:  c.Text("callback"),
		login:     func() credentials { return credentials{c.Text("api_user"), c.Text("api_password")} },
		storeKeys: func() []string { return c.Secrets("store_key") },
	}, nil
}

// probeRef is a reference that no order has.
const probeRef = "VEZNEPROBE"

// Probe implements ports.Gateway. It asks for the order of nobody. The store key can't be tried: only forms have it.
func (g *Gateway) Probe(ctx context.Context) gateway.ProbeReport {
	_, err := g.history(ctx, probeRef)
	if gateway.IsClass(err, gateway.NotFound) {
		err = nil
	}
	return gateway.ProbeReport{Checks: []gateway.ProbeCheck{
		plugkit.ProbeCheck("API user", "the bank accepts the user; the store key shows with the first payment", err),
	}}
}

// String keeps the secrets out of whatever is printed.
func (g *Gateway) String() string {
	return "nestpay store " + strconv.Quote(g.client) + " at " + g.apiURL
}

// Close implements ports.Gateway. There is nothing to let go of.
func (g *Gateway) Close() error { return nil }
