package conformance_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/conformance"
)

// TestReadmeShowsDocumentsThatAreRead: an author begins with the example of README.md.
func TestReadmeShowsDocumentsThatAreRead(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	example := regexp.MustCompile("(?s)```json\n(.*?)```").FindSubmatch(text)
	if example == nil {
		t.Fatal("README.md has no example")
	}
	name := filepath.Join(t.TempDir(), "acme.json")
	if err := os.WriteFile(name, example[1], 0o600); err != nil {
		t.Fatal(err)
	}
	d, err := conformance.ReadDocuments(name)
	if err != nil {
		t.Fatal(err)
	}
	asJSON := gateway.Header{{Name: "Content-Type", Value: "application/json"}}
	for answer, problems := range map[string]int{`{"id":"1","status":"OPEN","paid_at":null}`: 0, `{"id":"1","status":"GONE"}`: 1} {
		got := d.Problems(
			gateway.Request{Method: "POST", URL: "https://api.example.com/v1/orders", Header: asJSON, Body: []byte(`{"amount":1}`)},
			gateway.Response{Status: 201, Header: asJSON, Body: []byte(answer)})
		if len(got) != problems {
			t.Errorf("of %s the kit says %q", answer, got)
		}
	}
}
