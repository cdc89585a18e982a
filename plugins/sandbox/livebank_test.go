package sandbox_test

import (
	"net/http/httptest"
	"testing"
	"time"

	"github.com/vezne/vezne/plugins/conformance"
	"github.com/vezne/vezne/plugins/sandbox/bank"
)

// TestTheSafePartRunsAgainstARealServer: the bank is one here, reached over the network and known from the environment alone.
func TestTheSafePartRunsAgainstARealServer(t *testing.T) {
	b := bank.New(bank.Config{APIKey: "key-of-live", APISecret: "secret-of-live", NotifySecret: "notify-of-live", Now: time.Now, ByHand: true})
	server := httptest.NewServer(b)
	t.Cleanup(server.Close)
	for name, value := range map[string]string{
		"BASE_URL": server.URL, "API_KEY": "key-of-live", "API_SECRET": "secret-of-live", "NOTIFY_SECRET": "notify-of-live",
	} {
		t.Setenv("VEZNE_LIVE_SANDBOX_"+name, value)
	}
	conformance.Live(t, subject())
	if n := len(b.State().Deposits); n != 1 || len(b.State().Payouts) != 0 {
		t.Errorf("%d deposits, %d payouts were made", n, len(b.State().Payouts))
	}
}
