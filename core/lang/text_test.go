package lang_test

import (
	"testing"

	"github.com/vezne/vezne/core/coretest/texttest"
	"github.com/vezne/vezne/core/lang"
)

// TestARealNameStaysAsItIsWritten: in every script.
func TestARealNameStaysAsItIsWritten(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"", "Ayşe Yılmaz-Öztürk Jr. 3", "Ays\u0327e Yılmaz", "Nguyễn Thị Ánh", "عبد الله", "אברהם", "مُحَمَّد",
		"می\u200Cخواهم",           // Persian, with U+200C between its letters
		"مَ\u200Cخ",               // behind a mark
		"क्\u200Dष", "ශ්\u200Dරී", // Devanagari and Sinhala, with U+200D
		"葛\U000E0100城", "ᠰᠠᠶᠢᠨ\u180B", // variants of Han and Mongolian
		"\U0001F469\u200D\U0001F373", "\U0001F3F3\uFE0F\u200D\U0001F308", "❤\uFE0F", // emoji
		"٤\u06DD", "Ａ\u00A0B", "O’Brien", "王小明", "Ⅷ", "\uE000", // a visible sign; what no font may know
	} {
		if lang.Bare(text) != text || !lang.IsClean(text) {
			t.Errorf("%+q became %+q, clean: %v", text, lang.Bare(text), lang.IsClean(text))
		}
	}
}

func TestWhatNobodySeesIsLeftOut(t *testing.T) {
	t.Parallel()
	for _, c := range texttest.Hidden {
		for text, want := range map[string]string{"A" + c + "B": "AB", c + "A": "A", "A" + c: "A", c: "", "A" + c + c + "\u0301": "A\u0301"} {
			if got := lang.Bare(text); got != want || lang.IsClean(text) || !lang.IsClean(got) {
				t.Errorf("%+q became %+q", text, got)
			}
		}
	}
	for text, want := range map[string]string{
		"می\u200C": "می", "می\u200C\u200Cخ": "می\u200Cخ", "می\u200C خ": "می خ", "\u200Dali": "ali",
		"ی\u200D\uFE0F": "ی", "\U0001F469\u200E\u200D\U0001F373": "\U0001F469\u200D\U0001F373", "1\uFE0F": "1",
	} {
		if got := lang.Bare(text); got != want || lang.Bare(got) != got {
			t.Errorf("%+q became %+q", text, got)
		}
	}
}

func TestWhatControlsIsRefusedAndNeverLeftOut(t *testing.T) {
	t.Parallel()
	for _, c := range append([]string{"\n", "\r", "\t", "\xFF"}, texttest.Controls...) {
		for _, text := range []string{"A" + c + "B", c, "می" + c + "\u200Cخ"} {
			if lang.IsClean(text) || lang.IsClean(lang.Bare(text)) {
				t.Errorf("%+q is taken", text)
			}
		}
	}
}

func TestWhatMachinesSayBecomesALine(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"": "", "plain": "plain", "Ödeme 💳 alınamadı": "Ödeme 💳 alınamadı", "a\nb\x00c": "a b c", "a\u202Eb": "a b", "a\xffb": "ab",
		"a\u200Bb\uFEFF": "ab", "می\u200Cخواهم": "می\u200Cخواهم", "a\u00A0b\u2003c": "a b c", "❤\uFE0F": "❤\uFE0F", "\uE000": " ",
	} {
		if got := lang.Clean(text); got != want || !lang.IsClean(got) {
			t.Errorf("%+q became %+q", text, got)
		}
	}
}

func FuzzBare(f *testing.F) {
	for _, c := range texttest.Hidden {
		f.Add("ی" + c + "خ")
	}
	f.Fuzz(func(t *testing.T, text string) {
		bare, clean := lang.Bare(text), lang.Clean(text)
		if lang.Bare(bare) != bare {
			t.Errorf("%+q: %+q, and then %+q", text, bare, lang.Bare(bare))
		}
		if !lang.IsClean(clean) || lang.Clean(clean) != clean {
			t.Errorf("%+q: %+q", text, clean)
		}
	})
}
