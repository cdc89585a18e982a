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

// testedBlock is a shell block of a document that says of itself that it is run here.
var testedBlock = regexp.MustCompile("(?s)<!-- tested:.*?-->\\s*```sh\n(.*?)```")

// makesPage finds the requests that create a payment with a page.
var makesPage = regexp.MustCompile(`eval "\$\(vezne sign ((start-|bank-|crypto-|wallet-)[a-z-]*deposit|(dealer-)?credit-card-payment) `)

// TestDocuments runs the commands of README.md and of docs/ as they are, where somebody who follows them would be: vezne is
// in PATH, and a demo runs with its data in demo-data. The guide in Turkish has the same ones, which the tests of docs see to.
func TestDocuments(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("curl"); err != nil {
		t.Fatal("curl is missing, which the documents' commands use: install it (apt-get install curl)")
	}
	pages := []string{"../../README.md"}
	for _, pattern := range []string{"../../docs/*.md", "../../docs/guide/*.md"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		pages = append(pages, found...)
	}
	in := harness.NewEmpty(t)
	server := in.Seed()
	tested := 0
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		blocks := testedBlock.FindAllStringSubmatch(string(text), -1)
		if len(blocks) > 0 {
			tested++
		}
		for _, block := range blocks {
			checkDocumented(t, server, page, block[1], runShell(t, filepath.Dir(in.Dir), block[1]))
		}
	}
	if tested < 6 {
		t.Errorf("only %d pages have a block that is marked as tested", tested)
	}
	server.Stop(t)
}

// checkDocumented looks at what a block has printed: every request that it sent has to succeed.
func checkDocumented(t *testing.T, server *harness.Process, page, block, printed string) {
	t.Helper()
	if sent := strings.Count(block, "eval "); strings.Count(printed, `"success":true`) != sent {
		t.Errorf("%s: the block\n%sis answered with\n%s", page, block, printed)
	}
	shown := strings.Split(printed, server.URL+"/pay/")
	if want := len(makesPage.FindAllString(block, -1)); len(shown)-1 != want {
		t.Errorf("%s: the block\n%screates %d payments with a page, want %d:\n%s", page, block, len(shown)-1, want, printed)
	}
	for _, rest := range shown[1:] {
		harness.KeepSecret("a page's token", rest[:min(len(rest), 32)])
	}
}

// runShell runs a script, which must not fail at any command.
func runShell(t *testing.T, dir, script string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "sh", "-e", "-u")
	cmd.Dir = dir
	cmd.Env = []string{"PATH=" + filepath.Dir(harness.Binary()) + ":" + os.Getenv("PATH"), "HOME=" + dir}
	cmd.Stdin = strings.NewReader(script)
	said, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v:\n%s\n%s", err, script, said)
	}
	return string(said)
}
