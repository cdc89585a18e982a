package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// The janitor is a second process that stops the servers and removes their
// directories. It is the only place that does, so the way a killed run is
// cleaned up is the way that every run is: when testenv ends, however it ends,
// the pipe between them closes and the janitor goes to work. It finds servers by
// the pid files in their directories and so also ends a PostgreSQL that a test
// has restarted, which is no child of testenv any more.

// janitor is testenv's end of that pipe.
type janitor struct {
	pipe io.WriteCloser
	cmd  *exec.Cmd
}

// serverPidFiles are the places, inside a registered directory, where servers
// write their process id, and the signal that ends each at once. Nothing in a
// throwaway server is worth an orderly shutdown.
func serverPidFiles() map[string]syscall.Signal {
	return map[string]syscall.Signal{
		filepath.Join(pgDataDir, "postmaster.pid"): syscall.SIGQUIT,
		redisPidFile: syscall.SIGTERM,
	}
}

// startJanitor starts the process in a session of its own, out of the reach of
// Ctrl-C and of a kill of the whole process group.
func startJanitor(stderr io.Writer) (*janitor, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(context.Background(), self, "-janitor")
	cmd.Dir = "/"
	cmd.Stderr = stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	pipe, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start the janitor: %w", err)
	}
	return &janitor{pipe: pipe, cmd: cmd}, nil
}

// removeDir registers a directory whose servers are to be stopped and which is
// then to be removed. Register it before anything is started in it.
func (j *janitor) removeDir(path string) error {
	_, err := fmt.Fprintf(j.pipe, "dir %s\n", path)
	return err
}

// killGroup registers the command's process group. A failed write means that
// the janitor is gone, which finish reports.
func (j *janitor) killGroup(pgid int) {
	_, _ = fmt.Fprintf(j.pipe, "group %d\n", pgid)
}

// finish has the janitor clean up and waits until it has.
func (j *janitor) finish() error {
	_ = j.pipe.Close()
	if err := j.cmd.Wait(); err != nil {
		return fmt.Errorf("clean up: %w", err)
	}
	return nil
}

// clean is the janitor process: it notes what is registered until its input
// ends, then cleans up and returns its exit code.
func clean(orders io.Reader, stderr io.Writer) int {
	signal.Ignore(syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGPIPE)
	var dirs []string
	var groups []int
	for lines := bufio.NewScanner(orders); lines.Scan(); {
		kind, value, _ := strings.Cut(lines.Text(), " ")
		switch kind {
		case "dir":
			dirs = append(dirs, value)
		case "group":
			if pgid, err := strconv.Atoi(value); err == nil && pgid > 1 {
				groups = append(groups, pgid)
			}
		}
	}
	for _, pgid := range groups {
		_ = syscall.Kill(-pgid, syscall.SIGKILL) // ESRCH is the normal case: the command has left nothing behind
	}
	code := 0
	for _, dir := range slices.Backward(dirs) { // what was made within another goes first
		if err := cleanDir(dir); err != nil {
			_, _ = fmt.Fprintf(stderr, "testenv: clean up: %v\n", err)
			code = exitFailed
		}
	}
	return code
}

// cleanDir stops the servers that run in dir and removes it. A process that is
// just ending may still write there, so removal is tried for a while.
func cleanDir(dir string) error {
	for name, number := range serverPidFiles() {
		if pid := readPid(filepath.Join(dir, name)); pid > 1 {
			endProcess(pid, number, stopGrace)
		}
	}
	var err error
	for range 20 {
		if err = os.RemoveAll(dir); err == nil {
			return nil
		}
		time.Sleep(100 * time.Millisecond)
	}
	return err
}

// readPid returns the process id on the first line of a pid file, or 0.
func readPid(path string) int {
	text, err := os.ReadFile(path)
	if err != nil {
		return 0
	}
	first, _, _ := strings.Cut(string(text), "\n")
	pid, err := strconv.Atoi(strings.TrimSpace(first))
	if err != nil {
		return 0
	}
	return pid
}

// endProcess sends the signal, waits, and kills what has not ended by then.
func endProcess(pid int, number syscall.Signal, grace time.Duration) {
	if syscall.Kill(pid, number) != nil {
		return
	}
	for deadline := time.Now().Add(grace); time.Now().Before(deadline); {
		if !alive(pid) {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	_ = syscall.Kill(pid, syscall.SIGKILL)
}

// alive reports whether a process still runs. One that has ended but that
// nobody has waited for, as in a container without an init, counts as ended.
func alive(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	stat, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	if err != nil {
		return true
	}
	_, state, found := strings.Cut(string(stat), ") ")
	return !found || !strings.HasPrefix(state, "Z")
}
