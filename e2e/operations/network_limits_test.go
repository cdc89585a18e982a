package operations_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/e2e/harness"
)

// TestANetworkOfIPv6IsOneClient guesses passwords from ever new places of one network, and API keys from ever new addresses of one
// place, through a proxy that is named. Members who sign in from where they did before are let in meanwhile.
func TestANetworkOfIPv6IsOneClient(t *testing.T) {
	t.Parallel()
	harness.ForEach(t, func(t *testing.T, in *harness.Installation) {
		server := in.Serve("VEZNE_TRUSTED_PROXIES=127.0.0.1/32", "VEZNE_RATE_LIMIT=300/h") // failed authentication: 30 an hour
		from := func(format string, args ...any) http.Header {
			return http.Header{"X-Forwarded-For": {fmt.Sprintf(format, args...)}}
		}
		signIn := func(header http.Header, email, password string) string {
			t.Helper()
			a, err := harness.PostJSON(server.URL+"/graphql", header, map[string]any{
				"query": fmt.Sprintf(`mutation { login(input: {email: %q, password: %q}) { token } }`, email, password),
			})
			if err != nil {
				t.Fatal(err)
			}
			return string(a.Body)
		}
		member, other := in.Member("viewer"), in.Member("support")
		office := from("2001:db8:1::1")
		if got := signIn(office, member.Email, member.Password); !strings.Contains(got, `"token":"`) {
			t.Fatal(got)
		}
		tries, endless := 0, strings.Repeat("x", 2000) // which nothing is spent on
		guessUntilRefused := func() {
			for isRefused := false; !isRefused && tries < 20_000; tries++ {
				got := signIn(from("2001:db8:1:%x::1", tries+1), fmt.Sprintf("guess-%d@vezne.test", tries), endless)
				isRefused = strings.Contains(got, "RATE_LIMITED")
			}
		}
		// A try may come back between two calls, so that a stranger is let in now and then, but not each time.
		answer := ""
		for place := 0xff00; place < 0xff0a && !strings.Contains(answer, "RATE_LIMITED"); place++ {
			guessUntilRefused()
			answer = signIn(from("2001:db8:1:%x::1", place), other.Email, other.Password)
		}
		if !strings.Contains(answer, "RATE_LIMITED") {
			t.Errorf("after %d guesses a stranger from the network is answered with %s", tries, answer)
		}
		if got := signIn(office, member.Email, member.Password); !strings.Contains(got, `"token":"`) {
			t.Errorf("a member who has signed in from there is answered with %s", got)
		}
		if got := signIn(from("2001:db8:2::1"), other.Email, other.Password); !strings.Contains(got, `"token":"`) {
			t.Errorf("from another network a member is answered with %s", got)
		}

		begun, letIn := time.Now(), 0
		for i := range 60 {
			header := from("2001:db8:3::%x", i+1)
			for name, value := range map[string]string{"X-Api-Key": "none", "X-Hash": "none", "X-Timestamp": "1", "X-Credential-Key": "none"} {
				header.Set(name, value)
			}
			a, err := harness.PostJSON(server.URL+"/api/provider/start-manual-deposit", header, map[string]any{})
			if err != nil {
				t.Fatal(err)
			}
			if a.Status != http.StatusTooManyRequests {
				letIn++
			}
		}
		if most := 31 + int(time.Since(begun)/(2*time.Minute)); letIn > most { // one comes back every two minutes
			t.Errorf("of 60 calls from one place %d were let in, of at most %d", letIn, most)
		}
		server.Stop(t)
	})
}
