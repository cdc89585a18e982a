package lang

import (
	"slices"
	"unicode"
	"unicode/utf8"
)

// IsClean reports whether a text is valid UTF-8 that shows what it is: without control characters, line separators, and the
// invisible characters of IsHidden.
func IsClean(s string) bool {
	if !utf8.ValidString(s) {
		return false
	}
	before := rune(0)
	for i, r := range s {
		if isBroken(r) || IsHidden(r) {
			return false
		}
		if isJoiner(r) {
			after, _ := utf8.DecodeRuneInString(s[i+utf8.RuneLen(r):])
			if !joins(before) || !joins(after) {
				return false
			}
		}
		before = r
	}
	return true
}

// IsHidden reports whether a character is an invisible one that no name needs and that makes a text read otherwise than it is:
// one that turns the direction (U+202A to U+202E, U+2066 to U+2069, U+200E, U+200F, U+061C), has no width, or carries a tag. Signs
// of Arabic and Syriac that Unicode counts among them are visible. U+200C and U+200D are looked at by IsClean.
func IsHidden(r rune) bool {
	return r > unicode.MaxASCII && unicode.Is(unicode.Cf, r) && !isJoiner(r) && !unicode.Is(unicode.Prepended_Concatenation_Mark, r)
}

// isBroken reports whether a character controls a device or ends a line.
func isBroken(r rune) bool { return unicode.IsControl(r) || r == '\u2028' || r == '\u2029' }

// isJoiner reports whether a character is U+200C or U+200D, which tell letters apart or join them in some scripts, and join emoji.
func isJoiner(r rune) bool { return r == '\u200C' || r == '\u200D' }

// joined are the scripts whose letters a joiner may stand between. Among others it is invisible, and makes two texts of one look.
var joined = []*unicode.RangeTable{
	unicode.Arabic, unicode.Syriac, unicode.Mongolian, unicode.Nko, unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi, unicode.Gujarati,
	unicode.Oriya, unicode.Tamil, unicode.Telugu, unicode.Kannada, unicode.Malayalam, unicode.Sinhala, unicode.Khmer, unicode.Myanmar,
	unicode.So, unicode.Sk, unicode.Mn, // emoji, their skin tones, and U+FE0F, which chooses their look
}

func joins(r rune) bool {
	return r > unicode.MaxASCII && r != utf8.RuneError && slices.ContainsFunc(joined, func(t *unicode.RangeTable) bool { return unicode.Is(t, r) })
}
