package sentences_test

import (
	"testing"

	"github.com/vezne/vezne/adapters/paypage/sentences"
	"github.com/vezne/vezne/core/lang"
)

// TestANameTurnsNothingBesideIt: one that is read from right to left stands apart in a sentence, and any other as it is.
func TestANameTurnsNothingBesideIt(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"Demo": "Back to Demo", "مزاد 7": "Back to \u2068مزاد 7\u2069", "אתר": "Back to \u2068אתר\u2069", "商店": "Back to 商店",
	} {
		if got := sentences.Say(lang.EN, "back.to", name); got != want {
			t.Errorf("got %+q, want %+q", got, want)
		}
	}
}
