package operations_test

import (
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/vezne/vezne/e2e/harness"
)

// TestTheDemosExampleMayBeRepeated by somebody who tries it out: all of them are one customer's. A server on the same database,
// at its defaults, says what to do instead of one more.
func TestTheDemosExampleMayBeRepeated(t *testing.T) {
	t.Parallel()
	env := []string{
		"VEZNE_DATA_DIR=" + filepath.Join(t.TempDir(), "demo-data"), "VEZNE_ADMIN_LISTEN=off", "VEZNE_LOG_FORMAT=json",
		"VEZNE_DRAIN_DELAY=0s", "VEZNE_DEMO_PAST=false",
	}
	launch := func(listen string, args ...string) (*harness.Process, string) {
		t.Helper()
		p, err := harness.Launch{Args: append(args, "--listen", listen), Env: env}.Start()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(p.Kill)
		harness.Eventually(t, func() error {
			if len(p.Log("ready")) == 0 {
				return fmt.Errorf("%s is not ready:\n%s", p, p.Stderr)
			}
			return nil
		})
		return p, p.Log("ready")[0].Listen
	}
	demo, address := launch("127.0.0.1:0", "demo")
	harness.Eventually(t, func() error {
		if out := demo.Stdout.String(); !strings.Contains(out, "Sign further calls") {
			return fmt.Errorf("the demo prints no example:\n%s", out)
		}
		return nil
	})
	for range 12 {
		sendPrintedCurl(t, demo)
	}
	demo.Stop(t)
	server, _ := launch(address, "serve")
	r := requestOf(t, demo.Stdout.String())
	r.Header.Set("Accept-Language", "en")
	a, err := harness.Send(r)
	const advice = "Send the customer back to an open one"
	if err != nil || a.Status != http.StatusUnprocessableEntity || !strings.Contains(string(a.Body), advice) {
		t.Errorf("a server answers %d %s (%v)", a.Status, a.Body, err)
	}
	server.Stop(t)
}
