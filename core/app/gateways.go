package app

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/ports"
)

// failuresToClose is after how many calls in a row that met no working gateway an account is only probed.
const failuresToClose = 5

// optionsFor is how long a gateway's list of options is kept.
const optionsFor = time.Minute

// Gateways opens gateway accounts and calls them. An account that was changed is opened anew; the directory behind it
// brings changes of other processes within seconds.
type Gateways struct {
	Plugins   ports.Plugins
	Directory ports.GatewayDirectory
	Doers     ports.DoerMaker
	Clock     ports.Clock
	// AllowSandbox permits accounts in a gateway's sandbox, and simulators: no money moves there.
	AllowSandbox bool

	mu       sync.Mutex
	open     map[int64]*Gateway
	breakers map[int64]*Breaker // kept when an account is opened anew
}

// Gateway is an opened gateway account.
type Gateway struct {
	ports.Gateway
	Account    core.GatewayAccount
	Descriptor gateway.Descriptor

	plugin    ports.Plugin
	secrets   []string
	breaker   *Breaker
	clock     ports.Clock
	mu        sync.Mutex
	options   []gateway.Option
	optionsAt time.Time
}

// Has tells whether the gateway has a capability.
func (g *Gateway) Has(c gateway.Capability) bool { return g.plugin.Has(c) }

// Gateway opens an account by id. Faults: NotFound, GatewayUnusable (its plugin is gone, its configuration is not valid,
// or it is a sandbox where none is allowed).
func (g *Gateways) Gateway(ctx context.Context, id int64) (*Gateway, error) {
	const op = "app.Gateways.Gateway"
	accounts, err := g.Directory.GatewayAccounts(ctx)
	if err != nil {
		return nil, fault.E(op, "", err)
	}
	for _, a := range accounts {
		if a.ID == id {
			return g.Open(a)
		}
	}
	return nil, fault.New(op, fault.NotFound)
}

// Open opens an account, or gives the gateway that was opened from this version of it.
func (g *Gateways) Open(a core.GatewayAccount) (*Gateway, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if known := g.open[a.ID]; known != nil && known.Account.Version == a.Version && a.Version > 0 {
		return known, nil
	}
	opened, err := g.openNew(a)
	if err != nil {
		return nil, fault.E("app.Gateways.Open", fault.GatewayUnusable, err)
	}
	if a.Version > 0 {
		if g.open == nil {
			g.open = map[int64]*Gateway{}
		}
		g.open[a.ID] = opened // calls on the one before end by themselves
	}
	return opened, nil
}

func (g *Gateways) openNew(a core.GatewayAccount) (*Gateway, error) {
	plugin, ok := g.Plugins.Plugin(a.Plugin)
	if !ok {
		return nil, fmt.Errorf("there is no plugin %q", a.Plugin)
	}
	d := plugin.Describe()
	if (d.IsSimulator || a.Environment != gateway.Production) && !g.AllowSandbox {
		return nil, errors.New("it is a sandbox, which moves no money, and this installation does not allow any")
	}
	values, previous, err := a.Values()
	if err != nil {
		return nil, err
	}
	if err := gateway.CheckConfig(d.Config, values); err != nil {
		return nil, err
	}
	config := gateway.NewConfig(d.Config, values, previous)
	opened, err := plugin.Open(ports.GatewayEnv{
		Environment: a.Environment, Config: config, Clock: g.Clock,
		HTTP: g.Doers.Doer(d.Hosts(a.Environment, config), d.SecretValues(config)),
	})
	if err != nil {
		return nil, err
	}
	return &Gateway{
		Gateway: opened, Account: a, Descriptor: d, plugin: plugin, secrets: d.SecretValues(config),
		clock: g.Clock, breaker: g.breakerOf(a.ID),
	}, nil
}

func (g *Gateways) breakerOf(id int64) *Breaker {
	if g.breakers == nil {
		g.breakers = map[int64]*Breaker{}
	}
	if g.breakers[id] == nil {
		g.breakers[id] = &Breaker{Failures: failuresToClose}
	}
	return g.breakers[id]
}

// IsFailing tells whether the last calls met no working gateway.
func (g *Gateway) IsFailing() bool { return g.breaker.IsOpen() }

// MayTry is how many of at most most calls may be made now.
func (g *Gateway) MayTry(most int) int { return g.breaker.Allowed(g.clock.Now(), most) }

// Call makes one call of the gateway, bounded in time, and tells how it went, for the log: outcome says what came of a
// call that succeeded.
func (g *Gateway) Call(
	ctx context.Context, name gateway.Capability, call func(context.Context) (outcome string, err error),
) (core.GatewayCall, error) {
	start := g.clock.Now()
	bounded, cancel := context.WithTimeout(ctx, ports.CallTimeout)
	defer cancel()
	outcome, err := call(bounded)
	log := core.GatewayCall{
		GatewayID: g.Account.ID, Name: string(name), At: start, Duration: g.clock.Now().Sub(start), Outcome: outcome,
	}
	if err != nil {
		e := gateway.ErrorOf(err)
		log.Outcome, log.Effect, log.Detail = string(e.Class), e.Effect.String(), g.excerpt(e)
	}
	g.breaker.Record(isAnswer(err), g.clock.Now())
	return log, err
}

