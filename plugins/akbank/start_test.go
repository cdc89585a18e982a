package akbank_test

import (
	"maps"
	"net/url"
	"strings"
	"testing"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/akbank"
	"github.com/vezne/vezne/plugins/conformance"
	"github.com/vezne/vezne/ports"
)

// TestACustomerCannotChangeTheForm: its hash covers every field that it has, and it has none for a card or about the customer.
func TestACustomerCannotChangeTheForm(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	got, err := s.StartDeposit(t.Context(), orderOf("R1", "1234.5"))
	if err != nil {
		t.Fatal(err)
	}
	right := formOf(got.Next.Form)
	if right.Get("amount") != "1234.50" || right.Get("lang") != "TR" || right.Get("requestDateTime") != "2026-03-02T12:00:00.000" {
		t.Errorf("%v", right)
	}
	for name := range right {
		wrong := maps.Clone(right)
		wrong[name] = []string{right.Get(name) + "1"}
		if s.bank.post(wrong.Encode()) == "" {
			t.Errorf("the bank takes a form whose %s was changed", name)
		}
	}
	for _, never := range []string{"creditCard", "cvv", "expiredDate", "emailAddress", "ayse", "Yılmaz"} {
		if text, _ := url.QueryUnescape(right.Encode()); strings.Contains(text, never) {
			t.Errorf("the form has %s", never)
		}
	}
	english := orderOf("R1", "1234.5")
	english.Locale = "en"
	again, err := s.StartDeposit(t.Context(), english)
	if err != nil || formOf(again.Next.Form).Get("randomNumber") == right.Get("randomNumber") || formOf(again.Next.Form).Get("lang") != "EN" {
		t.Errorf("a second form is %v (%v)", again, err)
	}
	if len(s.Sent()) != 0 {
		t.Error("a start reached the network")
	}
}

// TestEachEnvironmentHasItsOwnAddresses, and no setting reaches another one.
func TestEachEnvironmentHasItsOwnAddresses(t *testing.T) {
	t.Parallel()
	for environment, want := range map[string][2]string{
		gateway.Sandbox:    {"https://apipre.akbank.com/", "https://virtualpospaymentgatewaypre.akbank.com/payhosting"},
		gateway.Production: {"https://api.akbank.com/", "https://virtualpospaymentgateway.akbank.com/payhosting"},
	} {
		s := openShop(t, environment)
		got, err := s.StartDeposit(t.Context(), orderOf("R1", "1"))
		if err != nil || got.Next.Form.Action != want[1] {
			t.Errorf("%s: %+v %v", environment, got, err)
		}
		s.read(gateway.DepositKey{Ref: "R1", External: got.External})
		if url := s.Sent()[0].URL; !strings.HasPrefix(url, want[0]) {
			t.Errorf("%s calls %s", environment, url)
		}
	}
	c := gateway.NewConfig(akbank.Plugin().Describe().Config, settings(), nil)
	if _, err := akbank.Plugin().Open(ports.GatewayEnv{Environment: "elsewhere", Config: c}); !conformance.IsFailure(err, gateway.Misconfigured, gateway.EffectNone) {
		t.Errorf("another environment: %v", err)
	}
}

// TestWhatTheFormCannotSayIsRefused.
func TestWhatTheFormCannotSayIsRefused(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	for what, change := range map[string]func(o *gateway.DepositOrder){
		"no reference":     func(o *gateway.DepositOrder) { o.Ref = "" },
		"a long reference": func(o *gateway.DepositOrder) { o.Ref = gateway.Ref(strings.Repeat("R", 37)) },
		"a strange one":    func(o *gateway.DepositOrder) { o.Ref = "R1+R2" },
		"no return":        func(o *gateway.DepositOrder) { o.ReturnURL = nil },
		"no amount":        func(o *gateway.DepositOrder) { o.Amount = conformance.Lira("0") },
		"parts of a kuruş": func(o *gateway.DepositOrder) { o.Amount = conformance.Lira("1.001") },
	} {
		o := orderOf("R1", "1")
		change(&o)
		if _, err := s.StartDeposit(t.Context(), o); !conformance.IsFailure(err, gateway.Invalid, gateway.EffectNone) {
			t.Errorf("%s: %v", what, err)
		}
	}
	dollars := orderOf("R1", "1")
	dollars.Amount.Asset = gateway.Asset{Code: "USD", Decimals: 2}
	if _, err := s.StartDeposit(t.Context(), dollars); !conformance.IsFailure(err, gateway.Unsupported, gateway.EffectNone) {
		t.Errorf("dollars: %v", err)
	}
}
