package console_test

import (
	"encoding/json"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// argument is what is put into a sentence, such as {name} or {count, plural, …}.
var argument = regexp.MustCompile(`\{(\w+)(?:,|\})`)

// words are those of all areas. A key stands in one area, and every area is among those that the browser loads.
func words(t *testing.T, language string) map[string]string {
	t.Helper()
	folder := filepath.Join("src", "words")
	loaded, err := os.ReadFile(filepath.Join(folder, language+".ts"))
	if err != nil {
		t.Fatal(err)
	}
	areas, err := filepath.Glob(filepath.Join(folder, language, "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	all := make(map[string]string)
	for _, name := range areas {
		if area := strings.TrimSuffix(filepath.Base(name), ".json"); !strings.Contains(string(loaded), "..."+area+",") {
			t.Errorf("%s.ts leaves out %s", language, area)
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var said map[string]string
		if err := json.Unmarshal(text, &said); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for key, sentence := range said {
			if _, ok := all[key]; ok {
				t.Errorf("%s says %s twice", language, key)
			}
			all[key] = sentence
		}
	}
	return all
}

func arguments(sentence string) []string {
	var names []string
	for _, m := range argument.FindAllStringSubmatch(sentence, -1) {
		if !slices.Contains(names, m[1]) {
			names = append(names, m[1])
		}
	}
	slices.Sort(names)
	return names
}

// TestBothLanguagesSayEverything: each has the same keys, none of them empty, with the same arguments.
func TestBothLanguagesSayEverything(t *testing.T) {
	t.Parallel()
	tr, en := words(t, "tr"), words(t, "en")
	if len(en) < 100 {
		t.Fatalf("found only %d keys", len(en))
	}
	for _, pair := range []struct {
		language string
		of, than map[string]string
	}{{"tr", tr, en}, {"en", en, tr}} {
		for key, sentence := range pair.than {
			got := pair.of[key]
			if strings.TrimSpace(got) == "" {
				t.Errorf("%s does not say %s", pair.language, key)
			} else if !slices.Equal(arguments(got), arguments(sentence)) {
				t.Errorf("%s: the languages have different arguments: %q, %q", key, got, sentence)
			}
		}
	}
}

// TestEveryWordIsSaid: a key that no screen names is left over. Keys may be put together: `status.${status}`.
func TestEveryWordIsSaid(t *testing.T) {
	t.Parallel()
	var source strings.Builder
	err := fs.WalkDir(os.DirFS("src"), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasPrefix(filepath.Ext(name), ".ts") {
			return err
		}
		text, err := os.ReadFile(filepath.Join("src", name))
		source.Write(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range slices.Sorted(maps.Keys(words(t, "en"))) {
		family := key[:strings.LastIndex(key, ".")+1]
		isSaid := func(form string) bool { return strings.Contains(source.String(), form) }
		if !isSaid("'"+key+"'") && !isSaid(`"`+key+`"`) && !isSaid("`"+family+"${") {
			t.Errorf("no screen says %s", key)
		}
	}
}
