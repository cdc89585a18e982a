package sdk_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/vezne/vezne/core/coretest"
	"github.com/vezne/vezne/sdk"
)

// The parts of a Postman collection of version 2.1 that ours has.
type (
	collection struct {
		Info     collectionInfo  `json:"info"`
		Auth     json.RawMessage `json:"auth"`
		Event    []script        `json:"event"`
		Variable []pair          `json:"variable"`
		Item     []folder        `json:"item"`
	}
	collectionInfo struct {
		Name        string `json:"name"`
		Description string `json:"description"`
		Schema      string `json:"schema"`
	}
	script struct {
		Listen string `json:"listen"`
		Script struct {
			Type string   `json:"type"`
			Exec []string `json:"exec"`
		} `json:"script"`
	}
	pair struct {
		Key   string `json:"key"`
		Value string `json:"value"`
	}
	folder struct {
		Name string `json:"name"`
		Item []item `json:"item"`
	}
	item struct {
		Name    string      `json:"name"`
		Request itemRequest `json:"request"`
	}
	itemRequest struct {
		Description string    `json:"description"`
		Method      string    `json:"method"`
		Header      []pair    `json:"header"`
		URL         itemURL   `json:"url"`
		Body        *itemBody `json:"body,omitempty"`
	}
	itemURL struct {
		Raw   string   `json:"raw"`
		Host  []string `json:"host"`
		Path  []string `json:"path"`
		Query []pair   `json:"query,omitempty"`
	}
	itemBody struct {
		Mode    string          `json:"mode"`
		Raw     string          `json:"raw"`
		Options json.RawMessage `json:"options"`
	}
)

// collected is a call as the collection has it.
func collected(t *testing.T, c call) item {
	t.Helper()
	fields, body := c.shown(t)
	r := itemRequest{Description: c.clause, Method: c.method, Header: []pair{}}
	path := "api/" + c.api() + "/" + c.path
	r.URL = itemURL{Raw: "{{base_url}}/" + path, Host: []string{"{{base_url}}"}, Path: strings.Split(path, "/")}
	switch c.header {
	case "X-Key":
		r.Header = append(r.Header, pair{c.header, "{{verification_key}}"})
	case "X-Credential-Key":
		r.Header = append(r.Header, pair{c.header, "{{credential_key}}"})
	}
	if c.creates {
		r.Header = append(r.Header, pair{"Idempotency-Key", ""})
	}
	if c.method == "GET" {
		for i, f := range fields {
			r.URL.Query = append(r.URL.Query, pair{f.name, f.value.(string)})
			r.URL.Raw += map[bool]string{true: "?", false: "&"}[i == 0] + f.name + "=" + escape(f.value.(string))
		}
	} else {
		r.Header = append(r.Header, pair{"Content-Type", "application/json"})
		if body != "" {
			r.Body = &itemBody{"raw", strings.ReplaceAll(body, credentialKey, "{{credential_key}}"), json.RawMessage(`{"raw":{"language":"json"}}`)}
		}
	}
	return item{c.name, r}
}

// TestTheCollection writes postman.json.
func TestTheCollection(t *testing.T) {
	t.Parallel()
	made := collection{Auth: json.RawMessage(`{"type":"noauth"}`), Item: []folder{{Name: "Provider"}, {Name: "Dealer"}}}
	made.Info = collectionInfo{"Vezne", "Every call of both APIs, signed by the collection's script. Fill in the variables as current values, which Postman keeps on your " +
		"machine alone: the keys of one of the two APIs are enough.", "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"}
	text, err := os.ReadFile("postman/sign.js")
	if err != nil {
		t.Fatal(err)
	}
	s := script{Listen: "prerequest"}
	s.Script.Type, s.Script.Exec = "text/javascript", strings.Split(strings.TrimSpace(string(text)), "\n")
	made.Event = []script{s}
	made.Variable = []pair{{"base_url", "https://pay.vezne.example"}, {"signing", "v2"}}
	for _, name := range []string{"api_key", "secret_key", "credential_key", "verification_key", "dealer_api_key", "dealer_secret_key"} {
		made.Variable = append(made.Variable, pair{name, ""})
	}
	for _, c := range calls() {
		i := 0
		if c.api() == "dealer" {
			i = 1
		}
		made.Item[i].Item = append(made.Item[i].Item, collected(t, c))
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	if err := e.Encode(made); err != nil {
		t.Fatal(err)
	}
	coretest.CheckGolden(t, "../postman.json", out.Bytes())
}

// TestTheCollectionSignsAsVezneDoes runs its script in Node.js, on what the vectors send.
func TestTheCollectionSignsAsVezneDoes(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("postman.json")
	if err != nil {
		t.Fatal(err)
	}
	var made collection
	if err := json.Unmarshal(text, &made); err != nil {
		t.Fatal(err)
	}
	type run struct {
		Script    string            `json:"script"`
		Method    string            `json:"method"`
		Target    string            `json:"target"`
		Headers   map[string]string `json:"headers"`
		Body      string            `json:"body"`
		Variables map[string]string `json:"variables"`
		Time      int64             `json:"time"`
		Nonce     string            `json:"nonce"`
	}
	items := append(slices.Clone(made.Item[0].Item), made.Item[1].Item...)
	if len(items) != len(calls()) {
		t.Fatalf("%d calls of the collection of %d", len(items), len(calls()))
	}
	vectors := readVectors[sdk.Request](t, "requests")[:len(items)] // behind them a call again, with other fields
	var in bytes.Buffer
	e := json.NewEncoder(&in)
	for i, v := range vectors {
		for _, signing := range []string{"v2", "hash"} {
			r := run{Script: strings.Join(made.Event[0].Script.Exec, "\n"), Method: items[i].Request.Method, Target: v.Target, Headers: map[string]string{}, Time: at.Unix(), Nonce: nonce}
			r.Body = strings.ReplaceAll(v.Body, credentialKey, "{{credential_key}}")
			r.Variables = map[string]string{
				"base_url": "https://pay.example.com", "signing": signing, "api_key": apiKey, "secret_key": secretKey, "credential_key": credentialKey,
				"verification_key": verificationKey, "dealer_api_key": dealerKey, "dealer_secret_key": dealerSecret,
			}
			for _, h := range items[i].Request.Header {
				r.Headers[h.Key] = h.Value
			}
			if _, isThere := r.Headers["Idempotency-Key"]; isThere {
				r.Headers["Idempotency-Key"] = v.Headers["Idempotency-Key"]
			}
			if err := e.Encode(r); err != nil {
				t.Fatal(err)
			}
		}
	}
	cmd := exec.CommandContext(t.Context(), "node", "postman/check.mjs")
	cmd.Stdin = &in
	said, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	d := json.NewDecoder(bytes.NewReader(said))
	for _, v := range vectors {
		for _, signing := range []string{"v2", "hash"} {
			var got map[string]string
			if err := d.Decode(&got); err != nil {
				t.Fatal(err)
			}
			for name, value := range got { // what the item has as a variable
				got[name] = strings.NewReplacer("{{credential_key}}", credentialKey, "{{verification_key}}", verificationKey).Replace(value)
			}
			want := maps.Clone(v.Headers)
			if v.Method == "POST" {
				want["Content-Type"] = "application/json"
			}
			if signing == "hash" {
				want["X-Hash"] = v.Hash
				delete(want, "X-Nonce")
			} else {
				want["X-Signature"] = v.Signature
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s by %s (-want +got):\n%s", v.Clause, signing, diff)
			}
		}
	}
}
