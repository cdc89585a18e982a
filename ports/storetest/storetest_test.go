package storetest_test

import (
	"os"
	"os/exec"
	"regexp"
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
// another one fails, so the sentence meets the broken store in a second process.
func TestBrokenStores(t *testing.T) {
	t.Parallel()
	for _, d := range defects() {
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			if os.Getenv(asSubject) != "" {
				storetest.Run(t, func(*testing.T) ports.Store { return d.open() }, memory.NewStore())
				return
			}
			name := underscored("TestBrokenStores/" + d.name + "/" + d.fails)
			kit := exec.CommandContext(t.Context(), os.Args[0], "-test.run="+exactly(name), "-test.v", "-rapid.nofailfile",
				"-rapid.shrinktime=0s", "-rapid.checks=10000") // chance misses a defect that shows in one of a few hundred otherwise
			kit.Env = append(os.Environ(), asSubject+"=1")
			output, err := kit.CombinedOutput()
			if err == nil || !strings.Contains(string(output), "--- FAIL: "+name+" (") {
				t.Errorf("the kit does not say that %q fails", d.fails)
			}
		})
	}
}

// exactly is the pattern of one test's name.
func exactly(name string) string {
	parts := strings.Split(name, "/")
	for i, part := range parts {
		parts[i] = "^" + regexp.QuoteMeta(part) + "$"
	}
	return strings.Join(parts, "/")
}

// underscored is a test's name as the testing package prints it.
func underscored(name string) string { return strings.ReplaceAll(name, " ", "_") }
