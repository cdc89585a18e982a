package akbank_test

import (
	"testing"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/akbank"
	"github.com/vezne/vezne/plugins/conformance"
)

// settings are a valid configuration.
func settings() map[string]string {
	return map[string]string{
		"merchant_safe_id": "2023090417500272654BD9A49CF07574", "terminal_safe_id": "2023090417500284633D137A249DBBEB", "secret_key": "any",
	}
}

func subject(t *testing.T) conformance.Subject {
	t.Helper()
	documents, err := conformance.ReadDocuments("testdata/facts.json")
	if err != nil {
		t.Fatal(err)
	}
	return conformance.Subject{
		Plugin: akbank.Plugin(), Environment: gateway.Production, Config: settings(), NewFake: newFake, Documents: documents,
		Tables: map[string]any{"Status": akbank.Lines, "Errors": akbank.Failures}, Nonces: []string{"randomNumber"},
		Unplayed: map[string]string{"3000/N": "TestMoneyOfAnOrderIsAddedUp"},
		Lacks:    lacks, Vectors: vectors(), FindsOncePaid: true, // nobody has the form of a start that was lost
	}
}

func TestConformance(t *testing.T) {
	t.Parallel()
	conformance.Run(t, subject(t))
}
