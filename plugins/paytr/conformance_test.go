package paytr_test

import (
	"testing"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/conformance"
	"github.com/vezne/vezne/plugins/paytr"
)

// settings are a valid configuration.
func settings() map[string]string {
	return map[string]string{
		"merchant_id": "123456", "merchant_key": "any", "merchant_salt": "any", "default_email": "payments@example.com",
		"default_phone": "+905350000000", "default_address": "Merdivenköy Mah. Bora Sok. No:1", "default_ip": "198.51.100.9",
	}
}

func subject(t *testing.T) conformance.Subject {
	t.Helper()
	documents, err := conformance.ReadDocuments("testdata/facts.json")
	if err != nil {
		t.Fatal(err)
	}
	reply := gateway.Reply{Status: 200, ContentType: "text/plain; charset=utf-8", Body: "OK"}
	return conformance.Subject{
		Plugin: paytr.Plugin(), Environment: gateway.Production, Config: settings(), NewFake: newFake, Documents: documents,
		Lacks: lacks, Vectors: vectors(),
		FindsOncePaid: true, // nobody can pay an order whose start was lost: the address of its page was in the answer
		Replies: map[gateway.Disposition]gateway.Reply{
			gateway.Stored: reply, gateway.Duplicate: reply, gateway.UnknownRef: reply,
		},
		Tables: map[string]any{
			"Status of an order": paytr.States, "Errors of a start": paytr.Tokens, "Errors of a question": paytr.Statuses,
			"Errors of a refund": paytr.RefundFailures,
		},
	}
}

func TestConformance(t *testing.T) {
	t.Parallel()
	conformance.Run(t, subject(t))
}
