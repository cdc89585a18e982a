// Package texttest has the characters with which every entry of texts is tried (decisions: Strings).
package texttest

// Hidden are characters that nobody sees between Latin letters, where none of them is needed: what people write is taken without
// them (decisions: Strings).
var Hidden = []string{
	"\u200E", "\u200F", "\u061C", // marks of direction
	"\u200B", "\u2060", "\uFEFF", "\u00AD", "\u180E", "\u2061", "\u2064", "\u2065", "\u206A", "\u206F", // no width
	"\u034F", "\u115F", "\u1160", "\u17B4", "\u17B5", "\u3164", "\uFFA0", "\u2800", // fillers and blanks
	"\uFFF9", "\U0001D173", "\U000E0001", "\U000E0041", "\U000E0FFF", // annotations and tags
	"\u200C", "\u200D", "\uFE0F", "\uFE00", "\u180B", "\U000E0100", // joiners and variants of other scripts
}

// Controls are characters that no text has: it is refused.
var Controls = []string{
	"\u202A", "\u202B", "\u202C", "\u202D", "\u202E", "\u2066", "\u2067", "\u2068", "\u2069", // turn the direction
	"\u2028", "\u2029", "\x00", "\x1b", "\x7F", "\u0085", "\u009B",
}
