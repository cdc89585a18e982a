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

var (
	code = regexp.MustCompile("`[^`]+`")
	link = regexp.MustCompile(`\]\((#section/|[^)]+)`) // a section is named after its heading
)

// TestBothLanguagesHaveTheSameMarkup: a text in Turkish has the headings, the code, the tables, the lists and the links of the one in English.
func TestBothLanguagesHaveTheSameMarkup(t *testing.T) {
	t.Parallel()
	for _, text := range readTranslation(t).texts {
		for what, is := range markup {
			if en, tr := is.FindAllString(text.EN, -1), is.FindAllString(text.TR, -1); !slices.Equal(en, tr) {
				t.Errorf("%s: %q in English, %q in Turkish, of\n%s", what, en, tr, text.TR)
			}
		}
		for what, is := range map[string]*regexp.Regexp{"code": code, "links": link} { // the order of words is another
			if en, tr := set(is, text.EN), set(is, text.TR); !slices.Equal(en, tr) {
				t.Errorf("%s: %q in English, %q in Turkish, of\n%s", what, en, tr, text.TR)
			}
		}
	}
}

func set(of *regexp.Regexp, text string) []string {
	found := of.FindAllString(text, -1)
	slices.Sort(found)
	return slices.Compact(found)
}

// TestBothLanguagesDescribeTheSameWire: what is no text is the same, in the same order.
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
