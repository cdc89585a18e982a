package operations_test

import (
	"fmt"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/vezne/vezne/e2e/harness"
)

// TestOutageLimitsHoldWithoutRedis guesses passwords and API keys while Redis is frozen, while it is gone, and when it is back, empty:
// the process goes on counting what it counted before.
func TestOutageLimitsHoldWithoutRedis(t *testing.T) {
	t.Parallel()
	redis := harness.NewOwnRedis(t)
	in := harness.NewOnServersWith(t, redis.URL)
	server := in.Serve("VEZNE_RATE_LIMIT=300/h") // failed authentication: 30 an hour
	guess := func(i int) bool {
		body := map[string]any{"query": fmt.Sprintf(`mutation { login(input: {email: "spray-%d@vezne.test", password: "wrong"}) { token } }`, i)}
		a, err := harness.PostJSON(server.URL+"/graphql", http.Header{}, body)
		if err != nil {
			t.Fatal(err)
		}
		return strings.Contains(string(a.Body), "RATE_LIMITED")
	}
	call := func() bool {
		header := http.Header{"X-Api-Key": {"none"}, "X-Hash": {"none"}, "X-Timestamp": {"1"}, "X-Credential-Key": {"none"}}
		a, err := harness.PostJSON(server.URL+"/api/provider/start-manual-deposit", header, map[string]any{})
		if err != nil {
			t.Fatal(err)
		}
		return a.Status == http.StatusTooManyRequests
	}
	begun, letIn := time.Now(), 0
	refused := func(when string) {
		t.Helper()
		for range 40 {
			if !call() {
				letIn++
			}
		}
		if most := 31 + int(time.Since(begun)/(2*time.Minute)); letIn > most { // one comes back every two minutes
			t.Errorf("%s %d calls have been let in, of at most %d", when, letIn, most)
		}
		isRefused := false
		for i := 0; i < 20_000 && !isRefused; i++ { // sign-ins come back by the minute
			isRefused = guess(i)
		}
		if !isRefused {
			t.Errorf("%s 20,000 sign-ins were let in", when)
		}
	}
	redis.Signal(t, syscall.SIGSTOP)
	refused("with a frozen Redis")
	redis.Down(syscall.SIGKILL)
	refused("without Redis")
	redis.Up(t)
	awaitReadiness(t, server, http.StatusOK, ready)
	refused("with an empty Redis")
	server.Stop(t)
}
