package iyzico_test

import (
	"maps"
	"testing"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/conformance"
	"github.com/vezne/vezne/plugins/iyzico"
)

// settings are a valid configuration for production.
func settings() map[string]string {
	return map[string]string{
		"api_key": "live-api-key", "secret_key": "live-secret-key", "default_identity_number": "11111111111",
		"default_email": "payments@example.com", "default_phone": "+905350000000",
		"default_address": "Merdivenköy Mah. Bora Sok. No:1", "default_city": "Istanbul", "default_country": "Turkey",
		"default_ip": "198.51.100.9",
	}
}

func sandboxSettings() map[string]string {
	s := settings()
	maps.Copy(s, map[string]string{"api_key": "sandbox-api", "secret_key": "sandbox-secret"})
	return s
}

// lacks is what a hosted form does not have, or what no source tells how it looks.
var lacks = map[conformance.Situation]string{
	conformance.IsOfOtherMode:   "the sandbox is another host, with keys of its own, and no message names a mode",
	conformance.IsNotFound:      "no source tells a form that iyzico does not know from one on which no card was tried",
	conformance.IsCanceled:      "nobody closes a form: a customer who leaves lets it end",
	conformance.IsExpired:       "time alone ends a form, which open_test.go and payments_test.go try",
	conformance.IsMarkedPaid:    "nobody marks a payment by hand",
	conformance.IsDisputed:      "a chargeback shows in no call that an official client has",
	conformance.RefundIsPending: "a refund is answered once, done or refused",
	conformance.RefundFails:     "a refund is answered once, done or refused",
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
		Plugin: iyzico.Plugin(), Environment: gateway.Production, Config: settings(), NewFake: newFake,
		Tables: map[string]any{
			"Status of a form": iyzico.FormStates, "Payments": iyzico.ReportedStates, "Lines of a day's listing": iyzico.ListedStates,
			"Refunds of what was paid": iyzico.RefundStates, "Codes of errors": iyzico.Failures, "Groups of errors": iyzico.Groups,
		},
		Unplayed: map[string]string{
			"1": "TestEveryStatusOfTheListing", "2": "TestEveryStatusOfTheListing", "1/1": "TestMoneyIsFoundByOurReferenceAlone",
			"NOT_REFUNDED": "TestMoneyIsFoundByOurReferenceAlone",
		},
		Documents: documents, Lacks: lacks, Vectors: vectors(), MisplacedConfig: sandboxSettings(),
		// iyzico's report knows payments and not open forms. A start whose answer was lost is not found, and nobody can have
		// paid it: the address of its page was in that answer.
		FindsOncePaid: true,
	}
}
