package lang

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Two kinds of characters make a text read as another. What controls is refused wherever it comes from a person or a program of
// ours: control characters, ends of lines, and what turns the direction of the text (U+202A to U+202E, U+2066 to U+2069). What nobody
// sees is left out, since it comes along with what was copied: the marks U+200E, U+200F and U+061C, spaces without width, fillers, tags,
// and all that renderers leave out (Default_Ignorable_Code_Point). What the spelling of a name or an emoji needs stays: U+200C and
// U+200D between letters of the scripts that use them and between emoji, variation selectors behind what has variants.
//
// Bare leaves out, IsClean refuses both, and Clean makes a line of what machines say (decisions: Strings).

// IsClean reports whether a text is valid UTF-8 that shows what it is: nothing in it controls, and nothing is there that nobody sees.
func IsClean(s string) bool {
	return isPlain(s) || utf8.ValidString(s) && strings.IndexFunc(s, isControl) < 0 && Bare(s) == s
}

// Bare returns a text without what nobody sees in it. What controls, and what is no UTF-8, stays for whoever refuses it.
func Bare(s string) string {
	if isPlain(s) {
		return s
	}
	var kept strings.Builder
	before := rune(0)
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		after, _ := utf8.DecodeRuneInString(s[i+size:])
		if !isHidden(r, before, after) {
			kept.WriteString(s[i : i+size])
			before = r
		}
		i += size
	}
	return kept.String()
}

// Clean returns a text from outside as people and logs can take it, in one line: what nobody sees is left out, and what cannot be
// printed is a space.
func Clean(s string) string {
	if isPlain(s) {
		return s
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) || isJoiner(r) { // what has stayed of those is needed
			return r
		}
		return ' '
	}, Bare(strings.ToValidUTF8(s, "")))
}

// isPlain reports whether a text is printable ASCII, as most are.
func isPlain(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

// isControl reports whether a character controls a device, ends a line or turns the direction of what is behind it.
func isControl(r rune) bool {
	return unicode.IsControl(r) || r >= '\u2028' && r <= '\u202E' || r >= '\u2066' && r <= '\u2069'
}

// isHidden reports whether nobody sees a character between its neighbours, of which 0 is none.
func isHidden(r, before, after rune) bool {
	switch {
	case r <= unicode.MaxASCII || isControl(r):
		return false
	case isJoiner(r):
		return !isJoined(before) && !isVariation(before) || !isJoined(after)
	case isVariation(r):
		return !hasVariants(before, r)
	default:
		return isIgnorable(r)
	}
}

// isIgnorable reports whether a character is never seen. U+2800 is seen as a blank.
func isIgnorable(r rune) bool {
	isFormat := unicode.Is(unicode.Cf, r) && !unicode.Is(unicode.Prepended_Concatenation_Mark, r)
	return isFormat || unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r) || r == '\u2800'
}

// isJoiner reports whether a character is U+200C or U+200D, which tell letters apart or join them in some scripts, and join emoji.
func isJoiner(r rune) bool { return r == '\u200C' || r == '\u200D' }

// joined are the scripts whose letters a joiner may stand between. Among others it is invisible, and makes two texts of one look.
var joined = []*unicode.RangeTable{
	unicode.Arabic, unicode.Syriac, unicode.Mongolian, unicode.Nko, unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi, unicode.Gujarati,
	unicode.Oriya, unicode.Tamil, unicode.Telugu, unicode.Kannada, unicode.Malayalam, unicode.Sinhala, unicode.Khmer, unicode.Myanmar,
	unicode.So, unicode.Sk, unicode.Mn, // emoji and their skin tones; marks of the scripts above
}

func isJoined(r rune) bool {
	isOf := func(t *unicode.RangeTable) bool { return unicode.Is(t, r) }
	return r > unicode.MaxASCII && r != utf8.RuneError && !isVariation(r) && !isIgnorable(r) && slices.ContainsFunc(joined, isOf)
}

// isVariation reports whether a character chooses how the one before it looks.
func isVariation(r rune) bool { return unicode.Is(unicode.Variation_Selector, r) }

// hasVariants reports whether a selector may stand behind a character: of emoji, Han and Mongolian.
func hasVariants(r, selector rune) bool {
	switch {
	case r <= unicode.MaxASCII || isIgnorable(r):
		return false
	case selector < '\uFE00':
		return unicode.Is(unicode.Mongolian, r)
	default:
		return unicode.Is(unicode.Han, r) || unicode.IsSymbol(r) || unicode.IsPunct(r)
	}
}
