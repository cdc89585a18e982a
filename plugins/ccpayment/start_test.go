package ccpayment_test

import (
	"encoding/json"
	"net/url"
	"strings"
	"testing"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/ccpayment"
	"github.com/vezne/vezne/plugins/conformance"
	"github.com/vezne/vezne/ports"
)

// TestEachBrandHasItsOwnAddress, in both environments, and none is reached by a setting.
func TestEachBrandHasItsOwnAddress(t *testing.T) {
	t.Parallel()
	for brand, hosts := range map[string][2]string{
		"sipay": {"provisioning.sipay.com.tr", "app.sipay.com.tr"}, "qnbpay": {"test.qnbpay.com.tr", "portal.qnbpay.com.tr"},
		"paybull": {"test.paybull.com", "app.paybull.com"}, "parolapara": {"testccpayment.parolapara.com", "ccpayment.parolapara.com"},
		"iqmoney": {"provisioning.iqmoneytr.com", "app.iqmoneytr.com"}, "vepara": {"test.vepara.com.tr", "app.vepara.com.tr"},
		"halkode": {"testapp.halkode.com.tr", "app.halkode.com.tr"},
	} {
		for i, environment := range []string{gateway.Sandbox, gateway.Production} {
			of := subject(t)
			of.Environment = environment
			s := openShop(t, of, "brand", brand)
			s.started("R1", "1")
			for _, r := range s.Sent() {
				if !strings.HasPrefix(r.URL, "https://"+hosts[i]+"/ccpayment/") {
					t.Errorf("%s in %s calls %s", brand, environment, r.URL)
				}
			}
		}
	}
	c := gateway.NewConfig(ccpayment.Plugin().Describe().Config, settings(), nil)
	if _, err := ccpayment.Plugin().Open(ports.GatewayEnv{Environment: "elsewhere", Config: c}); !conformance.IsFailure(err, gateway.Misconfigured, gateway.EffectNone) {
		t.Errorf("another environment: %v", err)
	}
}

// TestThePageAsksForTheOrderAndForNothingAboutTheCustomer but a name, and there is no field for a card.
func TestThePageAsksForTheOrderAndForNothingAboutTheCustomer(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	order := s.order("R1", "1234.5")
	order.Customer.Phone, order.Customer.IP, order.Text = "+905321112233", "203.0.113.7", `Sipariş <7> & 🌸 `+strings.Repeat("ğ", 200)
	got, err := s.StartDeposit(t.Context(), order)
	if err != nil {
		t.Fatal(err)
	}
	sent := string(s.SentTo("POST", "/purchase/link")[0].Body)
	for _, never := range []string{"cc_no", "cvv", "expiry", "card", "ayse@example.org", "5321112233", "203.0.113.7", "bill_", "<7>", "🌸"} {
		if strings.Contains(sent, never) {
			t.Errorf("the page is asked for with %q: %s", never, sent)
		}
	}
	var in struct {
		Invoice, Name, Surname string
		Currency               string `json:"currency_code"`
	}
	var p page
	if json.Unmarshal([]byte(sent), &in) != nil || json.Unmarshal([]byte(in.Invoice), &p) != nil {
		t.Fatal(sent)
	}
	if p.Total != "1234.50" || in.Currency != "TRY" || p.Max != 1 || in.Name != "Ayşe Nur" || in.Surname != "Yılmaz" || len([]rune(p.Description)) != 100 {
		t.Errorf("%+v of %+v", p, in)
	}
	if got.External.ID != "R1" || got.External.Alt[gateway.AltPayment] != s.brand.byInvoice("R1").order {
		t.Errorf("%+v", got.External)
	}
	if u, err := url.Parse(got.Next.Redirect.URL); err != nil || u.Host != "app.sipay.com.tr" || strings.Contains(u.String(), p.Hash) {
		t.Errorf("%s", got.Next.Redirect.URL)
	}
}

