package garanti_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/conformance"
	"github.com/vezne/vezne/plugins/garanti"
	"github.com/vezne/vezne/ports"
)

// TestACustomerCannotChangeWhatIsPaid: the hash covers terminal, order, amount, currency, addresses, type and instalments, and the form
// has no field for a card.
func TestACustomerCannotChangeWhatIsPaid(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	got, err := s.StartDeposit(t.Context(), orderOf("R1", "1234.5"))
	if err != nil {
		t.Fatal(err)
	}
	right := formOf(got.Next.Form)
	for name, want := range map[string]string{
		"txnamount": "123450", "lang": "tr", "customeripaddress": "203.0.113.7", "customeremailaddress": "ayse@example.org", "mode": "PROD",
		"secure3dsecuritylevel": "3D_OOS_PAY", "terminalprovuserid": "PROVOOS", "apiversion": "512", "txntimestamp": "2026-03-02T09:00:00Z",
	} {
		if right.Get(name) != want {
			t.Errorf("%s is %q", name, right.Get(name))
		}
	}
	for _, name := range strings.Fields("terminalid orderid txnamount txncurrencycode successurl errorurl txntype txninstallmentcount secure3dhash") {
		wrong := maps.Clone(right)
		wrong[name] = []string{right.Get(name) + "1"}
		if s.bank.post(wrong.Encode()) == "" {
			t.Errorf("the bank takes a form whose %s was changed", name)
		}
	}
	for name := range right {
		if strings.HasPrefix(name, "card") {
			t.Errorf("the form has %s", name)
		}
	}
	shy := orderOf("R1", "1234.5")
	shy.Locale, shy.Customer = "en", gateway.Customer{}
	again, err := s.StartDeposit(t.Context(), shy)
	if f := formOf(again.Next.Form); err != nil || f.Get("lang") != "en" || f.Get("customeripaddress") != "198.51.100.9" || f.Has("customeremailaddress") {
		t.Errorf("of a customer who says nothing: %v (%v)", f, err)
	}
	if s.bank.post(formOf(again.Next.Form).Encode()) != "" || len(s.bank.orders) != 1 {
		t.Errorf("a second form makes a second order: %v", s.bank.orders)
	}
	if len(s.Sent()) != 0 {
		t.Error("a start reached the network")
	}
}

// TestAFormThatIsCutAnewPaysAnotherOrder: the hash covers values with nothing between them, so that a digit of the amount may go over to
// the order's name. What is paid so is not ours, and ours waits.
func TestAFormThatIsCutAnewPaysAnotherOrder(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	got, err := s.StartDeposit(t.Context(), orderOf("R1", "125.50"))
	if err != nil {
		t.Fatal(err)
	}
	form := formOf(got.Next.Form)
	form.Set("orderid", "R11")
	form.Set("txnamount", "2550")
	if problem := s.bank.post(form.Encode()); problem != "" {
		t.Fatal(problem, " - the scheme got better: delete this test")
	}
	s.bank.charge(s.bank.byID("R11"), "00")
	if o := s.read(gateway.DepositKey{Ref: "R1", External: got.External, Due: conformance.Lira("125.50")}); o.State != gateway.Waiting || o.Paid != nil {
		t.Errorf("%+v", o)
	}
}

// TestEachEnvironmentHasItsOwnAddress, and no setting reaches another one.
func TestEachEnvironmentHasItsOwnAddress(t *testing.T) {
	t.Parallel()
	for environment, want := range map[string][2]string{
		gateway.Sandbox:    {"https://sanalposprovtest.garantibbva.com.tr/", "TEST"},
		gateway.Production: {"https://sanalposprov.garanti.com.tr/", "PROD"},
	} {
		s := openShop(t, environment)
		s.bank.mode = want[1]
		got, err := s.StartDeposit(t.Context(), orderOf("R1", "1"))
		if err != nil || got.Next.Form.Action != want[0]+"servlet/gt3dengine" || formOf(got.Next.Form).Get("mode") != want[1] {
			t.Errorf("%s: %+v %v", environment, got, err)
		}
		s.read(gateway.DepositKey{Ref: "R1", External: got.External})
		if url := s.Sent()[0].URL; url != want[0]+"VPServlet" {
			t.Errorf("%s calls %s", environment, url)
		}
	}
	c := gateway.NewConfig(garanti.Plugin().Describe().Config, settings(), nil)
	if _, err := garanti.Plugin().Open(ports.GatewayEnv{Environment: "elsewhere", Config: c}); !conformance.IsFailure(err, gateway.Misconfigured, gateway.EffectNone) {
		t.Errorf("another environment: %v", err)
	}
	for name := range settings() {
		less := maps.Clone(settings())
		less[name] = ""
		fields := slices.Clone(garanti.Plugin().Describe().Config)
		for i := range fields {
			fields[i].Default = ""
		}
		env := ports.GatewayEnv{Environment: gateway.Production, Config: gateway.NewConfig(fields, less, nil)}
		if _, err := garanti.Plugin().Open(env); !conformance.IsFailure(err, gateway.Misconfigured, gateway.EffectNone) {
			t.Errorf("without %s: %v", name, err)
		}
	}
}

// TestEachUserDoesItsOwn: the bank has one for questions, one for its page, and one that gives back.
func TestEachUserDoesItsOwn(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	k, _ := s.paid("R1", "1.00")
	if _, err := s.Refund(t.Context(), refundOf(k, "B1", "0.40")); err != nil {
		t.Fatal(err)
	}
	for _, r := range s.Sent() {
		want := map[string]string{"orderhistoryinq": "PROVAUT", "refund": "PROVRFN"}[typeOf(r)]
		if !strings.Contains(string(r.Body), "<ProvUserID>"+want+"</ProvUserID><UserID>"+want+"</UserID>") {
			t.Errorf("%s", r.Body)
		}
	}
	if len(s.Sent()) != 2 {
		t.Errorf("%d requests", len(s.Sent()))
	}
}

// TestWhatTheFormCannotSayIsRefused.
func TestWhatTheFormCannotSayIsRefused(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	for what, change := range map[string]func(o *gateway.DepositOrder){
		"no reference":     func(o *gateway.DepositOrder) { o.Ref = "" },
		"a long reference": func(o *gateway.DepositOrder) { o.Ref = gateway.Ref(strings.Repeat("R", 37)) },
		"a strange one":    func(o *gateway.DepositOrder) { o.Ref = "R1<R2" },
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
