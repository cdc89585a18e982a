package lang_test

import (
	"testing"

	"github.com/vezne/vezne/core/lang"
)

func TestATextShowsWhatItIs(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"":                                 true,
		"Ayşe Yılmaz-Öztürk Jr. 3":         true,
		"عبد الله":                         true,
		"می\u200Cخواهم":                    true, // Persian, with U+200C between its letters
		"क्\u200Dष":                        true, // Devanagari, with U+200D
		"\U0001F469\u200D\U0001F373":       true, // a cook
		"\U0001F3F3\uFE0F\u200D\U0001F308": true,
		"٤\u06DD":                          true,  // a visible sign
		"Ayşe \u202Eznemliy":               false, // reads reversed
		"\u202AA":                          false, "\u202BA": false, "\u202CA": false, "\u202DA": false,
		"\u2066A": false, "\u2067A": false, "\u2068A": false, "A\u2069": false,
		"A\u200E": false, "A\u200FB": false, "A\u061CB": false,
		"A\u200BB": false, "A\u2060B": false, "\uFEFFA": false, "A\u00ADB": false, "A\u2063B": false, "A\U000E0041B": false,
		"A\u2028B": false, "A\u2029B": false, "A\nB": false, "A\x00B": false, "A\x7FB": false, "A\u0085B": false, "A\xFFB": false,
		"A\u200DB": false, "A\u200CB": false, "ali\u200D": false, "\u200Dali": false, "می\u200C": false, "می\u200C\u200Cخ": false,
	} {
		if got := lang.IsClean(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
