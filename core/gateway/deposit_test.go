package gateway_test

import (
	"testing"

	"github.com/vezne/vezne/core/gateway"
)

func TestANextStepIsExactlyOne(t *testing.T) {
	t.Parallel()
	for want, step := range map[gateway.StepKind]gateway.NextStep{
		gateway.StepRedirect: {Redirect: &gateway.Redirect{}},
		gateway.StepForm:     {Form: &gateway.FormPost{}},
		gateway.StepHTML:     {HTML: &gateway.HostedHTML{}},
		gateway.StepPay:      {Pay: &gateway.Instructions{}},
		gateway.StepWait:     {Wait: &gateway.Wait{}},
		gateway.StepDone:     {Done: &gateway.Observation{}},
	} {
		if got := step.Kind(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
		step.Wait, step.Redirect = &gateway.Wait{}, &gateway.Redirect{}
		if got := step.Kind(); got != "" {
			t.Errorf("%q with others counts as %q", want, got)
		}
	}
	if got := (gateway.NextStep{}).Kind(); got != "" {
		t.Errorf("no step counts as %q", got)
	}
}

func TestNothingIsKnownOfAnEmptyReference(t *testing.T) {
	t.Parallel()
	if !(gateway.ExternalRef{Alt: map[string]string{}, State: []byte{}}).IsZero() {
		t.Error("an empty one counts as known")
	}
	for _, e := range []gateway.ExternalRef{{ID: "1"}, {Alt: map[string]string{"token": "1"}}, {State: []byte{1}}} {
		if e.IsZero() {
			t.Errorf("%+v counts as unknown", e)
		}
	}
}

func TestAProbeIsFineWhenEverythingThatWasTriedIs(t *testing.T) {
	t.Parallel()
	good, bad := gateway.ProbeCheck{IsOK: true}, gateway.ProbeCheck{}
	for _, c := range []struct {
		checks []gateway.ProbeCheck
		want   bool
	}{
		{nil, false},
		{[]gateway.ProbeCheck{good}, true},
		{[]gateway.ProbeCheck{good, bad}, false},
		{[]gateway.ProbeCheck{bad, good}, false},
	} {
		if got := (gateway.ProbeReport{Checks: c.checks}).IsOK(); got != c.want {
			t.Errorf("%+v is fine: %v", c.checks, got)
		}
	}
}
