// Package iyzico takes card payments with 3-D Secure through iyzico's Checkout Form. The customer enters the card on
// iyzico's page, so that no card number reaches Vezne. README.md has its tables, and what nobody has tried yet.
package iyzico

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

// hosts are the only ones that are reached, by environment.
var hosts = map[string]string{
	gateway.Sandbox:    "sandbox-api.iyzipay.com",
	gateway.Production: "api.iyzipay.com",
}

// sandboxPrefix begins every API key of the sandbox, and none of production.
const sandboxPrefix = "sandbox-"

// Plugin registers the gateway.
func Plugin() plugins.Registration { return plugins.Register(descriptor(), open) }

// Gateway is one merchant account at iyzico.
type Gateway struct {
	client        plugkit.Client
	clock         ports.Clock
	keys          *keys
	wantSignature bool // of notifications
	force3DS      bool
	installments  []int
	buyer         buyer // what is told of every customer, where the provider tells nothing
	nonces        plugkit.Nonces
}

// keys are behind a pointer, so that not even %#v prints them with a Gateway.
type keys struct {
	api     string
	secrets []string // the present one first, then the one before it
}

var (
	_ ports.DepositStarter     = (*Gateway)(nil)
	_ ports.DepositReader      = (*Gateway)(nil)
	_ ports.ReturnFinisher     = (*Gateway)(nil)
	_ ports.DepositLister      = (*Gateway)(nil)
	_ ports.Refunder           = (*Gateway)(nil)
	_ ports.NotificationReader = (*Gateway)(nil)
)

func open(env ports.GatewayEnv) (*Gateway, error) {
	host, isKnown := hosts[env.Environment]
	if !isKnown {
		return nil, plugkit.Refuse(gateway.Misconfigured, "there is no environment "+strconv.Quote(env.Environment))
	}
	if err := checkKeys(env.Environment, env.Config); err != nil {
		return nil, err
	}
	g := &Gateway{
		clock: env.Clock, keys: &keys{env.Config.Text("api_key"), env.Config.Secrets("secret_key")},
		wantSignature: env.Config.Text("webhook_signature") != signatureOff, force3DS: env.Config.Bool("force_3ds"),
		buyer: defaultBuyer(env.Config), nonces: plugkit.Nonces{Clock: env.Clock},
	}
	for _, text := range env.Config.List("installments") {
		count, err := strconv.Atoi(text)
		if err != nil {
			return nil, plugkit.Refuse(gateway.Misconfigured, "installments must be numbers")
		}
		g.installments = append(g.installments, count)
	}
	g.client = plugkit.Client{HTTP: env.HTTP, BaseURL: "https://" + host, Sign: g.sign}
	return g, nil
}

// checkKeys finds keys of the other environment without a call (a test key in production must not look like a
// decline).
func checkKeys(environment string, c gateway.Config) error {
	isSandbox := strings.HasPrefix(c.Text("api_key"), sandboxPrefix)
	switch {
	case c.Text("api_key") == "" || c.Text("secret_key") == "":
		return plugkit.Refuse(gateway.Misconfigured, "api_key and secret_key are needed")
	case environment == gateway.Sandbox && !isSandbox:
		return plugkit.Refuse(gateway.Misconfigured, "api_key is not one of the sandbox: those begin with "+sandboxPrefix)
	case environment == gateway.Production && (isSandbox || strings.HasPrefix(c.Text("secret_key"), sandboxPrefix)):
		return plugkit.Refuse(gateway.Misconfigured, "a key of the sandbox can't be used in production")
	}
	return nil
}

// probeRef is a reference that no order has.
const probeRef = "VEZNEPROBE"

// Probe implements ports.Gateway. It asks for the payments of nobody: iyzico's own test call takes any key.
func (g *Gateway) Probe(ctx context.Context) gateway.ProbeReport {
	err := g.get(ctx, pathDetails+"?paymentConversationId="+probeRef, &report{})
	if gateway.IsClass(err, gateway.NotFound) {
		err = nil
	}
	keys := plugkit.ProbeCheck("credentials", "iyzico accepts the keys", err)
	signature := gateway.ProbeCheck{Name: "notification signature", IsOK: true, Detail: "required"}
	if !g.wantSignature {
		signature.Detail = "off: a notification is a hint and nothing more"
	}
	return gateway.ProbeReport{Checks: []gateway.ProbeCheck{keys, signature}}
}

// String keeps the keys out of whatever is printed.
func (g *Gateway) String() string { return "iyzico at " + g.client.BaseURL }

// Close implements ports.Gateway. There is nothing to let go of.
func (g *Gateway) Close() error { return nil }

// istanbul is the zone of iyzico's days: UTC+3 all the year since 2016, so that no time zone database is needed.
var istanbul = time.FixedZone("Europe/Istanbul", int(istanbulAhead/time.Second))

const istanbulAhead = 3 * time.Hour
