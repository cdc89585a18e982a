// Package ccpayment takes card payments at the Turkish payment institutions that speak CCPayment, the dialect of Sipay: on the
// brand's own page, so that no card number reaches Vezne. README.md has its tables, and what nobody has tried yet.
package ccpayment

import (
	"context"
	"encoding/hex"
	"strconv"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins"
	"github.com/vezne/vezne/plugins/plugkit"
	"github.com/vezne/vezne/ports"
)

// Plugin registers the gateway.
func Plugin() plugins.Registration { return plugins.Register(descriptor(), open) }

// Gateway is one store at a brand.
type Gateway struct {
	brand, baseURL string
	http           ports.Doer
	session        *plugkit.Session
	nonces         plugkit.Nonces
	merchant       func() string // merchant_key
	app            func() (id, secret string)
	secrets        func() []string // the app secret, and the one before it
	saleHook       string          // names of addresses that are set in the brand's panel
	refundHook     string
}

var (
	_ ports.DepositStarter     = (*Gateway)(nil)
	_ ports.DepositReader      = (*Gateway)(nil)
	_ ports.Refunder           = (*Gateway)(nil)
	_ ports.NotificationReader = (*Gateway)(nil)
)

func open(env ports.GatewayEnv) (*Gateway, error) {
	c := env.Config
	host, isKnown := hosts[env.Environment][c.Text("brand")]
	if !isKnown {
		return nil, plugkit.Refuse(gateway.Misconfigured, "there is no environment "+strconv.Quote(env.Environment)+" of this brand")
	}
	// Secrets are kept in functions: printing a Gateway never shows them.
	g := &Gateway{
		brand: c.Text("brand"), baseURL: "https://" + host + "/ccpayment", http: env.HTTP,
		nonces: plugkit.Nonces{Clock: env.Clock}, saleHook: c.Text("sale_webhook_key"), refundHook: c.Text("refund_webhook_key"),
		merchant: func() string { return c.Text("merchant_key") },
		app:      func() (id, secret string) { return c.Text("app_id"), c.Text("app_secret") },
		secrets:  func() []string { return c.Secrets("app_secret") },
	}
	g.session = plugkit.NewSession(env.Clock, g.begin)
	return g, nil
}

// hashKey seals the parts of a request, with an initialization vector and a salt that no other one has.
func (g *Gateway) hashKey(parts ...string) string {
	_, secret := g.app()
	random := hex.EncodeToString(plugkit.HMAC256(secret, g.nonces.Next(parts...)))
	return seal(secret, random[:ivChars], random[ivChars:ivChars+saltChars], parts...)
}

// probeRef is a reference that no order has.
const probeRef = "VEZNEPROBE"

// Probe implements ports.Gateway. It asks for the order of nobody, which takes all three keys.
func (g *Gateway) Probe(ctx context.Context) gateway.ProbeReport {
	_, err := g.status(ctx, probeRef)
	if gateway.IsClass(err, gateway.NotFound) {
		err = nil
	}
	return gateway.ProbeReport{Checks: []gateway.ProbeCheck{
		plugkit.ProbeCheck("credentials", g.brand+" accepts the application and the merchant key", err),
	}}
}

// String keeps the secrets out of whatever is printed.
func (g *Gateway) String() string { return "ccpayment store at " + g.brand }

// Close implements ports.Gateway. There is nothing to let go of.
func (g *Gateway) Close() error { return nil }
