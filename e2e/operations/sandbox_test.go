package operations_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/vezne/vezne/e2e/harness"
)

// TestOnlyTheDemoRunsTheSimulatedBank: serve has no page of it, no call and no goroutine, whatever is allowed, and takes
// an account at a simulator only where that is allowed.
func TestOnlyTheDemoRunsTheSimulatedBank(t *testing.T) {
	t.Parallel()
	allowed := []string{"VEZNE_GATEWAY_SANDBOX=true", "VEZNE_GATEWAY_ALLOW_PRIVATE=true"}
	for name, c := range map[string]struct {
		start   func(*harness.Installation) *harness.Process
		hasBank bool
		refusal string // of an account at a simulator
	}{
		"serve":                    {start: func(in *harness.Installation) *harness.Process { return in.Serve() }, refusal: "GATEWAY_UNUSABLE"},
		"serve, sandboxes allowed": {start: func(in *harness.Installation) *harness.Process { return in.Serve(allowed...) }},
		"demo":                     {start: func(in *harness.Installation) *harness.Process { return in.Demo() }, hasBank: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in := harness.NewEmbedded(t)
			p := c.start(in)
			for _, path := range []string{"/sandbox/branch", "/sandbox/admin/state", "/sandbox/v1/ping"} {
				if a := harness.Get(t, p.URL+path); (a.Status != http.StatusNotFound) != c.hasBank {
					t.Errorf("%s answers %d", path, a.Status)
				}
			}
			for _, path := range []string{"/sandbox", "/sandbox/"} { // which lead to the branch
				a := harness.Get(t, p.URL+path)
				if isLed := a.Status == http.StatusFound && a.Header.Get("Location") == "/sandbox/branch"; isLed != c.hasBank {
					t.Errorf("%s answers %d %.100s", path, a.Status, a.Body)
				}
			}
			config := []map[string]string{{"name": "base_url", "value": p.URL + "/sandbox"}}
			for _, field := range []string{"api_key", "api_secret", "notify_secret"} {
				config = append(config, map[string]string{"name": field, "value": "k"})
			}
			err := in.SignIn(p, "admin").Ask(
				`mutation($input: CreateGatewayAccountInput!) { createGatewayAccount(input: $input) { gatewayAccount { id } } }`,
				map[string]any{"input": map[string]any{
					"plugin": "sandbox", "environment": "SANDBOX", "code": "second", "name": "Second", "config": config,
				}}, &struct{}{})
			if harness.CodeOf(err) != c.refusal {
				t.Errorf("an account at a simulator: %v, want %q", err, c.refusal)
			}
			dump := p.Goroutines(t)
			if !strings.Contains(dump, "/program.serve(") {
				t.Fatalf("this is no dump of a server:\n%s", dump)
			}
			if strings.Contains(dump, "plugins/sandbox/bank.") != c.hasBank {
				t.Errorf("the bank runs: %t, want %t", !c.hasBank, c.hasBank)
			}
		})
	}
}
