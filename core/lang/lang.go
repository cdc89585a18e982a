// Package lang holds every sentence that Vezne says to integrators and customers, in Turkish and English, by key.
package lang

import (
	"fmt"
	"slices"

	"golang.org/x/text/language"
)

// Tag is a language that Vezne speaks.
type Tag string

// Languages. TR is the default.
const (
	TR Tag = "tr"
	EN Tag = "en"
)

// maxHeaderBytes bounds an Accept-Language header; a longer one counts as none.
const maxHeaderBytes = 256

var matcher = language.NewMatcher([]language.Tag{language.Turkish, language.English})

// Tags lists all languages.
func Tags() []Tag { return []Tag{TR, EN} }

// Parse reads a setting's "tr" or "en".
func Parse(s string) (Tag, bool) {
	t := Tag(s)
	return t, t == TR || t == EN
}

// FromHeader picks the language of an Accept-Language header; fallback where it names none that Vezne speaks.
func FromHeader(header string, fallback Tag) Tag {
	if header == "" || len(header) > maxHeaderBytes {
		return orDefault(fallback)
	}
	wanted, _, err := language.ParseAcceptLanguage(header)
	if err != nil || len(wanted) == 0 {
		return orDefault(fallback)
	}
	_, i, confidence := matcher.Match(wanted...)
	if confidence < language.High {
		return orDefault(fallback)
	}
	return Tags()[i]
}

func orDefault(t Tag) Tag {
	if t == EN {
		return EN
	}
	return TR
}

// Key is an argument that is a sentence itself, said in the language of the one that it is in.
type Key string

// Say returns the sentence of a key with its arguments. An unknown key is said as it is, which a test keeps from
// happening.
func Say(t Tag, key string, args ...any) string {
	s, ok := sentences[key]
	if !ok {
		return key
	}
	text := s.tr
	if t == EN {
		text = s.en
	}
	if len(args) == 0 {
		return text
	}
	said := slices.Clone(args)
	for i, arg := range args {
		if inner, ok := arg.(Key); ok {
			said[i] = Say(t, string(inner))
		}
	}
	return fmt.Sprintf(text, said...)
}

// Has reports whether a key has its sentence in every language.
func Has(key string) bool {
	s, ok := sentences[key]
	return ok && s.tr != "" && s.en != ""
}

type sentence struct{ tr, en string }
