package plugkit_test

import (
	"encoding/json"
	"testing"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/plugins/plugkit"
)

func TestWhatIsRefusedHasNoEffectAndWhatIsDistrustedAnUnknownOne(t *testing.T) {
	t.Parallel()
	if e := plugkit.Refuse(gateway.Invalid, "no"); e.Class != gateway.Invalid || e.Effect != gateway.EffectNone || e.RawText != "no" {
		t.Errorf("%+v", e)
	}
	if e := plugkit.Distrust(gateway.Retryable, "odd"); e.Class != gateway.Retryable || e.Effect != gateway.EffectUnknown {
		t.Errorf("%+v", e)
	}
}

func TestOnlyLiraCanBeOrdered(t *testing.T) {
	t.Parallel()
	usd, coin := gateway.Asset{Code: "USD", Decimals: 2}, gateway.Asset{Code: "TRY", Network: "TRC20", Decimals: 2}
	for text, want := range map[string]gateway.Class{"0": gateway.Invalid, "-1": gateway.Invalid, "1.001": gateway.Invalid, "0.01": "", "5": ""} {
		err := plugkit.CheckLira(gateway.Money{Amount: money.MustDecimal(text), Asset: gateway.TRY})
		if (err == nil) != (want == "") || err != nil && (!gateway.IsClass(err, want) || !gateway.HasNoEffect(err)) {
			t.Errorf("%s: %v", text, err)
		}
	}
	for _, a := range []gateway.Asset{usd, coin} {
		if err := plugkit.CheckLira(gateway.Money{Amount: money.MustDecimal("5"), Asset: a}); !gateway.IsClass(err, gateway.Unsupported) {
			t.Errorf("%s: %v", a, err)
		}
	}
}

func TestAProbeSaysWhatTheGatewaySaid(t *testing.T) {
	t.Parallel()
	if got := plugkit.ProbeCheck("keys", "fine", nil); !got.IsOK || got.Detail != "fine" {
		t.Errorf("%+v", got)
	}
	for want, err := range map[string]error{
		"401 no key":                 &gateway.Error{Class: gateway.Misconfigured, RawCode: "401", RawText: "no\nkey"},
		"the call failed: retryable": &gateway.Error{Class: gateway.Retryable},
	} {
		if got := plugkit.ProbeCheck("keys", "fine", err); got.IsOK || got.Detail != want || got.Failure != gateway.ErrorOf(err).Class {
			t.Errorf("%+v, want %q", got, want)
		}
	}
}

func TestAmountsAreReadAsTheyArePrinted(t *testing.T) {
	t.Parallel()
	var got struct{ A, B, C, D plugkit.Text }
	if err := json.Unmarshal([]byte(`{"a":"12.50","b":1234567890123456.10,"c":true,"d":null}`), &got); err != nil ||
		got.A != "12.50" || got.B != "1234567890123456.10" || got.C != "true" || got.D != "" {
		t.Errorf("%+v, %v", got, err)
	}
	for _, wrong := range []string{`{"a":[]}`, `{"a":{}}`} {
		if json.Unmarshal([]byte(wrong), &got) == nil {
			t.Errorf("%s was read", wrong)
		}
	}
	if m, err := plugkit.Money("12.50", "TRY"); err != nil || m != (gateway.Money{Amount: money.MustDecimal("12.5"), Asset: gateway.TRY}) {
		t.Errorf("%v, %v", m, err)
	}
	if m, err := plugkit.Money("7", "USD"); err != nil || m.Asset.Code != "USD" || m.IsSameAsset(gateway.Money{Asset: gateway.TRY}) {
		t.Errorf("%v, %v", m, err)
	}
	for _, wrong := range [][2]string{{"", "TRY"}, {"0", "TRY"}, {"-1", "TRY"}, {"1e3", "TRY"}, {"1,5", "TRY"}, {"1", ""}, {"1", "TOO LONG A CODE"}} {
		if m, err := plugkit.Money(wrong[0], wrong[1]); err == nil || gateway.HasNoEffect(err) {
			t.Errorf("%q: %v, %v", wrong, m, err)
		}
	}
}
