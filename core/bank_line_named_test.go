package core_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/vezne/vezne/core/wallet"
)

func TestNamedCodes(t *testing.T) {
	t.Parallel()
	const secret = "0123456789ABCDEF"
	for text, want := range map[string][]string{
		"":                                nil,
		"havale":                          nil,
		"TPBD-" + secret:                  {"TPBD-" + secret},
		"tpbd o12345 6789abcdef n2":       {"TPBD-" + secret},
		"x TPBD" + secret[:15]:            nil,
		"TPBD-" + secret[:15] + "U":       nil, // no code has one
		"EIBAN-" + secret:                 nil, // no gateway moves it
		"CC-" + secret + " TRF-" + secret: {"CC-" + secret, "TRF-" + secret},
		secret + "CC":                     nil,
	} {
		got, isCut := wallet.NamedCodes(text)
		slices.Sort(got)
		slices.Sort(want)
		if isCut || !slices.Equal(got, want) {
			t.Errorf("%q names %q, cut: %t; want %q", text, got, isCut, want)
		}
	}
	if got, isCut := wallet.NamedCodes(strings.Repeat("CC", 200)); !isCut && len(got) > 1 || len(got) > wallet.MaxNamedCodes {
		t.Errorf("of one letter: %q, cut: %t", got, isCut)
	}
}
