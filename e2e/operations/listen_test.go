package operations_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/vezne/vezne/e2e/harness"
)

// listening starts vezne listen and waits until it does.
func listening(t *testing.T, in *harness.Installation, args ...string) *harness.Process {
	t.Helper()
	ear, err := harness.Launch{Args: append([]string{"listen", "--demo", in.Dir}, args...), Env: in.Env}.Start()
	if err != nil {
		t.Fatal(err)
	}
	harness.Eventually(t, func() error {
		if !strings.Contains(ear.Stdout.String(), "Listening to ") {
			return fmt.Errorf("listen says %q and %q", ear.Stdout.String(), ear.Stderr.String())
		}
		return nil
	})
	return ear
}

// TestEventsThatAreTriggeredAreHeard makes each event happen in a demo, and has its callback forwarded, once, as it is sent.
func TestEventsThatAreTriggeredAreHeard(t *testing.T) {
	t.Parallel()
	in := harness.NewEmbedded(t)
	server := in.Demo("VEZNE_GATEWAY_ALLOW_PRIVATE=true") // the sandbox is on this machine
	mine := harness.NewReceiver(t, in.Keys.Provider, harness.Accept)
	ear := listening(t, in, "--forward-to", mine.URL+"/mine")
	for _, event := range []string{
		"deposit.completed", "deposit.canceled", "withdrawal.completed", "withdrawal.rejected", "withdrawal.failed", "card.success", "card.failed",
		"card.cancelled",
	} {
		code := strings.Fields(in.Succeed("trigger", event, "--demo", in.Dir))[1]
		got := mine.Next(t)
		if got.TrackingCode != code || !strings.HasSuffix(event, "."+got.Status) || got.Path != "/mine" {
			t.Errorf("%s of %s: %+v came", event, code, got)
		}
		harness.Eventually(t, func() error {
			if said := ear.Stdout.String(); !strings.Contains(said, code+" "+got.Status+" 250.00 → 200") {
				return fmt.Errorf("listen says %s", said)
			}
			return nil
		})
	}
	harness.Launch{Args: []string{"trigger", "deposit.exploded", "--demo", in.Dir}}.ExpectFailure(t, "there are card.cancelled")
	ear.Interrupt()
	if err := ear.End(); err != nil {
		t.Error(err)
	}
	if said := ear.Stdout.String() + ear.Stderr.String(); strings.Contains(said, in.Keys.Provider.SecretKey) || mine.Count() != 8 {
		t.Errorf("%d callbacks were forwarded, and listen says %s", mine.Count(), said)
	}
	server.Stop(t)
}

// TestOnlyASandboxIsListenedTo: what is none refuses it, whoever asks; so does a sandbox whom it does not know.
func TestOnlyASandboxIsListenedTo(t *testing.T) {
	t.Parallel()
	in := harness.NewEmbedded(t)
	listen := []string{"listen", "--demo", in.Dir, "--forward-to", "http://127.0.0.1:9/"}
	server := in.Serve()
	keys := []string{"VEZNE_SIGN_API_KEY=" + in.Keys.Provider.APIKey, "VEZNE_SIGN_SECRET_KEY=" + in.Keys.Provider.SecretKey}
	harness.Launch{Args: []string{"listen", "--base-url", server.URL, "--forward-to", "http://127.0.0.1:9/"}, Env: keys}.ExpectFailure(t, "is no sandbox")
	server.Stop(t)
	server = in.Serve("VEZNE_GATEWAY_SANDBOX=true")
	keys[1] += "x"
	harness.Launch{Args: []string{"listen", "--base-url", server.URL, "--forward-to", "http://127.0.0.1:9/"}, Env: keys}.ExpectFailure(t, "refuses to be listened to: 401")
	server.Stop(t)
	harness.Launch{Args: append(listen, "--forward-to", "ftp://127.0.0.1/")}.ExpectFailure(t, "--forward-to is no address of a receiver")
}
