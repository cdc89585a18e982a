package iyzico_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins"
	"github.com/vezne/vezne/plugins/conformance"
	"github.com/vezne/vezne/plugins/iyzico"
	"github.com/vezne/vezne/ports"
)

func TestTheDescriptorAndTheMethodsAgree(t *testing.T) {
	t.Parallel()
	p := iyzico.Plugin()
	for _, problem := range plugins.Check(p) {
		t.Error(problem)
	}
	if p.Has(gateway.CanCancelDeposit) {
		t.Error("iyzico can't close a form")
	}
	d := p.Describe()
	for environment, host := range map[string]string{
		gateway.Sandbox: "sandbox-api.iyzipay.com", gateway.Production: "api.iyzipay.com",
	} {
		if got := d.Hosts(environment, gateway.Config{}); len(got) != 1 || got[0] != host {
			t.Errorf("%s reaches %v", environment, got)
		}
	}
}

func TestKeysOfTheOtherEnvironmentAreRefused(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ environment, api, secret string }{
		{gateway.Production, "sandbox-api", "sandbox-secret"},
		{gateway.Production, "live", "sandbox-secret"},
		{gateway.Production, "sandbox-api", "live"},
		{gateway.Sandbox, "live", "live"},
		{gateway.Sandbox, "live", "sandbox-secret"},
		{"staging", "sandbox-api", "sandbox-secret"},
		{gateway.Sandbox, "", "sandbox-secret"},
		{gateway.Sandbox, "sandbox-api", ""},
	} {
		values := settings()
		values["api_key"], values["secret_key"] = c.api, c.secret
		fields := iyzico.Plugin().Describe().Config
		_, err := iyzico.Plugin().Open(ports.GatewayEnv{
			Environment: c.environment, Config: gateway.NewConfig(fields, values, nil), Clock: conformance.NewClock(conformance.Opening),
		})
		if !conformance.IsFailure(err, gateway.Misconfigured, gateway.EffectNone) {
			t.Errorf("%+v: %v", c, err)
		}
		if err != nil && (strings.Contains(err.Error(), "sandbox-api") || strings.Contains(err.Error(), "sandbox-secret")) {
			t.Errorf("the error quotes a key: %v", err)
		}
	}
}

func TestConfigurationIsChecked(t *testing.T) {
	t.Parallel()
	for name, bad := range map[string][]string{
		"api_key": {""}, "secret_key": {""}, "force_3ds": {"yes"}, "installments": {"13", "0", "1,", "a", "1;2", ",", "1 2", "5", "7", "8", "10", "11"},
		"webhook_signature": {"on"}, "default_identity_number": {"", "12"}, "default_email": {"", "a", "a@b", "a b@c.de"},
		"default_phone": {"", "12", "0532 123"}, "default_address": {""}, "default_city": {""}, "default_ip": {"", "localhost"},
	} {
		for _, value := range bad {
			values := sandboxSettings()
			values[name] = value
			if gateway.CheckConfig(iyzico.Plugin().Describe().Config, values) == nil {
				t.Errorf("%s takes %q", name, value)
			}
		}
	}
	for _, good := range []string{"1", "1,2,3,6,9,12", " 1 , 3 "} {
		values := sandboxSettings()
		values["installments"] = good
		if err := gateway.CheckConfig(iyzico.Plugin().Describe().Config, values); err != nil {
			t.Errorf("installments %q: %v", good, err)
		}
	}
}

func TestAGatewayDoesNotPrintItsKeys(t *testing.T) {
	t.Parallel()
	s := newShop(t, "api_key", "sandbox-marker-one", "secret_key", "sandbox-marker-two")
	asJSON, _ := json.Marshal(ports.Gateway(s.Gateway))
	for _, text := range []string{fmt.Sprintf("%v %+v %#v", s.Gateway, s.Gateway, s.Gateway), string(asJSON)} {
		if strings.Contains(text, "marker") {
			t.Errorf("the gateway prints a key: %s", text)
		}
	}
}

func TestProbeTellsWhetherTheKeysWork(t *testing.T) {
	t.Parallel()
	s := newShop(t, "webhook_signature", "off")
	report := s.Probe(t.Context())
	if !report.IsOK() || len(report.Checks) != 2 || !strings.Contains(report.Checks[1].Detail, "hint") {
		t.Errorf("with good keys: %+v", report)
	}
	if s.bank.mutationsSoFar() != 0 || len(s.SentTo("GET", pathDetails)) != 1 {
		t.Errorf("the probe made %v", s.Sent())
	}
	s.Answer("GET", pathDetails, 200, `{"status":"failure","errorCode":"5087","errorMessage":"no record"}`)
	if report = s.Probe(t.Context()); !report.IsOK() {
		t.Errorf("where nobody's payments are called missing: %+v", report)
	}
	s.Between(nil)
	s.Fake.RefuseCredentials()
	if report = s.Probe(t.Context()); report.IsOK() || report.Checks[0].Failure != gateway.Misconfigured {
		t.Errorf("with refused keys: %+v", report)
	}
	if err := s.Close(); err != nil {
		t.Errorf("Close: %v", err)
	}
}

// TestEveryRequestIsSignedAnew: the bank refuses a random text that it has seen before, and the clock stands still.
func TestEveryRequestIsSignedAnew(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	k := s.started("CC1", "22")
	for range 5 {
		s.read(k)
	}
	seen := map[string]bool{}
	for _, r := range s.Sent() {
		seen[r.Header.Get("x-iyzi-rnd")] = true
		if got := len(r.Header.Get("x-iyzi-rnd")); got != 64 {
			t.Errorf("x-iyzi-rnd has %d characters", got)
		}
	}
	if len(seen) != len(s.Sent()) || len(seen) < 6 {
		t.Errorf("%d requests had %d random texts", len(s.Sent()), len(seen))
	}
}
