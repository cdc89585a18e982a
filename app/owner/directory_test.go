package owner_test

import (
	"strings"
	"sync"
	"testing"

	"github.com/vezne/vezne/app"
	directory "github.com/vezne/vezne/app/owner"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/lang"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/sign"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/e2e/apptest"
)

func wantCode(t *testing.T, err error, want fault.Code) {
	t.Helper()
	if got := fault.CodeOf(err); got != want {
		t.Errorf("got %q (%v), want %q", got, err, want)
	}
}

// audited returns a World whose audit rows a test can look at.
func audited(t *testing.T) (*apptest.World, func() []core.AuditEntry) {
	t.Helper()
	w := apptest.New(t)
	var mu sync.Mutex
	var rows []core.AuditEntry
	w.UnitOfWork.Commits = &apptest.Commits{Committer: w.Store, After: func(c core.Changeset) error {
		mu.Lock()
		defer mu.Unlock()
		rows = append(rows, core.RowsOf[core.AuditEntry](c)...)
		return nil
	}}
	return w, func() []core.AuditEntry {
		mu.Lock()
		defer mu.Unlock()
		taken := rows
		rows = nil
		return taken
	}
}

func TestIssuedKeysSayWhatTheyAreAndAreAllDifferent(t *testing.T) {
	t.Parallel()
	w, audit := audited(t)
	seen := map[string]bool{}
	want := func(prefix core.KeyPrefix, key string) {
		t.Helper()
		if !strings.HasPrefix(key, string(prefix)) || len(key) < len(prefix)+26 || seen[key] {
			t.Errorf("%s: %q, seen before: %v", prefix, key, seen[key])
		}
		seen[key] = true
	}
	for range 2 {
		p, err := w.Directory.CreateProvider(t.Context(), app.BySystem, owner.Provider{Name: "P", Language: lang.TR})
		if err != nil || !p.IsActive || p.Version != 1 {
			t.Fatalf("%+v %v", p, err)
		}
		want(core.ProviderAPIKey, p.APIKey)
		want(core.ProviderSecret, p.SecretKey.Reveal())
		want(core.VerificationKey, p.VerificationKey.Reveal())
		want(sign.WebhookPrefix, p.WebhookSecret.Reveal())
		site, key, err := w.Directory.CreateSite(t.Context(), app.BySystem, owner.Site{ProviderID: p.ID, Name: "S"})
		if err != nil || site.CredentialFingerprint != sign.Fingerprint(key) {
			t.Fatalf("%+v %v", site, err)
		}
		want(core.CredentialKey, key)
		d, err := w.Directory.CreateDealer(t.Context(), app.BySystem, owner.Dealer{Name: "D"})
		if err != nil {
			t.Fatal(err)
		}
		want(core.DealerAPIKey, d.APIKey)
		want(core.DealerSecret, d.SecretKey.Reveal())
		token, err := w.Directory.CreateSiteToken(t.Context(), app.BySystem, owner.SiteToken{DealerID: d.ID, Name: "T"})
		if err != nil {
			t.Fatal(err)
		}
		want(core.SiteTokenKey, token.Token)
		want(core.SiteTokenSecret, token.SecretKey.Reveal())
	}
	rows := audit()
	if len(rows) != 8 {
		t.Errorf("%d audit rows of 8 creations", len(rows))
	}
	for _, row := range rows {
		for key := range seen {
			if strings.Contains(row.Before+row.After+row.Target+row.Action, key) {
				t.Errorf("%s names a key", row.Action)
			}
		}
	}
}

func TestSitesAreAProvidersOwn(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	added := w.AddSite(t, "second", owner.CallbackURLs{})
	sites, err := w.Directory.Sites(t.Context(), w.Provider.ID)
	if err != nil || len(sites) != 2 || sites[0].ID != w.Site.ID || sites[1].ID != added.ID {
		t.Errorf("%+v %v", sites, err)
	}
}

