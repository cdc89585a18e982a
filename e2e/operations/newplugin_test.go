package operations_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/vezne/vezne/e2e/harness"
)

// checkoutFor makes a checkout of Vezne to write a plugin into: its own go.mod and plugins folder, the rest linked.
func checkoutFor(t *testing.T) string {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, name := range []string{"go.mod", "go.sum"} {
		if err := copyFile(filepath.Join(root, name), filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"core", "ports"} {
		if err := os.Symlink(filepath.Join(root, name), filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	entries, err := os.ReadDir(filepath.Join(root, "plugins"))
	if err == nil {
		err = os.Mkdir(filepath.Join(dir, "plugins"), 0o700)
	}
	for _, e := range entries {
		if err == nil {
			err = os.Symlink(filepath.Join(root, "plugins", e.Name()), filepath.Join(dir, "plugins", e.Name()))
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func copyFile(from, to string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, data, 0o600)
}

// goIn runs the go command in a checkout.
func goIn(t *testing.T, dir string, args ...string) (output string, err error) {
	t.Helper()
	c := exec.CommandContext(t.Context(), "go", append(args[:1:1], append([]string{"-trimpath"}, args[1:]...)...)...) // what another run compiled elsewhere is not compiled again
	c.Dir = dir
	text, err := c.CombinedOutput()
	return string(text), err
}

var readmeFile = regexp.MustCompile("(?s)<!-- file: (\\S+) -->\n```go\n(.*?)```")

// TestToolchainMakesANewPluginWholeAsItsGuideShows: docs/plugin-authors.md has the files as they are written.
func TestToolchainMakesANewPluginWholeAsItsGuideShows(t *testing.T) {
	t.Parallel()
	dir := checkoutFor(t)
	made := harness.Launch{Args: []string{"new-plugin", "demo-x", "--dir", dir}}.Execute(t)
	if made.Code != 0 || !strings.Contains(made.Stdout, "docs/plugin-authors.md") {
		t.Fatalf("new-plugin: %+v", made)
	}
	guide, err := os.ReadFile("../../docs/plugin-authors.md")
	if err != nil {
		t.Fatal(err)
	}
	files := readmeFile.FindAllSubmatch(guide, -1)
	if len(files) != 3 {
		t.Fatalf("%d files in the guide", len(files))
	}
	for _, f := range files {
		written, err := os.ReadFile(filepath.Join(dir, "plugins", "demo-x", string(f[1])))
		if err != nil || string(written) != string(f[2]) {
			t.Errorf("the guide shows another %s than new-plugin writes (%v): put the file's text there", f[1], err)
		}
	}
	if output, err := goIn(t, dir, "test", "-count=1", "./plugins/demo-x"); err != nil {
		t.Fatalf("what new-plugin writes is not green: %s", output)
	}
	test := filepath.Join(dir, "plugins", "demo-x", "conformance_test.go")
	text, err := os.ReadFile(test)
	if err == nil {
		err = os.WriteFile(test, []byte(strings.Replace(string(text), "conformance.IsInReview:", "conformance.IsPastVoidTime:", 1)), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	if output, err := goIn(t, dir, "test", "-count=1", "./plugins/demo-x"); err == nil || !strings.Contains(output, "say in Subject.Lacks why") {
		t.Errorf("a situation that nobody plays is not asked for: %s", output)
	}
}

// TestToolchainMakesEveryKindOfNewPluginGreen: with every option at least once.
func TestToolchainMakesEveryKindOfNewPluginGreen(t *testing.T) {
	t.Parallel()
	dir, tests := checkoutFor(t), []string{"test", "-count=1"}
	for name, options := range map[string]string{
		"card-all": "--card --refund --sign hmac --hosts fixed", "bank-in": "--transfer --refund", "coin": "--crypto --refund --payout --sign hmac",
		"pays-out": "--payout --hosts fixed", "bank-both": "--transfer --payout",
		"token": "--crypto --refund --payout --sign token",
	} {
		args := append([]string{"new-plugin", name, "--dir", dir}, strings.Fields(options)...)
		if made := (harness.Launch{Args: args}).Execute(t); made.Code != 0 {
			t.Errorf("%s: %+v", options, made)
		}
		tests = append(tests, "./plugins/"+name)
	}
	if output, err := goIn(t, dir, tests...); err != nil { // vet is a part of it
		t.Errorf("what new-plugin writes is not green: %s", output)
	}
	for _, wrong := range []string{"--refund --payout", "--card --crypto", "--sign md5", "--hosts none"} {
		args := append([]string{"new-plugin", "wrong", "--dir", dir}, strings.Fields(wrong)...)
		if made := (harness.Launch{Args: args}).Execute(t); made.Code == 0 {
			t.Errorf("%s was taken", wrong)
		}
	}
}

func TestNewPluginRefusesWhatCannotBeOne(t *testing.T) {
	t.Parallel()
	dir := checkoutFor(t)
	for _, name := range []string{"Demo", "x", "demo_x", "../escape", "-x", "demo--x", strings.Repeat("a", 33)} {
		if made := (harness.Launch{Args: []string{"new-plugin", "--dir", dir, "--", name}}).Execute(t); made.Code == 0 {
			t.Errorf("%q was taken", name)
		}
	}
	if made := (harness.Launch{Args: []string{"new-plugin", "demo-x", "--dir", t.TempDir()}}).Execute(t); made.Code == 0 || !strings.Contains(made.Stderr, "checkout") {
		t.Errorf("outside of a checkout: %+v", made)
	}
	if made := (harness.Launch{Args: []string{"new-plugin", "iyzico", "--dir", dir}}).Execute(t); made.Code == 0 {
		t.Error("an existing plugin was overwritten")
	}
}
