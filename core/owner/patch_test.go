package owner_test

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/coretest"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/owner"
)

// TestEmptyPatchesChangeNothing: nil fields stay as they are.
func TestEmptyPatchesChangeNothing(t *testing.T) {
	t.Parallel()
	provider := coretest.Provider()
	provider.Version, provider.Name, provider.IsActive, provider.Language = 4, "P", true, "en"
	provider.URLs = owner.CallbackURLs{Deposit: "https://d", EIBANDeposit: "https://e", Withdrawal: "https://w", CreditCard: "https://c"}
	wantProvider := provider
	wantProvider.Version, wantProvider.UpdatedAt = 5, coretest.Evening
	if got, err := (owner.ProviderPatch{}).Apply(provider, coretest.Evening); err != nil || !reflect.DeepEqual(got, wantProvider) {
		t.Errorf("%+v, %v, want %+v", got, err, wantProvider)
	}
	site := owner.Site{Version: 4, Name: "S", DealerID: 7, IsActive: true, IsIBANStrict: true, URLs: owner.CallbackURLs{Deposit: "https://d"}}
	wantSite := site
	wantSite.Version, wantSite.UpdatedAt = 5, coretest.Evening
	if got, err := (owner.SitePatch{}).Apply(site, coretest.Evening, core.Form{}); err != nil || !reflect.DeepEqual(got, wantSite) {
		t.Errorf("%+v %v", got, err)
	}
	dealer := owner.Dealer{Version: 4, Name: "D", IsActive: true, IsEIBANEnabled: true, URLs: owner.CallbackURLs{CreditCard: "https://c"}}
	wantDealer := dealer
	wantDealer.Version, wantDealer.UpdatedAt = 5, coretest.Evening
	if got, err := (owner.DealerPatch{}).Apply(dealer, coretest.Evening); err != nil || !reflect.DeepEqual(got, wantDealer) {
		t.Errorf("%+v %v", got, err)
	}
	token := owner.SiteToken{Version: 4, Name: "T", IsActive: true}
	wantToken := token
	wantToken.Version, wantToken.UpdatedAt = 5, coretest.Evening
	if got, err := (owner.SiteTokenPatch{}).Apply(token, coretest.Evening, core.Form{}); err != nil || got != wantToken {
		t.Errorf("%+v %v", got, err)
	}
	account := owner.Account{Version: 4, BankName: "B", Holder: "H", IBAN: "I", IsActive: true, Min: coretest.Lira(100), Max: coretest.Lira(900), DailyCount: 3}
	wantAccount := account
	wantAccount.Version, wantAccount.UpdatedAt = 5, coretest.Evening
	if got, err := (owner.AccountPatch{}).Apply(account, coretest.Evening, core.Form{}); err != nil || got != wantAccount {
		t.Errorf("%+v %v", got, err)
	}
}

func failedFields(err error) string {
	var names []string
	for _, f := range fault.FieldsOf(err) {
		names = append(names, f.Name)
	}
	return strings.Join(names, " ")
}

