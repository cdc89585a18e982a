package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/vezne/vezne/app"
	directory "github.com/vezne/vezne/app/owner"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/approval"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/routing"
	"github.com/vezne/vezne/core/wallet"
	"github.com/vezne/vezne/plugins/sandbox/bank"
)

// redirection is a staff member's change of where money goes.
type redirection func(w *World, ctx context.Context, who app.Request, s Step) error

// redirections are what staff can change about where money goes, by a step's What. N is the owner, or the gateway.
var redirections = map[string]redirection{
	"dealer of site": func(w *World, ctx context.Context, who app.Request, s Step) error {
		other := w.cast.dealers[(s.N+1)%len(w.cast.dealers)].ID
		_, err := w.process.directory.UpdateSite(ctx, who, directory.SiteUpdate{
			ID: w.cast.sites[s.N].ID, SitePatch: owner.SitePatch{DealerID: &other},
		})
		return err
	},
	"new IBAN": func(w *World, ctx context.Context, who app.Request, s Step) error {
		name, least, most, daily := "Ziraat Bankası", lira(1), maxManual(), lira(20_000)
		_, err := w.process.directory.AddAccount(ctx, who, owner.NewAccount{
			DealerID: w.cast.dealers[s.N].ID, Kind: owner.ManualAccount, IBAN: bank.TurkishIBAN("00010", fmt.Sprint(200+s.ID)),
			AccountPatch: owner.AccountPatch{BankName: &name, Holder: &name, Min: &least, Max: &most, DailyLimit: &daily},
		})
		return err
	},
	"holder": func(w *World, ctx context.Context, who app.Request, s Step) error {
		name := fmt.Sprint("Holder ", s.ID)
		return w.patchAccount(ctx, who, s, owner.AccountPatch{Holder: &name})
	},
	"limits": func(w *World, ctx context.Context, who app.Request, s Step) error {
		daily := lira(int64(20_000 + s.ID))
		return w.patchAccount(ctx, who, s, owner.AccountPatch{DailyLimit: &daily})
	},
	"callback": func(w *World, ctx context.Context, who app.Request, s Step) error {
		url := receiverURL(s.N, fmt.Sprint("moved-", s.ID))
		return w.patchProvider(ctx, who, s, owner.ProviderPatch{DepositCallbackURL: &url})
	},
	"provider off": providerIs(false),
	"provider on":  providerIs(true),
	"route": func(w *World, ctx context.Context, who app.Request, s Step) error {
		name, id, first := fmt.Sprint("Route ", s.ID), w.cast.gateways[s.N%bankCount].ID, 1
		_, err := w.process.gatewayAdmin.SaveRule(ctx, who, directory.RuleUpdate{RulePatch: routing.RulePatch{
			Name: &name, GatewayID: &id, Priority: &first,
		}})
		return err
	},
	"gateway off": gatewayIs(false),
	"gateway on":  gatewayIs(true),
}

func (w *World) patchAccount(ctx context.Context, who app.Request, s Step, patch owner.AccountPatch) error {
	_, err := w.process.directory.UpdateAccount(ctx, who, directory.AccountUpdate{
		ID: w.cast.accounts[s.N].ID, AccountPatch: patch,
	})
	return err
}

func (w *World) patchProvider(ctx context.Context, who app.Request, s Step, patch owner.ProviderPatch) error {
	_, err := w.process.directory.UpdateProvider(ctx, who, directory.ProviderUpdate{
		ID: w.cast.providers[s.N].ID, ProviderPatch: patch,
	})
	return err
}

// providerIs switches a provider on or off.
func providerIs(active bool) redirection {
	return func(w *World, ctx context.Context, who app.Request, s Step) error {
		return w.patchProvider(ctx, who, s, owner.ProviderPatch{IsActive: &active})
	}
}

// gatewayIs switches a gateway on or off.
func gatewayIs(enabled bool) redirection {
	return func(w *World, ctx context.Context, who app.Request, s Step) error {
		_, err := w.process.gatewayAdmin.Update(ctx, who, directory.GatewayUpdate{ID: w.cast.gateways[s.N%bankCount].ID, GatewayPatch: owner.GatewayPatch{IsEnabled: &enabled}})
		return err
	}
}

// redirect is a staff member who changes where money goes.
func (w *World) redirect(ctx context.Context, who app.Request, s Step) (string, error) {
	change := redirections[s.What]
	if change == nil || s.N >= len(w.cast.sites) {
		return "", errNothing
	}
	return s.What + " is changed", change(w, ctx, who, s)
}

