package conformance_test

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/vezne/vezne/plugins/conformance"
)

func TestASampleThatDoesEverythingRightPasses(t *testing.T) {
	t.Parallel()
	conformance.Run(t, subject(t, flaws{}))
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

func TestEveryGroupFindsADefectAndIsInTheReadme(t *testing.T) {
	t.Parallel()
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range conformance.GroupNames(subject(t, flaws{})) {
		if !strings.Contains(string(readme), "\n| "+g+" | ") {
			t.Errorf("the README's table lacks the group %q", g)
		}
		found := slices.ContainsFunc(defects(), func(d defect) bool { return strings.HasPrefix(d.fails, g+"/") })
		if !found {
			t.Errorf("no broken plugin is for the group %q", g)
		}
	}
}
