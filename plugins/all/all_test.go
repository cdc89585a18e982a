package all_test

import (
	"testing"

	"github.com/vezne/vezne/plugins/all"
)

// TestEveryTextIsInTurkish: what a plugin says to people who set it up.
func TestEveryTextIsInTurkish(t *testing.T) {
	t.Parallel()
	for _, r := range all.List() {
		d := r.Describe()
		for _, text := range d.Texts() {
			if text != "" && d.Turkish[text] == "" && !sameInBoth[text] {
				t.Errorf("%s does not say in Turkish: %q", d.Code, text)
			}
		}
	}
}

// sameInBoth are names.
var sameInBoth = map[string]bool{"BTCPay Server": true, "3-D Secure": true}
