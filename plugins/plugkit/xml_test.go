package plugkit_test

import (
	"testing"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/plugkit"
)

// TestOneDocumentOfXMLIsRead, in the Turkish charset too.
func TestOneDocumentOfXMLIsRead(t *testing.T) {
	t.Parallel()
	type document struct {
		Text string `xml:"Text"`
	}
	for body, want := range map[string]string{
		"<?xml version=\"1.0\" encoding=\"ISO-8859-9\"?><A><Text>\xddade \xf0\xfd\xfe\xe7</Text></A>\n": "İade ğışç",
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?><A><Text>İade ğışç</Text></A>":                       "İade ğışç",
		"<A><Text>x</Text></A> \n": "x",
	} {
		var got document
		if err := plugkit.DecodeXML([]byte(body), &got); err != nil || got.Text != want {
			t.Errorf("%q: %q %v", body, got.Text, err)
		}
	}
	for _, body := range []string{
		"", "<html>", "<A><Text>x</Text>", "<A></A><A></A>", "<A></A>x", "{}", "<?xml version=\"1.0\" encoding=\"KOI8-R\"?><A></A>",
	} {
		e := gateway.ErrorOf(plugkit.DecodeXML([]byte(body), &document{}))
		if e == nil || e.Class != gateway.Retryable || e.Effect != gateway.EffectUnknown {
			t.Errorf("%q: %v", body, e)
		}
	}
}
