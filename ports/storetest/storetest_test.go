package storetest_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/vezne/vezne/adapters/memory"
	"github.com/vezne/vezne/ports"
	"github.com/vezne/vezne/ports/storetest"
)

func TestReference(t *testing.T) {
	t.Parallel()
	storetest.Run(t, func(*testing.T) ports.Store { return memory.NewStore() }, memory.NewStore())
}

// asSubject is set where this test binary runs itself, to put the broken stores through the kit.
const asSubject = "STORETEST_BROKEN"

// TestBrokenStores holds the kit to finding every defect, by the sentence that speaks of it. A test cannot look on as
// another one fails, so the kit meets the broken stores in a second process.
func TestBrokenStores(t *testing.T) {
	t.Parallel()
	if os.Getenv(asSubject) != "" {
		failTheKit(t)
		return
	}
	kit := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestBrokenStores$", "-test.v", "-rapid.nofailfile",
		"-rapid.shrinktime=0s")
	kit.Env = append(os.Environ(), asSubject+"=1")
	output, err := kit.CombinedOutput()
	if err == nil {
		t.Fatal("the kit passed the broken stores")
	}
	for _, d := range defects() {
		t.Run(d.name, func(t *testing.T) {
			failed := "--- FAIL: " + underscored("TestBrokenStores/"+d.name+"/"+d.fails) + " ("
			if !strings.Contains(string(output), failed) {
				t.Errorf("the kit does not say %q", failed)
			}
		})
	}
}

func failTheKit(t *testing.T) {
	for _, d := range defects() {
		t.Run(d.name, func(t *testing.T) {
			storetest.Run(t, func(*testing.T) ports.Store { return d.open() }, memory.NewStore())
		})
	}
}

// underscored is a test's name as the testing package prints it.
func underscored(name string) string { return strings.ReplaceAll(name, " ", "_") }