func TestAccountsAreHeldToTheRules(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	fine := w.Accounts[0]
	for name, tt := range map[string]struct {
		change func(*owner.Account)
		want   fault.Code
	}{
		"fine":           {func(*owner.Account) {}, ""},
		"wrong IBAN":     {func(a *owner.Account) { a.IBAN = "TR340006100519786457841326" }, fault.Invalid},
		"nobody's":       {func(a *owner.Account) { a.Holder = " " }, fault.Invalid},
		"no bank":        {func(a *owner.Account) { a.BankName = "" }, fault.Invalid},
		"max below min":  {func(a *owner.Account) { a.Max = money.New(a.Min.Minor()-1, money.TRY) }, fault.Invalid},
		"min below one":  {func(a *owner.Account) { a.Min = money.New(99, money.TRY) }, fault.Invalid},
		"without limits": {func(a *owner.Account) { a.Min, a.Max = money.Amount{}, money.Amount{} }, fault.Invalid},
	} {
		a := fine
		tt.change(&a)
		_, err := w.Directory.CreateAccount(t.Context(), app.BySystem, a)
		if got := fault.CodeOf(err); got != tt.want {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestProviderIsEditedByWhoMayAndAudited(t *testing.T) {
	t.Parallel()
	w, audit := audited(t)
	name, url := "Yeni Ad", "https://new.test/callback"
	patch := owner.ProviderPatch{Name: &name, CallbackURL: &url}
	for _, staff := range []staff.Staff{w.Operator, w.Viewer, w.DealerStaff, {}} {
		_, err := w.Directory.UpdateProvider(t.Context(), app.Request{Staff: staff, Addr: "192.0.2.7"}, directory.ProviderUpdate{ID: w.Provider.ID, ProviderPatch: patch})
		wantCode(t, err, fault.Forbidden)
	}
	for _, staff := range []staff.Staff{w.DealerStaff, {}} {
		_, err := w.Directory.Provider(t.Context(), staff, w.Provider.ID)
		wantCode(t, err, fault.Forbidden)
	}
	if rows := audit(); len(rows) != 0 {
		t.Errorf("a refusal is audited: %+v", rows)
	}
	after, err := w.Directory.UpdateProvider(t.Context(), app.Request{Staff: w.Admin, Addr: "192.0.2.7"}, directory.ProviderUpdate{ID: w.Provider.ID, ProviderPatch: patch})
	if err != nil || after.Name != name || after.URLs.Deposit != url || after.Version != 2 || after.URLs.Withdrawal != w.Provider.URLs.Withdrawal {
		t.Fatalf("%+v %v", after, err)
	}
	rows := audit()
	if len(rows) != 1 || rows[0].Action != "updateProvider" || rows[0].Actor != w.Admin.Actor("192.0.2.7") || rows[0].Target != after.Ref() ||
		!strings.Contains(rows[0].Before, w.Provider.Name) || !strings.Contains(rows[0].After, name) {
		t.Errorf("audit %+v", rows)
	}
	for _, secret := range []string{after.SecretKey.Reveal(), after.VerificationKey.Reveal(), after.WebhookSecret.Reveal()} {
		if strings.Contains(rows[0].Before+rows[0].After, secret) {
			t.Error("the audit row holds a secret")
		}
	}
	if got, err := w.Directory.Provider(t.Context(), w.Admin, w.Provider.ID); err != nil || got.Name != name {
		t.Errorf("stored %+v %v", got, err)
	}
	bad := "ftp://x"
	_, err = w.Directory.UpdateProvider(t.Context(), app.Request{Staff: w.Admin, Addr: ""}, directory.ProviderUpdate{ID: w.Provider.ID, ProviderPatch: owner.ProviderPatch{CallbackURL: &bad}})
	wantCode(t, err, fault.Invalid)
	_, err = w.Directory.UpdateProvider(t.Context(), app.Request{Staff: w.Admin, Addr: ""}, directory.ProviderUpdate{ID: 4711, ProviderPatch: patch})
	wantCode(t, err, fault.NotFound)
}

func TestEditsMadeAtOnceLoseNothingOfEachOther(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	deposit, withdrawal := "https://a.test", "https://b.test"
	edit := func(patch owner.ProviderPatch) {
		if _, err := w.Directory.UpdateProvider(t.Context(), app.Request{Staff: w.Admin, Addr: ""}, directory.ProviderUpdate{ID: w.Provider.ID, ProviderPatch: patch}); err != nil {
			t.Error(err)
		}
	}
	isOvertaken := false
	w.UnitOfWork.Commits = &apptest.Commits{Committer: w.Store, Before: func(core.Changeset) error {
		if !isOvertaken {
			isOvertaken = true
			edit(owner.ProviderPatch{WithdrawalCallbackURL: &withdrawal})
		}
		return nil
	}}
	edit(owner.ProviderPatch{CallbackURL: &deposit})
	got, err := w.Store.Provider(t.Context(), w.Provider.ID)
	if err != nil || got.URLs.Deposit != deposit || got.URLs.Withdrawal != withdrawal || got.Version != 3 {
		t.Errorf("%+v %v", got, err)
	}
}
