package btcpay_test

import (
	"maps"
	"testing"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins"
	"github.com/vezne/vezne/plugins/btcpay"
	"github.com/vezne/vezne/plugins/conformance"
	"github.com/vezne/vezne/ports"
)

func TestThePluginIsRegistered(t *testing.T) {
	t.Parallel()
	if _, err := plugins.NewRegistry(btcpay.Plugin()); err != nil {
		t.Error(err)
	}
	d := btcpay.Plugin().Describe()
	if d.Code != "btcpay" || d.Maturity != gateway.Experimental || d.Notice == "" || d.Deposit == nil || d.Payout == nil {
		t.Errorf("%+v", d)
	}
}

func TestAWrongConfigurationIsNotOpened(t *testing.T) {
	t.Parallel()
	for name, values := range map[string][]string{
		"base_url": {"", "https://", "https://btcpay.example.com/?a=b", "https://btcpay.example.com/#a", "%zz", "btcpay.example.com"},
		"api_key":  {""}, "store_id": {""}, "webhook_secret": {""},
		"tolerance_percent":  {"-1", "100.1", "x", "1e1"},
		"monitoring_minutes": {"0", "59", "1441", "-5", "x", "99999999999999999999"},
	} {
		for _, value := range values {
			changed := config()
			maps.Copy(changed, map[string]string{name: value})
			c := gateway.NewConfig(btcpay.Plugin().Describe().Config, changed, nil)
			_, err := btcpay.Plugin().Open(ports.GatewayEnv{Config: c, Clock: conformance.NewClock(conformance.Opening)})
			checkError(t, err, gateway.Misconfigured, gateway.EffectNone)
		}
	}
}

func TestTheConfigurationIsChecked(t *testing.T) {
	t.Parallel()
	fields := btcpay.Plugin().Describe().Config
	for name, values := range map[string][]string{
		"payment_methods": {"BTC", "btc-chain", "BTC-CHAIN;BTC-LN", "BTC-CHAIN,", "-", "BTC-CHAIN, "},
		"speed_policy":    {"HighSpeed", "fast"}, "payout_method": {"BTC-LN"}, "store_id": {"a/b", "a b", "ş"}, "api_key": {"a b", "a\nb"},
		"payout_approved": {"yes"}, "tolerance_percent": {"1,5"}, "monitoring_minutes": {"1.5"}, "base_url": {"ftp://a", "https://u:p@a"},
	} {
		for _, value := range values {
			changed := config()
			changed[name] = value
			if gateway.CheckConfig(fields, changed) == nil {
				t.Errorf("%s %q is taken", name, value)
			}
		}
	}
	for _, value := range []string{"BTC-CHAIN", "BTC-CHAIN, BTC-LN", " BTC-CHAIN ,XMR-CHAIN"} {
		changed := config()
		changed["payment_methods"] = value
		if err := gateway.CheckConfig(fields, changed); err != nil {
			t.Errorf("%q is refused: %v", value, err)
		}
	}
}

func TestAProbeSaysWhatTheKeyMay(t *testing.T) {
	t.Parallel()
	s := opened(t)
	if got := s.Probe(t.Context()); !got.IsOK() || len(got.Checks) != 2 {
		t.Errorf("%+v", got)
	}
	s.Answer("GET", "/payouts", 403, `{"code":"missing-permission","message":"btcpay.store.canviewpayouts"}`)
	got := s.Probe(t.Context())
	if got.IsOK() || !got.Checks[0].IsOK || got.Checks[1].Failure != gateway.Misconfigured ||
		got.Checks[1].Detail != "missing-permission btcpay.store.canviewpayouts" {
		t.Errorf("%+v", got)
	}
	s.server.refuses = true
	if got := s.Probe(t.Context()); got.IsOK() || len(got.Checks) != 1 || got.Checks[0].Failure != gateway.Misconfigured {
		t.Errorf("%+v", got)
	}
}