// TestNewOnesNeedAName: and everything else that fails is told with it.
func TestNewOnesNeedAName(t *testing.T) {
	t.Parallel()
	bad := "ftp://x"
	for name, tt := range map[string]struct {
		apply func() error
		want  string
	}{
		"site": {func() error {
			_, err := owner.SitePatch{URLsPatch: owner.URLsPatch{CallbackURL: &bad}}.Apply(owner.Site{}, coretest.Evening, core.Form{})
			return err
		}, "name callbackUrl"},
		"dealer": {func() error {
			_, err := owner.DealerPatch{CreditCardCallbackURL: &bad, IPWhitelist: &[]string{"x"}}.Apply(owner.Dealer{}, coretest.Evening)
			return err
		}, "name creditCardCallbackUrl ipWhitelist"},
		"site token": {func() error {
			_, err := owner.SiteTokenPatch{}.Apply(owner.SiteToken{}, coretest.Evening, core.Form{})
			return err
		}, "name"},
		"account": {func() error {
			_, err := owner.NewAccount{Kind: "x", IBAN: "y"}.Make(nil, coretest.Evening, core.Form{})
			return err
		}, "kind iban bankName holder min max"},
	} {
		if err := tt.apply(); !fault.Is(err, fault.Invalid) || failedFields(err) != tt.want {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestLimitsOfAccounts: in order, in lira, and a limit of nothing is none.
func TestLimitsOfAccounts(t *testing.T) {
	t.Parallel()
	fine := owner.Account{BankName: "B", Holder: "H", Min: coretest.Lira(100), Max: coretest.Lira(900)}
	usd := money.New(500, money.Currency{Code: "USD", Decimals: 2})
	for name, tt := range map[string]struct {
		patch owner.AccountPatch
		want  string
	}{
		"fine":                    {owner.AccountPatch{Min: ptr(coretest.Lira(100)), Max: ptr(coretest.Lira(100)), DailyLimit: ptr(coretest.Lira(100)), DailyCount: ptr(1)}, ""},
		"no limits":               {owner.AccountPatch{DailyLimit: ptr(coretest.Lira(0)), DailyCount: ptr(0)}, ""},
		"below one":               {owner.AccountPatch{Min: ptr(coretest.Lira(99))}, "min"},
		"max below min":           {owner.AccountPatch{Min: ptr(coretest.Lira(901))}, "max"},
		"another currency":        {owner.AccountPatch{Max: &usd}, "max"},
		"a day less than one":     {owner.AccountPatch{DailyLimit: ptr(coretest.Lira(99))}, "dailyLimit"},
		"less than nothing a day": {owner.AccountPatch{DailyLimit: ptr(coretest.Lira(-1)), DailyCount: ptr(-1)}, "dailyLimit dailyCount"},
		"too many a day":          {owner.AccountPatch{DailyCount: ptr(1_000_001)}, "dailyCount"},
	} {
		if _, err := tt.patch.Apply(fine, coretest.Evening, core.Form{}); failedFields(err) != tt.want {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestAuditStatesOfOwners: JSON, and no key in it.
func TestAuditStatesOfOwners(t *testing.T) {
	t.Parallel()
	if ref := coretest.Provider().Ref(); ref != "provider/7" {
		t.Errorf("it is named %s", ref)
	}
	s := core.NewSecret("hidden")
	old := owner.PreviousKey{Key: s, Until: coretest.Evening}
	for _, state := range []string{
		owner.Provider{
			Name: "n", APIKey: "hidden", SecretKey: s, VerificationKey: s, WebhookSecret: s, PreviousSecret: old,
		}.AuditState(),
		owner.Site{Name: "n", CredentialFingerprint: "hidden", PreviousCredential: old}.AuditState(),
		owner.Dealer{Name: "n", APIKey: "hidden", SecretKey: s, PreviousSecret: old}.AuditState(),
		owner.SiteToken{Name: "n", Token: "hidden", SecretKey: s, PreviousToken: old}.AuditState(),
		owner.Account{Holder: "n"}.AuditState(), owner.Block{Reason: "n"}.AuditState(),
	} {
		if !json.Valid([]byte(state)) || strings.Contains(state, "hidden") || !strings.Contains(state, `"n"`) {
			t.Error(state)
		}
	}
}

func ptr[T any](v T) *T { return &v }

func TestAProvidersPatch(t *testing.T) {
	t.Parallel()
	got, err := owner.ProviderPatch{
		Name: ptr(" Yeni "), IsActive: ptr(true), Language: ptr("en"), CallbackURL: ptr(" https://example.com/d?x=1 "),
		DepositCallbackURL: ptr("http://example.com:8080"), WithdrawalCallbackURL: ptr(""), CreditCardCallbackURL: ptr("https://[2001:db8::1]/c"),
		IPWhitelist: ptr([]string{"203.0.113.9", " 2001:db8::1/32 "}), IsCreditCardEnabled: ptr(true),
	}.Apply(owner.Provider{Version: 1, URLs: owner.CallbackURLs{Withdrawal: "https://old"}}, coretest.Evening)
	if err != nil {
		t.Fatal(err)
	}
	if got.Name != "Yeni" || !got.IsActive || got.Language != "en" || !got.IsCreditCardEnabled || got.Version != 2 {
		t.Errorf("%+v", got)
	}
	want := owner.CallbackURLs{Deposit: "https://example.com/d?x=1", EIBANDeposit: "http://example.com:8080", CreditCard: "https://[2001:db8::1]/c"}
	if got.URLs != want {
		t.Errorf("URLs %+v, want %+v", got.URLs, want)
	}
	var list []string
	for _, p := range got.IPWhitelist {
		list = append(list, p.String())
	}
	if !slices.Equal(list, []string{"203.0.113.9/32", "2001:db8::/32"}) {
		t.Errorf("whitelist %q", list)
	}
}

func TestAProvidersPatchIsRefused(t *testing.T) {
	t.Parallel()
	urls := []string{
		"example.com", "//example.com", "ftp://example.com", "javascript:alert(1)", "https://", "https://user:secret@example.com",
		"https://user@example.com", "http://exa mple.com", "https://example.com/\x00", "https://example.com/\xff", "http:example.com",
		"https:///path", "https://:443/",
	}
	for _, u := range urls {
		want := "field.url"
		if strings.Contains(u, "@") {
			want = "field.url_user" // it says what is wrong with it, and does not repeat it
		}
		if _, err := (owner.ProviderPatch{CallbackURL: &u}).Apply(owner.Provider{}, coretest.Evening); coretest.FailedField(t, err) != want {
			t.Errorf("URL %q: %v", u, err)
		}
	}
	tests := []struct {
		patch owner.ProviderPatch
		want  string
	}{
		{owner.ProviderPatch{Name: ptr("")}, "field.required"},
		{owner.ProviderPatch{Language: ptr("de")}, "field.language"},
		{owner.ProviderPatch{CallbackURL: ptr("https://example.com/" + strings.Repeat("a", 2000))}, "field.max"},
		{owner.ProviderPatch{IPWhitelist: ptr([]string{"203.0.113.9", "nobody"})}, "field.cidr"},
		{owner.ProviderPatch{IPWhitelist: ptr([]string{""})}, "field.cidr"},
		{owner.ProviderPatch{IPWhitelist: ptr(slices.Repeat([]string{"203.0.113.9"}, 201))}, "field.cidr"},
	}
	for _, tt := range tests {
		if _, err := tt.patch.Apply(owner.Provider{}, coretest.Evening); coretest.FailedField(t, err) != tt.want {
			t.Errorf("%v, want %s", err, tt.want)
		}
	}
	_, err := owner.ProviderPatch{Name: ptr(""), WithdrawalCallbackURL: ptr("x"), Language: ptr("")}.Apply(owner.Provider{}, coretest.Evening)
	if got := fault.FieldsOf(err); len(got) != 3 {
		t.Errorf("three failed fields, told %d: %v", len(got), err)
	}
}
