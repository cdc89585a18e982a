package stripe_test

import (
	"testing"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/conformance"
	"github.com/vezne/vezne/plugins/stripe"
)

// settings are a valid configuration for production.
func settings() map[string]string {
	return map[string]string{"secret_key": "sk_live_51VezneKit", "webhook_secret": "whsec_kit0123456789"}
}

func TestConformance(t *testing.T) {
	t.Parallel()
	conformance.Run(t, subject(t))
}

func subject(t *testing.T) conformance.Subject {
	t.Helper()
	documents, err := conformance.ReadDocuments("testdata/facts.json")
	if err != nil {
		t.Fatal(err)
	}
	return conformance.Subject{
		Plugin: stripe.Plugin(), Environment: gateway.Production, Config: settings(), NewFake: newFake, Documents: documents,
		Tables: map[string]any{
			"Status of a session": stripe.SessionStates, "Status of a payment intent": stripe.IntentStates,
			"Status of a refund": stripe.RefundStates, "Errors": stripe.Failures,
			"Status of a dispute": stripe.DisputeStates, "Reason of a dispute": stripe.DisputeReason,
		},
		Lacks: lacks, Vectors: vectors(), StaleAfter: 5 * time.Minute,
		MisplacedConfig: map[string]string{"secret_key": "sk_test_51VezneKit", "webhook_secret": "whsec_kit0123456789"},
		// A search knows payment intents, which begin with the first card. A start whose answer was lost is found by its key, and
		// nobody can have paid it: the address of its page was in that answer.
		FindsOncePaid: true,
	}
}
