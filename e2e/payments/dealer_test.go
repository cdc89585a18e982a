package payments_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"testing"

	"github.com/vezne/vezne/e2e/harness"
)

// dealerCalls are D1 to D8 with a body or query that is right.
var dealerCalls = []struct {
	name, method, path, body string
	isForSite                bool
}{
	{"D1", http.MethodGet, "settings", "", true},
	{"D2", http.MethodPost, "manual-iban/deposit", `{"username":"a","userid":"1","fullname":"Ayşe Yılmaz","amount":250}`, true},
	{
		"D3", http.MethodPost, "manual-iban/withdraw",
		`{"username":"a","userid":"1","amount":"250.00","recipient_name":"Ayşe Yılmaz","recipient_iban":"` + harness.CustomerIBAN + `"}`, true,
	},
	{"D4", http.MethodGet, "eibans", "", false},
	{"D5", http.MethodGet, "transactions?wallet_id={{wallet}}&start_date={{day}}&end_date={{day}}", "", false},
	{
		"D6", http.MethodPost, "send-money",
		`{"wallet_id":"{{wallet}}","recipient_iban":"` + harness.CustomerIBAN + `","recipient_name":"Ayşe Yılmaz","amount":250}`, false,
	},
	{"D7", http.MethodGet, "transfer-status?transfer_id={{transfer}}", "", false},
	{
		"D8", http.MethodPost, "credit-card/payment",
		`{"username":"a","firstname":"Ayşe","lastname":"Yılmaz","email":"a@example.com","phone":"+905321234567","amount":250}`, true,
	},
}

// TestDealerCalls makes every call of the dealer API with every kind of key: the dealer's own reach all of it, a site
// token some, and a provider's keys nothing; nor do a dealer's keys reach the provider API.
func TestDealerCalls(t *testing.T) {
	t.Parallel()
	harness.ForEach(t, func(t *testing.T, in *harness.Installation) {
		b := in.OpenBranch()
		sent := b.Send(t, b.Wallets[0], "100", "00")
		names := strings.NewReplacer("{{wallet}}", b.Wallets[0].WalletID, "{{day}}", harness.Today(), "{{transfer}}", sent.ID)
		own, site := b.Dealer, in.Website(b.Server)
		provider := harness.DealerCaller{Base: own.Base, Key: in.Keys.Provider.APIKey, Secret: in.Keys.Provider.SecretKey}
		asToken, stolen := own, own
		asToken.IsSite, stolen.Secret = true, in.Keys.Provider.SecretKey
		for _, c := range dealerCalls {
			bySite := "403 Not allowed for site tokens"
			if c.isForSite {
				bySite = "200"
			}
			for _, try := range []struct {
				what string
				by   harness.DealerCaller
				want string
			}{
				{"its own keys", own, "200"},
				{"a site token", site, bySite},
				{"a provider's keys", provider, "401 Invalid API key"},
				{"the API key as a site token", asToken, "401 Invalid API key"},
				{"a provider's secret key", stolen, "401 Invalid hash"},
			} {
				if got := raw(try.by, c.method, names.Replace(c.path), names.Replace(c.body)); got != try.want {
					t.Errorf("%s with %s is answered with %s, want %s", c.name, try.what, got, try.want)
				}
			}
		}
		checkNoProvider(t, b, own, site)
		b.Server.Stop(t)
	})
}

// raw makes a call and says how it is answered: its status, and the error's text.
func raw(d harness.DealerCaller, method, path, body string) string {
	var r any
	if body != "" {
		r = json.RawMessage(body)
	}
	var data struct{ Data harness.Payment }
	_, err := d.Call(method, path, "", r, &data)
	var no harness.DealerRefusal
	switch {
	case err == nil:
		harness.KeepSecret("a page's token", harness.PageToken(data.Data.PaymentURL))
		return "200"
	case errors.As(err, &no):
		return fmt.Sprint(no.Status, " ", no.Text)
	default:
		return err.Error()
	}
}

// checkNoProvider calls the provider API with a dealer's keys.
func checkNoProvider(t *testing.T, b *harness.Branch, callers ...harness.DealerCaller) {
	t.Helper()
	for _, d := range callers {
		as := harness.Caller{Base: d.Base, Keys: harness.ProviderKeys{APIKey: d.Key, SecretKey: d.Secret}, Site: b.In.Keys.Sites[0]}
		if a, text := as.Welcome(t); a.Status != http.StatusUnauthorized || text != "Invalid API key" {
			t.Errorf("at the provider API %s is answered with %d %s", d.Key[:4], a.Status, text)
		}
		a, _, err := as.Try("start-manual-deposit", harness.Order("10.00"), "")
		if err != nil || a.Status != http.StatusUnauthorized || !strings.Contains(string(a.Body), `"error":"Invalid API key"`) {
			t.Errorf("creating a deposit there is answered with %d %s (%v)", a.Status, a.Body, err)
		}
	}
}

// TestDealerAnswers reads the answers of D1 to D4 as an integrator does.
func TestDealerAnswers(t *testing.T) {
	t.Parallel()
	harness.ForEach(t, func(t *testing.T, in *harness.Installation) {
		server := in.Serve()
		d := in.Dealer(server)
		s, err := d.Settings()
		methods := map[string]string{"credit_card": "active", "eiban": "active", "manual_iban": "active"}
		isWelcome := s.DealerName == "Marmara Finans" && strings.Contains(s.Message, s.DealerName)
		if err != nil || !isWelcome || !maps.Equal(s.PaymentMethods, methods) {
			t.Errorf("D1 answers %+v (%v)", s, err)
		}
		o, err := d.Offer("250.5")
		want := harness.Offer{
			TrackingCode: o.TrackingCode, BankName: o.BankName, AccountName: "Marmara Finans A.Ş.", IBAN: o.IBAN, Amount: "250.50",
			Formatted: grouped(o.IBAN),
		}
		if err != nil || o != want || !strings.HasPrefix(o.TrackingCode, "MAN-") || o.BankName == "" {
			t.Errorf("D2 answers %+v (%v)", o, err)
		}
		staff := in.SignIn(server, "dealer")
		done := staff.Must(t, "approveDeposit", o.TrackingCode)
		if done.Status != "COMPLETED" || done.Account.IBAN != o.IBAN || !done.IsToldToNobody() {
			t.Errorf("approved, the offer is %+v", done)
		}
		r, err := d.Withdraw("99.99")
		asked := harness.WithdrawalRequest{
			TrackingCode: r.TrackingCode, Status: "pending", Amount: "99.99", RecipientName: "Ayşe Yılmaz", RecipientIBAN: harness.CustomerIBAN,
		}
		if err != nil || r != asked || !strings.HasPrefix(r.TrackingCode, "WIT-") {
			t.Errorf("D3 answers %+v (%v)", r, err)
		}
		list, err := d.Eibans()
		if err != nil || len(list) != 2 || list[0].Balance != "250000.00" || list[1].Available != "40000.00" {
			t.Errorf("D4 answers %+v (%v)", list, err)
		}
		for i, e := range list {
			k := in.Keys.Wallets[i]
			want := harness.Eiban{
				ID: e.ID, IBAN: k.IBAN, Bank: "SIM Bank", Holder: "Marmara Finans A.Ş.", WalletID: k.WalletID, Balance: e.Balance,
				Available: e.Balance,
			}
			if e != want || e.ID == 0 {
				t.Errorf("D4 lists %+v, want %+v", e, want)
			}
		}
		server.Stop(t)
	})
}
