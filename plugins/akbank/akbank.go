// Package akbank takes card payments through Akbank's own virtual POS (JSON), in the model 3D Pay Hosting: the customer's browser
// posts a signed form to the bank and enters the card there, so that no card number reaches Vezne. README.md has its tables, and
// what nobody has tried yet.
package akbank

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins"
	"github.com/vezne/vezne/plugins/plugkit"
	"github.com/vezne/vezne/ports"
)

// Plugin registers the gateway.
func Plugin() plugins.Registration { return plugins.Register(descriptor(), open) }

// Gateway is one terminal of a merchant at the bank.
type Gateway struct {
	http     ports.Doer
	clock    ports.Clock
	nonces   plugkit.Nonces
	at       address
	merchant string          // merchantSafeId
	terminal string          // terminalSafeId
	secrets  func() []string // the present one first, then the one before it
}

var (
	_ ports.DepositStarter = (*Gateway)(nil)
	_ ports.DepositReader  = (*Gateway)(nil)
	_ ports.ReturnFinisher = (*Gateway)(nil)
	_ ports.Refunder       = (*Gateway)(nil)
)

func open(env ports.GatewayEnv) (*Gateway, error) {
	c := env.Config
	at, isKnown := addresses[env.Environment]
	switch {
	case !isKnown:
		return nil, plugkit.Refuse(gateway.Misconfigured, "there is no environment "+strconv.Quote(env.Environment))
	case c.Text("merchant_safe_id") == "" || c.Text("terminal_safe_id") == "" || c.Text("secret_key") == "":
		return nil, plugkit.Refuse(gateway.Misconfigured, "merchant_safe_id, terminal_safe_id and secret_key are needed")
	}
	// Secrets are kept in a function: printing a Gateway never shows them.
	return &Gateway{
		http: env.HTTP, clock: env.Clock, nonces: plugkit.Nonces{Clock: env.Clock}, at: at,
		merchant: c.Text("merchant_safe_id"), terminal: c.Text("terminal_safe_id"),
		secrets: func() []string { return c.Secrets("secret_key") },
	}, nil
}

// secret is the present key.
func (g *Gateway) secret() string { return g.secrets()[0] }

// istanbul is the bank's time: Turkey has had no other one since 2016, and a zone's file may be missing.
var istanbul = time.FixedZone("Istanbul", 3*60*60)

// now is the bank's time, as requests carry it.
func (g *Gateway) now() string { return g.clock.Now().In(istanbul).Format("2006-01-02T15:04:05.000") }

// random is the 128 digits to the base of 16 that every request wants anew.
func (g *Gateway) random(ref gateway.Ref) string {
	return strings.ToUpper(g.nonces.Next(string(ref)) + g.nonces.Next(string(ref)))
}

// probeRef is a reference that no order has.
const probeRef = "VEZNEPROBE"

// Probe implements ports.Gateway. It asks for the order of nobody, which takes both numbers and the key.
func (g *Gateway) Probe(ctx context.Context) gateway.ProbeReport {
	_, err := g.history(ctx, probeRef)
	if gateway.IsClass(err, gateway.NotFound) {
		err = nil
	}
	return gateway.ProbeReport{Checks: []gateway.ProbeCheck{
		plugkit.ProbeCheck("credentials", "the bank accepts the terminal and the secret key", err),
	}}
}

// String keeps the secrets out of whatever is printed.
func (g *Gateway) String() string { return "akbank terminal at " + g.at.api }

// Close implements ports.Gateway. There is nothing to let go of.
func (g *Gateway) Close() error { return nil }
