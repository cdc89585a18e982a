// Package stripe takes card payments through Stripe Checkout. The customer enters the card on Stripe's page, so that no
// card number reaches Vezne. README.md has its tables, and what nobody has tried yet.
package stripe

import (
	"context"
	"net/url"
	"strconv"
	"strings"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins"
	"github.com/vezne/vezne/plugins/plugkit"
	"github.com/vezne/vezne/ports"
)

// The hosts that are reached: the key decides whether money moves. Files of evidence have one of their own.
const (
	host      = "api.stripe.com"
	filesHost = "files.stripe.com"
)

// apiVersion is sent with every request, so that no answer changes with the account's default.
const apiVersion = "2026-08-26.dahlia"

// Plugin registers the gateway.
func Plugin() plugins.Registration { return plugins.Register(descriptor(), open) }

// Gateway is one account at Stripe.
type Gateway struct {
	client   plugkit.Client
	disputes plugkit.Client // knows that the key may lack the permission
	isLive   bool
	threeDS  string
	isSigned func(stamp, signature string, body []byte) bool // knows the secrets of notifications
}

var (
	_ ports.DepositStarter     = (*Gateway)(nil)
	_ ports.DepositReader      = (*Gateway)(nil)
	_ ports.DepositCanceler    = (*Gateway)(nil)
	_ ports.DepositLister      = (*Gateway)(nil)
	_ ports.Refunder           = (*Gateway)(nil)
	_ ports.NotificationReader = (*Gateway)(nil)
	_ ports.DisputeReader      = (*Gateway)(nil)
	_ ports.DisputeLister      = (*Gateway)(nil)
	_ ports.DisputeAccepter    = (*Gateway)(nil)
	_ ports.DisputeAnswerer    = (*Gateway)(nil)
)

func open(env ports.GatewayEnv) (*Gateway, error) {
	key := env.Config.Text("secret_key")
	_, kind, _ := strings.Cut(key, "_")
	isLive := strings.HasPrefix(kind, "live_")
	switch {
	case env.Environment != gateway.Sandbox && env.Environment != gateway.Production:
		return nil, plugkit.Refuse(gateway.Misconfigured, "there is no environment "+strconv.Quote(env.Environment))
	case isLive != (env.Environment == gateway.Production):
		return nil, plugkit.Refuse(gateway.Misconfigured, "the secret key is one of the other environment: sk_live_ and rk_live_ are for production alone")
	}
	client := plugkit.Client{HTTP: env.HTTP, BaseURL: "https://" + host, Sign: bearer(key), Explain: explain}
	disputes := client
	disputes.Explain = explainDisputes
	return &Gateway{
		isLive: isLive, threeDS: env.Config.Text("request_3ds"), isSigned: signedBy(env.Config.Secrets("webhook_secret")),
		client: client, disputes: disputes,
	}, nil
}

// bearer adds the key, which it keeps to itself, so that printing a Gateway never shows it.
func bearer(key string) func(*gateway.Request) error {
	return func(r *gateway.Request) error {
		r.Header = append(r.Header,
			gateway.Field{Name: "Authorization", Value: "Bearer " + key}, gateway.Field{Name: "Stripe-Version", Value: apiVersion})
		return nil
	}
}

// Probe implements ports.Gateway. It lists one session, for which the key needs a permission that deposits need, too.
func (g *Gateway) Probe(ctx context.Context) gateway.ProbeReport {
	err := g.get(ctx, pathSessions, url.Values{"limit": {"1"}}, &list[session]{})
	return gateway.ProbeReport{Checks: []gateway.ProbeCheck{plugkit.ProbeCheck("credentials", "Stripe accepts the key", err)}}
}

// Close implements ports.Gateway. There is nothing to let go of.
func (g *Gateway) Close() error { return nil }
