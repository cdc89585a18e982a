package app

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/routing"
	"github.com/vezne/vezne/ports"
)

// failuresToClose is after how many calls in a row that met no working gateway an account is only probed.
const failuresToClose = 5

// retireAfter is how long a gateway that was opened anew is left alone before it is closed: longer than anybody works
// with one.
const retireAfter = 10 * time.Minute

// Gateways opens gateway accounts and calls them. An account that was changed is opened anew; the directory behind it
// brings changes of other processes within seconds.
type Gateways struct {
	Plugins   ports.Plugins
	Directory ports.Directory
	Doers     ports.DoerMaker
	Clock     ports.Clock
	// AllowSandbox permits accounts in a gateway's sandbox, and simulators: no money moves there.
	AllowSandbox bool

	mu       sync.Mutex
	open     map[int64]*Gateway
	retired  []retired
	breakers map[int64]*Breaker // kept when an account is opened anew
}

// retired is a gateway in whose place another was opened.
type retired struct {
	gateway ports.Gateway
	at      time.Time
}

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

// Open opens an account, or returns the gateway that was opened from this version of it. A version that somebody read
// before the last change is as good as the changed one. Fault: GatewayUnusable.
func (g *Gateways) Open(a owner.GatewayAccount) (*Gateway, error) {
	defer g.closeRetired()
	g.mu.Lock()
	defer g.mu.Unlock()
	if known := g.open[a.ID]; known != nil && known.Account.Version >= a.Version && a.Version > 0 {
		return known, nil
	}
	opened, err := g.openNew(a)
	if err != nil {
		return nil, fault.E("app.Gateways.Open", fault.GatewayUnusable, err)
	}
	if a.Version > 0 {
		g.replace(opened)
	}
	return opened, nil
}

// replace takes a gateway in. Whoever works with the one before goes on with it.
func (g *Gateways) replace(opened *Gateway) {
	if g.open == nil {
		g.open = map[int64]*Gateway{}
	}
	if before := g.open[opened.Account.ID]; before != nil {
		g.retired = append(g.retired, retired{before.Gateway, g.Clock.Now()})
	}
	g.open[opened.Account.ID] = opened
}

// closeRetired closes what nobody can be working with any more.
func (g *Gateways) closeRetired() {
	g.mu.Lock()
	var over []ports.Gateway
	for len(g.retired) > 0 && g.Clock.Now().Sub(g.retired[0].at) >= retireAfter {
		over = append(over, g.retired[0].gateway)
		g.retired = g.retired[1:]
	}
	g.mu.Unlock()
	for _, old := range over {
		_ = Guarded(old.Close) // it is not used any more, whatever it says
	}
}

func (g *Gateways) openNew(a owner.GatewayAccount) (*Gateway, error) {
	plugin, ok := g.Plugins.Plugin(a.Plugin)
	if !ok {
		return nil, fmt.Errorf("there is no plugin %q", a.Plugin)
	}
	d := plugin.Describe()
	if (d.IsSimulator || a.Environment != gateway.Production) && !g.AllowSandbox {
		return nil, errors.New("it is a sandbox, which moves no money, and this installation does not allow any")
	}
	if d.Maturity == gateway.Draft && !g.AllowSandbox {
		return nil, errors.New("it is a draft, which nobody has held against the gateway's own documents")
	}
	values, previous, err := a.Values()
	if err != nil {
		return nil, err
	}
	if err := gateway.CheckConfig(d.Config, values); err != nil {
		return nil, err
	}
	config := gateway.NewConfig(d.Config, values, previous)
	opened := &Gateway{
		Account: a, Descriptor: d, plugin: plugin, secrets: d.SecretValues(config), clock: g.Clock, breaker: g.breakerOf(a.ID),
	}
	err = Guarded(func() (err error) {
		opened.Gateway, err = plugin.Open(ports.GatewayEnv{
			Environment: a.Environment, Config: config, Clock: g.Clock,
			HTTP: g.Doers.Doer(d.Hosts(a.Environment, config), opened.secrets),
		})
		return err
	})
	if err != nil && opened.blot(err.Error()) != err.Error() {
		err = errors.New(opened.blot(err.Error()))
	}
	if err != nil {
		return nil, err
	}
	return opened, nil
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

// Route decides which accounts take a payment in a kind, in which order, and why the others do not. It asks no gateway.
func (g *Gateways) Route(ctx context.Context, p payment.Payment, kind gateway.Kind) ([]routing.Choice, []routing.Candidate, error) {
	const op = "app.Gateways.Route"
	accounts, err := g.Directory.GatewayAccounts(ctx)
	if err != nil {
		return nil, nil, fault.E(op, "", err)
	}
	rules, err := g.Directory.RouteRules(ctx)
	if err != nil {
		return nil, nil, fault.E(op, "", err)
	}
	candidates := make([]routing.Candidate, len(accounts))
	for i, a := range accounts {
		candidates[i] = g.candidate(a, kind, p.Amount)
	}
	order, others := routing.DecideRoute(p, kind, candidates, rules)
	return order, others, nil
}

// candidate is an account with what keeps it from taking this amount now, if anything does.
func (g *Gateways) candidate(a owner.GatewayAccount, kind gateway.Kind, amount money.Amount) routing.Candidate {
	c := routing.Candidate{Gateway: a}
	plugin, ok := g.Plugins.Plugin(a.Plugin)
	if !ok {
		c.Obstacle = routing.Unusable
		return c
	}
	d := plugin.Describe()
	switch {
	case d.Deposit == nil || !slices.Contains(d.Kinds, kind):
		c.Obstacle = routing.OtherKind
		return c
	case !a.IsEnabled:
		c.Obstacle = routing.SwitchedOff
		return c
	}
	low, high := a.Bounds(d.Deposit.Min, d.Deposit.Max)
	opened, err := g.Open(a)
	switch {
	case a.Trouble != "":
		c.Obstacle, c.Detail = routing.InTrouble, a.Trouble
	case err != nil:
		c.Obstacle = routing.Unusable
	case amount.Less(low) || !high.IsZero() && high.Less(amount):
		c.Obstacle, c.Detail = routing.BeyondLimits, limits(low, high)
	case opened.IsFailing() && opened.MayTry(1) == 0:
		c.Obstacle = routing.NotAnswering
	}
	return c
}

// limits writes bounds of amounts, of which a zero one is none: "10.00–500.00".
func limits(low, high money.Amount) string {
	if high.IsZero() {
		return "≥ " + low.String()
	}
	return low.String() + "–" + high.String()
}

// DepositBounds returns the least and the greatest amount that any enabled account takes in one of the kinds; a zero high is no limit.
// Not ok: there is no such account.
func (g *Gateways) DepositBounds(ctx context.Context, kinds []gateway.Kind) (low, high money.Amount, ok bool, err error) {
	accounts, err := g.Directory.GatewayAccounts(ctx)
	if err != nil {
		return low, high, false, fault.E("app.Gateways.DepositBounds", "", err)
	}
	for _, a := range accounts {
		plugin, has := g.Plugins.Plugin(a.Plugin)
		takes := func(k gateway.Kind) bool { return slices.Contains(kinds, k) }
		if !has || !a.IsEnabled || plugin.Describe().Deposit == nil || !slices.ContainsFunc(plugin.Describe().Kinds, takes) {
			continue
		}
		least, most := a.Bounds(plugin.Describe().Deposit.Min, plugin.Describe().Deposit.Max)
		if !ok || least.Less(low) {
			low = least
		}
		if !ok || most.IsZero() || !high.IsZero() && high.Less(most) {
			high = most
		}
		ok = true
	}
	return low, high, ok, nil
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
