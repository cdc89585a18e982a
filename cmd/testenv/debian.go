package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// program finds a program under any of the names it goes by.
func program(names ...string) func() (path string, found bool) {
	return func() (string, bool) {
		for _, name := range names {
			if path, err := exec.LookPath(name); err == nil {
				path, err = filepath.Abs(path)
				return path, err == nil
			}
		}
		return "", false
	}
}

// findPHP finds PHP where it can speak HTTP: curl is a package of its own.
func findPHP() (string, bool) {
	path, found := program("php")()
	if !found || exec.CommandContext(context.Background(), path, "-r", "exit(extension_loaded('curl') ? 0 : 1);").Run() != nil {
		return "", false
	}
	return path, true
}

// findLaravel finds the framework in PHP's own folder, with what it keeps its data in.
func findLaravel() (string, bool) {
	path, found := findPHP()
	const has = `exit(extension_loaded('pdo_sqlite') && stream_resolve_include_path('Illuminate/autoload.php') ? 0 : 1);`
	return path, found && exec.CommandContext(context.Background(), path, "-r", has).Run() == nil
}

// findDjango finds the framework where Debian's own Python has it: another Python may come first in PATH.
func findDjango() (string, bool) {
	const path = "/usr/bin/python3"
	return path, exec.CommandContext(context.Background(), path, "-c", "import django").Run() == nil
}

// findMono finds C#'s compiler with what runs its programs and speaks HTTP, which are packages of their own.
func findMono() (string, bool) {
	_, runs := program("mono")()
	found, _ := filepath.Glob("/usr/lib/mono/*/System.Net.Http.dll") // the pattern is valid, which is all that can fail
	path, compiles := program("mcs")()
	return path, runs && compiles && len(found) > 0
}

// ensurePackages installs what is missing, as root or through sudo, and says
// what a person has to do where neither works.
func ensurePackages(ctx context.Context, needs []need, stderr io.Writer) error {
	var packages []string
	for _, n := range needs {
		if _, found := n.find(); !found {
			packages = append(packages, strings.Fields(n.pkg)...)
		}
	}
	if len(packages) == 0 {
		return nil
	}
	_, _ = fmt.Fprintf(stderr, "testenv: installing %s with apt-get\n", strings.Join(packages, ", "))
	if err := installPackages(ctx, packages); err != nil {
		return fmt.Errorf("install the Debian packages %s as root, or set %s, %s and %s to what you have: %w",
			strings.Join(packages, " "), varDatabaseURL, varRedisURL, varChromium, err)
	}
	return nil
}

func installPackages(ctx context.Context, packages []string) error {
	if os.Geteuid() == 0 {
		return installAsRoot(ctx, packages)
	}
	if _, err := exec.LookPath("apt-get"); err != nil {
		return errors.New("this machine has no apt-get")
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	return quietly(ctx, nil, "sudo", append([]string{"-n", self, "-install", "--"}, packages...)...)
}

// installAsRoot installs the packages. Several runs may want to at the same
// time: the later ones wait, and then find the work done.
func installAsRoot(ctx context.Context, packages []string) error {
	ctx = context.WithoutCancel(ctx) // an installation broken off halfway is worse than a slow answer to Ctrl-C
	unlock, err := lockPackages()
	if err != nil {
		return fmt.Errorf("this machine's packages are not Debian's: %w", err)
	}
	defer unlock()
	allowServices, err := forbidServices()
	if err != nil {
		return err
	}
	defer allowServices()
	env := append(os.Environ(), "DEBIAN_FRONTEND=noninteractive")
	common := []string{"-q", "-y", "-o", "Acquire::Retries=3", "-o", "DPkg::Lock::Timeout=300"}
	if err := quietly(ctx, env, "apt-get", append(slices.Clone(common), "update")...); err != nil {
		return err
	}
	install := append(slices.Clone(common), "install", "--no-install-recommends")
	return quietly(ctx, env, "apt-get", append(install, packages...)...)
}

// quietly runs a program and shows what it printed only when it fails.
func quietly(ctx context.Context, env []string, name string, args ...string) error {
	var output bytes.Buffer
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env = env
	cmd.Stdout, cmd.Stderr = &output, &output
	if err := cmd.Run(); err != nil {
		text := output.Bytes()
		return fmt.Errorf("%s: %w: %s", name, err, bytes.TrimSpace(text[max(0, len(text)-logTailBytes):]))
	}
	return nil
}

// lockPackages keeps a second run out. It locks a directory that every Debian
// has, so that no lock file stays behind; apt's own locks are untouched by it.
func lockPackages() (unlock func(), err error) {
	dir, err := os.Open("/var/lib/dpkg")
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(dir.Fd()), syscall.LOCK_EX); err != nil {
		return nil, errors.Join(err, dir.Close())
	}
	return func() { _ = dir.Close() }, nil
}

// policyFile is what Debian's packages ask before they start a service.
const policyFile = "/usr/sbin/policy-rc.d"

// policyDeny is testenv's answer: 101 means "not allowed".
const policyDeny = "#!/bin/sh\n# Written by testenv for the time of an installation; safe to remove.\nexit 101\n"

// forbidServices keeps the packages from starting servers of their own: they
// would stay behind on the ports that people use. An existing policy is the
// machine owner's and is kept.
func forbidServices() (restore func(), err error) {
	restore = func() { _ = os.Remove(policyFile) }
	if text, err := os.ReadFile(policyFile); err == nil && string(text) == policyDeny {
		return restore, nil // left by a run that was killed
	}
	file, err := os.OpenFile(policyFile, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o755)
	if errors.Is(err, os.ErrExist) {
		return func() {}, nil
	}
	if err != nil {
		return nil, err
	}
	if _, err := file.WriteString(policyDeny); err != nil {
		restore()
		return nil, errors.Join(err, file.Close())
	}
	return restore, file.Close()
}
