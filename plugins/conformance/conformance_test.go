package conformance_test

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/conformance"
)

func TestASampleThatDoesEverythingRightPasses(t *testing.T) {
	t.Parallel()
	conformance.Run(t, subject(t, flaws{}))
}

// TestAGatewayThatOnlyTakesDeposits passes, though most groups have nothing to say of it.
func TestAGatewayThatOnlyTakesDepositsPasses(t *testing.T) {
	t.Parallel()
	conformance.Run(t, small(t))
}

// asSubject is set where this test binary runs itself, to put the broken plugins through the kit.
const asSubject = "CONFORMANCE_BROKEN"

// TestBrokenPlugins holds the kit to finding every defect, by the sentence that speaks of it. A test cannot look on as
// another one fails, so the kit meets the broken plugins in a second process.
func TestBrokenPlugins(t *testing.T) {
	t.Parallel()
	if os.Getenv(asSubject) != "" {
		failTheKit(t)
		return
	}
	kit := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestBrokenPlugins$", "-test.v")
	kit.Env = append(os.Environ(), asSubject+"=1")
	output, err := kit.CombinedOutput()
	if err == nil {
		t.Fatal("the kit passed the broken plugins")
	}
	for _, d := range defects() {
		t.Run(d.name, func(t *testing.T) {
			failed := "--- FAIL: " + underscored("TestBrokenPlugins/"+d.name+"/"+d.fails) + " ("
			if !strings.Contains(string(output), failed) {
				t.Errorf("the kit does not say %q", failed)
			}
		})
	}
}

// failTheKit runs the group that must find each defect.
func failTheKit(t *testing.T) {
	for _, d := range defects() {
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			group, _, _ := strings.Cut(d.fails, "/")
			conformance.RunGroup(t, subject(t, d.flaws), group)
		})
	}
}

// underscored is a test's name as the testing package prints it.
func underscored(name string) string { return strings.ReplaceAll(name, " ", "_") }

func TestEveryGroupFindsADefect(t *testing.T) {
	t.Parallel()
	groups := []string{
		"form and config", "signatures", "notifications", "start", "return", "read", "cancel and refund", "payout and transfer",
		"accounts", "hygiene",
	}
	for _, g := range groups {
		found := slices.ContainsFunc(defects(), func(d defect) bool { return strings.HasPrefix(d.fails, g+"/") })
		if !found {
			t.Errorf("no broken plugin is for the group %q", g)
		}
	}
}

// small is a gateway that starts deposits and reads them, and nothing else: the methods of the sample are hidden.
func small(t *testing.T) conformance.Subject {
	t.Helper()
	s := subject(t, flaws{})
	d := gateway.Descriptor{
		Code: "small", Title: "Small", Version: "1", PortVersion: gateway.PortVersion, Maturity: gateway.Experimental,
		Kinds: []gateway.Kind{gateway.Card}, Config: descriptor().Config[:2], Environments: descriptor().Environments,
		Deposit: &gateway.DepositTraits{
			Assets: []gateway.Asset{gateway.TRY}, Steps: []gateway.StepKind{gateway.StepRedirect},
			Keys: gateway.KeyTraits{Mode: gateway.NoKey, Find: true},
		},
	}
	s.Plugin = registerSmall(d)
	s.Config = map[string]string{"account": "acme-1", "api_key": "k-live-1"}
	s.MisplacedConfig, s.Vectors, s.Replies, s.StaleAfter = nil, nil, nil, 0
	return s
}
