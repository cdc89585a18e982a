package harness

import (
	"bufio"
	"bytes"
	"cmp"
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

// Patience is how long anything may take before a test gives up on it: a part of what the whole run may take. Nothing
// depends on its length: it is far beyond what a busy machine needs.
var Patience = time.Minute

// Await asks until what it waits for is so, and returns the last answer when it never was. It is the only place where a
// test waits for something that it cannot be told about.
func Await(isSo func() error) error {
	deadline, tick := time.NewTimer(Patience), time.NewTicker(20*time.Millisecond)
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
			return fmt.Errorf("after %s still: %w", Patience, err)
		}
	}
}

// Eventually is await for tests.
func Eventually(t testing.TB, isSo func() error) {
	t.Helper()
	if err := Await(isSo); err != nil {
		t.Fatal(err)
	}
}

// Received takes the next value of a channel, or fails the test.
func Received[T any](t testing.TB, what string, from <-chan T) T {
	t.Helper()
	deadline := time.NewTimer(Patience)
	defer deadline.Stop()
	select {
	case v := <-from:
		return v
	case <-deadline.C:
		t.Fatalf("%s did not come within %s", what, Patience)
		panic("not reached")
	}
}

// Launch is how a process is to be started.
type Launch struct {
	Args  []string
	Env   []string // beside PATH and HOME; nothing else of the test's own environment
	Dir   string   // to run in
	Stdin *os.File // nil: a file with what stdin says

	stdin  string
	listen string // of a server; empty: at any port
	binary string // empty: the one under test as it is
}

// Process is a started vezne.
type Process struct {
	Launch
	cmd            *exec.Cmd
	Stdout, Stderr *capture
	exited         chan struct{}
	URL            string // where it serves
	AdminURL       string // where it serves its operator
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

// Start starts the process.
func (l Launch) Start() (*Process, error) {
	p := &Process{Launch: l, Stdout: &capture{}, Stderr: &capture{}, exited: make(chan struct{})}
	p.cmd = exec.CommandContext(context.Background(), cmp.Or(l.binary, shared.Binary), l.Args...)
	p.cmd.Env = append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + shared.dir, "GOGC=" + os.Getenv("GOGC")}, l.Env...)
	p.cmd.Dir = l.Dir
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = strings.NewReader(l.stdin), p.Stdout, p.Stderr
	if l.Stdin != nil {
		p.cmd.Stdin = l.Stdin
	}
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

// mostStarts is how often a process is started whose database did not answer in time.
const mostStarts = 5

// startServer starts a process that serves and waits until it does. Where the PostgreSQL of a busy machine did not answer in time, it is
// started again, as a service manager does.
func (l Launch) startServer() (*Process, error) {
	l.Args = append(slices.Clone(l.Args), "--listen", cmp.Or(l.listen, "127.0.0.1:0"))
	l.Env = append([]string{
		"VEZNE_LOG_FORMAT=json", "VEZNE_LOG_DEBUG=1", "VEZNE_RATE_LIMIT=off",
		"VEZNE_OPEN_DEPOSITS_PER_CUSTOMER=0", "VEZNE_OPEN_DEPOSITS_PER_SITE=0",
		"VEZNE_ADMIN_LISTEN=127.0.0.1:0", "VEZNE_DRAIN_DELAY=0s",
	}, l.Env...)
	for starts := 1; ; starts++ {
		p, err := l.Start()
		if err != nil {
			return nil, err
		}
		err = p.awaitReady()
		isSlow := p.HasExited() && strings.Contains(p.Stderr.String(), "i/o timeout (VEZNE_DATABASE_URL)")
		if err == nil || !isSlow || starts == mostStarts {
			return p, err
		}
	}
}

func (p *Process) awaitReady() error {
	var ended error // nobody waits for a process that has
	err := Await(func() error {
		hasExited := p.HasExited() // first: what it has printed by then is all
		err := p.findAddress()
		if err != nil && hasExited {
			ended = err
			return nil
		}
		return err
	})
	if err = cmp.Or(err, ended); err != nil {
		p.Kill()
	}
	return err
}

