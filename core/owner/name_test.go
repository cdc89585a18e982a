package owner_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/vezne/vezne/core/coretest"
	"github.com/vezne/vezne/core/owner"
)

// What a likeness means to the matching: the same name, one that is evidence, and one that says nothing.
const (
	same     = 100
	alike    = 60
	likeMost = 99
	nothing  = 59
)

func TestNameLikeness(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		customer, bank string
		least, most    int
	}{
		// Case and Turkish letters.
		{"Ayşe Yılmaz", "AYŞE YILMAZ", same, same},
		{"Ayşe Yılmaz", "AYSE YILMAZ", same, same},
		{"ayşe yılmaz", "Ayse Yilmaz", same, same},
		{"Ali Işık", "ALİ IŞIK", same, same},
		{"Ali Işık", "ALI ISIK", same, same},
		{"ALI ISIK", "ali ışık", same, same},
		{"İbrahim Çelik", "IBRAHIM CELIK", same, same},
		{"ibrahim çelik", "İBRAHİM ÇELİK", same, same},
		{"Şükrü Öğünç", "SUKRU OGUNC", same, same},
		{"Kâzım Günşıray", "KAZIM GUNSIRAY", same, same},
		{"Nigâr Hâlit", "NİGAR HALİT", same, same},
		{"Gülçin Ağaoğlu", "GÜLÇİN AĞAOĞLU", same, same},
		// The same letters, written otherwise.
		{"Ayşe Yılmaz", "AYS\u0327E YILMAZ", same, same},                         // decomposed ş
		{"I\u0307brahim C\u0327elik", "İbrahim Çelik", same, same},               // decomposed İ and ç
		{"Gu\u0308lc\u0327in Ag\u0306aog\u0306lu", "GÜLÇİN AĞAOĞLU", same, same}, // decomposed ü and ğ
		{"Ayşe Yılmaz", "AYÞE YILMAZ", same, same},                               // ISO 8859-9 read as 8859-1
		{"Ayşe Yılmaz", "AY?E YILMAZ", alike, likeMost},                          // a letter that was lost
		{"Ayşe Yılmaz", "AY\xDEE YILMAZ", alike, likeMost},                       // bytes that are no text
		{"  Ayşe   Yılmaz ", "AYŞE\u00a0YILMAZ", same, same},                     // spaces of all kinds
		{"Ayşe Yılmaz", "AYŞE\tYILMAZ  ", same, same},                            // tabs
		{"Ayşe Yılmaz", "AYŞE YILMAZ 12345678901", same, same},                   // an identity number behind it
		{"Ayşe Yılmaz", "4567-AYŞE YILMAZ", same, same},                          // a customer number before it
		{"Ayşe Yılmaz", "AYŞE.YILMAZ", same, same},                               // punctuation
		{"Ayşe Yılmaz", "(AYŞE) YILMAZ,", same, same},                            // more of it
		{"Ayşe Yılmaz", "YILMAZ AYŞE", same, same},                               // swapped
		{"Mehmet Ali Demir", "DEMİR MEHMET ALİ", same, same},                     // rotated
		{"Ayşe Yılmaz Kaya", "AYŞE YILMAZ-KAYA", same, same},                     // two surnames with a hyphen
		{"Ayşe Yılmaz-Kaya", "KAYA YILMAZ AYSE", same, same},                     // and in another order
		{"Ayşe Yılmaz", "BAYAN AYŞE YILMAZ", same, same},                         // titles
		{"Ali Demir", "SN. ALİ DEMİR", same, same},
		{"Ali Demir", "Sayın Ali Demir", same, same},
		{"Ali Demir", "BAY ALİ DEMİR", same, same},
		{"Prof. Dr. Ali Demir", "ALİ DEMİR", same, same},
		{"José Muñoz", "JOSE MUNOZ", same, same}, // foreign letters
		{"Jürgen Groß", "JURGEN GROSS", same, same},
		{"Łukasz Wałęsa", "LUKASZ WALESA", same, same},
		{"Elçin Əliyev", "ELCIN ELIYEV", same, same},
		{"Дмитрий Иванов", "ДМИТРИЙ ИВАНОВ", same, same}, // letters without plain ones
		{"Дмитрий Иванов", "DMITRIY IVANOV", 0, nothing}, // are not transliterated
		{"محمد علي", "MUHAMMED ALİ", 0, nothing},
		{"ABC Tekstil Ltd. Şti.", "ABC TEKSTİL LTD. ŞTİ.", same, same},                 // a company
		{"ABC Tekstil", "ABC TEKSTİL LTD. ŞTİ.", alike, likeMost},                      // without its form
		{"ABC Tekstil", "XYZ TEKSTİL LTD. ŞTİ.", 0, nothing},                           // another one
		{"Ayşe Yılmaz", "AYŞE YILMAZ ATATÜRK CAD", alike, likeMost},                    // an address behind it
		{"Ayşe Yılmaz", "AYŞE YILMAZ KUMRULAR SOK DAİRE SARIYER İSTANBUL", 0, nothing}, // more address than name
		{"Ayşe Yılmaz", "AYŞE NUR YILMAZ", alike, likeMost},                            // a second name
		{"Ayşe Nur Yılmaz", "AYŞE YILMAZ", alike, likeMost},
		{"Ayşenur Yılmaz", "AYŞE NUR YILMAZ", alike, likeMost}, // parted
		{"Ayşe Yılmaz Kaya", "AYŞE YILMAZ", alike, likeMost},   // without the married name
		{"Ayşe Yılmaz", "AYŞE YILMAZ KAYA", alike, likeMost},
		{"Ayşe Nur Gül Yılmaz", "AYŞE YILMAZ", alike, likeMost}, // two names less
		{"Ayşe Yılmaz", "A. YILMAZ", alike, likeMost},           // initials
		{"Mehmet Ali Demir", "M. A. DEMİR", alike, likeMost},
		{"Mehmet Ali Demir", "M ALİ DEMİR", alike, likeMost},
		{"Ali Ayşe Demir", "A AYŞE DEMİR", alike, likeMost},                                    // whose is the initial?
		{"Ayşe Yılmaz", "A. Y.", alike, alike},                                                 // nothing but initials
		{"Abdurrahman Karahanoğlu", "ABDURRAHMAN KARAHANO", alike, likeMost},                   // cut off at 20 letters
		{"Muhammed Emin Abdullahoğlu", "MUHAMMED EMİN ABDULLAHOĞ", alike, likeMost},            // at 24
		{"Fatma Zehra Küçükosmanoğlu", "FATMA ZEHRA KÜÇÜKOSMANOĞL", alike, likeMost},           // at 25
		{"Ayşe Nur Fatma Büyükkaragözoğlu", "AYSE NUR FATMA BUYUKKARAGOZOGL", alike, likeMost}, // at 30
		{"Mustafa Kemal Yıldırım", "MUSTAFA KEMAL Y", alike, likeMost},                         // at 15: a letter of a word
		{"Mustafa Kemal Yıldırım", "MUSTAFA KEMAL YIL", 0, nothing},                            // at 17: too little of a word
		{"Ayşe Yılmaz", "AY** YIL***", alike, likeMost},                                        // masked
		{"Ayşe Yılmaz", "A*** Y*****", alike, likeMost},
		{"Ayşe Yılmaz", "A*** Y****Z", alike, likeMost},
		{"Ayşe Yılmaz", "AY**** YI****", alike, likeMost}, // masks of one length
		{"Ayşe Yılmaz", "AY## YIL###", alike, likeMost},   // other masks
		{"Ayşe Yılmaz", "***SE ***AZ", alike, likeMost},
		{"Ayşe Yılmaz", "A*** ******", 0, nothing},  // one word shown
		{"Ayşe Yılmaz", "**** ******", 0, 0},        // nothing shown
		{"Ayşe Yılmaz", "ME*** YIL***", 0, nothing}, // somebody else, masked
		{"Ayşe Yılmaz", "A*** Y****K", 0, nothing},
		{"Ayşe Yılmaz", "AYŞE YILMZA", alike, likeMost}, // misspelt
		{"Ayşe Yılmaz", "AYŞE YILMAS", alike, likeMost},
		{"Ayşe Yılmaz", "AYŞE YILMAAZ", alike, likeMost},
		{"Thomas Müller", "THOMAS MUELLER", alike, likeMost},
		{"Ayşe Yılmaz", "AYŞE YIMLZA", 0, nothing},   // twice
		{"Hakan Yılmaz", "HASAN YILMAZ", 0, nothing}, // one letter, and his brother
		{"Ali Yılmaz", "ALİCAN YILMAZ", 0, nothing},  // a brother, whose name begins as his
		{"Emin Yılmaz", "EMİNE YILMAZ", 0, nothing},  // his wife
		{"Ayşe Yılmaz", "MEHMET YILMAZ", 0, nothing}, // a relative
		{"Mehmet Ali Yılmaz", "AYŞE NUR YILMAZ", 0, nothing},
		{"Ayşe Nur Yılmaz", "AYŞE GÜL YILMAZ", 0, nothing}, // her sister
		{"Mehmet Demir", "MEHMET YILMAZ", 0, nothing},      // a namesake
		{"Mehmet Ali Demir", "MEHMET ALİ YILMAZ", 0, nothing},
		{"Mehmet", "MEHMET YILMAZ", 0, nothing}, // a first name is many people's
		{"Mehmet Yılmaz", "MEHMET", 0, nothing},
		{"Mehmet", "MEHMET", 0, nothing},
		{"Yılmaz Yılmaz", "YILMAZ DEMİR", 0, nothing}, // one word does not count twice
		{"Ahmet Mehmet Yılmaz", "MEHMET MEHMET YILMAZ", 0, nothing},
		{"Ayşe Yılmaz", "XYZ BANKASI A.Ş.", 0, nothing}, // the bank's own
		{"Ayşe Yılmaz", "", 0, 0},                       // none
		{"", "AYŞE YILMAZ", 0, 0},
		{"", "", 0, 0},
		{"Sn.", "SAYIN", 0, 0},                                                     // nothing but titles
		{"12345", "12345", 0, 0},                                                   // no letters
		{"Ayşe Yılmaz", "AYŞE YILMAZ" + strings.Repeat(" KAYA", 2000), 0, nothing}, // 10 kB
		{"Ayşe Yılmaz", strings.Repeat(" \t.", 4000) + "AYŞE YILMAZ", same, same},
		{strings.Repeat("a ", 5000), strings.Repeat("a ", 5000), 0, same},
		{strings.Repeat("Ş", 5000) + " Yılmaz", strings.Repeat("S", 5000), 0, nothing}, // a word of 10 kB
	} {
		if got := owner.NameLikeness(c.customer, c.bank); got < c.least || got > c.most {
			t.Errorf("%.60q and %.60q: %d, want %d to %d", c.customer, c.bank, got, c.least, c.most)
		}
	}
}

