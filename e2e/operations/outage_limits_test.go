package operations_test

import (
	"fmt"
	"net/http"
	"strings"
	"syscall"
	"testing"

	"github.com/vezne/vezne/e2e/harness"
)

// TestLimitsHoldWithoutRedis guesses passwords and API keys while Redis is frozen, while it is gone, and when it is back, empty:
// the process goes on counting what it counted before.
func TestLimitsHoldWithoutRedis(t *testing.T) {
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
	refused := func(when string) {
		t.Helper()
		guesses, calls := 0, 0
		for i := range 40 {
			if guess(i) {
				guesses++
			}
			if call() {
				calls++
			}
		}
		if guesses == 0 || calls < 9 { // sign-ins come back by the minute, and a busy machine is slow
			t.Errorf("%s %d of 40 sign-ins and %d of 40 calls were refused", when, guesses, calls)
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
