package main_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// patience is how long anything may take before a test gives up on it: a part of what the whole run may take. Nothing
// depends on its length: it is far beyond what a busy machine needs.
var patience = time.Minute

// await asks until what it waits for is so, and gives the last answer when it never was. It is the only place where a
// test waits for something that it cannot be told about.
func await(isSo func() error) error {
	deadline, tick := time.NewTimer(patience), time.NewTicker(20*time.Millisecond)
	defer deadline.Stop()
	defer tick.Stop()
	for {
		err := isSo()
		if err == nil {
			return nil
		}
		select {
		case <-tick.C:
		case <-deadline.C:
			return fmt.Errorf("after %s still: %w", patience, err)
		}
	}
}

// eventually is await for tests.
func eventually(t testing.TB, isSo func() error) {
	t.Helper()
	if err := await(isSo); err != nil {
		t.Fatal(err)
	}
}

// received takes the next value of a channel, or fails the test.
func received[T any](t testing.TB, what string, from <-chan T) T {
	t.Helper()
	deadline := time.NewTimer(patience)
	defer deadline.Stop()
	select {
	case v := <-from:
		return v
	case <-deadline.C:
		t.Fatalf("%s did not come within %s", what, patience)
		panic("not reached")
	}
}

// launch is how a process is to be started.
type launch struct {
	args  []string
	env   []string // beside PATH and HOME; nothing else of the test's own environment
	dir   string   // to run in
	stdin string
}

// process is a started vezne.
type process struct {
	launch
	cmd            *exec.Cmd
	stdout, stderr *capture
	exited         chan struct{}
	url            string // where it serves
}

// capture keeps what a process prints.
type capture struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (c *capture) Write(b []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.text.Write(b)
}

func (c *capture) String() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.text.String()
}

func (l launch) start() (*process, error) {
	p := &process{launch: l, stdout: &capture{}, stderr: &capture{}, exited: make(chan struct{})}
	p.cmd = exec.CommandContext(context.Background(), shared.binary, l.args...)
	p.cmd.Env = append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + shared.dir, "GOGC=" + os.Getenv("GOGC")}, l.env...)
	p.cmd.Dir = l.dir
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = strings.NewReader(l.stdin), p.stdout, p.stderr
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	shared.addProcess(p)
	go func() {
		_ = p.cmd.Wait() // how it ended is in ProcessState
		close(p.exited)
	}()
	return p, nil
}

// startServer starts a process that serves and waits until it does.
func (l launch) startServer() (*process, error) {
	l.args = append(slices.Clone(l.args), "--listen", "127.0.0.1:0")
	l.env = append([]string{"VEZNE_LOG_FORMAT=json", "VEZNE_LOG_DEBUG=1", "VEZNE_RATE_LIMIT=off"}, l.env...)
	p, err := l.start()
	if err != nil {
		return nil, err
	}
	if err := await(p.findAddress); err != nil {
		p.kill()
		return nil, err
	}
	return p, nil
}

// findAddress reads the line that says that the process is ready.
func (p *process) findAddress() error {
	for _, line := range p.log("ready") {
		p.url = "http://" + line.Listen
		return nil
	}
	if p.hasExited() {
		return fmt.Errorf("%s ended with %d:\n%s", p, p.code(), p.stderr)
	}
	return fmt.Errorf("%s is not ready:\n%s", p, p.stderr)
}

// logLine is what tests read of a line of the log.
type logLine struct {
	Message string `json:"msg"`
	Level   string
	Listen  string
	Error   string
	Path    string
	Caller  string
}

// log gives the complete lines so far with a message.
func (p *process) log(message string) (found []logLine) {
	for lines := bufio.NewScanner(strings.NewReader(p.stderr.String())); lines.Scan(); {
		var line logLine
		if json.Unmarshal(lines.Bytes(), &line) == nil && line.Message == message {
			found = append(found, line)
		}
	}
	return found
}

func (p *process) String() string { return "vezne " + strings.Join(p.args, " ") }

// command is the first word after vezne; empty when there is none.
func (p *process) command() string {
	if len(p.args) == 0 {
		return ""
	}
	return p.args[0]
}

func (p *process) hasExited() bool {
	select {
	case <-p.exited:
		return true
	default:
		return false
	}
}

// code is the exit code of a process that has ended; -1 of one that a signal ended.
func (p *process) code() int { return p.cmd.ProcessState.ExitCode() }

// kill ends the process as a crash does.
func (p *process) kill() {
	_ = p.cmd.Process.Kill() // it may have ended by itself
	<-p.exited
}

// terminate asks the process to end; end waits for it.
func (p *process) terminate() { _ = p.cmd.Process.Signal(syscall.SIGTERM) }

// end waits until the process has ended and gives an error for any exit code but 0.
func (p *process) end() error {
	err := await(func() error {
		if !p.hasExited() {
			return fmt.Errorf("%s runs:\n%s", p, p.stderr)
		}
		return nil
	})
	if err == nil && p.code() != 0 {
		err = fmt.Errorf("%s ended with %d:\n%s", p, p.code(), p.stderr)
	}
	return err
}

// stop ends the process as an operator does.
func (p *process) stop(t testing.TB) {
	t.Helper()
	p.terminate()
	if err := p.end(); err != nil {
		t.Fatal(err)
	}
	p.checkLog(t)
}

// checkLog fails the test when a line of the log is not JSON.
func (p *process) checkLog(t testing.TB) {
	t.Helper()
	for lines := bufio.NewScanner(strings.NewReader(p.stderr.String())); lines.Scan(); {
		if !json.Valid(lines.Bytes()) {
			t.Errorf("%s logs what is not JSON: %s", p, lines.Text())
		}
	}
}

// outcome is a command that has run to its end.
type outcome struct {
	code           int
	stdout, stderr string
}

// execute runs a command to its end.
func (l launch) execute(t testing.TB) outcome {
	t.Helper()
	p, err := l.start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.kill)
	eventually(t, func() error {
		if !p.hasExited() {
			return errors.New(p.String() + " runs")
		}
		return nil
	})
	return outcome{p.code(), p.stdout.String(), p.stderr.String()}
}
