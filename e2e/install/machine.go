// Package install follows docs/install.md on a bare Debian that systemd has started (deploy/drill/bare.sh; the tag drill).
package install

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/vezne/vezne/e2e/harness"
)

// Machine is a Debian of which somebody is root.
type Machine struct {
	t    *testing.T
	root string
	init string // the process that is its first, by this machine's number
}

// Boot starts the Debian in a folder, and waits until it is up. The end of the test stops it.
func Boot(t *testing.T, root string) *Machine {
	t.Helper()
	var said bytes.Buffer
	run := exec.CommandContext(context.Background(), "systemd-nspawn", "--quiet", "--directory="+root, "--boot", "--register=no", "--keep-unit", "--console=pipe")
	run.Stdout, run.Stderr = &said, &said
	if err := run.Start(); err != nil {
		t.Fatal(err)
	}
	m := &Machine{t: t, root: root}
	t.Cleanup(func() {
		// With its first process all others end, before systemd-nspawn does.
		if first, err := strconv.Atoi(m.init); err == nil {
			_ = syscall.Kill(first, syscall.SIGKILL) // it may have ended
		} else {
			_ = run.Process.Kill()
		}
		_ = run.Wait()
		if t.Failed() {
			t.Logf("it said:\n%s", &said)
		}
	})
	harness.Eventually(t, func() error {
		file := fmt.Sprintf("/proc/%d/task/%[1]d/children", run.Process.Pid)
		children, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if m.init = strings.TrimSpace(string(children)); m.init == "" || strings.Contains(m.init, " ") {
			return fmt.Errorf("its first process is %q", m.init)
		}
		state, err := m.run("systemctl is-system-running", "")
		if err != nil || strings.TrimSpace(state) != "running" {
			return fmt.Errorf("it is %s (%w)", state, err)
		}
		return nil
	})
	return m
}

// environment keeps what a block has exported for the next one: they are run in one shell.
const environment = "/root/environment"

// run runs commands as root, with what they read.
func (m *Machine) run(script, input string) (string, error) {
	if err := os.WriteFile(filepath.Join(m.root, "root/script"), []byte(script), 0o600); err != nil {
		return "", err
	}
	cmd := exec.CommandContext(m.t.Context(), "nsenter", "--target", m.init, "--mount", "--uts", "--ipc", "--pid", "--cgroup", "--root", "--wdns=/root", "--",
		"/usr/bin/env", "--ignore-environment", "HOME=/root", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND=noninteractive",
		"CURL_CA_BUNDLE=/var/lib/caddy/.local/share/caddy/pki/authorities/local/root.crt", "/bin/sh", "-e", "-u", "/root/script")
	cmd.Stdin = strings.NewReader(input)
	said, err := cmd.CombinedOutput()
	return string(said), err
}

// Do runs commands, none of which may fail, and returns what they print.
func (m *Machine) Do(script, input string) string {
	m.t.Helper()
	kept := "if [ -e " + environment + " ]; then . " + environment + "; fi\n" + script + "\nexport -p >" + environment + "\n"
	said, err := m.run(kept, input)
	if err != nil {
		log, _ := m.run("journalctl --no-pager --lines=60", "") // it helps if it is there
		m.t.Fatalf("%v:\n%s\n%s\n%s", err, script, said, log)
	}
	return said
}

// block is one of a page that is run, with where that is.
var block = regexp.MustCompile("(?m)^<!-- ([a-z ]+)(?:: [a-z ]+)? -->\n```sh\n((?s:.*?))```$")

// Where the commands of a page are run.
const (
	OnBareMachine = "bare machine"
	WithCompose   = "with compose"
)

// Blocks are the commands of a page that are run somewhere, with the name that leads there.
func Blocks(t *testing.T, page, where string) (all []string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", page))
	if err != nil {
		t.Fatal(err)
	}
	for _, found := range block.FindAllStringSubmatch(string(text), -1) {
		if found[1] == where {
			all = append(all, strings.ReplaceAll(found[2], "pay.example.com", Host))
		}
	}
	return all
}

// Host is the name of the machine, for which Caddy makes a certificate without asking anybody.
const Host = "pay.localhost"