// wallet makes a wallet of the account on which the first gateway collects.
func (w *World) wallet(ctx context.Context, who app.Request, _ Step) (string, error) {
	_, err := w.process.wallets.Create(ctx, who, w.newWallet(w.cast, 2, 0))
	return "the account on which the gateway collects is a wallet", err
}

// owners are who takes part as they were committed last, and what else decides where money goes.
type owners struct {
	providers map[int64]owner.Provider
	sites     map[int64]owner.Site
	dealers   map[int64]owner.Dealer
	accounts  map[int64]owner.Account
	wallets   map[int64]wallet.Wallet
	gateways  map[int64]owner.GatewayAccount
}

func newOwners(c *cast) owners {
	o := owners{
		map[int64]owner.Provider{}, map[int64]owner.Site{}, map[int64]owner.Dealer{}, map[int64]owner.Account{}, map[int64]wallet.Wallet{},
		map[int64]owner.GatewayAccount{},
	}
	o.take(core.Changeset{}.Merge(core.Rows(c.providers)).Merge(core.Rows(c.sites)).Merge(core.Rows(c.dealers)).Merge(core.Rows(c.accounts)).Merge(core.Rows(c.wallets)).Merge(core.Rows(c.gateways)))
	return o
}

// take takes a changeset in and says what in it leads money elsewhere than before; switching off does not.
func (o owners) take(c core.Changeset) (redirected []string) {
	note := func(isElsewhere bool, kind string, id int64) {
		if isElsewhere {
			redirected = append(redirected, fmt.Sprint(kind, " ", id))
		}
	}
	for _, p := range core.RowsOf[owner.Provider](c) {
		was := o.providers[p.ID]
		note(was.URLs != p.URLs || p.IsActive && !was.IsActive || was.APIKey != p.APIKey || was.SecretKey != p.SecretKey, "provider", p.ID)
		o.providers[p.ID] = p
	}
	for _, s := range core.RowsOf[owner.Site](c) {
		was := o.sites[s.ID]
		note(was.DealerID != s.DealerID || was.URLs != s.URLs || s.IsActive && !was.IsActive, "site", s.ID)
		o.sites[s.ID] = s
	}
	for _, d := range core.RowsOf[owner.Dealer](c) {
		was := o.dealers[d.ID]
		note(was.Name != d.Name || was.URLs != d.URLs || d.IsActive && !was.IsActive, "dealer", d.ID)
		o.dealers[d.ID] = d
	}
	for _, a := range core.RowsOf[owner.Account](c) {
		was := o.accounts[a.ID]
		isHigher := was.Max.Less(a.Max) || was.DailyLimit.Less(a.DailyLimit) || was.DailyCount < a.DailyCount
		note(was.IBAN != a.IBAN || was.Holder != a.Holder || was.DealerID != a.DealerID || isHigher || a.IsActive && !was.IsActive,
			"account", a.ID)
		o.accounts[a.ID] = a
	}
	for _, l := range core.RowsOf[wallet.Wallet](c) {
		was := o.wallets[l.ID]
		note(was.IBAN != l.IBAN || was.DealerID != l.DealerID || l.IsActive && !was.IsActive, "wallet", l.ID)
		o.wallets[l.ID] = l
	}
	for _, g := range core.RowsOf[owner.GatewayAccount](c) {
		was := o.gateways[g.ID]
		note(g.IsEnabled && !was.IsEnabled || was.Config != g.Config || was.HookToken != g.HookToken, "gateway", g.ID)
		o.gateways[g.ID] = g
	}
	for _, r := range core.RowsOf[routing.Rule](c) {
		note(true, "route rule", r.ID)
	}
	return redirected
}

// checkRedirected: one staff member alone leads no money elsewhere. The rules of the world say so of all of it.
func (w *World) checkRedirected(c core.Changeset) {
	redirected := w.mirror.owners.take(c)
	isStaff := slices.ContainsFunc(core.RowsOf[core.AuditEntry](c), func(e core.AuditEntry) bool { return e.Actor.Kind == core.ByStaff })
	if len(redirected) > 0 && isStaff && !isTogether(c) {
		w.fail(ownersKept, "%s alone changes where money goes: %v", core.RowsOf[core.AuditEntry](c)[0].Actor.Name, redirected)
	}
}

// isTogether reports whether two people have decided on what a changeset does.
func isTogether(c core.Changeset) bool {
	return slices.ContainsFunc(core.RowsOf[approval.Approval](c), func(a approval.Approval) bool {
		return a.Status == approval.Approved && a.DecidedBy != 0 && a.DecidedBy != a.RequesterID
	})
}
