package main

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// asProgram makes the test binary behave as testenv itself, so that the tests
// start and kill the real program.
const asProgram = "VEZNE_TESTENV_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
	}
	os.Exit(m.Run())
}

// testenv is the program with the caller's servers taken out of its environment.
func testenv(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], args...)
	for _, pair := range os.Environ() {
		if !strings.HasPrefix(pair, "VEZNE_TEST_") {
			cmd.Env = append(cmd.Env, pair)
		}
	}
	cmd.Env = append(cmd.Env, asProgram+"=1")
	return cmd
}

func TestExitCodeIsTheCommands(t *testing.T) {
	t.Parallel()
	given := varRedisURL + "=redis://given"
	cases := map[string]struct {
		args []string
		code int
	}{
		"success":         {[]string{"-need", "redis", "--", "true"}, 0},
		"failure":         {[]string{"-need", "redis", "--", "sh", "-c", "exit 7"}, 7},
		"killed":          {[]string{"-need", "redis", "--", "sh", "-c", "kill -9 $$"}, 137},
		"given is passed": {[]string{"-need", "redis", "--", "sh", "-c", `test "$` + varRedisURL + `" = redis://given`}, 0},
		"no command":      {nil, exitFailed},
		"unknown command": {[]string{"-need", "redis", "--", "vezne-no-such-command"}, exitFailed},
		"unknown need":    {[]string{"-need", "kafka", "--", "true"}, exitFailed},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cmd := testenv(t, c.args...)
			cmd.Env = append(cmd.Env, given)
			output, err := cmd.CombinedOutput()
			var exit *exec.ExitError
			if err != nil && !errors.As(err, &exit) {
				t.Fatal(err)
			}
			if got := cmd.ProcessState.ExitCode(); got != c.code {
				t.Errorf("exit code %d, want %d; printed:\n%s", got, c.code, output)
			}
		})
	}
}

// TestNothingStaysBehind ends testenv in every way a run may end while the
// command and what it started are still there.
func TestNothingStaysBehind(t *testing.T) {
	t.Parallel()
	if _, found := findPostgres(); !found {
		t.Fatal("PostgreSQL is not installed: run the tests by `make test`, which installs it")
	}
	for name, number := range map[string]syscall.Signal{
		"interrupted": syscall.SIGINT, "terminated": syscall.SIGTERM, "killed": syscall.SIGKILL,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const script = `echo "$VEZNE_TEST_PG_DATA"; head -n 1 "$VEZNE_TEST_PG_DATA/postmaster.pid"; sleep 300 & wait`
			cmd := testenv(t, "-need", "postgres", "--", "sh", "-c", script)
			var complaints bytes.Buffer
			cmd.Stderr = &complaints
			output, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			lines := bufio.NewReader(output)
			data := line(t, lines)
			pid := readPid(data + "/postmaster.pid")
			if !alive(pid) || line(t, lines) == "" {
				t.Fatalf("no server in %s: %s", data, &complaints)
			}
			if err := cmd.Process.Signal(number); err != nil {
				t.Fatal(err)
			}
			// The output ends when the command and all that it started have;
			// Wait returns when the janitor has closed standard error as well.
			_, _ = io.Copy(io.Discard, lines)
			_ = cmd.Wait()
			if alive(pid) {
				t.Errorf("the server (process %d) is still running", pid)
			}
			if _, err := os.Stat(data); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("%s is still there: %v", data, err)
			}
		})
	}
}

// line reads one line of the command's output.
func line(t *testing.T, from *bufio.Reader) string {
	t.Helper()
	text, err := from.ReadString('\n')
	if err != nil {
		t.Fatalf("the command did not start: %v", err)
	}
	return strings.TrimSpace(text)
}

func TestEndProcessKillsWhatDoesNotListen(t *testing.T) {
	t.Parallel()
	cmd := exec.CommandContext(t.Context(), "sh", "-c", `trap "" TERM; echo ready; while :; do sleep 1; done`)
	output, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line(t, bufio.NewReader(output))
	endProcess(cmd.Process.Pid, syscall.SIGTERM, 50*time.Millisecond)
	_ = cmd.Wait()
	if status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); !ok || status.Signal() != syscall.SIGKILL {
		t.Errorf("ended with %v, want a kill", cmd.ProcessState)
	}
}