// TestACustomerHasANameAndASurname: both are demanded.
func TestACustomerHasANameAndASurname(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		who  gateway.Customer
		want [2]string
	}{
		{gateway.Customer{FullName: "Nil"}, [2]string{"Nil", "Nil"}},
		{gateway.Customer{FullName: "Ömer Çağrı İğdırlıoğlu-Özgür"}, [2]string{"Ömer Çağrı", "İğdırlıoğlu-Özgür"}},
		{gateway.Customer{FirstName: "Seán", LastName: "O'Neil"}, [2]string{"Seán", "O'Neil"}},
		{gateway.Customer{FirstName: "Nil", LastName: "🌸", FullName: "Nil Su"}, [2]string{"Nil", "Su"}},
		{gateway.Customer{Username: "nobody"}, [2]string{"nobody", "nobody"}},
		{gateway.Customer{FullName: "🌸"}, [2]string{"Customer", "Customer"}},
		{gateway.Customer{FullName: strings.Repeat("u", 90) + " Soyad"}, [2]string{strings.Repeat("u", 50), "Soyad"}},
	} {
		s := newShop(t)
		order := s.order("R1", "1")
		order.Customer = c.who
		if _, err := s.StartDeposit(t.Context(), order); err != nil {
			t.Errorf("%+v: %v", c.who, err)
			continue
		}
		var in struct{ Name, Surname string }
		_ = json.Unmarshal(s.SentTo("POST", "/purchase/link")[0].Body, &in)
		if [2]string{in.Name, in.Surname} != c.want {
			t.Errorf("%+v is sent as %+v", c.who, in)
		}
	}
}

// TestWhatTheGatewayRefusesAtAStart is what the table says, and nothing is taken for a decline that is none.
func TestWhatTheGatewayRefusesAtAStart(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.started("R0", "1")
	for code, meaning := range ccpayment.Failures {
		s.Answer("POST", "/purchase/link", 200, `{"status":false,"status_code":`+code+`,"status_description":"why"}`)
		if _, err := s.StartDeposit(t.Context(), s.order("R1", "1")); !conformance.IsFailure(err, meaning.Class, meaning.Effect) || gateway.ErrorOf(err).RawText != "why" {
			t.Errorf("%s: %v", code, err)
		}
	}
	for what, answer := range map[string]string{
		"a code that nobody knows": `{"status":false,"status_code":12345,"message":"why"}`,
		"no link":                  `{"status":true,"status_code":100}`,
		"nothing":                  `{}`,
	} {
		s.Answer("POST", "/purchase/link", 200, answer)
		if _, err := s.StartDeposit(t.Context(), s.order("R1", "1")); !conformance.IsFailure(err, gateway.Retryable, gateway.EffectUnknown) {
			t.Errorf("%s: %v", what, err)
		}
	}
	for _, c := range []struct {
		status int
		answer string
		class  gateway.Class
		effect gateway.Effect
	}{
		{422, `{"message":"The invoice field is required.","errors":{}}`, gateway.Invalid, gateway.EffectNone},
		{429, `{"status_code":28,"status_description":"Too many login attempts."}`, gateway.RateLimited, gateway.EffectNone},
		{400, `{"status_code":34,"status_description":"not allowed"}`, gateway.Misconfigured, gateway.EffectNone},
		{500, `{"status_code":1,"status_description":"it went wrong"}`, gateway.Retryable, gateway.EffectUnknown},
	} {
		s.Answer("POST", "/purchase/link", c.status, c.answer)
		if _, err := s.StartDeposit(t.Context(), s.order("R1", "1")); !conformance.IsFailure(err, c.class, c.effect) {
			t.Errorf("%d %s: %v", c.status, c.answer, err)
		}
	}
	other := s.order("R1", "1")
	other.Amount.Asset = gateway.Asset{Code: "USD", Decimals: 2}
	if _, err := s.StartDeposit(t.Context(), other); !conformance.IsFailure(err, gateway.Unsupported, gateway.EffectNone) {
		t.Errorf("dollars: %v", err)
	}
}
