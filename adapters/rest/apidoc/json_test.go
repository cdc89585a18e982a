package apidoc_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"regexp"
	"strings"
	"testing"

	yaml "github.com/oasdiff/yaml3"

	"github.com/vezne/vezne/adapters/rest/apidoc"
	"github.com/vezne/vezne/core/sign"
)

var update = flag.Bool("update", false, "write openapi.json anew from openapi.yaml")

func TestJSONIsMadeFromYAML(t *testing.T) {
	t.Parallel()
	source, err := os.ReadFile("openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	want := toJSON(t, withVectors(t, source))
	if *update {
		if err := os.WriteFile("openapi.json", want, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if !bytes.Equal(want, apidoc.OpenAPI()) {
		t.Fatal("openapi.json is stale: run `go generate ./adapters/rest/apidoc`")
	}
}

// vector is a worked example whose result is computed: {{hash parts…}} or {{webhook secret id timestamp body}}.
var vector = regexp.MustCompile(`\{\{(hash|webhook) (.+?\}?)\}\}`)

// withVectors fills in the worked examples by the code that checks real requests.
func withVectors(t *testing.T, source []byte) []byte {
	t.Helper()
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
func toJSON(t *testing.T, source []byte) []byte {
	t.Helper()
	var document yaml.Node
	if err := yaml.Unmarshal(source, &document); err != nil {
		t.Fatal(err)
	}
	var compact, out bytes.Buffer
	writeNode(t, &compact, document.Content[0])
	if err := json.Indent(&out, compact.Bytes(), "", " "); err != nil {
		t.Fatal(err)
	}
	out.WriteByte('\n')
	return out.Bytes()
}

func writeNode(t *testing.T, out *bytes.Buffer, n *yaml.Node) {
	t.Helper()
	switch n.Kind {
	case yaml.AliasNode:
		writeNode(t, out, n.Alias)
	case yaml.MappingNode:
		out.WriteByte('{')
		written := map[string]bool{}
		for i, pair := range pairs(n) {
			if i > 0 {
				out.WriteByte(',')
			}
			if written[pair[0].Value] {
				t.Errorf("line %d: %s comes twice, which readers of JSON refuse", n.Line, pair[0].Value)
			}
			written[pair[0].Value] = true
			writeText(out, pair[0].Value)
			out.WriteByte(':')
			writeNode(t, out, pair[1])
		}
		out.WriteByte('}')
	case yaml.SequenceNode:
		out.WriteByte('[')
		for i, item := range n.Content {
			if i > 0 {
				out.WriteByte(',')
			}
			writeNode(t, out, item)
		}
		out.WriteByte(']')
	case yaml.ScalarNode:
		if n.Tag == "!!str" {
			writeText(out, n.Value)
			return
		}
		out.WriteString(n.Value) // a number, a boolean or null, written as in JSON
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

func writeText(out *bytes.Buffer, text string) {
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(text) // a text always encodes
	out.Truncate(out.Len() - 1)
}
