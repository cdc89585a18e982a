package btcpay_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/core/gateway"
)

func TestFailuresOfAStart(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		status     int
		body       string
		class      gateway.Class
		effect     gateway.Effect
		code, text string
	}{
		{422, `[{"path":"checkout.paymentMethods[0]","message":"Invalid PaymentMethodId"},{"path":"amount","message":"too much"}]`,
			gateway.Invalid, gateway.EffectNone, "validation", "checkout.paymentMethods[0]: Invalid PaymentMethodId; amount: too much"},
		{400, `[{"path":"amount","message":"too much"}]`, gateway.Invalid, gateway.EffectNone, "validation", "amount: too much"},
		{400, `{"code":"generic-error","message":"No rate"}`, gateway.Retryable, gateway.EffectNone, "generic-error", "No rate"},
		{400, `{"code":"something-new","message":"Whatever"}`, gateway.Invalid, gateway.EffectNone, "something-new", "Whatever"},
		{400, `<html>`, gateway.Invalid, gateway.EffectNone, "400", "<html>"},
		{401, `{"code":"unauthenticated","message":"Who?"}`, gateway.Misconfigured, gateway.EffectNone, "unauthenticated", "Who?"},
		{401, ``, gateway.Misconfigured, gateway.EffectNone, "401", ""},
		{403, `{"code":"missing-permission","message":"No","missingPermission":"btcpay.store.cancreateinvoice"}`,
			gateway.Misconfigured, gateway.EffectNone, "missing-permission", "No"},
		{403, ``, gateway.Misconfigured, gateway.EffectNone, "403", ""},
		{404, `{"code":"store-not-found","message":"No"}`, gateway.Misconfigured, gateway.EffectNone, "store-not-found", "No"},
		{404, `<html>not here</html>`, gateway.Retryable, gateway.EffectUnknown, "404", "<html>not here</html>"},
		{302, ``, gateway.Misconfigured, gateway.EffectNone, "302", ""},
		{409, ``, gateway.Conflicting, gateway.EffectUnknown, "409", ""},
		{408, `{"code":"validation","message":"no"}`, gateway.Retryable, gateway.EffectUnknown, "408", `{"code":"validation","message":"no"}`},
		{500, `{"code":"validation","message":"no"}`, gateway.Retryable, gateway.EffectUnknown, "500", `{"code":"validation","message":"no"}`},
		{502, `<html>`, gateway.Retryable, gateway.EffectUnknown, "502", "<html>"},
	} {
		s := opened(t)
		s.Answer("POST", "/invoices", c.status, c.body)
		_, err := s.StartDeposit(t.Context(), order("R1", "100"))
		checkError(t, err, c.class, c.effect)
		if e := gateway.ErrorOf(err); e.RawCode != c.code || e.RawText != c.text {
			t.Errorf("%d %s: %q %q", c.status, c.body, e.RawCode, e.RawText)
		}
	}
}

func TestAskedTooOftenIsWaitedFor(t *testing.T) {
	t.Parallel()
	s := opened(t)
	s.Between(func(gateway.Request, func() (gateway.Response, error)) (gateway.Response, error) {
		return gateway.Response{Status: 429, Header: gateway.Header{{Name: "Retry-After", Value: "9"}}}, nil
	})
	_, err := s.StartDeposit(t.Context(), order("R1", "100"))
	checkError(t, err, gateway.RateLimited, gateway.EffectNone)
	if e := gateway.ErrorOf(err); e.RetryAfter != 9*time.Second {
		t.Errorf("%s", e.RetryAfter)
	}
}

// TestAPageThatIsMissingIsNoMissingInvoice: a server below another path answers everything with 404.
func TestAPageThatIsMissingIsNoMissingInvoice(t *testing.T) {
	t.Parallel()
	s := opened(t, "base_url", "https://btcpay.example.com/elsewhere/")
	for _, k := range []gateway.DepositKey{{Ref: "R1"}, {External: gateway.ExternalRef{ID: "Kx9"}}} {
		_, err := s.ReadDeposit(t.Context(), k)
		checkError(t, err, gateway.Misconfigured, gateway.EffectNone)
	}
	if url := s.Sent()[0].URL; !strings.HasPrefix(url, "https://btcpay.example.com/elsewhere/api/v1/stores/9CiNzKo") {
		t.Error(url)
	}
}

func TestTheKeyIsInTheHeaderAndNowhereElse(t *testing.T) {
	t.Parallel()
	s := opened(t)
	s.started(t, "R1", "100")
	for _, r := range s.Sent() {
		if got := r.Header.Values("Authorization"); len(got) != 1 || got[0] != "token c0ffee" {
			t.Errorf("%s %s: %q", r.Method, r.URL, got)
		}
		if strings.Contains(r.URL+string(r.Body), "c0ffee") {
			t.Errorf("%s %s %s", r.Method, r.URL, r.Body)
		}
	}
	for _, form := range []string{"%v", "%+v", "%#v"} {
		if text := fmt.Sprintf(form, s.Gateway); strings.Contains(text, "c0ffee") || strings.Contains(text, "s3cr3t") {
			t.Errorf("%s shows a secret", form)
		}
	}
}
