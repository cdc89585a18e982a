package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

const (
	readyDeadline = 60 * time.Second      // a cold, busy two-core machine starts PostgreSQL in a few seconds
	readyPause    = 25 * time.Millisecond // between two attempts to connect
	portTries     = 5
	logTailBytes  = 2000
)

// serverSpec says how to start a server and how to know that it answers.
type serverSpec struct {
	name  string
	dir   string
	path  string
	args  []string
	owner *syscall.Credential // nil: the user who runs testenv
	stop  syscall.Signal      // what ends the server at once
	ready func(ctx context.Context) error
}

// server is a started server.
type server struct {
	ended chan struct{} // closed when the process has ended
	log   string        // path of what it printed
}

// startServer starts the process and returns when it answers.
func startServer(ctx context.Context, spec serverSpec) (*server, error) {
	output, err := os.Create(filepath.Join(spec.dir, spec.name+".log"))
	if err != nil {
		return nil, err
	}
	defer func() { _ = output.Close() }()
	cmd := serverCommand(context.WithoutCancel(ctx), spec) // the janitor ends it, not ctx
	cmd.Stdout, cmd.Stderr = output, output
	dieWithParent(cmd.SysProcAttr, spec.stop)
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	s := &server{ended: make(chan struct{}), log: output.Name()}
	go func() {
		defer close(s.ended)
		_ = cmd.Wait() // how it ended is in its log
	}()
	if err := s.awaitReady(ctx, spec.ready); err != nil {
		_ = cmd.Process.Signal(spec.stop)
		<-s.ended
		return nil, fmt.Errorf("%w\n%s", err, s.logTail())
	}
	return s, nil
}

// serverCommand prepares a program of the server's own: as its owner, in its
// directory, and with none of the caller's settings (PGPORT, LANG and the like).
func serverCommand(ctx context.Context, spec serverSpec) *exec.Cmd {
	cmd := exec.CommandContext(ctx, spec.path, spec.args...)
	cmd.Dir = spec.dir
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + spec.dir, "LC_ALL=C.UTF-8", "TZ=UTC"}
	// A group of its own keeps Ctrl-C for the command under test; the janitor
	// stops the servers when that has ended.
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: spec.owner, Setpgid: true}
	return cmd
}

// awaitReady tries ready until it succeeds, the process ends or time is up.
func (s *server) awaitReady(ctx context.Context, ready func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, readyDeadline)
	defer cancel()
	pause := time.NewTicker(readyPause)
	defer pause.Stop()
	for {
		err := ready(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-s.ended:
			return errors.New("it ended while starting")
		case <-ctx.Done():
			return fmt.Errorf("no answer before the deadline: %w", err)
		case <-pause.C:
		}
	}
}

// logTail is the end of what the server printed, for an error message.
func (s *server) logTail() string {
	text, err := os.ReadFile(s.log)
	if err != nil {
		return err.Error()
	}
	return strings.TrimSpace(string(text[max(0, len(text)-logTailBytes):]))
}

// onFreePort calls start with a free loopback port. Another process may take
// the port between the look and the start, so a failed start is tried again.
func onFreePort(ctx context.Context, start func(port int) (*server, error)) (int, error) {
	var failures error
	for range portTries {
		port, err := freePort(ctx)
		if err != nil {
			return 0, err
		}
		if _, err = start(port); err == nil {
			return port, nil
		}
		failures = err
		if ctx.Err() != nil {
			break
		}
	}
	return 0, failures
}

// freePort asks the kernel for a loopback port that is free now.
func freePort(ctx context.Context) (int, error) {
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp4", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer func() { _ = listener.Close() }()
	address, ok := listener.Addr().(*net.TCPAddr)
	if !ok {
		return 0, fmt.Errorf("unexpected address %v", listener.Addr())
	}
	return address.Port, nil
}

// serverDir makes a server's directory, registers it with the janitor and gives
// it to the server's owner.
func serverDir(name string, owner *syscall.Credential, keeper *janitor) (string, error) {
	dir, err := os.MkdirTemp(tempBase(owner), "vezne-"+name+"-")
	if err != nil {
		return "", err
	}
	if err := keeper.removeDir(dir); err != nil {
		return "", errors.Join(fmt.Errorf("register with the janitor: %w", err), os.RemoveAll(dir))
	}
	if owner == nil {
		return dir, nil
	}
	return dir, os.Chown(dir, int(owner.Uid), int(owner.Gid))
}

// maxBaseBytes keeps the path of a Unix socket below the kernel's 108 bytes.
const maxBaseBytes = 60

// tempBase is where servers' directories go: the caller's temporary directory,
// unless its path is too long for a socket or closed to the server's owner.
func tempBase(owner *syscall.Credential) string {
	base := os.TempDir()
	if !filepath.IsAbs(base) || len(base) > maxBaseBytes || (owner != nil && !openToAll(base)) {
		return "/tmp"
	}
	return base
}

// openToAll reports whether every user may pass through the directory and all above it.
func openToAll(dir string) bool {
	for ; ; dir = filepath.Dir(dir) {
		info, err := os.Stat(dir)
		if err != nil || info.Mode().Perm()&0o001 == 0 {
			return false
		}
		if dir == filepath.Dir(dir) {
			return true
		}
	}
}