// Again starts the process again, which has ended, at its address and with its settings.
func (p *Process) Again(t testing.TB) *Process {
	t.Helper()
	next, err := Launch{Args: p.Args, Env: p.Env, Dir: p.Dir}.Start()
	if err == nil {
		err = next.awaitReady()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(next.Kill)
	return next
}

// findAddress reads the line that says that the process is ready.
func (p *Process) findAddress() error {
	for _, line := range p.Log("ready") {
		p.URL, p.AdminURL = "http://"+line.Listen, "http://"+line.Admin
		return nil
	}
	if p.HasExited() {
		return fmt.Errorf("%s ended with %d:\n%s", p, p.code(), p.Stderr)
	}
	return fmt.Errorf("%s is not ready:\n%s", p, p.Stderr)
}

// LogLine is what tests read of a line of the log.
type LogLine struct {
	Message string `json:"msg"`
	Level   string
	Listen  string
	Admin   string
	Error   string
	Path    string
	Caller  string

	Operation string
	TraceID   string `json:"trace_id"`
}

// Log returns the complete lines so far with a message.
func (p *Process) Log(message string) (found []LogLine) {
	for lines := bufio.NewScanner(strings.NewReader(p.Stderr.String())); lines.Scan(); {
		var line LogLine
		if json.Unmarshal(lines.Bytes(), &line) == nil && line.Message == message {
			found = append(found, line)
		}
	}
	return found
}

func (p *Process) String() string { return "vezne " + strings.Join(p.Args, " ") }

// command is the first word after vezne; empty when there is none.
func (p *Process) command() string {
	if len(p.Args) == 0 {
		return ""
	}
	return p.Args[0]
}

// PID is the number of the process.
func (p *Process) PID() int { return p.cmd.Process.Pid }

// HasExited reports whether the process has ended.
func (p *Process) HasExited() bool {
	select {
	case <-p.exited:
		return true
	default:
		return false
	}
}

// code is the exit code of a process that has ended; -1 of one that a signal ended.
func (p *Process) code() int { return p.cmd.ProcessState.ExitCode() }

// Kill ends the process as a crash does.
func (p *Process) Kill() {
	_ = p.cmd.Process.Kill() // it may have ended by itself
	<-p.exited
}

// Goroutines ends the process and returns what each of its goroutines was doing.
func (p *Process) Goroutines(t testing.TB) string {
	t.Helper()
	_ = p.cmd.Process.Signal(syscall.SIGQUIT) // it may have ended by itself
	Eventually(t, func() error {
		if !p.HasExited() {
			return fmt.Errorf("%s runs", p)
		}
		return nil
	})
	return p.Stderr.String()
}

// Terminate asks the process to end; end waits for it.
func (p *Process) Terminate() { _ = p.cmd.Process.Signal(syscall.SIGTERM) }

// Interrupt is what Ctrl-C does.
func (p *Process) Interrupt() { _ = p.cmd.Process.Signal(os.Interrupt) }

// End waits until the process has ended and returns an error for any exit code but 0.
func (p *Process) End() error {
	err := Await(func() error {
		if !p.HasExited() {
			return fmt.Errorf("%s runs:\n%s", p, p.Stderr)
		}
		return nil
	})
	if err == nil && p.code() != 0 {
		err = fmt.Errorf("%s ended with %d:\n%s", p, p.code(), p.Stderr)
	}
	return err
}

// Stop ends the process as an operator does.
func (p *Process) Stop(t testing.TB) {
	t.Helper()
	p.Terminate()
	if err := p.End(); err != nil {
		t.Fatal(err)
	}
	p.CheckLog(t)
}

// CheckLog fails the test when a line of the log is not JSON.
func (p *Process) CheckLog(t testing.TB) {
	t.Helper()
	for lines := bufio.NewScanner(strings.NewReader(p.Stderr.String())); lines.Scan(); {
		if !json.Valid(lines.Bytes()) {
			t.Errorf("%s logs what is not JSON: %s", p, lines.Text())
		}
	}
}

// Outcome is a command that has run to its end.
type Outcome struct {
	Code           int
	Stdout, Stderr string
}

// Execute runs a command to its end.
func (l Launch) Execute(t testing.TB) Outcome {
	t.Helper()
	p, err := l.Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Kill)
	Eventually(t, func() error {
		if !p.HasExited() {
			return errors.New(p.String() + " runs")
		}
		return nil
	})
	return Outcome{p.code(), p.Stdout.String(), p.Stderr.String()}
}
