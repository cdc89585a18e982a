package operations_test

import (
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/vezne/vezne/e2e/harness"
)

// runbookStep is what a runbook says to do: a block of commands, something that is done to the processes, or both.
var runbookStep = regexp.MustCompile("(?m)^ *<!-- runbook(?:: ([a-z ]+))? -->\n(?: *```sh\n((?s:.*?)) *```)?")

// operator is somebody who follows a runbook, with the settings of the processes.
type operator struct {
	dir    string
	env    []string
	server *harness.Process
}

// run runs commands as they are, none of which may fail.
func (o *operator) run(t *testing.T, script string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "sh", "-e", "-u")
	cmd.Dir, cmd.Env, cmd.Stdin = o.dir, o.env, strings.NewReader(script)
	said, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v:\n%s\n%s", err, script, said)
	}
	if what := harness.LeakIn(string(said)); what != "" {
		t.Errorf("%s\nprints %s", script, what)
	}
}

// do does what is done to the processes.
func (o *operator) do(t *testing.T, what string) {
	t.Helper()
	switch what {
	case "", "drill":
	case "restart":
		o.server.Stop(t)
		o.server = o.server.Again(t)
	case "stop":
		o.server.Stop(t)
	case "new version": // what it is to the database: it has a migration that the schema lacks
		o.server.Stop(t)
		o.run(t, "vezne migrate down --steps 1 --yes")
	case "old version": // likewise: one that has no such migration is this one on a schema that has it
		o.run(t, "vezne migrate up")
		o.server = o.server.Again(t)
	default:
		t.Fatalf("nobody knows how to do %q", what)
	}
}

// isInMakeDrill holds a drill's block of commands to what make drill runs. A drill takes most of a minute, for which it waits on gateways'
// schedules: make test leaves it to make drill if that runs the very same command of the released program, and make test-all runs it here.
func isInMakeDrill(t *testing.T, script string) {
	t.Helper()
	command := regexp.MustCompile(`(?m)^ *vezne (drill [a-z ]+) > restore-drill.txt$`).FindStringSubmatch(script)
	if command == nil {
		t.Fatalf("this is no drill:\n%s", script)
	}
	makefile, err := os.ReadFile("../../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	for target, want := range map[string]string{
		"drilled": "\tdist/vezne_linux_amd64_v1/vezne " + command[1], // and its exit code ends make
		"drill":   "-- $(MAKE) --no-print-directory drilled",
	} {
		recipe := regexp.MustCompile(`(?m)^` + target + `:.*\n((?:\t.*\n)+)`).FindSubmatch(makefile)
		if recipe == nil || !strings.Contains(string(recipe[1]), want+"\n") {
			t.Errorf("the target %s does not run %q", target, want)
		}
	}
}

// TestRunbooks follows docs/runbooks.md from its beginning to its end, with all its commands as they are. What was made before is there
// afterwards, under other keys.
func TestRunbooks(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("curl"); err != nil {
		t.Fatal("curl is missing, which the runbooks use: install it (apt-get install curl)")
	}
	page, err := os.ReadFile("../../docs/runbooks.md")
	if err != nil {
		t.Fatal(err)
	}
	in, dir, tmp := harness.NewOnServers(t), t.TempDir(), t.TempDir()
	for _, key := range []string{"MASTER_KEY", "AUDIT_KEY"} { // in files, as the page has them
		text := in.Setting(key)
		if text == "" {
			t.Fatalf("there is no %s", key)
		}
		file := filepath.Join(dir, strings.ToLower(key))
		if err := os.WriteFile(file, []byte(text+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		for i, pair := range in.Env {
			if strings.HasPrefix(pair, "VEZNE_"+key+"=") {
				in.Env[i] = "VEZNE_" + key + "_FILE=" + file
			}
		}
	}
	o := &operator{dir: dir, server: in.Serve("VEZNE_ADMIN_LISTEN=" + harness.ReserveAddress(t))}
	public, err := url.Parse(o.server.URL)
	if err != nil {
		t.Fatal(err)
	}
	o.env = append([]string{
		"PATH=" + filepath.Dir(harness.Binary()) + ":" + os.Getenv("PATH"), "HOME=" + dir, "ADMIN=" + strings.TrimPrefix(o.server.AdminURL, "http://"),
		"VEZNE_LISTEN=" + public.Host, "TMPDIR=" + tmp,
	}, o.server.Env...)
	made := in.Provider(o.server).Create(t, "start-manual-withdraw", "80")
	keys := map[string]string{}
	for _, name := range []string{"master_key", "audit_key"} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		keys[name] = strings.TrimSpace(string(text))
	}
	steps := runbookStep.FindAllStringSubmatch(string(page), -1)
	if blocks := strings.Count(string(page), "```sh"); len(steps) < blocks || blocks < 15 {
		t.Fatalf("%d steps, %d blocks of commands: each has to be run", len(steps), blocks)
	}
	for _, step := range steps {
		if step[1] == "drill" && testing.Short() {
			isInMakeDrill(t, step[2])
			continue
		}
		o.do(t, step[1])
		if step[2] != "" {
			o.run(t, step[2])
		}
	}
	master, err := os.ReadFile(filepath.Join(dir, "master_key"))
	if err != nil || strings.Contains(string(master), keys["master_key"]) {
		t.Errorf("the old master key is still there (%v)", err)
	}
	audit, err := os.ReadFile(filepath.Join(dir, "audit_key"))
	if err != nil || !strings.HasSuffix(strings.TrimSpace(string(audit)), ","+keys["audit_key"]) || len(audit) < 2*len(keys["audit_key"]) {
		t.Errorf("the audit key is not a new one with the old one behind it (%v)", err)
	}
	if !testing.Short() {
		drill, err := os.ReadFile(filepath.Join(dir, "restore-drill.txt"))
		if err != nil || !drilled.Match(drill) {
			t.Errorf("the drill of a restore says (%v):\n%s", err, drill)
		}
	}
	if left, err := os.ReadDir(tmp); err != nil || len(left) > 0 {
		t.Errorf("the drill leaves %v (%v)", left, err)
	}
	found := in.SignIn(o.server, "operator").Must(t, "rejectWithdrawal", made.TrackingCode)
	if found.Status != "REJECTED" {
		t.Errorf("what was made before is %+v", found)
	}
	o.server.Stop(t)
}
