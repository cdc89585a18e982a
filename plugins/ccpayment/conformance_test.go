package ccpayment_test

import (
	"testing"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/ccpayment"
	"github.com/vezne/vezne/plugins/conformance"
)

// settings are a valid configuration.
func settings() map[string]string {
	return map[string]string{
		"brand": "sipay", "app_id": "6d4a7e9374a76c15260fcc75e315b0b9", "app_secret": "any", "merchant_key": "any",
		"sale_webhook_key": "vezne_sale", "refund_webhook_key": "vezne_refund",
	}
}

func subject(t *testing.T) conformance.Subject {
	t.Helper()
	documents, err := conformance.ReadDocuments("testdata/facts.json")
	if err != nil {
		t.Fatal(err)
	}
	return conformance.Subject{
		Plugin: ccpayment.Plugin(), Environment: gateway.Production, Config: settings(), NewFake: newFake, Documents: documents,
		Lacks: lacks, Vectors: vectors(), Nonces: []string{"hash_key"},
		FindsOncePaid: true, // nobody can pay an order whose start was lost: the address of its page was in the answer
		Tables: map[string]any{
			"Status of an order": ccpayment.States, "Status in a sale's notification": ccpayment.Told, "Errors": ccpayment.Failures,
		},
	}
}

func TestConformance(t *testing.T) {
	t.Parallel()
	conformance.Run(t, subject(t))
}
