package program

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// asServer has the test's own program do what a server does first, and say what it has then.
const asServer = "VEZNE_TEST_AS_SERVER"

func TestMain(m *testing.M) {
	if os.Getenv(asServer) != "" {
		relaxTimers()
		slack := make(chan int)
		go func() { // of whatever thread this is on
			n, err := unix.PrctlRetInt(unix.PR_GET_TIMERSLACK, 0, 0, 0, 0)
			if err != nil {
				n = -1
			}
			slack <- n
		}()
		_, isMarked := os.LookupEnv(relaxed)
		fmt.Println(os.Getpid(), <-slack, isMarked, os.Args[1:])
		return
	}
	os.Exit(m.Run())
}

// TestAServerIsExecutedOnceWithItsTimerSlack in the same process, with its arguments, wherever it is started.
func TestAServerIsExecutedOnceWithItsTimerSlack(t *testing.T) {
	t.Parallel()
	own, err := unix.PrctlRetInt(unix.PR_GET_TIMERSLACK, 0, 0, 0, 0) // what a process has that is started from here
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, marked string
		slack        int
	}{
		{"as a server is started", "", max(own, int(timerSlack))},
		{"where the system forgets a slack", relaxed + "=", own},
	} {
		server := exec.CommandContext(t.Context(), os.Args[0], "serve", "--listen", ":1")
		server.Dir = t.TempDir()
		server.Env = append(os.Environ(), asServer+"=1")
		if c.marked != "" {
			server.Env = append(server.Env, c.marked)
		}
		out, err := server.CombinedOutput()
		want := fmt.Sprintf("%d %d false [serve --listen :1]", server.Process.Pid, c.slack)
		if err != nil || strings.TrimSpace(string(out)) != want {
			t.Errorf("%s: %q, %v, want %q", c.name, out, err, want)
		}
	}
}