// maxDetailBytes bounds what the log keeps of a gateway's own words.
const maxDetailBytes = 500

// excerpt is the gateway's own code and words, without the account's secrets: some gateways echo what they were sent.
func (g *Gateway) excerpt(e *gateway.Error) string {
	text := strings.TrimSpace(e.RawCode + " " + e.RawText)
	for _, secret := range g.secrets {
		text = strings.ReplaceAll(text, secret, "[secret]")
	}
	return strings.ToValidUTF8(text[:min(len(text), maxDetailBytes)], "")
}

// isAnswer tells whether the gateway works, whatever it said.
func isAnswer(err error) bool {
	if err == nil {
		return true
	}
	switch gateway.ErrorOf(err).Class {
	case gateway.Retryable, gateway.Maintenance, gateway.RateLimited, gateway.Misconfigured, gateway.Unauthenticated:
		return false
	default:
		return true
	}
}

// Candidates gives every enabled account that takes deposits of a kind, with what keeps it from taking this amount now,
// if anything does.
func (g *Gateways) Candidates(ctx context.Context, kind gateway.Kind, amount money.Amount) ([]core.Candidate, error) {
	accounts, err := g.Directory.GatewayAccounts(ctx)
	if err != nil {
		return nil, fault.E("app.Gateways.Candidates", "", err)
	}
	var list []core.Candidate
	for _, a := range accounts {
		if c, ok := g.candidate(a, kind, amount); ok {
			list = append(list, c)
		}
	}
	return list, nil
}

func (g *Gateways) candidate(a core.GatewayAccount, kind gateway.Kind, amount money.Amount) (core.Candidate, bool) {
	plugin, ok := g.Plugins.Plugin(a.Plugin)
	if !ok || !a.IsEnabled || plugin.Describe().Deposit == nil || !slices.Contains(plugin.Describe().Kinds, kind) {
		return core.Candidate{}, false
	}
	c := core.Candidate{Account: a}
	low, high := a.Bounds(plugin.Describe().Deposit.Min, plugin.Describe().Deposit.Max)
	opened, err := g.Open(a)
	switch {
	case a.Trouble != "":
		c.Unfit = a.Trouble
	case err != nil:
		c.Unfit = "can't be opened"
	case amount.Less(low) || !high.IsZero() && high.Less(amount):
		c.Unfit = fmt.Sprintf("limits %s to %s", low, high)
	case opened.IsFailing() && opened.MayTry(1) == 0:
		c.Unfit = "not answering"
	}
	return c, true
}

// Payers opens every enabled account that pays out in a kind, by id.
func (g *Gateways) Payers(ctx context.Context, kind gateway.Kind) ([]*Gateway, error) {
	accounts, err := g.Directory.GatewayAccounts(ctx)
	if err != nil {
		return nil, fault.E("app.Gateways.Payers", "", err)
	}
	var list []*Gateway
	for _, a := range accounts {
		plugin, ok := g.Plugins.Plugin(a.Plugin)
		if !ok || !a.Takes() || plugin.Describe().Payout == nil || !slices.Contains(plugin.Describe().Kinds, kind) {
			continue
		}
		if opened, err := g.Open(a); err == nil {
			list = append(list, opened)
		}
	}
	return list, nil
}

// PayoutBounds are the limits of a payout through an account that has payouts. A zero high is no limit.
func (g *Gateway) PayoutBounds() (low, high money.Amount) {
	return g.Account.Bounds(g.Descriptor.Payout.Min, g.Descriptor.Payout.Max)
}

// Options lists the ways to pay at the gateway for a kind: its own list as of the last minute, or one for each asset.
func (g *Gateway) Options(ctx context.Context) ([]gateway.Option, error) {
	lister, ok := g.Gateway.(ports.OptionLister)
	if !ok {
		return assetOptions(g.Descriptor.Deposit.Assets), nil
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.options != nil && g.clock.Now().Sub(g.optionsAt) < optionsFor {
		return g.options, nil
	}
	var listed []gateway.Option
	_, err := g.Call(ctx, gateway.CanListOptions, func(ctx context.Context) (string, error) {
		var err error
		listed, err = lister.ListOptions(ctx)
		return "listed", err
	})
	if err != nil {
		return nil, err
	}
	g.options, g.optionsAt = listed, g.clock.Now()
	return listed, nil
}

func assetOptions(assets []gateway.Asset) []gateway.Option {
	var list []gateway.Option
	for _, a := range assets {
		list = append(list, gateway.Option{ID: a.String(), Title: a.String(), Asset: a})
	}
	return list
}
