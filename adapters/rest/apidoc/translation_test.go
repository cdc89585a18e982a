package apidoc_test

import (
	"encoding/json"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	yaml "github.com/oasdiff/yaml3"

	"github.com/vezne/vezne/adapters/rest/apidoc"
	"github.com/vezne/vezne/core/lang"
)

// translation is openapi.tr.yaml, with what was asked of it.
type translation struct {
	texts   []translated
	turkish map[string]string
	used    map[string]bool
	missing map[string]bool
}

// translated is a block of a text in both languages: what stands between empty lines, a table or a list as a whole.
type translated struct {
	EN string `yaml:"en"`
	TR string `yaml:"tr"`
}

func readTranslation(t *testing.T) *translation {
	t.Helper()
	of := &translation{turkish: map[string]string{}, used: map[string]bool{}, missing: map[string]bool{}}
	if err := yaml.Unmarshal(withVectors(t, "openapi.tr.yaml"), &of.texts); err != nil {
		t.Fatal(err)
	}
	for i, text := range of.texts {
		en, tr := strings.TrimSuffix(text.EN, "\n"), strings.TrimSuffix(text.TR, "\n")
		if _, isThere := of.turkish[en]; isThere || en == "" || tr == "" {
			t.Errorf("openapi.tr.yaml has an empty text, or this one twice:\n%s", en)
		}
		of.texts[i], of.turkish[en] = translated{en, tr}, tr
	}
	return of
}

// blocks finds what is translated as one, and blocks of code as they are.
var blocks = regexp.MustCompile("(?ms)^```.*?^```$|^[^\\n].*?(?:\\n\\n|\\n?\\z)")

// say is a text in Turkish. Code stays as it is.
func (of *translation) say(text string) string {
	return blocks.ReplaceAllStringFunc(text, func(found string) string {
		if strings.HasPrefix(found, "```") {
			return found
		}
		en := strings.TrimRight(found, "\n")
		tr, isThere := of.turkish[en]
		if !isThere {
			of.missing[en] = true
		}
		of.used[en] = true
		return tr + found[len(en):]
	})
}

// markup is what is the same in both languages, in the order in which it is there.
var markup = map[string]*regexp.Regexp{
	"headings": regexp.MustCompile(`(?m)^#+ `), "rows": regexp.MustCompile(`(?m)^\|`), "items": regexp.MustCompile(`(?m)^\* `),
	"first columns": regexp.MustCompile("(?m)^\\| (?:(?:`[^`|]*`|\\d+) )?\\|"), "numbers of columns": regexp.MustCompile(`(?m)^[|-]+$`),
}

// facts are the same in both languages, in any order: that of words is another.
var facts = map[string]*regexp.Regexp{
	"code": regexp.MustCompile("`[^`]+`"), "numbers": regexp.MustCompile(`\d+(?:[.:]\d+)*`),
	"links": regexp.MustCompile(`\]\((#section/|[^)]+)`), // a section is named after its heading
}

// TestBothLanguagesHaveTheSameMarkup: a text in Turkish has the headings, the code, the tables, the lists, the links and the numbers of the
// one in English: a limit is no other for who reads Turkish.
func TestBothLanguagesHaveTheSameMarkup(t *testing.T) {
	t.Parallel()
	for _, text := range readTranslation(t).texts {
		if is := text.differences(); len(is) > 0 {
			t.Errorf("%q differ in\n%s", is, text.TR)
		}
	}
}

func TestEachDifferenceOfMarkupIsFound(t *testing.T) {
	t.Parallel()
	for is, text := range map[string]translated{
		"headings":           {"### Limits", "# Sınırlar"},
		"rows":               {"| a |\n|---|\n| b |", "| a |\n|---|"},
		"first columns":      {"| `a` | `b` |", "| `b` | `a` |"},
		"numbers of columns": {"| a | b |\n|---|---|", "| a |\n|---|"},
		"items":              {"* one\n* two", "* bir iki"},
		"code":               {"Send `amount`.", "`tutar` gönderin."},
		"numbers":            {"At most 300 seconds.", "En fazla 3000 saniye."},
		"links":              {"see [Dealers](#tag/Dealers)", "bkz. [Bayiler](#tag/Bayiler)"},
	} {
		if got := text.differences(); !slices.Contains(got, is) {
			t.Errorf("%s: only %q differ in %+v", is, got, text)
		}
	}
	alike := translated{"Send `amount` and `email`; see [For dealers](#section/For-dealers).", "`email` ve `amount` gönderin; bkz. [Bayiler için](#section/Bayiler-icin)."}
	if got := alike.differences(); len(got) > 0 {
		t.Errorf("%q differ in %+v", got, alike)
	}
}

// differences are the kinds of markup in which the languages differ.
func (text translated) differences() (found []string) {
	for what, is := range markup {
		if !slices.Equal(is.FindAllString(text.EN, -1), is.FindAllString(text.TR, -1)) {
			found = append(found, what)
		}
	}
	for what, is := range facts {
		if !slices.Equal(set(is, text.EN), set(is, text.TR)) {
			found = append(found, what)
		}
	}
	return found
}

func set(of *regexp.Regexp, text string) []string {
	found := of.FindAllString(text, -1)
	slices.Sort(found)
	return slices.Compact(found)
}

// TestBothLanguagesDescribeTheSameWire: what is no text is the same.
func TestBothLanguagesDescribeTheSameWire(t *testing.T) {
	t.Parallel()
	wire := func(tag lang.Tag) (doc any) {
		if err := json.Unmarshal(apidoc.OpenAPI(tag), &doc); err != nil {
			t.Fatal(err)
		}
		silence(doc)
		return doc
	}
	if !reflect.DeepEqual(wire(lang.EN), wire(lang.TR)) {
		t.Error("openapi.tr.json describes something else than openapi.json")
	}
}

// silence takes the texts away, but for those of examples.
func silence(node any) {
	switch node := node.(type) {
	case object:
		for key, inner := range node {
			if _, isText := inner.(string); isText && slices.Contains(texts, key) {
				node[key] = ""
			} else if !slices.Contains(examples, key) {
				silence(inner)
			}
		}
	case []any:
		for _, inner := range node {
			silence(inner)
		}
	}
}