// drawName is a name of words that are often each other's, as customers' and banks' names of people are.
func drawName(t *rapid.T, label string) []string {
	word := rapid.OneOf(
		rapid.SampledFrom([]string{
			"Ayşe", "AYSE", "A.", "AY**", "A***", "Ayşenur", "Nur", "Mehmet", "MEHM", "Yılmaz", "YILMAZ", "YILMZA", "Y****Z", "Işık",
		}),
		rapid.StringMatching(`[aAbBiIıİşŞ*]{1,6}`),
	)
	return rapid.SliceOfN(word, 0, 8).Draw(t, label)
}

// TestNameLikenessRules: whatever the names, it is a percentage, and neither the order of the words counts nor which of
// the two names is the bank's; a name that is not masked is most like itself.
func TestNameLikenessRules(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		some, other := rapid.String().Draw(t, "some"), rapid.String().Draw(t, "other")
		if got := owner.NameLikeness(some, other); got < 0 || got > 100 || got != owner.NameLikeness(other, some) {
			t.Fatalf("%q and %q: %d", some, other, got)
		}
		a, b := drawName(t, "a"), drawName(t, "b")
		one, two := strings.Join(a, " "), strings.Join(b, " ")
		got := owner.NameLikeness(one, two)
		if got < 0 || got > 100 {
			t.Fatalf("%q and %q: %d", one, two, got)
		}
		if turned := owner.NameLikeness(two, one); turned != got {
			t.Fatalf("%q and %q: %d, turned round %d", one, two, got, turned)
		}
		shuffled := strings.Join(rapid.Permutation(b).Draw(t, "b in another order"), " ")
		if other := owner.NameLikeness(one, shuffled); other != got {
			t.Fatalf("%q and %q: %d, and %d as %q", one, two, got, other, shuffled)
		}
		if self := owner.NameLikeness(one, one); self < got && !strings.Contains(one, "*") {
			t.Fatalf("%q is %d like itself, and %d like %q", one, self, got, two)
		}
	})
}

// checkFolded: what is folded is bounded, and is folded already.
func checkFolded(t coretest.T, name string) {
	t.Helper()
	folded := owner.FoldName(name)
	if len(folded) > 256 || !utf8.ValidString(folded) {
		t.Fatalf("%.60q: folded %d bytes: %q", name, len(folded), folded)
	}
	if again := owner.FoldName(folded); again != folded {
		t.Fatalf("%.60q: folded %q, and again %q", name, folded, again)
	}
	if strings.TrimSpace(folded) != folded || strings.Contains(folded, "  ") || strings.ToLower(folded) != folded {
		t.Fatalf("%.60q: folded %q", name, folded)
	}
}

func TestFoldNameHasNoMoreToFold(t *testing.T) {
	t.Parallel()
	for r := range rune(unicode.MaxRune) {
		if unicode.IsLetter(r) || r < 0x3000 {
			checkFolded(t, "x"+string(r))
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		checkFolded(t, rapid.String().Draw(t, "name"))
		checkFolded(t, string(rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")))
		checkFolded(t, strings.Repeat(rapid.StringN(1, 20, -1).Draw(t, "part"), rapid.IntRange(1, 600).Draw(t, "times")))
	})
}
