package lang_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/lang"
)

// keys reads the keys of the sentences from this folder's sources: the package itself has no list to hand out.
func keys(t *testing.T) (keys []string) {
	t.Helper()
	names, err := fs.Glob(os.DirFS("."), "*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		isWords := slices.Contains([]string{"actions.go", "detail.go", "fields.go", "labels.go"}, name) // what has no key of its own
		if strings.HasSuffix(name, "_test.go") || isWords {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if kv, ok := n.(*ast.KeyValueExpr); ok {
				if key, ok := kv.Key.(*ast.BasicLit); ok && key.Kind == token.STRING {
					text, err := strconv.Unquote(key.Value)
					if err != nil {
						t.Fatal(err)
					}
					keys = append(keys, text)
				}
			}
			return true
		})
	}
	if len(keys) < 50 {
		t.Fatalf("found only %d keys", len(keys))
	}
	return keys
}

// verb is one of fmt's in a sentence; an escaped percent sign is none.
var verb = regexp.MustCompile(`%[-+# 0]*(\[\d+\])?[\d*]*(\.[\d*]+)?([^%\s\d])`)

// kinds lists a sentence's verbs in order.
func kinds(sentence string) []string {
	return verb.FindAllString(strings.ReplaceAll(sentence, "%%", ""), -1)
}

// args are values that a sentence's verbs take.
func args(t *testing.T, key, sentence string) (args []any) {
	t.Helper()
	for _, v := range kinds(sentence) {
		switch v {
		case "%s":
			args = append(args, "text")
		case "%d":
			args = append(args, 7)
		default:
			t.Errorf("%s: %s is neither %%s nor %%d", key, v)
		}
	}
	return args
}

// TestSentences: every sentence stands in every language, and takes the same arguments there.
func TestSentences(t *testing.T) {
	t.Parallel()
	for _, key := range keys(t) {
		if !lang.Has(key) {
			t.Errorf("%s has not its sentence in every language", key)
			continue
		}
		tr, en := lang.Say(lang.TR, key), lang.Say(lang.EN, key)
		if !slices.Equal(kinds(tr), kinds(en)) {
			t.Errorf("%s takes %v in Turkish and %v in English", key, kinds(tr), kinds(en))
		}
		for _, sentence := range []string{tr, en} {
			if said := lang.Say(lang.TR, key, args(t, key, tr)...); strings.Contains(said, "%!") {
				t.Errorf("%s says %s", key, said)
			}
			if strings.TrimSpace(sentence) != sentence || strings.Count(sentence, "%")-2*strings.Count(sentence, "%%") != len(kinds(sentence)) {
				t.Errorf("%s: %q", key, sentence)
			}
		}
	}
}

// TestCodesHaveSentences: whatever code a caller is shown, there is something to say about it.
func TestCodesHaveSentences(t *testing.T) {
	t.Parallel()
	for _, code := range fault.Codes() {
		if !lang.Has(string(code)) {
			t.Errorf("%s has no sentence", code)
		}
	}
	for _, key := range keys(t) {
		if key == strings.ToUpper(key) && !slices.Contains(fault.Codes(), fault.Code(key)) {
			t.Errorf("%s is no code", key)
		}
	}
}

// TestFieldSentences name the field first (fault.Field).
func TestFieldSentences(t *testing.T) {
	t.Parallel()
	for _, key := range keys(t) {
		if !strings.HasPrefix(key, "field.") {
			continue
		}
		for _, tag := range lang.Tags() {
			values := args(t, key, lang.Say(tag, key))
			if len(values) == 0 {
				t.Errorf("%s in %s names no field", key, tag)
				continue
			}
			values[0] = "the_field"
			if said := lang.Say(tag, key, values...); !strings.Contains(said, "the_field") {
				t.Errorf("%s in %s: %s", key, tag, said)
			}
		}
	}
}

func TestSay(t *testing.T) {
	t.Parallel()
	tests := []struct {
		tag  lang.Tag
		key  string
		args []any
		want string
	}{
		{lang.TR, "EXPIRED", nil, "Ödeme süresi doldu."},
		{lang.EN, "EXPIRED", nil, "The time for this payment is over."},
		{"", "EXPIRED", nil, "Ödeme süresi doldu."},
		{"de", "EXPIRED", nil, "Ödeme süresi doldu."},
		{lang.EN, "field.length", []any{"iban", 15, 34}, "The iban field must be 15 to 34 characters long."},
		{lang.EN, "no.such.key", []any{1}, "no.such.key"},
	}
	for _, tt := range tests {
		if got := lang.Say(tt.tag, tt.key, tt.args...); got != tt.want {
			t.Errorf("Say(%q, %q) = %q, want %q", tt.tag, tt.key, got, tt.want)
		}
	}
	if lang.Has("no.such.key") || lang.Has("") {
		t.Error("Has knows what is not there")
	}
}

func TestParse(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{"tr": true, "en": true, "": false, "TR": false, "de": false, "tr-TR": false} {
		if tag, ok := lang.Parse(text); ok != want || ok && string(tag) != text {
			t.Errorf("Parse(%q) = %q, %v", text, tag, ok)
		}
	}
}

// TestFromHeader: what browsers, programs and attackers send as Accept-Language.
func TestFromHeader(t *testing.T) {
	t.Parallel()
	const other = "fallback"
	tests := map[string]string{
		"tr": "tr", "en": "en", "TR": "tr", "en_US": "en",
		"tr-TR": "tr", "en-US": "en", "en-GB,en;q=0.9": "en",
		"tr-TR,tr;q=0.9,en-US;q=0.8,en;q=0.7": "tr", "en-US,en;q=0.9,tr;q=0.8": "en", "en;q=0.1, tr;q=0.2": "tr",
		"de": other, "de-DE,de;q=0.9,en;q=0.8": "en", "de, tr;q=0.3, en;q=0.5": "en", "az": other, "no": other,
		"": other, "*": other, "fr-FR, *;q=0.5": other, "und": other, "mul": other, "c": other,
		"en;q=0": other, "en;q=0, tr": "tr", "tr;q=0, en": "en",
		"en;q=abc": other, ";;;": other, "\xff": other, "en\x00": other, "zzzzzzzzzzzzzz, en": other,
		"tr," + strings.Repeat(" ", 253): "tr", "tr," + strings.Repeat(" ", 254): other, strings.Repeat("-", 256): other,
		strings.Repeat("a-", 5000): other,
	}
	for header, want := range tests {
		for _, fallback := range []lang.Tag{lang.TR, lang.EN} {
			expected := lang.Tag(want)
			if want == other {
				expected = fallback
			}
			if got := lang.FromHeader(header, fallback); got != expected {
				t.Errorf("FromHeader(%.60q, %s) = %s, want %s", header, fallback, got, expected)
			}
		}
	}
	for _, fallback := range []lang.Tag{"", "de"} {
		if got := lang.FromHeader("", fallback); got != lang.TR {
			t.Errorf("without a setting: %s", got)
		}
	}
}
