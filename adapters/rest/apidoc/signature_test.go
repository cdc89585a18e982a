package apidoc_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/vezne/vezne/adapters/rest/apidoc"
	"github.com/vezne/vezne/core/lang"
)

// TestTheExampleOfARequestSignatureIsAVector: its string to sign and its signature are those that others have computed.
func TestTheExampleOfARequestSignatureIsAVector(t *testing.T) {
	t.Parallel()
	var vectors struct {
		Requests []struct {
			Name         string `json:"name"`
			StringToSign string `json:"string_to_sign"`
			Signature    string `json:"signature"`
			Body         string `json:"body"`
		} `json:"requests"`
	}
	text, err := os.ReadFile("../../../core/sign/testdata/requests.json")
	if err == nil {
		err = json.Unmarshal(text, &vectors)
	}
	var document struct {
		Info struct {
			Description string `json:"description"`
		} `json:"info"`
	}
	if err == nil {
		err = json.Unmarshal(apidoc.OpenAPI(lang.EN), &document)
	}
	if err != nil {
		t.Fatal(err)
	}
	v := vectors.Requests[0]
	for _, part := range []string{"```\n" + v.StringToSign + "\n```", "`X-Signature: " + v.Signature + "`", "`" + v.Body + "`"} {
		if !strings.Contains(document.Info.Description, part) {
			t.Errorf("the description lacks %q of %q", part, v.Name)
		}
	}
}
