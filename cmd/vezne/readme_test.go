package main_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// testedBlock is a shell block of a document that says of itself that it is run here.
var testedBlock = regexp.MustCompile("(?s)<!-- tested:.*?-->\\s*```sh\n(.*?)```")

// TestReadme runs the README's commands as they are, where somebody who follows it would be: vezne is in PATH, and a demo
// runs with its data in demo-data.
func TestReadme(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := testedBlock.FindAllStringSubmatch(string(text), -1)
	if len(blocks) == 0 {
		t.Fatal("README.md has no block that is marked as tested")
	}
	if _, err := exec.LookPath("curl"); err != nil {
		t.Fatal("curl is missing, which the README's commands use: install it (apt-get install curl)")
	}
	in := newEmpty(t)
	server := in.seed()
	for _, block := range blocks {
		said := runShell(t, filepath.Dir(in.dir), block[1])
		if !strings.Contains(said, `"success":true`) || strings.Contains(said, `"success":false`) {
			t.Errorf("the block\n%sis answered with\n%s", block[1], said)
		}
		if strings.Contains(block[1], "start-") && !strings.Contains(said, server.url+"/pay/") {
			t.Errorf("the block\n%sdoes not create a deposit:\n%s", block[1], said)
		}
		_, token, _ := strings.Cut(said, "/pay/")
		shared.keepSecret("a page's token", token[:min(len(token), 32)])
	}
	server.stop(t)
}

// runShell runs a script, which must not fail at any command.
func runShell(t *testing.T, dir, script string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "sh", "-e", "-u")
	cmd.Dir = dir
	cmd.Env = []string{"PATH=" + filepath.Dir(shared.binary) + ":" + os.Getenv("PATH"), "HOME=" + dir}
	cmd.Stdin = strings.NewReader(script)
	said, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v:\n%s\n%s", err, script, said)
	}
	return string(said)
}
