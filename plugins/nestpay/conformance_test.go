package nestpay_test

import (
	"testing"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/conformance"
	"github.com/vezne/vezne/plugins/nestpay"
)

// settings are a valid configuration.
func settings() map[string]string {
	return map[string]string{
		"api_url": "https://sanalpos.example.com/fim/api", "form_url": "https://sanalpos.example.com/fim/est3Dgate",
		"client_id": "190100000", "api_user": "VEZNEAPI", "api_password": "any", "store_key": "any",
	}
}

func subject(t *testing.T) conformance.Subject {
	t.Helper()
	documents, err := conformance.ReadDocuments("testdata/facts.json")
	if err != nil {
		t.Fatal(err)
	}
	reply := gateway.Reply{Status: 200, ContentType: "text/plain; charset=utf-8", Body: "Approved"}
	return conformance.Subject{
		Plugin: nestpay.Plugin(), Environment: gateway.Production, Config: settings(), NewFake: newFake, Documents: documents,
		Tables:   map[string]any{"Status": nestpay.Lines, "Errors": nestpay.Failures},
		Unplayed: map[string]string{"S/S": "TestMoneyOfAnOrderIsAddedUp", "S/A": "TestMoneyOfAnOrderIsAddedUp"},
		Lacks:    lacks, Vectors: vectors(), FindsOncePaid: true, // nobody has the form of a start that was lost
		Replies: map[gateway.Disposition]gateway.Reply{
			gateway.Stored: reply, gateway.Duplicate: reply, gateway.UnknownRef: reply,
		},
	}
}

func TestConformance(t *testing.T) {
	t.Parallel()
	conformance.Run(t, subject(t))
}
