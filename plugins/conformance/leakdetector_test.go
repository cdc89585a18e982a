package conformance

import (
	"testing"

	"github.com/vezne/vezne/core/gateway"
)

// TestARealAccountsAnswersAreReadWithoutItsSecrets: some gateways answer which key was wrong, and failures are printed.
func TestARealAccountsAnswersAreReadWithoutItsSecrets(t *testing.T) {
	t.Parallel()
	fields := []gateway.ConfigField{{Name: "api_key", Type: gateway.SecretField}, {Name: "shop", Type: gateway.TextField}}
	c := gateway.NewConfig(fields, map[string]string{"api_key": "sk_live_4711", "shop": "acme-shop"}, nil)
	l := newLeakDetector(gateway.Descriptor{Config: fields}, c)
	const answer, want = `{"error":"no such key: sk_live_4711","shop":"acme-shop"}`, `{"error":"no such key: …","shop":"acme-shop"}`
	if got := string(l.blot([]byte(answer))); got != want {
		t.Errorf("got %s", got)
	}
}
