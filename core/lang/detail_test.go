package lang_test

import (
	"testing"

	"github.com/vezne/vezne/core/lang"
)

// TestDetailsAreSaidInTurkish: with what they name, and a person's own words as they are.
func TestDetailsAreSaidInTurkish(t *testing.T) {
	t.Parallel()
	for kept, want := range map[string]string{
		"500.13 TRY of 1000.26 TRY":                    "1000,26 TRY beklenirken 500,13 TRY geldi",
		"7 USDT instead of 100.00 TRY":                 "100,00 TRY yerine 7 USDT geldi",
		"the gateway now says failed":                  "ağ geçidi artık “Başarısız” diyor",
		"the gateway says part-paid, and not how much": "ağ geçidi “eksik ödendi” diyor, tutarını bildirmiyor",
		"the bank took back 5.00 TRY of line acc-1-2":  "banka, acc-1-2 satırının 5,00 TRY tutarını geri aldı",
		"the gateway does not know MAN4Z1W69B":         "ağ geçidi bu referansı tanımıyor: MAN4Z1W69B",
		"it has not left: retryable: 503":              "henüz gönderilemedi: retryable: 503",
		"now late":                                     "artık “Geç gelen para”",
		"sent":                                         "yolda",
		"asked the bank, they say the gateway has it":  "asked the bank, they say the gateway has it",
		"": "",
	} {
		if got := lang.Detail(lang.TR, kept); got != want {
			t.Errorf("%q is %q", kept, got)
		}
		if got := lang.Detail(lang.EN, kept); got != kept {
			t.Errorf("%q is %q in English", kept, got)
		}
	}
}
