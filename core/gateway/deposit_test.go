package gateway_test

import (
	"fmt"
	"maps"
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

func TestWhatIsLearntOfAnOrderIsKeptTogether(t *testing.T) {
	t.Parallel()
	started := gateway.ExternalRef{ID: "form", Alt: map[string]string{"token": "t"}, State: []byte("a")}
	got := started.Learn(gateway.ExternalRef{ID: "other", Alt: map[string]string{"payment": "1", "token": ""}}).
		Learn(gateway.ExternalRef{}).Learn(gateway.ExternalRef{Alt: map[string]string{"payment": "2"}, State: []byte("b")})
	if got.ID != "form" || !maps.Equal(got.Alt, map[string]string{"token": "t", "payment": "2"}) || string(got.State) != "b" {
		t.Errorf("%+v", got)
	}
	if len(started.Alt) != 1 || string(started.State) != "a" {
		t.Errorf("what was known before has changed: %+v", started)
	}
	if learnt := (gateway.ExternalRef{}).Learn(gateway.ExternalRef{}); !learnt.IsZero() {
		t.Errorf("of nothing, %+v is learnt", learnt)
	}
	// A gateway that makes up names without end fills nothing, and can still renew those that it has.
	for i := range 3 * gateway.MaxAltValues {
		got = got.Learn(gateway.ExternalRef{Alt: map[string]string{fmt.Sprintf("name%03d", i): "x", "payment": fmt.Sprint(i)}})
	}
	if len(got.Alt) != gateway.MaxAltValues || got.Alt["token"] != "t" || got.Alt["payment"] != fmt.Sprint(3*gateway.MaxAltValues-1) {
		t.Errorf("%d names: %v", len(got.Alt), got.Alt)
	}
}

func TestRefundsHaveKeysOfTheirOwnWhereTheySaySo(t *testing.T) {
	t.Parallel()
	d := gateway.DepositTraits{Keys: gateway.KeyTraits{Mode: gateway.RefKey, Find: true}}
	if d.RefundKeys() != d.Keys {
		t.Errorf("%+v", d.RefundKeys())
	}
	d.Refund.Keys = gateway.KeyTraits{Mode: gateway.NoKey}
	if d.RefundKeys() != d.Refund.Keys {
		t.Errorf("%+v", d.RefundKeys())
	}
}
