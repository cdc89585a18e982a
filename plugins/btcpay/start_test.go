package btcpay_test

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/plugins/conformance"
)

func TestAnInvoiceHasItsPriceReferenceAndTimes(t *testing.T) {
	t.Parallel()
	s := opened(t, "payment_methods", "BTC-CHAIN", "tolerance_percent", "0.5", "monitoring_minutes", "720", "speed_policy", "LowSpeed")
	o := order("CD8K2M4", "99999.9")
	o.Text = "Order 17"
	if _, err := s.StartDeposit(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	body := s.bodyOf(t, "POST", "/invoices")
	got, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"amount":"99999.90","checkout":{"expirationMinutes":15,"monitoringMinutes":720,"paymentMethods":["BTC-CHAIN"],` +
		`"paymentTolerance":0.5,"redirectAutomatically":true,"redirectURL":"https://pay.example.com/return/9f8c",` +
		`"speedPolicy":"LowSpeed"},"currency":"TRY","metadata":{"itemDesc":"Order 17","orderId":"CD8K2M4"}}`
	if string(got) != want {
		t.Errorf("sent %s\nwant %s", got, want)
	}
}

func TestTheDeadlineIsHandedOnInWholeMinutes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		after time.Duration
		want  string
	}{
		{15 * time.Minute, "15"}, {15*time.Minute - time.Second, "14"}, {30 * time.Second, "1"}, {time.Minute, "1"},
		{24 * time.Hour, "1440"}, {48 * time.Hour, "1440"},
	} {
		s := opened(t)
		o := order("R1", "100")
		o.ExpiresAt = conformance.Opening.Add(c.after)
		started, err := s.StartDeposit(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		checkout, _ := s.bodyOf(t, "POST", "/invoices")["checkout"].(map[string]any)
		minutes, _ := checkout["expirationMinutes"].(json.Number)
		if minutes.String() != c.want || started.ExpiresAt.Sub(conformance.Opening).Minutes() < 1 {
			t.Errorf("%s: %s minutes, until %s, want %s", c.after, minutes, started.ExpiresAt, c.want)
		}
	}
	s := opened(t)
	o := order("R1", "100")
	o.ExpiresAt = time.Time{}
	if _, err := s.StartDeposit(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	checkout, _ := s.bodyOf(t, "POST", "/invoices")["checkout"].(map[string]any)
	if _, isSent := checkout["expirationMinutes"]; isSent {
		t.Error("no deadline was sent as one")
	}
}

func TestAnOrderThatMakesNoSenseIsNotSent(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(*gateway.DepositOrder){
		"nothing":             func(o *gateway.DepositOrder) { o.Amount = conformance.Lira("0") },
		"less than nothing":   func(o *gateway.DepositOrder) { o.Amount = conformance.Lira("-1") },
		"half a kuruş":        func(o *gateway.DepositOrder) { o.Amount = conformance.Lira("1.005") },
		"another currency":    func(o *gateway.DepositOrder) { o.Amount.Asset.Code = "USD" },
		"an unknown option":   func(o *gateway.DepositOrder) { o.Option = "DOGE-CHAIN" },
		"a deadline now":      func(o *gateway.DepositOrder) { o.ExpiresAt = conformance.Opening },
		"a deadline long ago": func(o *gateway.DepositOrder) { o.ExpiresAt = conformance.Opening.Add(-time.Hour) },
	} {
		s := opened(t)
		o := order("R1", "100")
		spoil(&o)
		_, err := s.StartDeposit(t.Context(), o)
		if !gateway.HasNoEffect(err) || gateway.IsClass(err, gateway.Retryable) || len(s.Sent()) > 0 {
			t.Errorf("%s: %v after %d calls", name, err, len(s.Sent()))
		}
	}
}

func TestOneChainIsPaidOnOurOwnPage(t *testing.T) {
	t.Parallel()
	for _, setting := range [][2]string{{"payment_methods", "BTC-CHAIN"}, {"speed_policy", "LowMediumSpeed"}} {
		s := opened(t, setting[0], setting[1])
		s.server.rate = money.MustDecimal("4123456.78")
		o := order("R1", "99999.99")
		if setting[0] != "payment_methods" {
			o.Option = "BTC-CHAIN"
		}
		started, err := s.StartDeposit(t.Context(), o)
		if err != nil || started.Next.Pay == nil {
			t.Fatalf("%+v, %v", started.Next, err)
		}
		pay := *started.Next.Pay
		confirms := map[string]int{"BTC-CHAIN": 1, "LowMediumSpeed": 2}[setting[1]]
		if pay.Address != destination || pay.Exact.String() != "0.0242515" || pay.Asset.String() != "BTC (Bitcoin)" ||
			pay.QR != "bitcoin:"+destination+"?amount=0.0242515" || pay.Confirms != confirms || pay.Kind != gateway.Crypto ||
			!pay.ExpiresAt.Equal(conformance.Opening.Add(15*time.Minute)) || started.Next.Kind() != gateway.StepPay {
			t.Errorf("%+v", pay)
		}
	}
}

func TestAnythingElseIsPaidOnTheServersPage(t *testing.T) {
	t.Parallel()
	const one = `[{"paymentMethodId":"BTC-CHAIN","activated":true,"due":"0.001","amount":"0.001","destination":"` + destination + `"}]`
	for name, c := range map[string]struct {
		methods, option string
		status          int
		body            string
	}{
		"two methods":            {"BTC-CHAIN,BTC-LN", "", 200, one},
		"Lightning":              {"BTC-LN", "", 200, `[{"paymentMethodId":"BTC-LN","activated":true,"due":"0.001","destination":"lnbc1"}]`},
		"Lightning, chosen":      {"BTC-CHAIN,BTC-LN", "BTC-LN", 200, one},
		"a question that failed": {"BTC-CHAIN", "", 500, ""},
		"a page":                 {"BTC-CHAIN", "", 200, "<html>"},
		"none":                   {"BTC-CHAIN", "", 200, "[]"},
		"one not activated":      {"BTC-CHAIN", "", 200, `[{"paymentMethodId":"BTC-CHAIN","due":"0.001","destination":"` + destination + `"}]`},
		"nothing due":            {"BTC-CHAIN", "", 200, `[{"paymentMethodId":"BTC-CHAIN","activated":true,"due":"0","destination":"` + destination + `"}]`},
		"no address":             {"BTC-CHAIN", "", 200, `[{"paymentMethodId":"BTC-CHAIN","activated":true,"due":"0.001","destination":"bc1qnone"}]`},
	} {
		s := opened(t, "payment_methods", c.methods)
		s.Answer("GET", "/payment-methods", c.status, c.body)
		o := order("R1", "100")
		o.Option = c.option
		started, err := s.StartDeposit(t.Context(), o)
		if err != nil || started.Next.Redirect == nil || started.Next.Redirect.URL != "https://btcpay.example.com/i/"+started.External.ID {
			t.Errorf("%s: %+v, %v", name, started.Next, err)
		}
	}
}

func TestAnAnswerWithoutAnInvoiceHasAnUnknownEffect(t *testing.T) {
	t.Parallel()
	for _, body := range []string{
		`{}`, `null`, `{"id":"Kx9"}`, `{"checkoutLink":"https://btcpay.example.com/i/1"}`, `{"id":"Kx9","checkoutLink":"/i/1"}`,
		`{"id":"Kx9","checkoutLink":"https://%zz"}`, `[]`, `"Kx9"`, ``,
	} {
		s := opened(t)
		s.Answer("POST", "/invoices", 200, body)
		_, err := s.StartDeposit(t.Context(), order("R1", "100"))
		checkError(t, err, gateway.Retryable, gateway.EffectUnknown)
	}
}

func TestOptionsAreWhatIsConfiguredAndEnabled(t *testing.T) {
	t.Parallel()
	list := func(s *shop) []string {
		options, err := s.ListOptions(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var all []string
		for _, o := range options {
			all = append(all, o.ID+" "+o.Asset.String())
		}
		return all
	}
	s := opened(t)
	if got := list(s); !slices.Equal(got, []string{"BTC-CHAIN BTC (Bitcoin)"}) {
		t.Errorf("%v", got)
	}
	s.server.forbids = "btcpay.store.canviewstoresettings"
	if got := list(s); !slices.Equal(got, []string{"BTC-CHAIN BTC (Bitcoin)", "BTC-LN BTC (Lightning)"}) {
		t.Errorf("without the permission: %v", got)
	}
	s.server.forbids, s.server.refuses = "", true
	if _, err := s.ListOptions(t.Context()); !gateway.IsClass(err, gateway.Misconfigured) {
		t.Errorf("with a wrong key: %v", err)
	}
	if got := list(opened(t, "payment_methods", "XMR-CHAIN")); got != nil {
		t.Errorf("what the store lacks: %v", got)
	}
}
