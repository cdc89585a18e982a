package operations_test

import (
	"testing"

	"github.com/vezne/vezne/e2e/harness"
)

// TestCallbacksGoWhereADemoIsTold: a demo sends callbacks to a developer's own server while it is told to, and otherwise to its inbox.
func TestCallbacksGoWhereADemoIsTold(t *testing.T) {
	t.Parallel()
	in := harness.NewEmbedded(t)
	mine := harness.NewReceiver(t, in.Keys.Provider, harness.Accept)
	approved := func(p *harness.Process) harness.Payment {
		made := in.Provider(p).Create(t, "start-manual-deposit", "99.90")
		in.SignIn(p, "operator").Must(t, "approveDeposit", made.TrackingCode)
		return made
	}
	for _, path := range []string{"/first", "/second"} {
		p := in.Demo("VEZNE_DEMO_CALLBACK_URL=" + mine.URL + path)
		made := approved(p)
		if got := mine.Next(t); got.TrackingCode != made.TrackingCode || got.Path != path {
			t.Errorf("%s came to %s, want %s at %s", got.TrackingCode, got.Path, made.TrackingCode, path)
		}
		p.Stop(t)
	}
	p := in.Demo()
	awaitInInbox(t, p, approved(p), "X-Hash is right", "webhook-signature is right")
	p.Stop(t)
	if mine.Count() != 2 {
		t.Errorf("%d callbacks came, want 2", mine.Count())
	}
}

// TestADemoSendsToNoOtherAddress: what is no address of a receiver is refused, and what it had of secrets is not printed.
func TestADemoSendsToNoOtherAddress(t *testing.T) {
	t.Parallel()
	in := harness.NewEmpty(t)
	harness.KeepSecret("the password of a callback URL", "hunter2-of-a-url")
	for _, address := range []string{"ftp://example.com", "example.com/hook", "https://me:hunter2-of-a-url@example.com/"} {
		harness.Launch{Args: []string{"demo", "--callback-url", address}, Env: in.Env}.ExpectFailure(t, "--callback-url is no address of a receiver")
	}
}
