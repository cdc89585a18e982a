package operations_test

import (
	"bytes"
	"io"
	"net/http"
	"testing"

	"github.com/vezne/vezne/adapters/rest/apidoc/apidoctest"
	"github.com/vezne/vezne/e2e/harness"
)

// TestOperationEndpointsAreDescribed: what the process answers about itself is as the API reference says.
func TestOperationEndpointsAreDescribed(t *testing.T) {
	t.Parallel()
	document := apidoctest.Load(t)
	in := harness.NewEmbedded(t)
	server := in.Serve()
	for _, path := range []string{"/healthz", "/readyz"} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(answer.Body)
		if err := answer.Body.Close(); err != nil {
			t.Fatal(err)
		}
		if err != nil || answer.StatusCode != http.StatusOK || len(bytes.TrimSpace(got)) == 0 {
			t.Fatalf("%s answers %d %q, %v", path, answer.StatusCode, got, err)
		}
		document.Check(t, r, nil, answer, got)
	}
}
