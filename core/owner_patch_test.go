package core_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/owner"
)

// TestEmptyPatchesChangeNothing: nil fields stay as they are.
func TestEmptyPatchesChangeNothing(t *testing.T) {
	t.Parallel()
	site := owner.Site{Version: 4, Name: "S", DealerID: 7, IsActive: true, IsIBANStrict: true, URLs: owner.CallbackURLs{Deposit: "https://d"}}
	wantSite := site
	wantSite.Version, wantSite.UpdatedAt = 5, evening
	if got, err := (owner.SitePatch{}).Apply(site, evening, core.Form{}); err != nil || got != wantSite {
		t.Errorf("%+v %v", got, err)
	}
	dealer := owner.Dealer{Version: 4, Name: "D", IsActive: true, IsEIBANEnabled: true, URLs: owner.CallbackURLs{CreditCard: "https://c"}}
	wantDealer := dealer
	wantDealer.Version, wantDealer.UpdatedAt = 5, evening
	if got, err := (owner.DealerPatch{}).Apply(dealer, evening); err != nil || !reflect.DeepEqual(got, wantDealer) {
		t.Errorf("%+v %v", got, err)
	}
	token := owner.SiteToken{Version: 4, Name: "T", IsActive: true}
	wantToken := token
	wantToken.Version, wantToken.UpdatedAt = 5, evening
	if got, err := (owner.SiteTokenPatch{}).Apply(token, evening, core.Form{}); err != nil || got != wantToken {
		t.Errorf("%+v %v", got, err)
	}
	account := owner.Account{Version: 4, BankName: "B", Holder: "H", IBAN: "I", IsActive: true, Min: lira(100), Max: lira(900), DailyCount: 3}
	wantAccount := account
	wantAccount.Version, wantAccount.UpdatedAt = 5, evening
	if got, err := (owner.AccountPatch{}).Apply(account, evening, core.Form{}); err != nil || got != wantAccount {
		t.Errorf("%+v %v", got, err)
	}
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
			_, err := owner.SitePatch{URLsPatch: owner.URLsPatch{CallbackURL: &bad}}.Apply(owner.Site{}, evening, core.Form{})
			return err
		}, "name callbackUrl"},
		"dealer": {func() error {
			_, err := owner.DealerPatch{CreditCardCallbackURL: &bad, IPWhitelist: &[]string{"x"}}.Apply(owner.Dealer{}, evening)
			return err
		}, "name creditCardCallbackUrl ipWhitelist"},
		"site token": {func() error {
			_, err := owner.SiteTokenPatch{}.Apply(owner.SiteToken{}, evening, core.Form{})
			return err
		}, "name"},
		"account": {func() error {
			_, err := owner.NewAccount{Kind: "x", IBAN: "y"}.Make(nil, evening, core.Form{})
			return err
		}, "kind iban bankName holder min max"},
	} {
		err := tt.apply()
		var fields []string
		for _, f := range fault.FieldsOf(err) {
			fields = append(fields, f.Name)
		}
		if !fault.Is(err, fault.Invalid) || strings.Join(fields, " ") != tt.want {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestLimitsOfAccounts: in order, in lira, and a limit of nothing is none.
func TestLimitsOfAccounts(t *testing.T) {
	t.Parallel()
	fine := owner.Account{BankName: "B", Holder: "H", Min: lira(100), Max: lira(900)}
	usd := money.New(500, money.Currency{Code: "USD", Decimals: 2})
	for name, tt := range map[string]struct {
		patch owner.AccountPatch
		want  string
	}{
		"fine":                    {owner.AccountPatch{Min: ptr(lira(100)), Max: ptr(lira(100)), DailyLimit: ptr(lira(100)), DailyCount: ptr(1)}, ""},
		"no limits":               {owner.AccountPatch{DailyLimit: ptr(lira(0)), DailyCount: ptr(0)}, ""},
		"below one":               {owner.AccountPatch{Min: ptr(lira(99))}, "min"},
		"max below min":           {owner.AccountPatch{Min: ptr(lira(901))}, "max"},
		"another currency":        {owner.AccountPatch{Max: &usd}, "max"},
		"a day less than one":     {owner.AccountPatch{DailyLimit: ptr(lira(99))}, "dailyLimit"},
		"less than nothing a day": {owner.AccountPatch{DailyLimit: ptr(lira(-1)), DailyCount: ptr(-1)}, "dailyLimit dailyCount"},
		"too many a day":          {owner.AccountPatch{DailyCount: ptr(1_000_001)}, "dailyCount"},
	} {
		_, err := tt.patch.Apply(fine, evening, core.Form{})
		var fields []string
		for _, f := range fault.FieldsOf(err) {
			fields = append(fields, f.Name)
		}
		if strings.Join(fields, " ") != tt.want {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestAuditStatesOfOwners: JSON, and no key in it.
func TestAuditStatesOfOwners(t *testing.T) {
	t.Parallel()
	s := core.NewSecret("hidden")
	old := owner.PreviousKey{Key: s, Until: evening}
	for _, state := range []string{
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

func TestWhatIsLeftOfADay(t *testing.T) {
	t.Parallel()
	l := owner.AccountLoad{Account: owner.Account{DailyLimit: lira(100), DailyCount: 3}, Used: lira(30), Count: 1}
	amount, ok := l.AmountLeft()
	if count, isCounted := l.CountLeft(); !ok || !isCounted || amount != lira(70) || count != 2 {
		t.Errorf("%s %d", amount, count)
	}
	l.Used, l.Count = lira(130), 5
	amount, _ = l.AmountLeft()
	if count, _ := l.CountLeft(); !amount.IsZero() || count != 0 {
		t.Errorf("beyond the limits: %s %d", amount, count)
	}
	if _, ok := (owner.AccountLoad{}).AmountLeft(); ok {
		t.Error("there is something left of no limit")
	}
	if _, ok := (owner.AccountLoad{}).CountLeft(); ok {
		t.Error("there is something left of no limit")
	}
}
