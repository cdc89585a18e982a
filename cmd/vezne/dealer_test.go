package main_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"testing"
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
		`{"username":"a","userid":"1","amount":"250.00","recipient_name":"Ayşe Yılmaz","recipient_iban":"` + customerIBAN + `"}`, true,
	},
	{"D4", http.MethodGet, "eibans", "", false},
	{"D5", http.MethodGet, "transactions?wallet_id={{wallet}}&start_date={{day}}&end_date={{day}}", "", false},
	{
		"D6", http.MethodPost, "send-money",
		`{"wallet_id":"{{wallet}}","recipient_iban":"` + customerIBAN + `","recipient_name":"Ayşe Yılmaz","amount":250}`, false,
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
	forEach(t, func(t *testing.T, in *installation) {
		b := in.openBranch()
		sent := b.send(t, b.wallets[0], "100", "00")
		names := strings.NewReplacer("{{wallet}}", b.wallets[0].WalletID, "{{day}}", today(), "{{transfer}}", sent.ID)
		own, site := b.dealer, in.website(b.server)
		provider := dealerCaller{base: own.base, key: in.keys.Provider.APIKey, secret: in.keys.Provider.SecretKey}
		asToken, stolen := own, own
		asToken.isSite, stolen.secret = true, in.keys.Provider.SecretKey
		for _, c := range dealerCalls {
			bySite := "403 Not allowed for site tokens"
			if c.isForSite {
				bySite = "200"
			}
			for _, try := range []struct {
				what string
				by   dealerCaller
				want string
			}{
				{"its own keys", own, "200"},
				{"a site token", site, bySite},
				{"a provider's keys", provider, "401 Invalid API key"},
				{"the API key as a site token", asToken, "401 Invalid API key"},
				{"a provider's secret key", stolen, "401 Invalid hash"},
			} {
				if got := try.by.raw(c.method, names.Replace(c.path), names.Replace(c.body)); got != try.want {
					t.Errorf("%s with %s is answered with %s, want %s", c.name, try.what, got, try.want)
				}
			}
		}
		b.checkNoProvider(t, own, site)
		b.server.stop(t)
	})
}

// raw makes a call and says how it is answered: its status, and the error's text.
func (d dealerCaller) raw(method, path, body string) string {
	var r any
	if body != "" {
		r = json.RawMessage(body)
	}
	var data struct{ Data payment }
	_, err := d.call(method, path, "", r, &data)
	var no dealerRefusal
	switch {
	case err == nil:
		shared.keepSecret("a page's token", pageToken(data.Data.PaymentURL))
		return "200"
	case errors.As(err, &no):
		return fmt.Sprint(no.Status, " ", no.Text)
	default:
		return err.Error()
	}
}

// checkNoProvider calls the provider API with a dealer's keys.
func (b *branch) checkNoProvider(t *testing.T, callers ...dealerCaller) {
	t.Helper()
	for _, d := range callers {
		as := caller{base: d.base, keys: providerKeys{APIKey: d.key, SecretKey: d.secret}, site: b.in.keys.Sites[0]}
		if a, text := as.welcome(t); a.status != http.StatusUnauthorized || text != "Invalid API key" {
			t.Errorf("at the provider API %s is answered with %d %s", d.key[:4], a.status, text)
		}
		a, _, err := as.try("start-manual-deposit", order("10.00"), "")
		if err != nil || a.status != http.StatusUnauthorized || !strings.Contains(string(a.body), `"error":"Invalid API key"`) {
			t.Errorf("creating a deposit there is answered with %d %s (%v)", a.status, a.body, err)
		}
	}
}

// TestDealerAnswers reads the answers of D1 to D4 as an integrator does.
func TestDealerAnswers(t *testing.T) {
	t.Parallel()
	forEach(t, func(t *testing.T, in *installation) {
		server := in.serve()
		d := in.dealer(server)
		s, err := d.settings()
		methods := map[string]string{"credit_card": "active", "eiban": "active", "manual_iban": "active"}
		isWelcome := s.DealerName == "Marmara Finans" && strings.Contains(s.Message, s.DealerName)
		if err != nil || !isWelcome || !maps.Equal(s.PaymentMethods, methods) {
			t.Errorf("D1 answers %+v (%v)", s, err)
		}
		o, err := d.offer("250.5")
		want := offer{
			TrackingCode: o.TrackingCode, BankName: o.BankName, AccountName: "Marmara Finans A.Ş.", IBAN: o.IBAN, Amount: "250.50",
			Formatted: grouped(o.IBAN),
		}
		if err != nil || o != want || !strings.HasPrefix(o.TrackingCode, "MAN-") || o.BankName == "" {
			t.Errorf("D2 answers %+v (%v)", o, err)
		}
		staff := in.signIn(server, "dealer")
		done := staff.must(t, "approveDeposit", o.TrackingCode)
		if done.Status != "completed" || done.Account.IBAN != o.IBAN || len(done.Callbacks) != 0 {
			t.Errorf("approved, the offer is %+v", done)
		}
		r, err := d.withdraw("99.99")
		asked := withdrawalRequest{
			TrackingCode: r.TrackingCode, Status: "pending", Amount: "99.99", RecipientName: "Ayşe Yılmaz", RecipientIBAN: customerIBAN,
		}
		if err != nil || r != asked || !strings.HasPrefix(r.TrackingCode, "WIT-") {
			t.Errorf("D3 answers %+v (%v)", r, err)
		}
		list, err := d.eibans()
		if err != nil || len(list) != 2 || list[0].Balance != "250000.00" || list[1].Available != "40000.00" {
			t.Errorf("D4 answers %+v (%v)", list, err)
		}
		for i, e := range list {
			k := in.keys.Wallets[i]
			want := eiban{
				ID: e.ID, IBAN: k.IBAN, Bank: "SIM Bank", Holder: "Marmara Finans A.Ş.", WalletID: k.WalletID, Balance: e.Balance,
				Available: e.Balance,
			}
			if e != want || e.ID == 0 {
				t.Errorf("D4 lists %+v, want %+v", e, want)
			}
		}
		server.stop(t)
	})
}
