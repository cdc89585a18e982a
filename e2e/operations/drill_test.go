package operations_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/vezne/vezne/e2e/harness"
)

// drilled is the last line of a drill in which everything holds.
var drilled = regexp.MustCompile(`\ndrill restore: answered [1-9][0-9]+, lost 0, doubled 0, wrong 0, down or frozen for [0-9]+ s, in [0-9.]+ minutes\n$`)

// TestAnInterruptedDrillLeavesNothing: no process, no directory.
func TestAnInterruptedDrillLeavesNothing(t *testing.T) {
	t.Parallel()
	tmp := t.TempDir()
	p, err := harness.Launch{Args: []string{"drill", "restore"}, Env: []string{"TMPDIR=" + tmp}}.Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Kill)
	harness.Eventually(t, func() error { // in the middle of it: the installation serves
		if !strings.Contains(p.Stdout.String(), "made ") {
			return os.ErrNotExist
		}
		return nil
	})
	p.Interrupt()
	if err := p.End(); err == nil || !strings.Contains(p.Stderr.String(), "interrupted") {
		t.Errorf("it ends with %v", err)
	}
	left, err := os.ReadDir(tmp)
	if err != nil || len(left) > 0 {
		t.Errorf("it leaves %v (%v)", left, err)
	}
}
