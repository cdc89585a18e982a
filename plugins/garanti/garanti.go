// Package garanti takes card payments through Garanti BBVA's virtual POS, in the model 3D_OOS_PAY: the customer's browser posts a signed
// form to the bank and enters the card there, so that no card number reaches Vezne. README.md has its tables, and what nobody has
// tried yet.
package garanti

import (
	"context"
	"strconv"
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
	http      ports.Doer
	clock     ports.Clock
	at        address
	merchant  string
	terminal  string
	company   string // as the payment page shows it
	ip        string // of requests that no customer makes
	asking    user   // asks about orders
	paying    user   // of the payment page
	refunding user
	storeKeys func() []string // the present one first, then the one before it
}

// user is one of the terminal's provision users. Its password is kept in a function: printing a Gateway never shows it.
type user struct {
	name     string
	password func() string
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
	if !isKnown {
		return nil, plugkit.Refuse(gateway.Misconfigured, "there is no environment "+strconv.Quote(env.Environment))
	}
	for _, f := range configFields() {
		if f.IsRequired && c.Text(f.Name) == "" {
			return nil, plugkit.Refuse(gateway.Misconfigured, f.Name+" is needed")
		}
	}
	userOf := func(name string) user {
		return user{c.Text(name + "_user"), func() string { return c.Text(name + "_password") }}
	}
	return &Gateway{
		http: env.HTTP, clock: env.Clock, at: at, merchant: c.Text("merchant_id"), terminal: c.Text("terminal_id"),
		company: c.Text("company_name"), ip: c.Text("default_ip"),
		asking: userOf("provision"), paying: userOf("page"), refunding: userOf("refund"),
		storeKeys: func() []string { return c.Secrets("store_key") },
	}, nil
}

// istanbul is the bank's time: Turkey has had no other one since 2016, and a zone's file may be missing.
var istanbul = time.FixedZone("Istanbul", 3*60*60)

// today is the bank's day, as a history has it.
func (g *Gateway) today() string { return g.clock.Now().In(istanbul).Format("20060102") }

// probeRef is a reference that no order has.
const probeRef = "VEZNEPROBE"

// Probe implements ports.Gateway. It asks for the order of nobody, which takes both numbers and the provision user's password. What the
// page and refunds need can't be tried without money.
func (g *Gateway) Probe(ctx context.Context) gateway.ProbeReport {
	_, err := g.history(ctx, probeRef)
	if gateway.IsClass(err, gateway.NotFound) {
		err = nil
	}
	return gateway.ProbeReport{Checks: []gateway.ProbeCheck{
		plugkit.ProbeCheck("credentials", "the bank accepts the terminal and the provision user", err),
	}}
}

// String keeps the passwords out of whatever is printed.
func (g *Gateway) String() string { return "garanti terminal at " + g.at.host }

// Close implements ports.Gateway. There is nothing to let go of.
func (g *Gateway) Close() error { return nil }
