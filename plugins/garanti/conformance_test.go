package garanti_test

import (
	"testing"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/conformance"
	"github.com/vezne/vezne/plugins/garanti"
)

// settings are a valid configuration.
func settings() map[string]string {
	return map[string]string{
		"merchant_id": "7000679", "terminal_id": "30691299", "provision_user": "PROVAUT", "provision_password": "a", "page_user": "PROVOOS",
		"page_password": "b", "refund_user": "PROVRFN", "refund_password": "c", "store_key": "d", "company_name": "Ornek Ltd", "default_ip": "198.51.100.9",
	}
}

func subject(t *testing.T) conformance.Subject {
	t.Helper()
	documents, err := conformance.ReadDocuments("testdata/facts.json")
	if err != nil {
		t.Fatal(err)
	}
	return conformance.Subject{
		Plugin: garanti.Plugin(), Environment: gateway.Production, Config: settings(), NewFake: newFake, Documents: documents,
		Tables: map[string]any{"Status": garanti.Lines, "Errors": garanti.Failures}, Lacks: lacks, Vectors: vectors(),
		FindsOncePaid: true, // nobody has the form of a start that was lost
	}
}

func TestConformance(t *testing.T) {
	t.Parallel()
	conformance.Run(t, subject(t))
}
