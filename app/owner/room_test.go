package owner_test

import (
	"fmt"
	"testing"

	"github.com/vezne/vezne/app"
	directory "github.com/vezne/vezne/app/owner"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/routing"
	"github.com/vezne/vezne/e2e/apptest"
)

// list is one that staff fill one by one, and that is read whole.
type list struct {
	has int // rows of the world
	row func(w *apptest.World, id int64) core.Row
	add func(w *apptest.World, name string) error
}

func lists(t *testing.T) map[string]list {
	t.Helper()
	lira := money.New(100, money.TRY)
	return map[string]list{
		"sites": {
			1, func(w *apptest.World, id int64) core.Row {
				return owner.Site{ID: id, Version: 1, ProviderID: w.Provider.ID, CredentialFingerprint: fmt.Sprint(id), CreatedAt: w.Clock.Now(), UpdatedAt: w.Clock.Now()}
			},
			func(w *apptest.World, name string) error {
				n := directory.NewSite{ProviderID: w.Provider.ID, SitePatch: owner.SitePatch{Name: &name, DealerID: &w.Dealer.ID}}
				_, _, err := w.Directory.AddSite(t.Context(), admin(w), n)
				return err
			},
		},
		"siteTokens": {
			0, func(w *apptest.World, id int64) core.Row {
				return owner.SiteToken{ID: id, Version: 1, DealerID: w.Dealer.ID, Token: fmt.Sprint(id), CreatedAt: w.Clock.Now(), UpdatedAt: w.Clock.Now()}
			},
			func(w *apptest.World, name string) error {
				n := directory.NewSiteToken{DealerID: w.Dealer.ID, SiteTokenPatch: owner.SiteTokenPatch{Name: &name}}
				_, _, err := w.Directory.AddSiteToken(t.Context(), admin(w), n)
				return err
			},
		},
		"accounts": {
			3, func(w *apptest.World, id int64) core.Row {
				return owner.Account{ID: id, Version: 1, DealerID: w.Dealer.ID, Kind: owner.ManualAccount, CreatedAt: w.Clock.Now(), UpdatedAt: w.Clock.Now()}
			},
			func(w *apptest.World, name string) error {
				patch := owner.AccountPatch{BankName: &name, Holder: &name, Min: &lira, Max: &lira}
				n := owner.NewAccount{DealerID: w.Dealer.ID, Kind: owner.ManualAccount, IBAN: free, AccountPatch: patch}
				_, err := w.Directory.AddAccount(t.Context(), admin(w), n)
				return err
			},
		},
		"gatewayAccounts": {
			3, func(w *apptest.World, id int64) core.Row {
				return owner.GatewayAccount{ID: id, Version: 1, Code: fmt.Sprint("g", id), HookToken: fmt.Sprint(id), CreatedAt: w.Clock.Now(), UpdatedAt: w.Clock.Now()}
			},
			func(w *apptest.World, name string) error {
				n := newAccount()
				n.Code = &name
				_, err := w.GatewayAdmin.Create(t.Context(), admin(w), n)
				return err
			},
		},
		"routeRules": {
			0, func(w *apptest.World, id int64) core.Row {
				return routing.Rule{ID: id, Version: 1, GatewayID: w.Gateway.ID, CreatedAt: w.Clock.Now(), UpdatedAt: w.Clock.Now()}
			},
			func(w *apptest.World, name string) error {
				patch := routing.RulePatch{Name: &name, GatewayID: &w.Gateway.ID}
				_, err := w.GatewayAdmin.SaveRule(t.Context(), admin(w), directory.RuleUpdate{RulePatch: patch})
				return err
			},
		},
	}
}

// TestAListThatIsReadWholeHasRoomForSoMany: one more is refused, and names the list.
func TestAListThatIsReadWholeHasRoomForSoMany(t *testing.T) {
	t.Parallel()
	for name, l := range lists(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := apptest.New(t)
			var change core.Changeset
			for id := range int64(app.MaxListed - l.has - 1) {
				change = append(change, l.row(w, 1_000_000+id))
			}
			if err := w.Store.Commit(t.Context(), change); err != nil {
				t.Fatal(err)
			}
			if err := l.add(w, "last"); err != nil {
				t.Errorf("the last one: %v, %+v", err, fault.FieldsOf(err))
			}
			err := l.add(w, "more")
			if fields := fault.FieldsOf(err); !fault.Is(err, fault.Invalid) || len(fields) != 1 || fields[0].Name != name {
				t.Errorf("one more: %v, %+v", err, fields)
			}
		})
	}
}
