package plugins_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestToolchainSaysWhichLiveAccountIsMissing: every plugin's live test compiles, and names the variables that it needs.
func TestToolchainSaysWhichLiveAccountIsMissing(t *testing.T) {
	t.Parallel()
	tests, err := filepath.Glob("*/live_test.go")
	if err != nil || len(tests) < 3 {
		t.Fatalf("%d plugins have a live test: %v", len(tests), err)
	}
	for _, name := range tests {
		folder := filepath.Dir(name)
		c := exec.CommandContext(t.Context(), "go", "test", "-trimpath", "-count=1", "-tags=live", "-run=^TestLive$", "./"+folder)
		c.Env = slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "VEZNE_LIVE_") })
		output, err := c.CombinedOutput()
		if err == nil || !strings.Contains(string(output), "no account to try") || !strings.Contains(string(output), "VEZNE_LIVE_"+strings.ToUpper(folder)+"_") {
			t.Errorf("%s without an account: %v\n%s", folder, err, output)
		}
	}
}
