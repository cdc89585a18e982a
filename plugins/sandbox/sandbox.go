// Package sandbox is the gateway of demos, tests and plugin authors: it can do everything that a gateway can, speaks
// real HTTP to package bank, and moves no money. To write a plugin, copy this folder; its README says how.
//
// A plugin translates and nothing else. Each file holds one part of the translation: what the descriptor says, how a call
// is signed, what the gateway's words mean, and one capability after the other.
package sandbox

import (
	"strings"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins"
	"github.com/vezne/vezne/plugins/plugkit"
	"github.com/vezne/vezne/ports"
)

// Plugin registers the sandbox.
func Plugin() plugins.Registration { return plugins.Register(descriptor(), Open) }

// Gateway is an opened account at the sandbox.
type Gateway struct {
	config *gateway.Config // behind a pointer, so that a printed Gateway shows no secrets
	clock  ports.Clock
	api    *plugkit.Client
}

// What the sandbox can do. The compiler tells when a method is missing or misspelt.
var (
	_ ports.Gateway            = (*Gateway)(nil)
	_ ports.DepositStarter     = (*Gateway)(nil)
	_ ports.DepositReader      = (*Gateway)(nil)
	_ ports.ReturnFinisher     = (*Gateway)(nil)
	_ ports.DepositLister      = (*Gateway)(nil)
	_ ports.DepositCanceler    = (*Gateway)(nil)
	_ ports.Refunder           = (*Gateway)(nil)
	_ ports.Quoter             = (*Gateway)(nil)
	_ ports.OptionLister       = (*Gateway)(nil)
	_ ports.NotificationReader = (*Gateway)(nil)
	_ ports.Payer              = (*Gateway)(nil)
	_ ports.PayoutChecker      = (*Gateway)(nil)
	_ ports.PayoutApprover     = (*Gateway)(nil)
	_ ports.PayoutCanceler     = (*Gateway)(nil)
	_ ports.AccountReader      = (*Gateway)(nil)
	_ ports.StatementReader    = (*Gateway)(nil)
	_ ports.TransferSender     = (*Gateway)(nil)
	_ ports.DisputeReader      = (*Gateway)(nil)
	_ ports.DisputeLister      = (*Gateway)(nil)
	_ ports.DisputeAccepter    = (*Gateway)(nil)
	_ ports.DisputeAnswerer    = (*Gateway)(nil)
)

// Open makes a gateway from a checked configuration. It reaches no network.
func Open(env ports.GatewayEnv) (*Gateway, error) {
	g := &Gateway{config: &env.Config, clock: env.Clock}
	g.api = &plugkit.Client{
		HTTP: env.HTTP, BaseURL: strings.TrimRight(env.Config.Text(baseURL), "/"), Sign: g.sign, Explain: explain,
	}
	return g, nil
}

// Close implements ports.Gateway: there is nothing to let go of.
func (g *Gateway) Close() error { return nil }
