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

// TestNewPluginCompilesAndItsGuideLeadsToAGreenKit follows docs/plugin-authors.md as it stands.
func TestNewPluginCompilesAndItsGuideLeadsToAGreenKit(t *testing.T) {
	t.Parallel()
	dir := checkoutFor(t)
	made := harness.Launch{Args: []string{"new-plugin", "demo-x", "--dir", dir}}.Execute(t)
	if made.Code != 0 || !strings.Contains(made.Stdout, "docs/plugin-authors.md") {
		t.Fatalf("new-plugin: %+v", made)
	}
	if output, err := goIn(t, dir, "vet", "./plugins/demo-x"); err != nil {
		t.Fatalf("what new-plugin writes does not compile: %s", output)
	}
	output, err := goIn(t, dir, "test", "./plugins/demo-x")
	if err == nil || !strings.Contains(output, "is not written yet: see docs/plugin-authors.md") {
		t.Fatalf("a plugin without code passes its test, or its test does not say what to do: %s", output)
	}
	guide, err := os.ReadFile("../../docs/plugin-authors.md")
	if err != nil {
		t.Fatal(err)
	}
	steps := readmeFile.FindAllSubmatch(guide, -1)
	if len(steps) != 3 {
		t.Fatalf("%d files in the guide", len(steps))
	}
	for _, step := range steps {
		if err := os.WriteFile(filepath.Join(dir, "plugins", "demo-x", string(step[1])), step[2], 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if output, err = goIn(t, dir, "test", "-count=1", "./plugins/demo-x"); err != nil {
		t.Errorf("who follows the guide does not get a green kit: %s", output)
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
