package apidoc_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	yaml "github.com/oasdiff/yaml3"

	"github.com/vezne/vezne/adapters/rest/apidoc"
	"github.com/vezne/vezne/core/lang"
	"github.com/vezne/vezne/core/sign"
)

var update = flag.Bool("update", false, "write openapi.json and openapi.tr.json anew from openapi.yaml and openapi.tr.yaml")

func TestJSONIsMadeFromYAML(t *testing.T) {
	t.Parallel()
	source := withVectors(t, "openapi.yaml")
	turkish := readTranslation(t)
	for _, made := range []struct {
		file string
		tag  lang.Tag
		say  func(text string) string
	}{
		{"openapi.json", lang.EN, func(text string) string { return text }},
		{"openapi.tr.json", lang.TR, turkish.say},
	} {
		want := toJSON(t, source, made.say)
		if *update {
			if err := os.WriteFile(made.file, want, 0o644); err != nil {
				t.Fatal(err)
			}
		} else if !bytes.Equal(want, apidoc.OpenAPI(made.tag)) {
			t.Errorf("%s is stale: run `go generate ./adapters/rest/apidoc`", made.file)
		}
	}
	for text := range turkish.missing {
		t.Errorf("openapi.tr.yaml lacks the Turkish of\n%s", text)
	}
	for _, text := range turkish.texts {
		if !turkish.used[text.EN] {
			t.Errorf("openapi.tr.yaml has what openapi.yaml lacks:\n%s", text.EN)
		}
	}
}

// vector is a worked example whose result is computed: {{hash parts…}} or {{webhook secret id timestamp body}}.
var vector = regexp.MustCompile(`\{\{(hash|webhook) (.+?\}?)\}\}`)

// withVectors fills in the worked examples by the code that checks real requests.
func withVectors(t *testing.T, file string) []byte {
	t.Helper()
	source, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return vector.ReplaceAllFunc(source, func(found []byte) []byte {
		m := vector.FindSubmatch(found)
		parts := strings.Fields(string(m[2]))
		switch {
		case string(m[1]) == "hash":
			return []byte(sign.Hash(parts...))
		case len(parts) == 4:
			return []byte(sign.Webhook(parts[0], parts[1], parts[2], []byte(parts[3])))
		}
		t.Fatalf("not a vector: %s", found)
		return nil
	})
}

// toJSON keeps the order of keys and the literals of numbers, which a detour over maps and floats would not.
// Of the texts for people it writes what say makes of them.
func toJSON(t *testing.T, source []byte, say func(text string) string) []byte {
	t.Helper()
	var document yaml.Node
	if err := yaml.Unmarshal(source, &document); err != nil {
		t.Fatal(err)
	}
	var compact, out bytes.Buffer
	w := &writer{Buffer: &compact, say: say}
	w.write(t, document.Content[0])
	if err := json.Indent(&out, compact.Bytes(), "", " "); err != nil {
		t.Fatal(err)
	}
	out.WriteByte('\n')
	return out.Bytes()
}

// writer writes nodes as JSON without white space.
type writer struct {
	*bytes.Buffer
	say func(text string) string
}

// texts are the fields that people read.
var texts = []string{"description", "summary", "x-displayName"}

// examples are the fields that have what goes over the wire, in which a field called "description" is no text of ours.
var examples = []string{"example", "value"}

func (w *writer) write(t *testing.T, n *yaml.Node) {
	t.Helper()
	switch n.Kind {
	case yaml.AliasNode:
		w.write(t, n.Alias)
	case yaml.MappingNode:
		w.WriteByte('{')
		written := map[string]bool{}
		for i, pair := range pairs(n) {
			if i > 0 {
				w.WriteByte(',')
			}
			key, value := pair[0].Value, pair[1]
			if written[key] {
				t.Errorf("line %d: %s comes twice, which readers of JSON refuse", n.Line, key)
			}
			written[key] = true
			w.text(key)
			w.WriteByte(':')
			switch {
			case slices.Contains(texts, key) && value.Kind == yaml.ScalarNode:
				w.text(w.say(value.Value))
			case slices.Contains(examples, key):
				wire := &writer{Buffer: w.Buffer, say: func(text string) string { return text }}
				wire.write(t, value)
			default:
				w.write(t, value)
			}
		}
		w.WriteByte('}')
	case yaml.SequenceNode:
		w.WriteByte('[')
		for i, item := range n.Content {
			if i > 0 {
				w.WriteByte(',')
			}
			w.write(t, item)
		}
		w.WriteByte(']')
	case yaml.ScalarNode:
		if n.Tag == "!!str" {
			w.text(n.Value)
			return
		}
		w.WriteString(n.Value) // a number, a boolean or null, written as in JSON
	default:
		t.Fatalf("line %d: unexpected kind of node", n.Line)
	}
}

// pairs returns a mapping's keys and values; those merged in by "<<" stand where it stands.
func pairs(n *yaml.Node) [][2]*yaml.Node {
	var found [][2]*yaml.Node
	for i := 0; i < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		if key.Tag == "!!merge" {
			found = append(found, pairs(value.Alias)...)
			continue
		}
		found = append(found, [2]*yaml.Node{key, value})
	}
	return found
}

func (w *writer) text(text string) {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(text) // a text always encodes
	w.Truncate(w.Len() - 1)
}
