package buildwith_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/vezne/vezne/cmd/vezne/buildwith"
	"github.com/vezne/vezne/cmd/vezne/newplugin"
)

// checkout is this one.
func checkout(t *testing.T) string {
	t.Helper()
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	return root
}

// outside writes a plugin, and makes a module of it that is in no checkout of Vezne.
func outside(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	put(t, filepath.Join(dir, "go.mod"), "module github.com/vezne/vezne\n")
	put(t, filepath.Join(dir, "plugins", "plugins.go"), "package plugins\n")
	if err := (newplugin.Command{Name: "acme", Dir: dir, Refund: true, Sign: "hmac", Hosts: "fixed"}).Run(new(bytes.Buffer)); err != nil {
		t.Fatal(err)
	}
	acme := filepath.Join(dir, "plugins", "acme")
	put(t, filepath.Join(acme, "go.mod"), "module example.com/acme\n\ngo 1.26\n\nrequire github.com/vezne/vezne v0.0.0\n\n"+
		"replace github.com/vezne/vezne => "+checkout(t)+"\n")
	test := filepath.Join(acme, "conformance_test.go")
	text, err := os.ReadFile(test)
	if err != nil {
		t.Fatal(err)
	}
	put(t, test, strings.Replace(string(text), `"github.com/vezne/vezne/plugins/acme"`, `"example.com/acme"`, 1))
	return acme
}

func put(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestToolchainBuildsAPluginFromElsewhereIn: without a network. Its own tests run where it is, too.
func TestToolchainBuildsAPluginFromElsewhereIn(t *testing.T) {
	t.Setenv("GOPROXY", "off")
	acme, output := outside(t), filepath.Join(t.TempDir(), "vezne-with-acme")
	var said bytes.Buffer
	c := buildwith.Command{With: []string{acme}, From: checkout(t), Output: output}
	if err := c.Run(t.Context(), &said, "1.2.3"); err != nil {
		t.Fatalf("%v\n%s", err, said.String())
	}
	text, err := exec.CommandContext(t.Context(), output, "version").CombinedOutput()
	if err != nil || !strings.HasPrefix(string(text), "vezne 1.2.3\n") || !strings.HasSuffix(string(text), "\nwith acme 0.1.0\n") {
		t.Errorf("it says %q, %v", text, err)
	}
	work := filepath.Join(t.TempDir(), "go.work")
	put(t, work, "go 1.26.0\n\nuse "+acme+"\n\nuse "+checkout(t)+"\n")
	test := exec.CommandContext(t.Context(), "go", "test", "-count=1", ".")
	test.Dir, test.Env = acme, append(os.Environ(), "GOWORK="+work)
	if text, err := test.CombinedOutput(); err != nil {
		t.Errorf("the kit outside of the tree: %v\n%s", err, text)
	}
}

// TestWhatIsNoPluginIsRefused before anything is asked of Go.
func TestWhatIsNoPluginIsRefused(t *testing.T) {
	t.Parallel()
	acme, odd := outside(t), t.TempDir()
	put(t, filepath.Join(odd, "go.mod"), "module \"example.com/a\\\"; var x = 1 //\"\n")
	for want, c := range map[string]buildwith.Command{
		`"example.com/acme" is neither`:           {With: []string{"example.com/acme"}, From: checkout(t)},
		`"acme@v1.0.0" is neither`:                {With: []string{"acme@v1.0.0"}, From: checkout(t)},
		`"example.com/acme@v1 -x" is neither`:     {With: []string{"example.com/acme@v1 -x"}, From: checkout(t)},
		`"-toolexec=x@v1.0.0" is neither`:         {With: []string{"-toolexec=x@v1.0.0"}, From: checkout(t)},
		"is the folder of no module":              {With: []string{t.TempDir()}, From: checkout(t)},
		"names no module that can be imported":    {With: []string{odd}, From: checkout(t)},
		"--from: example.com/acme is not Vezne":   {With: []string{acme}, From: acme},
		"say which with --from":                   {With: []string{acme}},
		`"github.com/vezne/vezne@a b" is neither`: {With: []string{acme}, From: "a b"},
	} {
		var said bytes.Buffer
		c.Output = filepath.Join(t.TempDir(), "none")
		if err := c.Run(t.Context(), &said, "dev"); err == nil || !strings.Contains(err.Error(), want) || said.Len() > 0 {
			t.Errorf("%+v: %v, want %s\n%s", c, err, want, said.String())
		}
	}
}
