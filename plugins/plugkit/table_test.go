package plugkit_test

import (
	"strings"
	"testing"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/plugkit"
)

func TestAStatusThatIsNotInTheTableIsUnknown(t *testing.T) {
	t.Parallel()
	deposits := plugkit.States{"SUCCESS": gateway.Paid, "FAILURE": gateway.Failed}
	payouts := plugkit.Payouts{"Done": gateway.PayoutDone, "FAILED": gateway.PayoutFailed}
	for raw, want := range map[string]gateway.State{
		"SUCCESS": gateway.Paid, "success": gateway.Paid, "Failure": gateway.Failed,
		"": gateway.Unknown, "SUCCES": gateway.Unknown, "SUCCESS!": gateway.Unknown, "FAILED": gateway.Unknown,
	} {
		if got := deposits.Of(raw); got != want {
			t.Errorf("%q is %s, want %s", raw, got, want)
		}
	}
	for raw, want := range map[string]gateway.PayoutState{
		"done": gateway.PayoutDone, "FAILED": gateway.PayoutFailed, "": gateway.PayoutUnknown, "FAILURE": gateway.PayoutUnknown,
	} {
		if got := payouts.Of(raw); got != want {
			t.Errorf("%q is %s, want %s", raw, got, want)
		}
	}
	if plugkit.States(nil).Of("SUCCESS") != gateway.Unknown || plugkit.Payouts(nil).Of("DONE") != gateway.PayoutUnknown {
		t.Error("an empty table knows a status")
	}
}

func failures() plugkit.Failures {
	return plugkit.Failures{
		"51":   {Class: gateway.Refused, Effect: gateway.EffectNone, Reason: gateway.InsufficientFunds, Soft: true},
		"1001": {Class: gateway.Misconfigured, Effect: gateway.EffectNone},
		"99":   {Class: gateway.Retryable},
	}
}

func TestAFailureIsWhatTheTableSays(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		code      string
		isRefusal bool
		want      gateway.Error
		reason    gateway.ReasonCode
	}{
		{"51", false, gateway.Error{Class: gateway.Refused, Effect: gateway.EffectNone}, gateway.InsufficientFunds},
		{"1001", true, gateway.Error{Class: gateway.Misconfigured, Effect: gateway.EffectNone}, ""},
		{"99", true, gateway.Error{Class: gateway.Retryable, Effect: gateway.EffectUnknown}, ""},
		{"nobody documented it", true, gateway.Error{Class: gateway.Refused, Effect: gateway.EffectNone}, gateway.Declined},
		{"nobody documented it", false, gateway.Error{Class: gateway.Retryable, Effect: gateway.EffectUnknown}, ""},
		{"", false, gateway.Error{Class: gateway.Retryable, Effect: gateway.EffectUnknown}, ""},
	} {
		got := failures().Error(c.code, " no\nmoney ", c.isRefusal)
		c.want.RawCode, c.want.RawText = c.code, "no money"
		check(t, got, c.want, "")
		if (got.Reason != nil) != (c.reason != "") || got.Reason != nil && got.Reason.Code != c.reason {
			t.Errorf("%s: the reason is %+v, want %q", c.code, got.Reason, c.reason)
		}
	}
}

func TestAReasonIsAlwaysGiven(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]gateway.Reason{
		"51":   {Code: gateway.InsufficientFunds, RawCode: "51", RawText: "no money", Soft: true},
		"1001": {Code: gateway.Declined, RawCode: "1001", RawText: "no money"},
		"":     {Code: gateway.Declined, RawText: "no money"},
	} {
		if got := failures().Reason(code, "no\x00money"); *got != want {
			t.Errorf("%q gives %+v, want %+v", code, *got, want)
		}
	}
	if got := failures().Reason("51", strings.Repeat("x", 5000)); len(got.RawText) != 300 {
		t.Errorf("%d bytes are kept", len(got.RawText))
	}
}
