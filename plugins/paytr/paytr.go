// Package paytr takes card payments through PayTR's payment page, whose token its iFrame API gives. The customer enters the
// card there, so that no card number reaches Vezne. README.md has its tables, and what nobody has tried yet.
package paytr

import (
	"context"
	"encoding/base64"
	"strconv"
	"strings"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins"
	"github.com/vezne/vezne/plugins/plugkit"
	"github.com/vezne/vezne/ports"
)

// host is the only one that is reached. A flag of each order says whether it is a try.
const host = "www.paytr.com"

// Plugin registers the gateway.
func Plugin() plugins.Registration { return plugins.Register(descriptor(), open) }

// Gateway is one store at PayTR.
type Gateway struct {
	client   plugkit.Client
	clock    ports.Clock
	merchant string
	isTest   bool
	buyer    buyer
	sign     func(parts ...string) []byte // with the store's key; the salt is among the parts
	keys     func() (now, before secrets)
}

// secrets are what PayTR calls the key and the salt.
type secrets struct{ key, salt string }

// buyer is what PayTR demands of every buyer and providers do not tell.
type buyer struct{ email, phone, address, ip string }

var (
	_ ports.DepositStarter     = (*Gateway)(nil)
	_ ports.DepositReader      = (*Gateway)(nil)
	_ ports.Refunder           = (*Gateway)(nil)
	_ ports.NotificationReader = (*Gateway)(nil)
)

func open(env ports.GatewayEnv) (*Gateway, error) {
	c := env.Config
	if env.Environment != gateway.Sandbox && env.Environment != gateway.Production {
		return nil, plugkit.Refuse(gateway.Misconfigured, "there is no environment "+strconv.Quote(env.Environment))
	}
	g := &Gateway{
		clock: env.Clock, merchant: c.Text("merchant_id"), isTest: env.Environment == gateway.Sandbox,
		buyer:  buyer{c.Text("default_email"), c.Text("default_phone"), c.Text("default_address"), c.Text("default_ip")},
		client: plugkit.Client{HTTP: env.HTTP, BaseURL: "https://" + host},
	}
	// Secrets are kept in functions: printing a Gateway never shows them.
	g.sign = func(parts ...string) []byte {
		return plugkit.HMAC256(c.Text("merchant_key"), strings.Join(parts, "")+c.Text("merchant_salt"))
	}
	g.keys = func() (now, before secrets) {
		key, salt := c.Secrets("merchant_key"), c.Secrets("merchant_salt")
		now = secrets{key[0], salt[0]}
		return now, secrets{key[len(key)-1], salt[len(salt)-1]}
	}
	return g, nil
}

// token signs a request.
func (g *Gateway) token(parts ...string) string {
	return base64.StdEncoding.EncodeToString(g.sign(parts...))
}

// probeRef is a reference that no order has.
const probeRef = "VEZNEPROBE"

// Probe implements ports.Gateway. It asks for the order of nobody.
func (g *Gateway) Probe(ctx context.Context) gateway.ProbeReport {
	_, err := g.status(ctx, probeRef)
	if gateway.IsClass(err, gateway.NotFound) {
		err = nil
	}
	return gateway.ProbeReport{Checks: []gateway.ProbeCheck{
		plugkit.ProbeCheck("credentials", "PayTR accepts the store's number, key and salt", err),
	}}
}

// String keeps the secrets out of whatever is printed.
func (g *Gateway) String() string { return "PayTR store " + strconv.Quote(g.merchant) }

// Close implements ports.Gateway. There is nothing to let go of.
func (g *Gateway) Close() error { return nil }
